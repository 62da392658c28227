# Features: the columns that rules may use. Each kind of column is an S3 class with the methods of the generics below.
#
# A new kind of column needs
# 1. a line in `feature_classes`: its type, as models and files name it, its class and its parents, of which one is that
#    of features with levels (categorical) or with cut points (number);
# 2. if its values are numbers of an R class, a line in `number_classes` of base_column_class.R;
# 3. if its values are not read as those of its parent, a file feature_<type>.R, as feature_difftime.R;
# 4. methods for exports that write it in another way than its parent, next to their generics: sql_literal() in
#    source_dialect.R, r_column_values() in export_r_columns.R and so on.

# A feature with more levels than this is almost surely an identifier.
max_levels <- 1000L

feature_classes <- list(
  categorical = c("sbrl_feature_categorical", "sbrl_feature"),
  ordered = c("sbrl_feature_ordered", "sbrl_feature_categorical", "sbrl_feature"),
  number = c("sbrl_feature_number", "sbrl_feature"),
  integer = c("sbrl_feature_integer", "sbrl_feature_number", "sbrl_feature"),
  date = c("sbrl_feature_date", "sbrl_feature_time", "sbrl_feature_number", "sbrl_feature"),
  datetime = c("sbrl_feature_datetime", "sbrl_feature_time", "sbrl_feature_number", "sbrl_feature"),
  difftime = c("sbrl_feature_difftime", "sbrl_feature_number", "sbrl_feature")
)

# A feature has levels, or numbers that cut points divide into intervals. `unit` is what the numbers count, where their
# kind leaves that open.
new_feature <- function(name, type, unit = "", levels = character(), cuts = double()) {
  with_type(list(name = name, type = type, unit = unit, levels = levels, cuts = cuts), type)
}

with_type <- function(feature, type) {
  feature$type <- type
  oldClass(feature) <- feature_classes[[type]]
  feature
}

# The features of a model, ready for the generics. A model keeps plain lists, as it did in version 2.0.0; they read well
# with str() and may come from anywhere, so that no class in them is trusted.
class_features <- function(features) {
  lapply(features, function(feature) {
    oldClass(feature) <- feature_classes[[feature$type]]
    feature
  })
}

# What is read for every row that is predicted on its own is read by .subset2(): `$` looks for a method first.
feature_names <- function(features) {
  vapply(features, .subset2, "", "name")
}

is_number_feature <- function(feature) {
  inherits(feature, "sbrl_feature_number")
}

are_numbers <- function(features) {
  vapply(features, is_number_feature, NA)
}

# The type that number_type() gives for columns with values of this feature.
read_type <- function(feature) {
  type <- .subset2(feature, "type")
  if (type == "integer") "number" else type
}

# The type of a column of numbers; "" for other columns. Whether plain numbers are whole is seen later.
number_type <- function(x) {
  if (!is.object(x)) {
    return(if (is.numeric(x)) "number" else "")
  }
  found <- inherits(x, names(number_classes), which = TRUE) > 0L
  if (any(found)) number_classes[[which(found)[1L]]] else ""
}

# A feature of the kind of this column, which holds numbers.
number_feature <- function(x, name = "") {
  feature <- new_feature(name, number_type(x))
  feature$unit <- column_unit(feature, x)
  feature
}

# Reading columns ----

# The unit of the training column `x`.
column_unit <- function(feature, x) UseMethod("column_unit")

# The numbers in a column of the feature's own kind.
column_values <- function(feature, x) UseMethod("column_values")

# The numbers in a column of another kind that has a natural meaning for this one; else NULL.
convert_values <- function(feature, x) UseMethod("convert_values")

# The numbers that texts are; NA for what is none.
parse_values <- function(feature, text) UseMethod("parse_values")

# Learnt cut points, moved to rounder values between the same observed values, see finish_cuts(). With `roundest`, the
# roundest there are.
round_cuts <- function(feature, found, roundest) UseMethod("round_cuts")

# Do unit, levels and cuts of a feature make sense for its kind? They are known to be of the right types.
is_sound <- function(feature) UseMethod("is_sound")

# Words ----

# One text per cut point; `own` cuts are the user's.
cut_text <- function(feature, own = FALSE) UseMethod("cut_text")

# What follows the last cut point of a condition.
unit_text <- function(feature) UseMethod("unit_text")

# What a column of this feature holds, for messages.
value_words <- function(feature) UseMethod("value_words")

# One value of a column of this kind, as a person writes it.
value_text <- function(feature, x) UseMethod("value_text")

# Exports ----

# What a database or a scoring engine most likely has in such a column: "text", "number", "logical" or "time".
stored_type <- function(feature) UseMethod("stored_type")
