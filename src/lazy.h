/* What the lazy vectors item_matrix.c and rule_names.c share. The first field of the object is its state, a list of three
   vectors from which the values are made; the second is R_NilValue until they are, then the values. */
#ifndef SBRL_LAZY_H
#define SBRL_LAZY_H
#include <Rinternals.h>
#include <R_ext/Altrep.h>

static inline int is_made(SEXP x) { return R_altrep_data2(x) != R_NilValue; }

/* The three arguments of a call of .External() as a state. Nothing may be written to them any more. */
static inline SEXP lazy_state(SEXP args) {
  SEXP state = PROTECT(Rf_allocVector(VECSXP, 3));
  args = CDR(args);
  for (int i = 0; i < 3; i++, args = CDR(args)) {
    MARK_NOT_MUTABLE(CAR(args));
    SET_VECTOR_ELT(state, i, CAR(args));
  }
  UNPROTECT(1);
  return state;
}

static inline SEXP new_lazy(R_altrep_class_t class, SEXP state) {
  MARK_NOT_MUTABLE(state);
  return R_new_altrep(class, state, R_NilValue);
}

/* Values that were made may have been written to. NULL leaves it to R, which copies them. */
static inline SEXP duplicate_lazy(R_altrep_class_t class, SEXP x) {
  return is_made(x) ? NULL : new_lazy(class, R_altrep_data1(x));
}

/* How many cells of the matrix, or names, are saved as they are. What is larger is saved as its state unless it was
   written to: reading such a file needs the package, reading a smaller one does not. A file of version 2 has all values. */
#define MOST_SAVED_CELLS 10000
#define MOST_SAVED_NAMES 500

static inline int lazy_no_na(SEXP x) { return !is_made(x); }

#endif
