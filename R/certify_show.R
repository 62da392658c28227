# A certificate in words and in a picture.

# One sentence that can be quoted, and what else is known.
certificate_sentences <- function(x) {
  scope <- sprintf(
    "Among these %s candidates, for lambda = %s, eta = %s and alpha = (%s),", with_thousands(x$n_candidates),
    format_numbers(x$lambda, digits = 6L), format_numbers(x$eta, digits = 6L),
    paste(vapply(x$alpha, format_numbers, "", digits = 6L), collapse = ", ")
  )
  is_any <- x$max_length >= x$n_candidates
  lists <- if (is_any) "no rule list" else paste("no list of at most", counted(x$max_length, "rule"))
  than <- sprintf("this list of %s (log posterior %.4f)", counted(x$n_rules, "rule"), x$log_posterior)
  short <- paste("no list of at most", counted(x$max_length_proved, "rule"))
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
  paste0(lower_case(substr(text, 1L, 1L)), substring(text, 2L))
}

certificate_rest <- function(x) {
  c(
    if (x$status == "optimal_at_most") {
      sprintf("Longer lists: one with a log posterior up to %s higher is not excluded.", gap_text(x$gap))
    },
    if (x$status %in% c("within", "none") && x$ended != "solved" && x$max_length_proved >= 1) {
      sprintf("The best list of at most %s is known: log posterior %.4f.", counted(x$max_length_proved, "rule"),
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
    cost <- sprintf("Differences in log posterior below %g do not count. Cost: %s nodes, %.1f s.", certificate_claim,
                    with_thousands(x$nodes), x$seconds)
    c(certificate_sentences(x), cost)
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
      cat("\nBest lists by greatest number of rules:\n")
      print(x$by_length, row.names = FALSE, digits = 10L)
    }
  })
  invisible(x)
}

#' Plot a certificate
#'
#' `plot()` draws the upper bound and the best log posterior during the proof.
#'
#' @param x A certificate made by [sbrl_certify()].
#' @param against What the horizontal axis shows: `"nodes"` or `"seconds"`.
#' @param main Title.
#' @inheritParams predict.sbrl
#' @return `x`, invisibly.
#' @seealso [sbrl_certify()].
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               iters = 1000, nchain = 2, seed = 1)
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
        xlim = c(0, max(points[[against]], 1e-9)), ylim = range + c(-room, room), xlab = against,
        ylab = "log posterior", xformat = \(at) format_numbers(at, trim = TRUE, big.mark = ",", scientific = FALSE),
        yformat = \(at) format_numbers(at, trim = TRUE),
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
