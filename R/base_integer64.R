# Whole numbers of more bits than R's: columns of class "integer64", which R would read as ordinary doubles, without the
# package bit64, and numbers that may be beyond R's integers.

# A class of another package that R reads as an ordinary double: 64-bit whole numbers in the bits of one.
is_integer64 <- function(x) {
  inherits(x, "integer64") && is.double(unclass(x))
}

integer64_values <- function(x) {
  bytes <- writeBin(as.vector(unclass(x)), raw(), endian = "little")
  halves <- matrix(readBin(bytes, "integer", 2L * length(x), endian = "little"), 2L)
  # The least 32-bit integer reads as NA: as lower half it is 2^31, as upper half (of bit64's missing value) none.
  low <- ifelse(is.na(halves[1L, ]), 2^31, halves[1L, ] %% 2^32)
  as.double(halves[2L, ] * 2^32 + low)
}

# Numbers as integers; NA for those that are none, without the warning of as.integer().
as_whole <- function(x) {
  x <- as.double(x)
  is_whole <- is.finite(x) & abs(x) <= .Machine$integer.max & x == floor(x)
  as.integer(ifelse(is_whole, x, NA_real_))
}
