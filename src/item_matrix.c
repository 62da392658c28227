/* The matrix of items and candidates that version 1.4 kept. To R it is an ordinary numeric matrix, but its cells are made
   only when something reads all of them: a dense copy would be a thousand times larger than the sparse state.

   It is written in C because making the cells may fail for lack of memory, and R's error must not jump over Rust. */
#include "lazy.h"
#include <stdint.h>
#include <string.h>
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Altrep.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>

static R_altrep_class_t item_matrix;

/* The sparse state: the rows of the ones, column by column, from 1; where each column's rows end; and the number of rows. */
static SEXP rows_of(SEXP state) { return VECTOR_ELT(state, 0); }
static SEXP ends_of(SEXP state) { return VECTOR_ELT(state, 1); }
static R_xlen_t height_of(SEXP state) { return INTEGER_ELT(VECTOR_ELT(state, 2), 0); }

static int is_valid(SEXP state) {
  if (TYPEOF(state) != VECSXP || XLENGTH(state) != 3) return 0;
  for (int i = 0; i < 3; i++) {
    if (TYPEOF(VECTOR_ELT(state, i)) != INTSXP) return 0;
  }
  if (XLENGTH(VECTOR_ELT(state, 2)) != 1 || height_of(state) < 0) return 0;
  SEXP rows = rows_of(state), ends = ends_of(state);
  for (R_xlen_t i = 0; i < XLENGTH(rows); i++) {
    int row = INTEGER_ELT(rows, i);
    if (row < 1 || row > height_of(state)) return 0;
  }
  R_xlen_t end = 0;
  for (R_xlen_t i = 0; i < XLENGTH(ends); i++) {
    if (INTEGER_ELT(ends, i) < end) return 0;
    end = INTEGER_ELT(ends, i);
  }
  return end == XLENGTH(rows);
}

static SEXP new_item_matrix(SEXP state) {
  if (!is_valid(state)) Rf_error("not a matrix of items and candidates");
  return new_lazy(item_matrix, state);
}

static R_xlen_t matrix_length(SEXP x) {
  SEXP state = R_altrep_data1(x);
  return height_of(state) * XLENGTH(ends_of(state));
}

static int is_one(SEXP state, R_xlen_t column, R_xlen_t row) {
  SEXP rows = rows_of(state), ends = ends_of(state);
  R_xlen_t end = INTEGER_ELT(ends, column);
  for (R_xlen_t i = column == 0 ? 0 : INTEGER_ELT(ends, column - 1); i < end; i++) {
    if (INTEGER_ELT(rows, i) == row + 1) return 1;
  }
  return 0;
}

static double matrix_elt(SEXP x, R_xlen_t i) {
  if (is_made(x)) return REAL_ELT(R_altrep_data2(x), i);
  SEXP state = R_altrep_data1(x);
  return is_one(state, i / height_of(state), i % height_of(state));
}

static SEXP all_cells(SEXP x) {
  if (is_made(x)) return R_altrep_data2(x);
  SEXP state = R_altrep_data1(x), rows = rows_of(state), ends = ends_of(state);
  SEXP cells = PROTECT(Rf_allocVector(REALSXP, matrix_length(x)));
  double *cell = REAL(cells);
  if (XLENGTH(cells) > 0) memset(cell, 0, sizeof(double) * (size_t) XLENGTH(cells));
  R_xlen_t i = 0;
  for (R_xlen_t column = 0; column < XLENGTH(ends); column++) {
    for (; i < INTEGER_ELT(ends, column); i++) {
      cell[column * height_of(state) + INTEGER_ELT(rows, i) - 1] = 1;
    }
  }
  R_set_altrep_data2(x, cells);
  UNPROTECT(1);
  return cells;
}

static void *matrix_dataptr(SEXP x, Rboolean writable) { return REAL(all_cells(x)); }

static const void *matrix_dataptr_or_null(SEXP x) { return is_made(x) ? REAL_RO(R_altrep_data2(x)) : NULL; }

static SEXP matrix_duplicate(SEXP x, Rboolean deep) { return duplicate_lazy(item_matrix, x); }

/* Are the cells that were made still those of the state? */
static int is_unchanged(SEXP x) {
  if (!is_made(x)) return 1;
  SEXP state = R_altrep_data1(x), rows = rows_of(state), ends = ends_of(state);
  const double *cell = REAL_RO(R_altrep_data2(x));
  double n_ones = 0, n_cells = (double) matrix_length(x);
  for (R_xlen_t i = 0; i < (R_xlen_t) n_cells; i++) {
    if (cell[i] != 0 && cell[i] != 1) return 0;
    n_ones += cell[i];
  }
  double n_distinct = 0;
  for (R_xlen_t column = 0, i = 0; column < XLENGTH(ends); column++) {
    for (R_xlen_t first = i; i < INTEGER_ELT(ends, column); i++) {
      if (cell[column * height_of(state) + INTEGER_ELT(rows, i) - 1] != 1) return 0;
      R_xlen_t j = first;
      while (INTEGER_ELT(rows, j) != INTEGER_ELT(rows, i)) j++;
      n_distinct += j == i;
    }
  }
  return n_ones == n_distinct;
}

/* NULL lets R save the cells. */
static SEXP matrix_serialized_state(SEXP x) {
  return matrix_length(x) > MOST_SAVED_CELLS && is_unchanged(x) ? R_altrep_data1(x) : NULL;
}

static SEXP matrix_unserialize(SEXP class, SEXP state) { return new_item_matrix(state); }

