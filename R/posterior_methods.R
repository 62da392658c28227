# Methods for the generic functions of posterior, loo, rstantools and vip, registered when these packages are loaded.

#' A posterior in other packages
#'
#' With the packages posterior, loo, rstantools or vip loaded, their functions work on the result of [sbrl_posterior()].
#' They are not needed otherwise.
#'
#' \describe{
#'   \item{`posterior::as_draws()`, `as_draws_df()`, `as_draws_matrix()`, `as_draws_array()`}{the scalars of each draw:
#'     `log_prior`, `log_likelihood`, `log_posterior`, `length` and `active`}
#'   \item{`loo::loo(x, data = , weights = )`}{leave-one-out by Pareto-smoothed importance sampling in the form of
#'     [sbrl_loo()]}
#'   \item{`rstantools::posterior_epred(object, newdata)`}{for each draw and row, the probability of the positive class;
#'     for more than two classes an array of draws, rows and classes}
#'   \item{`rstantools::posterior_predict(object, newdata)`}{for each draw and row, a class drawn with these
#'     probabilities, as its number; class probabilities of rules are drawn as well, once per rule and draw}
#'   \item{`rstantools::log_lik(object, newdata)`}{for each draw and row, the log probability of its label}
#'   \item{`vip::vi()`}{inclusion of the features, see [rules.sbrl_posterior()]}
#' }
#' @seealso [sbrl_posterior()], [sbrl_loo()].
#' @name posterior-methods
NULL

register_draws <- function() {
  for (shape in c("as_draws", "as_draws_df", "as_draws_matrix", "as_draws_array")) {
    registerS3method(shape, "sbrl_posterior", draws_method(shape), asNamespace("posterior"))
  }
}

register_loo <- function() {
  registerS3method("loo", "sbrl_posterior", loo_sbrl_posterior, asNamespace("loo"))
}

register_rstantools <- function() {
  methods <- list(
    posterior_epred = epred_sbrl_posterior, posterior_predict = posterior_predict_sbrl_posterior,
    log_lik = log_lik_sbrl_posterior
  )
  for (generic in names(methods)) {
    registerS3method(generic, "sbrl_posterior", methods[[generic]], asNamespace("rstantools"))
  }
}

register_vip <- function() {
  registerS3method("vi_model", "sbrl_posterior", vi_sbrl_posterior, asNamespace("vip"))
}

draws_method <- function(shape) {
  convert <- if (shape == "as_draws") "as_draws_df" else shape
  function(x, ...) {
    x <- check_lists(x, "x")
    scalars <- x$draws[setdiff(draw_fields, ".draw")]
    getExportedValue("posterior", convert)(posterior::as_draws_df(scalars))
  }
}

loo_sbrl_posterior <- function(x, data, weights = NULL, ...) {
  rows <- loo_rows(x, data, weights)
  log_density <- do.call(rbind, loo_in_chunks(rows, identity))
  chain <- rows$x$draws$.chain
  efficiency <- loo::relative_eff(exp(t(log_density)), chain_id = chain)
  loo::loo(t(log_density), r_eff = efficiency, ...)
}

# Draws x rows, or draws x rows x classes.
epred_sbrl_posterior <- function(object, newdata, ...) {
  check_dots_empty(...)
  object <- check_lists(object)
  newdata <- check_data_frame(newdata, "newdata")
  probs <- mean_probabilities(cell_weights(object))
  shape_epred(object$medoid, probs, list_cells(object, newdata, "newdata"))
}

shape_epred <- function(model, probs, cells) {
  reported <- reported_classes(model)
  each <- lapply(reported, \(class) t(matrix(probs[cells, class], nrow(cells))))
  if (!reports_several(model)) {
    return(each[[1L]])
  }
  array(unlist(each), c(ncol(cells), nrow(cells), length(each)), list(NULL, NULL, model$classes[reported]))
}

# Uses R's generator: one theta per cell and draw, the same for all rows of the cell.
posterior_predict_sbrl_posterior <- function(object, newdata, ...) {
  check_dots_empty(...)
  object <- check_lists(object)
  newdata <- check_data_frame(newdata, "newdata")
  weights <- cell_weights(object)
  theta <- matrix(stats::rgamma(length(weights), as.vector(weights)), nrow(weights))
  cumulative <- t(apply(theta / rowSums(theta), 1L, cumsum))
  cells <- list_cells(object, newdata, "newdata")
  point <- stats::runif(length(cells))
  drawn <- 1L + rowSums(cumulative[cells, -ncol(cumulative), drop = FALSE] < point)
  t(matrix(drawn, nrow(cells)))
}

log_lik_sbrl_posterior <- function(object, newdata, ...) {
  check_dots_empty(...)
  object <- check_lists(object)
  newdata <- check_data_frame(newdata, "newdata")
  codes <- score_label(object$medoid, newdata, rep(TRUE, nrow(newdata)), "newdata")
  probs <- mean_probabilities(cell_weights(object))
  cells <- list_cells(object, newdata, "newdata")
  t(matrix(log(probs[cbind(as.vector(cells), rep(codes, ncol(cells)))]), nrow(cells)))
}

vi_sbrl_posterior <- function(object, ...) {
  features <- rules.sbrl_posterior(object, by = "feature")
  table <- as_tidy(data.frame(Variable = features$feature, Importance = features$inclusion))
  structure(table, class = c("vi", class(table)), type = "inclusion")
}
