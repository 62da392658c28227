# Makes data/tictactoe.rda: every board with which a game of tic-tac-toe can end, X moving first.
# Run from the top of the package: Rscript data-raw/tictactoe.R

lines <- rbind(
  c(1, 2, 3), c(4, 5, 6), c(7, 8, 9), # rows
  c(1, 4, 7), c(2, 5, 8), c(3, 6, 9), # columns
  c(1, 5, 9), c(3, 5, 7) # diagonals
)

has_won <- function(board, player) {
  any(apply(lines, 1, \(line) all(board[line] == player)))
}

# The boards one move of `player` later; a board is a string of nine letters.
boards_after <- function(board, player) {
  squares <- strsplit(board, "")[[1]]
  vapply(which(squares == "b"), \(square) paste(replace(squares, square, player), collapse = ""), "")
}

# All games at once, move by move; a game that is decided stops, and after nine moves all do.
open <- strrep("b", 9)
ends <- character()
for (player in rep_len(c("x", "o"), 9)) {
  open <- unique(unlist(lapply(open, boards_after, player)))
  decided <- vapply(strsplit(open, ""), has_won, NA, player)
  ends <- c(ends, open[decided])
  open <- open[!decided]
}
ends <- sort(c(ends, open), method = "radix")
squares <- do.call(rbind, strsplit(ends, ""))

tictactoe <- as.data.frame(lapply(1:9, \(square) factor(squares[, square], levels = c("b", "o", "x"))))
names(tictactoe) <- paste0("c", 1:9)
tictactoe$label <- as.integer(apply(squares, 1, has_won, player = "x"))

# A fixed shuffle, so that the first two thirds are a fair training set.
set.seed(20170806, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
tictactoe <- tictactoe[sample(nrow(tictactoe)), ]
row.names(tictactoe) <- NULL

stopifnot(nrow(tictactoe) == 958, sum(tictactoe$label) == 626, !anyDuplicated(tictactoe))
save(tictactoe, file = "data/tictactoe.rda", compress = "xz", version = 3)
