/* Values between R and Rust. R functions that may fail, for lack of memory or because they are interrupted, end with a
   jump, and a jump must not cross Rust frames. So they are called here, before Rust is entered or after it was left:

   - external_answer() makes an R value of the answer that a native function left (see rust/src/answer.rs);
   - external_plain() gives vectors a data pointer before a native function reads them. */
#include <limits.h>
#include <string.h>
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Altrep.h>
#include <R_ext/Utils.h>

/* Elements that are read between two looks for an interrupt. */
#define PER_LOOK 65536

/* In rust/src/answer.rs, where they are explained. */
typedef struct Answer Answer;
typedef struct Handle Handle;
enum { IS_NULL, IS_LOGICAL, IS_INTEGERS, IS_DOUBLES, IS_TEXTS, IS_LIST, IS_HANDLE };
Answer *sbrl_answer_take(void);
void sbrl_answer_drop(Answer *answer);
int sbrl_answer_kind(const Answer *answer);
size_t sbrl_answer_length(const Answer *answer);
void sbrl_answer_copy(const Answer *answer, void *to);
const char *sbrl_answer_text(const Answer *answer, size_t index, size_t *length);
const char *sbrl_answer_name(const Answer *answer, size_t index, size_t *length);
const Answer *sbrl_answer_element(const Answer *answer, size_t index);
Handle *sbrl_answer_take_handle(Answer *answer);
void sbrl_handle_drop(Handle *handle);

/* Marks the external pointers of this package. Symbols are never freed. */
static SEXP handle_tag;

static void finalize_handle(SEXP pointer) {
  Handle *handle = (Handle *) R_ExternalPtrAddr(pointer);
  R_ClearExternalPtr(pointer);
  sbrl_handle_drop(handle);
}

/* What an external pointer of ours points to; NULL for any other value, and for one that was read back from a file. */
void *sbrl_handle_address(SEXP x) {
  if (TYPEOF(x) != EXTPTRSXP || R_ExternalPtrTag(x) != handle_tag) return NULL;
  return R_ExternalPtrAddr(x);
}

/* The pointer is there before it owns anything: if it cannot be made, the answer still owns what it is to own. */
static SEXP make_handle(Answer *answer) {
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, handle_tag, R_NilValue));
  R_RegisterCFinalizerEx(pointer, finalize_handle, TRUE);
  R_SetExternalPtrAddr(pointer, sbrl_answer_take_handle(answer));
  UNPROTECT(1);
  return pointer;
}

static SEXP make_text(const char *bytes, size_t length) {
  if (length > INT_MAX) Rf_error("a text of %.0f bytes is too long for R", (double) length);
  return Rf_mkCharLenCE(bytes, (int) length, CE_UTF8);
}

static SEXP make_texts(const Answer *answer) {
  R_xlen_t n = (R_xlen_t) sbrl_answer_length(answer);
  SEXP texts = PROTECT(Rf_allocVector(STRSXP, n));
  for (R_xlen_t i = 0; i < n; i++) {
    size_t length;
    const char *bytes = sbrl_answer_text(answer, (size_t) i, &length);
    SET_STRING_ELT(texts, i, make_text(bytes, length));
  }
  UNPROTECT(1);
  return texts;
}

static SEXP make_vector(const Answer *answer, SEXPTYPE type) {
  SEXP values = PROTECT(Rf_allocVector(type, (R_xlen_t) sbrl_answer_length(answer)));
  void *to = type == REALSXP ? (void *) REAL(values) : type == INTSXP ? (void *) INTEGER(values) : LOGICAL(values);
  if (XLENGTH(values) > 0) sbrl_answer_copy(answer, to);
  UNPROTECT(1);
  return values;
}

static SEXP make_value(const Answer *answer);

static SEXP make_list(const Answer *answer) {
  R_xlen_t n = (R_xlen_t) sbrl_answer_length(answer);
  SEXP values = PROTECT(Rf_allocVector(VECSXP, n)), names = PROTECT(Rf_allocVector(STRSXP, n));
  int has_names = 0;
  for (R_xlen_t i = 0; i < n; i++) {
    size_t length;
    const char *name = sbrl_answer_name(answer, (size_t) i, &length);
    has_names = has_names || length > 0;
    SET_STRING_ELT(names, i, make_text(name, length));
    SET_VECTOR_ELT(values, i, make_value(sbrl_answer_element(answer, (size_t) i)));
  }
  if (has_names) Rf_setAttrib(values, R_NamesSymbol, names);
  UNPROTECT(2);
  return values;
}

