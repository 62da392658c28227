# Help for the data sets.

#' Finished games of tic-tac-toe
#'
#' All 958 boards that a game of tic-tac-toe can end with, if X moves first and play stops when it is decided.
#'
#' The boards were made by playing every possible game; see `data-raw/tictactoe.R` in the sources. Their order is
#' random, so that the first two thirds make a fair training set.
#'
#' @format A data frame with 958 rows and 10 columns:
#' \describe{
#'   \item{c1, c2, c3}{top row, from left to right: factors with the levels `b` (blank), `o` and `x`}
#'   \item{c4, c5, c6}{middle row}
#'   \item{c7, c8, c9}{bottom row}
#'   \item{label}{integer: 1 if X has won (626 boards), 0 if not}
#' }
#' @name tictactoe
#' @docType data
#' @usage tictactoe
#' @keywords datasets
#' @seealso [sbrl()], whose examples use it.
#' @examples
#' matrix(as.matrix(tictactoe[1, 1:9]), 3, byrow = TRUE)
#' table(tictactoe$label)
NULL
