# Labels: what features, their levels, the label column and its classes are called where people read them.

# The labels as a model keeps them; `columns` are all that a label may name besides the label column, its classes and
# levels, `"<feature>=<level>"`. Without `features`, any level of a column may have a label: fits that are repeated with
# other rows, as a bag's, may lack some.
check_labels <- function(labels, columns, label, classes, features = NULL) {
  if (is.null(labels)) {
    return(character())
  }
  ok <- is.character(labels) && !is.object(labels) && is.null(dim(labels)) && are_texts(unname(labels))
  ok <- ok && are_texts(names(labels)) && anyDuplicated(names(labels)) == 0L
  check_that(ok, labels, "labels", "text with different names, or NULL")
  labels <- stats::setNames(enc2utf8(labels), enc2utf8(names(labels)))
  known <- unique(c(columns, label, classes))
  unknown <- setdiff(names(labels), c(known, class_names(label, classes), unlist(lapply(features, level_names))))
  unknown <- unknown[!is_level_name(unknown, setdiff(columns, feature_names(features)))]
  if (length(unknown) > 0L) {
    message <- "`labels` must name features, the label or classes, not %s. These are %s.%s"
    hint <- nearest_level_name(unknown[1L], features)
    abort_sbrl("argument", sprintf(message, quote_names(unknown), quote_names(known, max = 30L), hint))
  }
  check_level_labels(labels, features)
  check_distinct(labels, columns, label, classes)
}

# How levels of a feature are named, as its conditions are: `"job=cook"`.
level_names <- function(feature) {
  paste0(feature$name, "=", feature$levels, recycle0 = TRUE)
}

is_level_name <- function(names, columns) {
  vapply(names, \(name) any(startsWith(name, paste0(columns, "=", recycle0 = TRUE))), NA, USE.NAMES = FALSE)
}

nearest_level_name <- function(name, features) {
  features <- Filter(\(feature) is_level_name(name, feature$name), features)
  meant <- nearest_name(name, unlist(lapply(features, level_names)))
  if (is.null(meant)) "" else sprintf(" Did you mean %s?", quote_names(meant))
}

# Two levels of one name could not be distinguished.
check_level_labels <- function(labels, features) {
  for (feature in features) {
    words <- level_words(labels, feature)
    if (anyDuplicated(words) > 0L) {
      message <- "`labels` must not give two levels of `%s` the same name: %s."
      again <- quote_values(words[duplicated(words)][1L])
      abort_sbrl("argument", sprintf(message, shown_text(feature$name), again))
    }
  }
}

# The levels of a feature as people read them, or NULL if they have no labels. A name of a feature or a class is that.
level_words <- function(labels, feature, taken = character()) {
  labels <- labels[!names(labels) %in% taken]
  if (length(labels) == 0L || length(feature$levels) == 0L) {
    return(NULL)
  }
  found <- match(level_names(feature), names(labels))
  if (!all(is.na(found))) ifelse(is.na(found), feature$levels, labels[found])
}

shown_levels <- function(model, feature) {
  level_words(model$labels, feature, c(sound_names(model$features), model$settings$label, model$classes))
}

# Two classes or two features of one name could not be distinguished.
check_distinct <- function(labels, columns, label, classes) {
  for (shown in list(in_words(labels, columns), class_words(labels, columns, label, classes))) {
    if (anyDuplicated(shown) > 0L) {
      message <- "`labels` must not give two features, or two classes, the same name: %s."
      abort_sbrl("argument", sprintf(message, quote_values(shown[duplicated(shown)][1L])))
    }
  }
  labels
}

# How a class is named where its own name might be that of a column.
class_names <- function(label, classes) {
  paste0(label, "=", classes, recycle0 = TRUE)
}

in_words <- function(labels, names) {
  found <- match(names, names(labels))
  ifelse(is.na(found), names, labels[found])
}

class_words <- function(labels, columns, label, classes) {
  full <- match(class_names(label, classes), setdiff(names(labels), columns))
  plain <- match(classes, setdiff(names(labels), c(columns, label)))
  words <- ifelse(is.na(plain), classes, labels[setdiff(names(labels), c(columns, label))][plain])
  ifelse(is.na(full), words, labels[setdiff(names(labels), columns)][full])
}

# What people read, for names of features, for the label column, and for classes.
shown_feature <- function(model, name) {
  shown_text(in_words(model$labels, name))
}

shown_label <- function(model) {
  shown_feature(model, model$settings$label)
}

shown_class <- function(model, class = model$classes) {
  class <- as.character(class)
  if (length(model$labels) > 0L) {
    class <- class_words(model$labels, sound_names(model$features), model$settings$label, class)
  }
  shown_text(class)
}

# Of features that may be damaged where no rule uses them.
sound_names <- function(features) {
  names <- lapply(features, \(feature) if (is.list(feature)) .subset2(feature, "name"))
  unlist(Filter(is_text, names))
}
