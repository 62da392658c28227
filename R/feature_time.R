# Dates, as days since 1970, and times, as seconds since 1970: methods of the generics in feature.R.

# nolint start: object_name_linter.
# The zone in which a person reads these times.
#' @export
column_unit.sbrl_feature_datetime <- function(feature, x) {
  time_zone(x)
}

# A date is a whole day, even where R stores a part of one.
#' @export
column_values.sbrl_feature_date <- function(feature, x) {
  floor(as.double(unclass(x)))
}

#' @export
column_values.sbrl_feature_datetime <- function(feature, x) {
  as.double(unclass(x))
}

#' @export
convert_values.sbrl_feature_date <- function(feature, x) {
  if (inherits(x, "POSIXct")) column_values(feature, as.Date(x, tz = time_zone(x)))
}

# A day begins at midnight.
#' @export
convert_values.sbrl_feature_datetime <- function(feature, x) {
  if (inherits(x, "Date")) as.double(as.POSIXct(format(x), format = "%Y-%m-%d", tz = feature$unit))
}

#' @export
parse_values.sbrl_feature_date <- function(feature, text) {
  as.double(as.Date(text, format = "%Y-%m-%d"))
}

#' @export
parse_values.sbrl_feature_datetime <- function(feature, text) {
  values <- rep(NA_real_, length(text))
  for (form in c("%Y-%m-%d %H:%M:%OS", "%Y-%m-%dT%H:%M:%OS", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d")) {
    open <- is.na(values)
    values[open] <- with_point(as.double(as.POSIXct(text[open], format = form, tz = feature$unit)))
  }
  values
}

#' @export
round_cuts.sbrl_feature_time <- function(feature, found, roundest) {
  unlist(Map(\(cut, below, above) round_time(feature, cut, below, above), found$cuts, found$below, found$above))
}

#' @export
cut_text.sbrl_feature_date <- function(feature, own = FALSE) {
  or_number(format(as_times(feature, feature$cuts), "%Y-%m-%d"), feature$cuts, "days")
}

#' @export
cut_text.sbrl_feature_datetime <- function(feature, own = FALSE) {
  or_number(time_text(as_times(feature, feature$cuts)), feature$cuts, "secs")
}

#' @export
value_words.sbrl_feature_date <- function(feature) {
  "dates"
}

#' @export
value_words.sbrl_feature_datetime <- function(feature) {
  "times"
}

#' @export
value_text.sbrl_feature_time <- function(feature, x) {
  with_point(format(x))
}

#' @export
stored_type.sbrl_feature_time <- function(feature) {
  "time"
}

# What dates and times share, each in its own way ----

# Numbers as R's dates, times or spans of time.
as_times <- function(feature, values) UseMethod("as_times")

#' @export
as_times.sbrl_feature_date <- function(feature, values) {
  structure(values, class = "Date")
}

#' @export
as_times.sbrl_feature_datetime <- function(feature, values) {
  structure(values, class = c("POSIXct", "POSIXt"), tzone = feature$unit)
}

# What cut points are rounded to, the roundest first.
time_steps <- function(feature) UseMethod("time_steps")

#' @export
time_steps.sbrl_feature_date <- function(feature) {
  c("years", "months", "days")
}

#' @export
time_steps.sbrl_feature_datetime <- function(feature) {
  c("years", "months", "days", "hours", "mins", "secs")
}
# nolint end

# "" is the zone of the computer.
time_zone <- function(x) {
  zone <- attr(x, "tzone")[1L]
  if (is.null(zone) || is.na(zone) || zone == "") Sys.getenv("TZ") else zone
}

# The roundest date or time between the observed values on both sides of a cut point.
round_time <- function(feature, cut, below, above) {
  if (!is.finite(above)) {
    return(cut)
  }
  time <- as_times(feature, above)
  for (step in time_steps(feature)) {
    rounded <- trunc(time, step)
    rounded <- column_values(feature, if (inherits(rounded, "POSIXlt")) as.POSIXct(rounded) else rounded)
    if (isTRUE(rounded > below && rounded <= above)) {
      return(rounded)
    }
  }
  cut
}

# A date is a whole day: it is before a cut within a day if it is before the next one.
day_of_cut <- function(cut) {
  format(structure(ceiling(cut), class = "Date"), "%Y-%m-%d")
}

check_four_digit_year <- function(text, language) {
  if (!grepl("^[0-9]{4}-", text) || startsWith(text, "0000")) {
    message <- "The cut point %s cannot be written in %s: its year is not in 1 to 9999."
    abort_sbrl("model", sprintf(message, text, language))
  }
}

# Days or seconds since 1970 for what the calendar cannot say, and for times that differ by less than a microsecond.
or_number <- function(text, cuts, unit) {
  unclear <- is.na(text) | text %in% text[duplicated(text)]
  text[unclear] <- paste(number_text(cuts[unclear]), unit, recycle0 = TRUE)
  text
}

# The shortest of date, minutes, seconds that can represent all these times.
time_text <- function(times) {
  texts <- lapply(c("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"), \(form) format(times, form))
  seconds <- as.POSIXlt(times)
  exact <- c(
    all(seconds$hour == 0 & seconds$min == 0 & seconds$sec == 0),
    all(seconds$sec == 0),
    all(seconds$sec == floor(seconds$sec)) || anyDuplicated(texts[[3L]]) == 0L
  )
  if (any(exact)) texts[[which(exact)[1L]]] else with_point(format(times, "%Y-%m-%d %H:%M:%OS6"))
}
