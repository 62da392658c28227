# Bootstrap samples of the rows of a bag.

check_bag_classes <- function(rows) {
  sizes <- tabulate(rows$codes, length(rows$classes))
  if (min(sizes) < 2L) {
    message <- "Class %s has %s; a bag needs at least two rows of each class."
    abort_sbrl("label", sprintf(message, quote_values(rows$classes[which.min(sizes)]), counted(min(sizes), "row")))
  }
}

# How often each row is in the sample of this seed. A sample without rows of a class is drawn again.
draw_sample <- function(rows, seed) {
  n <- length(rows$codes)
  with_own_generator(seed, function() {
    for (attempt in 1:1000) {
      times <- tabulate(sample.int(n, n, replace = TRUE), n)
      if (all(tabulate(rows$codes[times > 0L], length(rows$classes)) > 0L)) {
        return(times)
      }
    }
    abort_sbrl("label", "The classes have too few rows: none of 1,000 samples had rows of each.")
  })
}
