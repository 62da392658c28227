# What an exported R function needs at run time: copied as code into it, so base R only, and nothing of this package.

# The columns of `data`, or the values of an expression of them, in which they are called v1, v2, ...
runtime_column <- function(data, columns, expression = NULL) {
  given <- enc2utf8(names(data))
  absent <- columns[!columns %in% given]
  # The constants that a formula may use (see harmless_constants).
  constants <- c("pi", "T", "F", "letters", "LETTERS", "month.abb", "month.name")
  absent <- absent[is.null(expression) | !absent %in% constants]
  if (length(absent) > 0L) {
    stop("`data` lacks the column ", paste0("`", absent, "`", collapse = ", "), ".", call. = FALSE)
  }
  values <- lapply(columns, function(name) if (name %in% given) data[[match(name, given)]] else get(name, baseenv()))
  if (is.null(expression)) {
    return(runtime_plain(values[[1L]]))
  }
  names(values) <- paste0("v", seq_along(values))
  x <- eval(expression, values, baseenv())
  if (length(x) != nrow(data)) {
    stop("A formula's variable does not give one value per row.", call. = FALSE)
  }
  runtime_plain(x)
}

# Text for every class that is neither number nor time.
runtime_plain <- function(x) {
  if (inherits(x, "POSIXlt")) {
    x <- as.POSIXct(x)
  }
  if (is.list(x) || !is.null(dim(x)) || is.complex(x) || is.raw(x)) {
    stop("A column of `data` is a list or matrix, or of a type that the rules cannot read.", call. = FALSE)
  }
  if (inherits(x, "integer64")) {
    return(integer64_values(x))
  }
  if (inherits(x, "AsIs")) {
    class(x) <- setdiff(oldClass(x), "AsIs")
  }
  known <- inherits(x, "factor") || inherits(x, "Date") || inherits(x, "POSIXct") || inherits(x, "difftime")
  if (is.object(x) && !known) as.character(x) else x
}

# Codes of levels: 0 for a missing value, -1 for what is no level.
runtime_levels <- function(x, levels, first = seq_along(levels)) {
  if (is.object(x)) {
    x <- as.character(x)
  }
  if (is.numeric(x)) {
    codes <- first[match(x, suppressWarnings(as.numeric(levels))[first])]
  } else {
    codes <- match(enc2utf8(as.character(x)), levels)
  }
  codes[is.na(codes)] <- -1L
  codes[is.na(x)] <- 0L
  codes
}

# NA for a missing value, NaN for text that is no number.
runtime_number <- function(x, unit = NULL) {
  if (inherits(x, "difftime") && !is.null(unit)) {
    return(as.double(x, units = unit))
  }
  if (is.character(x) || is.factor(x)) {
    x <- trimws(as.character(x))
    x[x %in% c("", "NA")] <- NA
    values <- suppressWarnings(as.numeric(x))
    values[is.na(values)] <- NaN
    values[is.na(x)] <- NA
    return(values)
  }
  values <- as.double(unclass(x))
  if (inherits(x, "Date")) {
    values <- floor(values)
  }
  values[is.na(values)] <- NA
  values
}

# Days of a date, seconds of a time, from dates, times or text.
runtime_time <- function(x, kind, zone) {
  text <- is.character(x) || is.factor(x)
  if (!text && !inherits(x, "Date") && !inherits(x, "POSIXct")) {
    return(runtime_number(x))
  }
  if (!text && inherits(x, if (kind == "date") "Date" else "POSIXct")) {
    return(runtime_number(x))
  }
  if (!text && kind == "date") {
    own <- attr(x, "tzone")[1L]
    return(runtime_number(as.Date(x, tz = if (is.null(own) || is.na(own) || own == "") Sys.getenv("TZ") else own)))
  }
  x <- if (text) as.character(x) else format(x, "%Y-%m-%d")
  x[trimws(x) %in% c("", "NA")] <- NA
  forms <- "%Y-%m-%d"
  if (kind == "datetime") {
    forms <- c("%Y-%m-%d %H:%M:%OS", "%Y-%m-%dT%H:%M:%OS", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", forms)
  }
  values <- rep(NaN, length(x))
  for (form in forms) {
    open <- is.nan(values)
    read <- if (kind == "date") as.Date(x[open], format = form) else as.POSIXct(x[open], format = form, tz = zone)
    read <- as.double(read)
    read[is.na(read)] <- NaN
    values[open] <- read
  }
  values[is.na(x)] <- NA
  values
}