/* .External(external_item_matrix, rows, ends, height) */
SEXP external_item_matrix(SEXP args) {
  SEXP state = PROTECT(lazy_state(args));
  SEXP x = PROTECT(new_item_matrix(state));
  SEXP dim = PROTECT(Rf_allocVector(INTSXP, 2));
  INTEGER(dim)[0] = (int) height_of(state);
  INTEGER(dim)[1] = (int) XLENGTH(ends_of(state));
  Rf_setAttrib(x, R_DimSymbol, dim);
  UNPROTECT(3);
  return x;
}

/* The rows of the ones in one column, into `out` unless that is NULL; returns how many there are. */
static R_xlen_t column_rows(SEXP x, R_xlen_t column, R_xlen_t height, int *out) {
  R_xlen_t n = 0;
  if (ALTREP(x) && R_altrep_inherits(x, item_matrix) && !is_made(x)) {
    SEXP rows = rows_of(R_altrep_data1(x)), ends = ends_of(R_altrep_data1(x));
    R_xlen_t from = column == 0 ? 0 : INTEGER_ELT(ends, column - 1), to = INTEGER_ELT(ends, column);
    for (R_xlen_t i = from; i < to; i++, n++) {
      if (out != NULL) out[n] = INTEGER_ELT(rows, i);
    }
    return n;
  }
  for (R_xlen_t row = 0; row < height; row++) {
    if (REAL_ELT(x, column * height + row) != 1) continue;
    if (out != NULL) out[n] = (int) row + 1;
    n++;
  }
  return n;
}

/* .External(external_candidate_rows, matrix, columns): the rows of the ones in some columns of a matrix of doubles, one
   column after the other, and how many each has. The cells of an item matrix are not made for it. */
SEXP external_candidate_rows(SEXP args) {
  SEXP x = CADR(args), columns = CADDR(args), dim = Rf_getAttrib(x, R_DimSymbol);
  if (TYPEOF(x) != REALSXP || TYPEOF(columns) != INTSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2) {
    Rf_error("not a matrix and its columns");
  }
  R_xlen_t height = INTEGER_ELT(dim, 0), width = INTEGER_ELT(dim, 1), total = 0, n = XLENGTH(columns);
  SEXP lengths = PROTECT(Rf_allocVector(INTSXP, n));
  for (R_xlen_t i = 0; i < n; i++) {
    int column = INTEGER_ELT(columns, i);
    if (column < 1 || column > width) Rf_error("not a column of the matrix");
    R_xlen_t n_rows = column_rows(x, column - 1, height, NULL);
    INTEGER(lengths)[i] = (int) n_rows;
    total += n_rows;
  }
  SEXP rows = PROTECT(Rf_allocVector(INTSXP, total));
  int *out = INTEGER(rows);
  for (R_xlen_t i = 0; i < n; i++) out += column_rows(x, INTEGER_ELT(columns, i) - 1, height, out);
  const char *names[] = {"rows", "lengths", ""};
  SEXP found = PROTECT(Rf_mkNamed(VECSXP, names));
  SET_VECTOR_ELT(found, 0, rows);
  SET_VECTOR_ELT(found, 1, lengths);
  UNPROTECT(3);
  return found;
}

/* .External(external_pool_places, lengths, candidates): how many items the pool has before those of each candidate.
   R's cumsum() would make a vector as long as the pool. */
SEXP external_pool_places(SEXP args) {
  SEXP lengths = CADR(args), candidates = CADDR(args);
  if (TYPEOF(lengths) != INTSXP || TYPEOF(candidates) != INTSXP) Rf_error("not lengths and candidates");
  R_xlen_t n = XLENGTH(candidates);
  for (R_xlen_t i = 0; i < n; i++) {
    R_xlen_t candidate = INTEGER_ELT(candidates, i);
    if (candidate < 1 || candidate > XLENGTH(lengths)) Rf_error("not a candidate of the pool");
  }
  SEXP places = PROTECT(Rf_allocVector(REALSXP, n));
  double *sorted = (double *) R_alloc((size_t) n, sizeof(double));
  int *at = (int *) R_alloc((size_t) n, sizeof(int));
  for (R_xlen_t i = 0; i < n; i++) {
    sorted[i] = INTEGER_ELT(candidates, i);
    at[i] = (int) i;
  }
  rsort_with_index(sorted, at, (int) n);
  const int *length = INTEGER_RO(lengths);
  int64_t before = 0;
  R_xlen_t place = 0;
  for (R_xlen_t i = 0; i < n; i++) {
    for (; place + 1 < (R_xlen_t) sorted[i]; place++) before += length[place];
    REAL(places)[at[i]] = (double) before;
  }
  UNPROTECT(1);
  return places;
}

void sbrl_make_item_matrix_class(DllInfo *dll) {
  item_matrix = R_make_altreal_class("item_matrix", "sbrl", dll);
  R_set_altrep_Length_method(item_matrix, matrix_length);
  R_set_altrep_Duplicate_method(item_matrix, matrix_duplicate);
  R_set_altrep_Serialized_state_method(item_matrix, matrix_serialized_state);
  R_set_altrep_Unserialize_method(item_matrix, matrix_unserialize);
  R_set_altvec_Dataptr_method(item_matrix, matrix_dataptr);
  R_set_altvec_Dataptr_or_null_method(item_matrix, matrix_dataptr_or_null);
  R_set_altreal_Elt_method(item_matrix, matrix_elt);
  R_set_altreal_No_NA_method(item_matrix, lazy_no_na);
}