static SEXP make_value(const Answer *answer) {
  switch (sbrl_answer_kind(answer)) {
  case IS_LOGICAL: return make_vector(answer, LGLSXP);
  case IS_INTEGERS: return make_vector(answer, INTSXP);
  case IS_DOUBLES: return make_vector(answer, REALSXP);
  case IS_TEXTS: return make_texts(answer);
  case IS_LIST: return make_list(answer);
  case IS_HANDLE: return make_handle((Answer *) answer);
  default: return R_NilValue;
  }
}

static void drop_answer(SEXP owner) {
  Answer *answer = (Answer *) R_ExternalPtrAddr(owner);
  R_ClearExternalPtr(owner);
  sbrl_answer_drop(answer);
}

/* .External(external_answer): the answer of the native function that was called last. While R makes the value, an
   external pointer owns the answer, so that it is freed even if R jumps away. */
SEXP external_answer(SEXP args) {
  SEXP owner = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(owner, drop_answer, FALSE);
  Answer *answer = sbrl_answer_take();
  if (answer == NULL) Rf_error("no native function was called");
  R_SetExternalPtrAddr(owner, answer);
  SEXP value = PROTECT(make_value(answer));
  drop_answer(owner);
  UNPROTECT(2);
  return value;
}

/* Lists that Rust reads are not nested deeper than this. A user's column may be, and is then refused for being a list. */
#define MOST_DEPTH 8

/* Can Rust read this without R doing anything? */
static int is_plain(SEXP x, int depth) {
  switch (TYPEOF(x)) {
  case LGLSXP:
  case INTSXP:
  case REALSXP: return !ALTREP(x) || XLENGTH(x) == 0 || DATAPTR_OR_NULL(x) != NULL;
  case STRSXP: return !ALTREP(x);
  case VECSXP:
    if (ALTREP(x)) return 0;
    for (R_xlen_t i = 0; depth < MOST_DEPTH && i < XLENGTH(x); i++) {
      if (!is_plain(VECTOR_ELT(x, i), depth + 1)) return 0;
    }
    return 1;
  default: return 1;
  }
}

static void copy_region(SEXP from, SEXP to, R_xlen_t start, R_xlen_t n) {
  switch (TYPEOF(from)) {
  case LGLSXP: LOGICAL_GET_REGION(from, start, n, LOGICAL(to) + start); break;
  case INTSXP: INTEGER_GET_REGION(from, start, n, INTEGER(to) + start); break;
  case REALSXP: REAL_GET_REGION(from, start, n, REAL(to) + start); break;
  case STRSXP:
    for (R_xlen_t i = start; i < start + n; i++) SET_STRING_ELT(to, i, STRING_ELT(from, i));
    break;
  }
}

static SEXP as_plain(SEXP x, int depth) {
  if (is_plain(x, depth)) return x;
  R_xlen_t n = XLENGTH(x);
  SEXP copy = PROTECT(Rf_allocVector(TYPEOF(x), n));
  if (TYPEOF(x) == VECSXP) {
    for (R_xlen_t i = 0; i < n; i++) SET_VECTOR_ELT(copy, i, as_plain(VECTOR_ELT(x, i), depth + 1));
  } else {
    for (R_xlen_t start = 0; start < n; start += PER_LOOK) {
      R_CheckUserInterrupt();
      copy_region(x, copy, start, n - start < PER_LOOK ? n - start : PER_LOOK);
    }
  }
  SHALLOW_DUPLICATE_ATTRIB(copy, x);
  UNPROTECT(1);
  return copy;
}

/* .External(external_is_plain, x) */
SEXP external_is_plain(SEXP args) { return Rf_ScalarLogical(is_plain(CADR(args), 0)); }

/* .External(external_plain, x): x, or a copy in which every vector has a data pointer. */
SEXP external_plain(SEXP args) { return as_plain(CADR(args), 0); }

void sbrl_install_handle_tag(void) { handle_tag = Rf_install("sbrl_handle"); }
