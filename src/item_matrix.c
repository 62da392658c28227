/* The matrix of items and candidates that version 1.4 kept. To R it is a numeric matrix like any other, but its cells
   are made only when somebody asks for all of them: it would be a thousand times larger than what it says.

   It is written in C because making the cells may fail for lack of memory, and R's error must not jump over Rust. */
#include <string.h>
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Altrep.h>
#include <R_ext/Rdynload.h>

/* Matrices with more cells than this are saved as what they say, not as cells. Such a file needs the package to be
   there when it is read, and a smaller one does not. */
#define MOST_SAVED_CELLS 1e6

static R_altrep_class_t item_matrix;

/* What the matrix says, kept in the first field of the object: the rows of the ones, column by column, from 1; where
   each column's rows end; and the number of rows. The second field is R_NilValue, then the cells. */
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
  MARK_NOT_MUTABLE(state);
  return R_new_altrep(item_matrix, state, R_NilValue);
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
  SEXP state = R_altrep_data1(x), cells = R_altrep_data2(x);
  if (cells != R_NilValue) return REAL_ELT(cells, i);
  return is_one(state, i / height_of(state), i % height_of(state));
}

static SEXP all_cells(SEXP x) {
  SEXP cells = R_altrep_data2(x);
  if (cells != R_NilValue) return cells;
  SEXP state = R_altrep_data1(x), rows = rows_of(state), ends = ends_of(state);
  cells = PROTECT(Rf_allocVector(REALSXP, matrix_length(x)));
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

static const void *matrix_dataptr_or_null(SEXP x) {
  SEXP cells = R_altrep_data2(x);
  return cells == R_NilValue ? NULL : REAL_RO(cells);
}

/* Cells may have been written to. NULL leaves it to R, which copies them. */
static SEXP matrix_duplicate(SEXP x, Rboolean deep) {
  return R_altrep_data2(x) == R_NilValue ? new_item_matrix(R_altrep_data1(x)) : NULL;
}

/* NULL lets R save the cells. */
static SEXP matrix_serialized_state(SEXP x) {
  int is_small = matrix_length(x) <= MOST_SAVED_CELLS;
  return is_small || R_altrep_data2(x) != R_NilValue ? NULL : R_altrep_data1(x);
}

static SEXP matrix_unserialize(SEXP class, SEXP state) { return new_item_matrix(state); }

static int matrix_no_na(SEXP x) { return R_altrep_data2(x) == R_NilValue; }

/* .External(external_item_matrix, rows, ends, height) */
SEXP external_item_matrix(SEXP args) {
  SEXP state = PROTECT(Rf_allocVector(VECSXP, 3));
  args = CDR(args);
  for (int i = 0; i < 3; i++, args = CDR(args)) SET_VECTOR_ELT(state, i, CAR(args));
  SEXP x = PROTECT(new_item_matrix(state));
  SEXP dim = PROTECT(Rf_allocVector(INTSXP, 2));
  INTEGER(dim)[0] = (int) height_of(state);
  INTEGER(dim)[1] = (int) XLENGTH(ends_of(state));
  Rf_setAttrib(x, R_DimSymbol, dim);
  UNPROTECT(3);
  return x;
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
  R_set_altreal_No_NA_method(item_matrix, matrix_no_na);
}
