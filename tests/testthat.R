library(testthat)
library(sbrl)

test_check("sbrl")
