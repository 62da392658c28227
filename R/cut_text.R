# The words of a cut point: as few digits as say it, dates and times as ISO 8601, spans with their unit.

# `own` cuts are the user's.
cut_text <- function(feature, own = FALSE) {
  switch(feature$type,
    date = or_number(format(as_times(feature$cuts, feature), "%Y-%m-%d"), feature$cuts, "days"),
    datetime = or_number(time_text(as_times(feature$cuts, feature)), feature$cuts, "secs"),
    if (own) short_text(feature$cuts) else number_text(feature$cuts)
  )
}

# Days or seconds since 1970 for what the calendar cannot say, and for times that differ by less than a microsecond.
or_number <- function(text, cuts, unit) {
  unclear <- is.na(text) | text %in% text[duplicated(text)]
  text[unclear] <- paste(number_text(cuts[unclear]), unit, recycle0 = TRUE)
  text
}

# The shortest of date, minutes, seconds that says all these times.
time_text <- function(times) {
  texts <- lapply(c("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"), \(form) format(times, form))
  seconds <- as.POSIXlt(times)
  exact <- c(
    all(seconds$hour == 0 & seconds$min == 0 & seconds$sec == 0),
    all(seconds$sec == 0),
    all(seconds$sec == floor(seconds$sec)) || anyDuplicated(texts[[3L]]) == 0L
  )
  if (any(exact)) texts[[which(exact)[1L]]] else format(times, "%Y-%m-%d %H:%M:%OS6")
}

unit_text <- function(feature) {
  if (feature$type == "difftime") paste0(" ", feature$unit) else ""
}

as_times <- function(values, feature) {
  if (feature$type == "date") {
    return(structure(values, class = "Date"))
  }
  structure(values, class = c("POSIXct", "POSIXt"), tzone = feature$unit)
}
