/* An ALTREP class for test-base_native.R: integers and texts whose elements and data pointer cannot be had once `limit`
   elements have been read. */
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Altrep.h>
#include <R_ext/Rdynload.h>

static R_altrep_class_t unwilling_integer, unwilling_string;

static R_xlen_t n_of(SEXP x) { return INTEGER(R_altrep_data1(x))[0]; }

static void read_one(SEXP x) {
  int *left = INTEGER(R_altrep_data1(x)) + 1;
  if (*left == 0) Rf_error("the values are gone");
  if (*left > 0) (*left)--;
}

static R_xlen_t unwilling_length(SEXP x) { return n_of(x); }

static void *unwilling_dataptr(SEXP x, Rboolean writable) {
  Rf_error("there is no data pointer");
  return NULL;
}

static const void *unwilling_dataptr_or_null(SEXP x) { return NULL; }

static int integer_elt(SEXP x, R_xlen_t i) {
  read_one(x);
  return (int) (i % 7);
}

static SEXP string_elt(SEXP x, R_xlen_t i) {
  read_one(x);
  return Rf_mkChar(i % 3 == 0 ? "a" : "b");
}

/* .Call(unwilling, is_text, n, limit); a negative limit is none. */
SEXP unwilling(SEXP is_text, SEXP n, SEXP limit) {
  SEXP state = PROTECT(Rf_allocVector(INTSXP, 2));
  INTEGER(state)[0] = Rf_asInteger(n);
  INTEGER(state)[1] = Rf_asInteger(limit);
  SEXP x = R_new_altrep(Rf_asLogical(is_text) ? unwilling_string : unwilling_integer, state, R_NilValue);
  UNPROTECT(1);
  return x;
}

void R_init_unwilling(DllInfo *dll) {
  unwilling_integer = R_make_altinteger_class("unwilling_integer", "unwilling", dll);
  R_set_altrep_Length_method(unwilling_integer, unwilling_length);
  R_set_altvec_Dataptr_method(unwilling_integer, unwilling_dataptr);
  R_set_altvec_Dataptr_or_null_method(unwilling_integer, unwilling_dataptr_or_null);
  R_set_altinteger_Elt_method(unwilling_integer, integer_elt);
  unwilling_string = R_make_altstring_class("unwilling_string", "unwilling", dll);
  R_set_altrep_Length_method(unwilling_string, unwilling_length);
  R_set_altvec_Dataptr_method(unwilling_string, unwilling_dataptr);
  R_set_altvec_Dataptr_or_null_method(unwilling_string, unwilling_dataptr_or_null);
  R_set_altstring_Elt_method(unwilling_string, string_elt);
}
