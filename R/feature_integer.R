# Whole numbers: cut and read as all numbers are, but described by values they can have, as `visits >= 1` for a cut at
# 0.5. Names of items keep the cut.

#' @export
describe_codes.sbrl_feature_integer <- function(feature, name, codes, signs) { # nolint: object_name_linter. A method.
  bounds <- item_bounds(list(feature = feature, codes = codes))
  first <- if (!is.null(bounds$from)) ceiling(bounds$from)
  last <- if (!is.null(bounds$to)) ceiling(bounds$to) - 1
  if (is.null(first)) {
    return(paste(name, "<", number_text(last + 1)))
  }
  if (is.null(last)) {
    return(paste(name, signs[["at_least"]], number_text(first)))
  }
  if (first > last || is.infinite(first)) {
    # no whole number is there: a cut of the user's own
    return(NextMethod())
  }
  if (first == last) {
    return(paste(name, "=", number_text(first)))
  }
  end <- if (isTRUE(feature$ends_with_cut)) c("<", number_text(last + 1)) else c(signs[["at_most"]], number_text(last))
  paste(c(number_text(first), signs[["at_most"]], name, end), collapse = " ")
}
