# Columns of class "integer64", which R would read as ordinary doubles: their values, without the package bit64.

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
