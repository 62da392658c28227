#' Names for people to read
#'
#' `relabel()` sets what the features, their levels, the label column and the classes of a model are called wherever
#' people read them: in tables, pictures, explanations, reports and lists in words. `sbrl(labels = )` sets the same when
#' a model is fitted.
#'
#' Data keep their names: [predict()] and all exports read the columns they have always read, and `rulenames` and
#' `featurenames` stay as they are. [as_pmml()] and [as_dmn()] write the labels next to the names. The labels are kept
#' in `model$labels` and in JSON files.
#'
#' @inheritParams as_sql
#' @param labels A named character vector. A name is that of a feature, of the label column, or of a class. Where a
#'   class has the name of a column, write `"<label column>=<class>"` for the class. A level of a factor, of text or of
#'   a logical value is written `"<feature>=<level>"`; its label is used in sets of levels, too. `NULL` removes all
#'   labels.
#' @return The model with these labels in place of those it had.
#' @seealso [sbrl()] with `labels`, [sbrl_report()].
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' relabel(model, c(Class = "Class of travel", Survived = "Fate",
#'                  Yes = "survived", No = "died", "Class=1st" = "first class"))
#' @export
relabel <- function(model, labels) {
  model <- check_model(model, "model", pool = TRUE)
  columns <- c(feature_names(model$features), model$dropped)
  model$labels <- check_labels(labels, columns, model$settings$label, model$classes, model$features)
  model
}
