/* The names of the candidates. To R they are an ordinary character vector, but they are made only when something reads one:
   a pool may have millions of candidates.

   It is written in C because making them may fail for lack of memory or be interrupted, and R must not jump over Rust. */
#include "lazy.h"
#include <string.h>
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Altrep.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>

static R_altrep_class_t rule_names;

/* The state: the items of the candidates, one candidate after the other, from 1; how many each has; and the names of the
   items. */
static SEXP items_of(SEXP state) { return VECTOR_ELT(state, 0); }
static SEXP lengths_of(SEXP state) { return VECTOR_ELT(state, 1); }
static SEXP texts_of(SEXP state) { return VECTOR_ELT(state, 2); }

static int is_valid(SEXP state) {
  if (TYPEOF(state) != VECSXP || XLENGTH(state) != 3) return 0;
  SEXP items = items_of(state), lengths = lengths_of(state), texts = texts_of(state);
  if (TYPEOF(items) != INTSXP || TYPEOF(lengths) != INTSXP || TYPEOF(texts) != STRSXP) return 0;
  double n = 0;
  for (R_xlen_t i = 0; i < XLENGTH(lengths); i++) {
    if (INTEGER_ELT(lengths, i) < 0) return 0;
    n += INTEGER_ELT(lengths, i);
  }
  if (n != (double) XLENGTH(items)) return 0;
  for (R_xlen_t i = 0; i < XLENGTH(items); i++) {
    int item = INTEGER_ELT(items, i);
    if (item < 1 || item > XLENGTH(texts)) return 0;
  }
  return 1;
}

static R_xlen_t names_length(SEXP x) { return XLENGTH(lengths_of(R_altrep_data1(x))); }

/* {a=u,b=p}, out of n items; room is a raw vector that grows. */
static SEXP make_name(const int *items, int n, SEXP texts, SEXP *room, PROTECT_INDEX place) {
  size_t size = (size_t) n + 1;
  for (int i = 0; i < n; i++) size += (size_t) LENGTH(STRING_ELT(texts, items[i] - 1));
  if (size > INT_MAX) Rf_error("the name of a candidate is too long");
  if ((R_xlen_t) size > XLENGTH(*room)) REPROTECT(*room = Rf_allocVector(RAWSXP, 2 * (R_xlen_t) size), place);
  char *start = (char *) RAW(*room), *end = start;
  for (int i = 0; i < n; i++) {
    SEXP text = STRING_ELT(texts, items[i] - 1);
    *end++ = i == 0 ? '{' : ',';
    memcpy(end, CHAR(text), (size_t) LENGTH(text));
    end += LENGTH(text);
  }
  *end++ = '}';
  return Rf_mkCharLenCE(start, (int) (end - start), CE_UTF8);
}

static SEXP all_names(SEXP x) {
  if (is_made(x)) return R_altrep_data2(x);
  SEXP state = R_altrep_data1(x), lengths = lengths_of(state), room;
  PROTECT_INDEX place;
  SEXP names = PROTECT(Rf_allocVector(STRSXP, XLENGTH(lengths)));
  PROTECT_WITH_INDEX(room = Rf_allocVector(RAWSXP, 256), &place);
  const int *items = INTEGER_RO(items_of(state));
  for (R_xlen_t i = 0; i < XLENGTH(lengths); i++) {
    if (i % 65536 == 65535) R_CheckUserInterrupt();
    int n = INTEGER_ELT(lengths, i);
    SET_STRING_ELT(names, i, make_name(items, n, texts_of(state), &room, place));
    items += n;
  }
  R_set_altrep_data2(x, names);
  UNPROTECT(2);
  return names;
}

static SEXP names_elt(SEXP x, R_xlen_t i) { return STRING_ELT(all_names(x), i); }

static void names_set_elt(SEXP x, R_xlen_t i, SEXP name) { SET_STRING_ELT(all_names(x), i, name); }

static void *names_dataptr(SEXP x, Rboolean writable) { return (void *) STRING_PTR_RO(all_names(x)); }

static const void *names_dataptr_or_null(SEXP x) { return is_made(x) ? STRING_PTR_RO(R_altrep_data2(x)) : NULL; }

static SEXP names_duplicate(SEXP x, Rboolean deep) { return duplicate_lazy(rule_names, x); }

static SEXP new_rule_names(SEXP state) {
  if (!is_valid(state)) Rf_error("not the items of candidates");
  return new_lazy(rule_names, state);
}

/* Are the names that were made still those of the state? Equal text is one object to R. */
static int is_unchanged(SEXP x) {
  if (!is_made(x)) return 1;
  SEXP again = PROTECT(new_lazy(rule_names, R_altrep_data1(x))), names = all_names(again), made = R_altrep_data2(x);
  R_xlen_t i = 0;
  while (i < XLENGTH(made) && STRING_ELT(made, i) == STRING_ELT(names, i)) i++;
  UNPROTECT(1);
  return i == XLENGTH(made);
}

/* NULL lets R save the names. */
static SEXP names_serialized_state(SEXP x) {
  return names_length(x) > MOST_SAVED_NAMES && is_unchanged(x) ? R_altrep_data1(x) : NULL;
}

static SEXP names_unserialize(SEXP class, SEXP state) { return new_rule_names(state); }

/* .External(external_rule_names, items, lengths, texts), where texts are UTF-8 */
SEXP external_rule_names(SEXP args) {
  SEXP state = PROTECT(lazy_state(args));
  SEXP names = new_rule_names(state);
  UNPROTECT(1);
  return names;
}

void sbrl_make_rule_names_class(DllInfo *dll) {
  rule_names = R_make_altstring_class("rule_names", "sbrl", dll);
  R_set_altrep_Length_method(rule_names, names_length);
  R_set_altrep_Duplicate_method(rule_names, names_duplicate);
  R_set_altrep_Serialized_state_method(rule_names, names_serialized_state);
  R_set_altrep_Unserialize_method(rule_names, names_unserialize);
  R_set_altvec_Dataptr_method(rule_names, names_dataptr);
  R_set_altvec_Dataptr_or_null_method(rule_names, names_dataptr_or_null);
  R_set_altstring_Elt_method(rule_names, names_elt);
  R_set_altstring_Set_elt_method(rule_names, names_set_elt);
  R_set_altstring_No_NA_method(rule_names, lazy_no_na);
}
