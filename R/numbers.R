# Numbers of every kind (plain, dates, times, spans of time): their values as doubles, of training and of new data.

# "" for a column that is no number. `unit` is what the doubles count, where their kind leaves that open.
number_kind <- function(x) {
  if (!is.object(x)) {
    return(if (is.numeric(x)) "number" else "")
  }
  if (inherits(x, "Date")) {
    return("date")
  }
  if (inherits(x, "POSIXct")) {
    return("datetime")
  }
  if (inherits(x, "difftime")) {
    return("difftime")
  }
  ""
}

number_unit <- function(x) {
  switch(number_kind(x), datetime = time_zone(x), difftime = units(x), "")
}

# The zone in which a person reads these times; "" is the zone of the computer.
time_zone <- function(x) {
  zone <- attr(x, "tzone")[1L]
  if (is.null(zone) || is.na(zone) || zone == "") Sys.getenv("TZ") else zone
}

# Days, seconds or the given unit; plain integers and doubles as they are. A date is a whole day, even where R stores a
# part of one.
number_values <- function(x, unit = number_unit(x)) {
  switch(number_kind(x),
    number = x,
    date = floor(as.double(unclass(x))),
    difftime = as.double(x, units = unit),
    as.double(unclass(x))
  )
}

# Values of a new column as numbers of its feature; `note` says what was taken for something else, or is NULL.
read_numbers <- function(x, feature) {
  kind <- number_kind(x)
  if (kind == feature$type) {
    return(list(values = number_values(x, feature$unit)))
  }
  if (kind == "date" && feature$type == "datetime") {
    midnight <- as.POSIXct(format(x), format = "%Y-%m-%d", tz = feature$unit)
    return(list(values = as.double(midnight)))
  }
  if (kind == "datetime" && feature$type == "date") {
    return(list(values = number_values(as.Date(x, tz = time_zone(x)))))
  }
  note <- if (!all(is.na(x))) sprintf("%s taken as %s", kind_words(kind), kind_words(feature$type))
  list(values = number_values(if (kind == "") as.double(x) else x), note = note)
}

kind_words <- function(kind) {
  words <- c(number = "numbers", date = "dates", datetime = "times", difftime = "spans of time")
  if (kind %in% names(words)) words[[kind]] else "logical values"
}

# The codes of texts that are to be numbers. Empty text and "NA" are missing, as in a file; -1 is for what is no number.
number_codes <- function(text, feature) {
  missing <- is.na(text) | trimws(text) %in% c("", "NA")
  numbers <- rep(NA_real_, length(text))
  numbers[!missing] <- parse_numbers(text[!missing], feature)
  codes <- findInterval(numbers, feature$cuts) + 1L
  codes[is.na(codes)] <- -1L
  codes[missing] <- 0L
  codes
}

parse_numbers <- function(text, feature) {
  switch(feature$type,
    date = as.double(as.Date(text, format = "%Y-%m-%d")),
    datetime = parse_times(text, feature$unit),
    suppressWarnings(as.numeric(text))
  )
}

parse_times <- function(text, zone) {
  values <- rep(NA_real_, length(text))
  for (form in c("%Y-%m-%d %H:%M:%OS", "%Y-%m-%dT%H:%M:%OS", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d")) {
    open <- is.na(values)
    values[open] <- as.double(as.POSIXct(text[open], format = form, tz = zone))
  }
  values
}
