# The certificate: what is proved about a list, in words, in a picture, and as a part of a model.

# What "optimal" means, in nats.
certificate_claim <- 1e-6

certificate_statuses <- c("optimal", "optimal_at_most", "within", "none")
certificate_ends <- c("solved", "max_nodes", "max_memory", "time_limit")
by_length_fields <- c("max_length", "log_posterior", "proved")
certificate_trace_fields <- c("nodes", "seconds", "upper_bound", "log_posterior")
certificate_numbers <- c("log_posterior", "upper_bound", "gap", "max_length", "max_length_proved", "n_rules",
                         "n_candidates", "nodes", "seconds")

# `asked`: the most rules of the lists that were asked about, and the gap.
new_certificate <- function(result, model, asked, seconds, n_rules) {
  gap <- max(0, result$upper_bound - result$log_posterior)
  settings <- model$settings
  by_length <- as_frame(result$by_length[by_length_fields], length(result$by_length$max_length))
  by_length$proved <- by_length$proved == 1
  certificate <- list(
    status = NA_character_, log_posterior = result$log_posterior, upper_bound = result$upper_bound, gap = gap,
    max_length = asked$max_length, max_length_proved = result$max_length_proved, by_length = by_length,
    n_rules = as.double(n_rules), n_candidates = as.double(length(model$pool$lengths)),
    lambda = settings$lambda, eta = settings$eta, alpha = settings$alpha, nodes = result$nodes, seconds = seconds,
    ended = result$ended, trace = as_frame(result$trace[certificate_trace_fields], length(result$trace$nodes))
  )
  useful <- max(10, 0.01 * abs(result$log_posterior - empty_log_posterior(model)))
  certificate$status <- certificate_status(certificate, max(asked$gap, useful))
  structure(certificate, class = "sbrl_certificate")
}

certificate_status <- function(x, useful_gap) {
  if (x$ended == "solved" && x$gap <= certificate_claim) {
    return("optimal")
  }
  if (x$max_length_proved >= max(1, x$n_rules) && x$ended != "solved") {
    return("optimal_at_most")
  }
  if (is.finite(x$gap) && x$gap <= useful_gap) "within" else "none"
}

# The log posterior of the list without rules.
empty_log_posterior <- function(model) {
  settings <- model$settings
  rising <- function(start, n) lgamma(start + n) - lgamma(start)
  likelihood <- sum(rising(settings$alpha, settings$class_counts)) - rising(sum(settings$alpha), settings$n_rows)
  n <- length(model$pool$lengths)
  likelihood + stats::dpois(0, settings$lambda, log = TRUE) - stats::ppois(n, settings$lambda, log.p = TRUE)
}

# One sentence that can be quoted, and what else is known.
certificate_sentences <- function(x) {
  scope <- sprintf(
    "Among these %s candidates, for lambda = %s, eta = %s and alpha = (%s),", with_thousands(x$n_candidates),
    format(x$lambda, digits = 6L), format(x$eta, digits = 6L),
    paste(vapply(x$alpha, format, "", digits = 6L), collapse = ", ")
  )
  lists <- if (x$max_length >= x$n_candidates) "no rule list" else sprintf("no list of at most %.0f rules", x$max_length)
  than <- sprintf("this list of %.0f rule(s) (log posterior %.4f)", x$n_rules, x$log_posterior)
  short <- sprintf("no list of at most %.0f rules", x$max_length_proved)
  within <- sprintf("%s has a log posterior more than %s above that of %s", lists, gap_text(x$gap), than)
  main <- switch(
    x$status,
    optimal = sprintf("Proved: %s %s has a higher posterior than %s.", lower_first(scope), lists, than),
    optimal_at_most = sprintf("Proved: %s %s has a higher posterior than %s.", lower_first(scope), short, than),
    within = sprintf("Proved: %s %s.", lower_first(scope), within),
    none = sprintf("No useful certificate: %s lists with a log posterior up to %s above that of %s are not excluded.",
                   lower_first(scope), gap_text(x$gap), than)
  )
  c(main, certificate_rest(x))
}

gap_text <- function(gap) {
  if (is.finite(gap)) sprintf("%.4g", gap) else "any amount"
}

lower_first <- function(text) {
  paste0(tolower(substr(text, 1L, 1L)), substring(text, 2L))
}

certificate_rest <- function(x) {
  c(
    if (x$status == "optimal_at_most") {
      sprintf("Longer lists: one with a log posterior up to %s higher is not excluded.", gap_text(x$gap))
    },
    if (x$status %in% c("within", "none") && x$ended != "solved" && x$max_length_proved >= 1) {
      sprintf("The best list of at most %.0f rule(s) is known: log posterior %.4f.", x$max_length_proved,
              x$by_length$log_posterior[match(x$max_length_proved, x$by_length$max_length)])
    },
    if (x$ended != "solved") {
      c(max_nodes = "The budget of nodes was used up.", max_memory = "The budget of memory was used up.",
        time_limit = "The time limit was reached.")[[x$ended]]
    },
    if (!is.null(x$model)) "A better list than the model's was found: see `$model`."
  )
}

#' @export
format.sbrl_certificate <- function(x, ...) {
  check_dots_empty(...)
  show_result(x, "sbrl_certificate", "sbrl_certify()", {
    c(certificate_sentences(x), sprintf("To %g nats; %s nodes, %.1f s.", certificate_claim, with_thousands(x$nodes), x$seconds))
  })
}

#' @export
print.sbrl_certificate <- function(x, ...) {
  writeLines(strwrap(format(x, ...), width = 0.95 * getOption("width"), exdent = 2L))
  invisible(x)
}

