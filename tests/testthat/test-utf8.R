# Code points that are valid text, but that some functions of R fail on.

test_that("U+FFFE and U+FFFF in any name give a result or an error of ours", {
  d <- two_factor_data(60)
  for (odd in c("\ufffe", "\uffff", "A\ufffe")) {
    named <- stats::setNames(list(1), odd)
    expect_error(do.call(quick_fit, c(list(d), named)), "Unknown argument", class = "sbrl_error_argument")
    expect_error(do.call(predict, c(list(quick_fit(d), d), named)), "Unknown argument", class = "sbrl_error_argument")
    expect_error(quick_fit(d, label = odd), "no label column", class = "sbrl_error_label")
    expect_error(quick_fit(stats::reformulate("a", as.name(odd)), data = d), class = "sbrl_error")
    for (j in 1:3) {
      rows <- stats::setNames(d, replace(names(d), j, odd))
      model <- quick_fit(rows, label = names(rows)[3])
      # a decision table does not name the label
      if (j < 3) expect_error(as_dmn(model), "XML cannot contain", class = "sbrl_error_model")
      if (j == 3) expect_type(as_dmn(model), "character")
      expect_error(as_pmml(model), "XML cannot contain", class = "sbrl_error_model")
      expect_identical(as_r_function(model)(rows), predict(model, rows)$V2)
    }
  }
})

test_that("small letters are those of ASCII, whatever else the text contains", {
  expect_identical(sbrl:::lower_case(c("AbZ", "\u00c4I", "\ufffeX", "")), c("abz", "\u00c4i", "\ufffex", ""))
  expect_identical(sbrl:::lower_case(character()), character())
})
