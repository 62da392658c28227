# The data set tictactoe.

test_that("tictactoe contains every final board once", {
  expect_identical(dim(tictactoe), c(958L, 10L))
  expect_identical(names(tictactoe), c(paste0("c", 1:9), "label"))
  expect_type(tictactoe$label, "integer")
  expect_identical(sum(tictactoe$label), 626L)
  expect_identical(anyDuplicated(tictactoe), 0L)
  for (square in tictactoe[1:9]) {
    expect_identical(levels(square), c("b", "o", "x"))
  }
})
