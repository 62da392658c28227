# Draws what README.Rmd's chunk `picture` says: picture.R <README.Rmd> <output>
args <- commandArgs(trailingOnly = TRUE)
lines <- readLines(args[[1]], encoding = "UTF-8")
from <- grep("^```\\{r picture[,}]", lines)
to <- grep("^```$", lines)
code <- lines[seq(from + 1L, min(to[to > from]) - 1L)]

library(sbrl)
dir.create(dirname(args[[2]]), showWarnings = FALSE, recursive = TRUE)
grDevices::png(args[[2]], width = 7.2, height = 3.9, units = "in", res = 110, type = "cairo")
source(exprs = parse(text = code))
invisible(grDevices::dev.off())
cat(sprintf("%s: %.0f KB\n", args[[2]], file.size(args[[2]]) / 1024))
