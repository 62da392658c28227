/* The few functions of the GNU Scientific Library that pysbrl calls, for machines without its headers. Bench only. */
#ifndef GSL_STAND_IN_H
#define GSL_STAND_IN_H

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { size_t size1, size2; double *data; } gsl_matrix;
typedef struct { size_t size; double *data; } gsl_vector;
typedef struct { gsl_vector vector; } gsl_vector_view;
typedef struct { unsigned long long state; } gsl_rng;
typedef int gsl_rng_type;
#define gsl_rng_default 0

/* xorshift64*: at least as quick as the library's own generator, so that the comparison does not flatter us. */
static inline unsigned long long stand_in_draw(gsl_rng *rng) {
  rng->state ^= rng->state >> 12;
  rng->state ^= rng->state << 25;
  rng->state ^= rng->state >> 27;
  return rng->state * 2685821657736338717ULL;
}
static inline gsl_rng *gsl_rng_alloc(gsl_rng_type type) {
  gsl_rng *rng = malloc(sizeof *rng);
  (void) type;
  rng->state = 88172645463325252ULL;
  return rng;
}
static inline void gsl_rng_free(gsl_rng *rng) { free(rng); }
static inline void gsl_rng_set(gsl_rng *rng, unsigned long seed) { rng->state = 88172645463325252ULL ^ (seed << 1); }
static inline unsigned long gsl_rng_get(gsl_rng *rng) { return (unsigned long) (stand_in_draw(rng) >> 32); }
static inline double gsl_rng_uniform(gsl_rng *rng) { return (double) (stand_in_draw(rng) >> 11) / 9007199254740992.0; }
static inline unsigned long gsl_rng_uniform_int(gsl_rng *rng, unsigned long n) {
  return n == 0 ? 0 : (unsigned long) ((stand_in_draw(rng) >> 33) % n);
}

static inline double gsl_sf_lngamma(double x) { return lgamma(x); }
static inline double gsl_ran_poisson_pdf(unsigned int k, double mean) {
  return exp(k * log(mean) - lgamma(k + 1.0) - mean);
}
static inline double gsl_cdf_poisson_P(unsigned int k, double mean) {
  double sum = 0;
  for (unsigned int i = 0; i <= k; i++) sum += gsl_ran_poisson_pdf(i, mean);
  return sum;
}

static inline gsl_matrix *gsl_matrix_alloc(size_t rows, size_t columns) {
  gsl_matrix *matrix = malloc(sizeof *matrix);
  matrix->size1 = rows;
  matrix->size2 = columns;
  matrix->data = malloc(rows * columns * sizeof(double));
  return matrix;
}
static inline void gsl_matrix_free(gsl_matrix *matrix) {
  free(matrix->data);
  free(matrix);
}
static inline double gsl_matrix_get(const gsl_matrix *m, size_t i, size_t j) { return m->data[i * m->size2 + j]; }
static inline void gsl_matrix_set(gsl_matrix *m, size_t i, size_t j, double x) { m->data[i * m->size2 + j] = x; }
static inline gsl_vector_view gsl_matrix_row(gsl_matrix *m, size_t i) {
  gsl_vector_view view = {{m->size2, m->data + i * m->size2}};
  return view;
}
static inline size_t gsl_vector_max_index(const gsl_vector *v) {
  size_t best = 0;
  for (size_t i = 1; i < v->size; i++) if (v->data[i] > v->data[best]) best = i;
  return best;
}

#endif
