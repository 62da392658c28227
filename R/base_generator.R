# Random numbers of R that depend on a given seed only.

# R's generator is used in a known state and left as it was found.
with_own_generator <- function(seed, action) {
  had <- get0(".Random.seed", globalenv(), inherits = FALSE)
  kind <- RNGkind()
  on.exit({
    # The old state has the old kinds, too. R warns about one of the kinds that it still has.
    suppressWarnings(RNGkind(kind[1L], kind[2L], kind[3L]))
    if (is.null(had)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", had, globalenv())
  })
  # set.seed() takes 31 bits; a longer seed is folded.
  folded <- (seed %% 2^31 + 48271 * (seed %/% 2^31)) %% 2147483647
  set.seed(folded, "Mersenne-Twister", "Inversion", "Rejection")
  action()
}
