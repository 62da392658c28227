# Help pages: complete, with examples that run.

test_that("every exported function has a help page with an example that runs as it stands", {
  skip_if_not_built()
  pages <- tools::Rd_db("sbrl")
  parts <- function(page, tag) page[vapply(page, attr, "", "Rd_tag") == tag]
  has_example <- vapply(pages, \(page) length(parts(page, "\\examples")) > 0, NA)
  shown <- unlist(lapply(pages[has_example], \(page) lapply(parts(page, "\\alias"), as.character)))
  expect_setequal(setdiff(getNamespaceExports("sbrl"), shown), character())
  text <- unlist(lapply(pages[has_example], as.character))
  expect_false(any(c("\\dontrun", "\\donttest") %in% text))
})

test_that("every help page names related pages", {
  skip_if_not_built()
  has_links <- vapply(tools::Rd_db("sbrl"), \(page) "\\seealso" %in% vapply(page, attr, "", "Rd_tag"), NA)
  expect_identical(names(has_links)[!has_links], character())
})