#' @export
summary.sbrl_certificate <- function(object, ...) {
  check_dots_empty(...)
  show_result(object, "sbrl_certificate", "sbrl_certify()", {
    structure(list(certificate = object, by_length = object$by_length), class = "summary.sbrl_certificate")
  })
}

#' @export
print.summary.sbrl_certificate <- function(x, ...) {
  show_result(x, "summary.sbrl_certificate", "summary()", {
    print(x$certificate)
    if (nrow(x$by_length) > 0L) {
      cat("\nBest lists of at most so many rules:\n")
      print(x$by_length, row.names = FALSE, digits = 10L)
    }
  })
  invisible(x)
}

#' Plot a certificate
#'
#' `plot()` draws how the upper bound came down to the best log posterior while the proof was under way.
#'
#' @param x A certificate made by [sbrl_certify()].
#' @param against What the horizontal axis shows: `"nodes"` or `"seconds"`.
#' @param main Title.
#' @param ... Must be empty.
#' @return `x`, invisibly.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq, iters = 1000, nchain = 2, seed = 1)
#' plot(sbrl_certify(model, people, weights = people$Freq))
#' @export
plot.sbrl_certificate <- function(x, against = "nodes", main = "Upper bound and best list", ...) {
  check_dots_empty(...)
  check_choice(against, "against", c("nodes", "seconds"))
  check_optional_text(main, "main")
  show_result(x, "sbrl_certificate", "sbrl_certify()", {
    points <- x$trace[is.finite(x$trace$upper_bound), ]
    if (nrow(points) == 0L) {
      points <- data.frame(nodes = 0, seconds = 0, upper_bound = x$log_posterior, log_posterior = x$log_posterior)
    }
    range <- range(points$upper_bound, points$log_posterior)
    room <- max(diff(range), 1e-3 * max(1, abs(range))) * 0.05
    draw_chart(
      list(
        xlim = c(0, max(points[[against]], 1e-9)), ylim = range + c(-room, room), xlab = against, ylab = "log posterior",
        xformat = \(at) format(at, trim = TRUE, big.mark = ",", scientific = FALSE), yformat = \(at) format(at, trim = TRUE),
        main = main, key = list(text = c("upper bound", "best list"), col = c("#B2182B", "#2166AC"))
      ),
      function() {
        graphics::lines(points[[against]], points$upper_bound, type = "s", col = "#B2182B", lwd = 2)
        graphics::lines(points[[against]], points$log_posterior, type = "s", col = "#2166AC", lwd = 2)
      }
    )
  })
  invisible(x)
}

# As tables of numbers, for the JSON file of a model; infinity is missing there.
portable_certificate <- function(x) {
  if (is.null(x)) {
    return(NULL)
  }
  finite <- function(x) ifelse(is.finite(x), x, NA_real_)
  numbers <- lapply(unclass(x)[certificate_numbers], finite)
  codes <- list(status = match(x$status, certificate_statuses), ended = match(x$ended, certificate_ends))
  list(
    certificate = c(lapply(codes, as.double), numbers),
    certificate_by_length = lapply(as.list(x$by_length), as.double),
    certificate_trace = lapply(as.list(x$trace), finite)
  )
}

# The certificate of a file, or NULL; what is missing in it is found when the model is checked.
certificate_from_portable <- function(report, settings) {
  plain <- report$certificate
  if (is.null(plain)) {
    return(NULL)
  }
  value <- function(name) if (length(plain[[name]]) == 1L) plain[[name]] else NA_real_
  numbers <- stats::setNames(lapply(certificate_numbers, value), certificate_numbers)
  for (name in c("upper_bound", "gap", "max_length")) {
    numbers[[name]] <- if (is.na(numbers[[name]])) Inf else numbers[[name]]
  }
  by_length <- list2DF(report$certificate_by_length[by_length_fields])
  by_length$proved <- by_length$proved == 1
  trace <- list2DF(report$certificate_trace[certificate_trace_fields])
  trace$upper_bound[is.na(trace$upper_bound)] <- Inf
  certificate <- c(
    list(status = certificate_statuses[value("status")]), numbers[1:5], list(by_length = by_length), numbers[6:7],
    settings[c("lambda", "eta", "alpha")], numbers[8:9], list(ended = certificate_ends[value("ended")], trace = trace)
  )
  structure(certificate, class = "sbrl_certificate")
}

# Whether a model's certificate is sound and is about the model's own list.
is_certificate <- function(x, model) {
  if (is.null(x)) {
    return(TRUE)
  }
  typeof(x) == "list" && inherits(x, "sbrl_certificate") && is_certificate_list(unclass(x), model)
}

is_certificate_list <- function(x, model) {
  numbers <- x[certificate_numbers]
  found <- model$found
  all(vapply(numbers, \(x) is_number(x) && x != -Inf, NA)) &&
    is_text(x$status) && x$status %in% certificate_statuses && is_text(x$ended) && x$ended %in% certificate_ends &&
    x$gap >= 0 && are_gaps(x) && x$n_candidates == length(model$rulenames) && x$max_length_proved >= 0 &&
    x$nodes >= 0 && x$seconds >= 0 && is_table(x$by_length, by_length_fields) && is.logical(x$by_length$proved) &&
    is_table(x$trace, certificate_trace_fields) && all(vapply(unclass(x$trace), is.numeric, NA)) &&
    identical(x[c("lambda", "eta", "alpha")], model$settings[c("lambda", "eta", "alpha")]) &&
    (x$n_rules != length(found$rules) || are_near(x$log_posterior, found$score[["log_posterior"]]))
}

are_gaps <- function(x) {
  is.infinite(x$gap) || are_near(x$gap, x$upper_bound - x$log_posterior)
}
