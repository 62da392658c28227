pkgname <- "sbrl"
source(file.path(R.home("share"), "R", "examples-header.R"))
options(warn = 1)
library('sbrl')

base::assign(".oldSearch", base::search(), pos = 'CheckExEnv')
base::assign(".old_wd", base::getwd(), pos = 'CheckExEnv')
cleanEx()
nameEx("cv_sbrl")
### * cv_sbrl

flush(stderr()); flush(stdout())

### Name: cv_sbrl
### Title: Choose settings by cross-validation
### Aliases: cv_sbrl cv_sbrl.data.frame cv_sbrl.formula cv_sbrl.default

### ** Examples

people <- as.data.frame(Titanic)
people <- people[rep(seq_len(nrow(people)), people$Freq), -5]
cv <- cv_sbrl(Survived ~ ., data = people, lambda = c(2, 8), rule_maxlen = 1:2,
              folds = 5, seed = 1, iters = 1000, nchain = 2)
cv
model <- refit(cv)
model



cleanEx()
nameEx("get_data_feature_mat")
### * get_data_feature_mat

flush(stderr()); flush(stdout())

### Name: get_data_feature_mat
### Title: Which rows obey which items
### Aliases: get_data_feature_mat

### ** Examples

head(get_data_feature_mat(tictactoe, c("c1=b", "c1=o", "c1=x")))



cleanEx()
nameEx("plot.cv_sbrl")
### * plot.cv_sbrl

flush(stderr()); flush(stdout())

### Name: plot.cv_sbrl
### Title: Plot a cross-validation
### Aliases: plot.cv_sbrl autoplot.cv_sbrl

### ** Examples

cv <- cv_sbrl(tictactoe, rule_maxlen = 1:3, lambda = 8, folds = 3, seed = 1, iters = 1000, nchain = 2)
plot(cv)



cleanEx()
nameEx("predict.sbrl")
### * predict.sbrl

flush(stderr()); flush(stdout())

### Name: predict.sbrl
### Title: Predict with a rule list
### Aliases: predict.sbrl

### ** Examples

set.seed(1)
model <- sbrl(tictactoe[1:639, ], iters = 2000, rule_maxlen = 3, nchain = 4)
test <- tictactoe[640:958, ]
str(predict(model, test))
table(predict(model, newdata = test, type = "class"), test$label)
head(predict(model, test, type = "interval"))



cleanEx()
nameEx("print.cv_sbrl")
### * print.cv_sbrl

flush(stderr()); flush(stdout())

### Name: print.cv_sbrl
### Title: Show a cross-validation
### Aliases: print.cv_sbrl format.cv_sbrl summary.cv_sbrl

### ** Examples

cv <- cv_sbrl(tictactoe, rule_maxlen = 2:3, lambda = 8, folds = 3, seed = 1, iters = 1000, nchain = 2)
cv
summary(cv)



cleanEx()
nameEx("print.sbrl")
### * print.sbrl

flush(stderr()); flush(stdout())

### Name: print.sbrl
### Title: Show a rule list
### Aliases: print.sbrl format.sbrl

### ** Examples

set.seed(1)
model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
print(model)
format(model)[2]



cleanEx()
nameEx("refit")
### * refit

flush(stderr()); flush(stdout())

### Name: refit
### Title: Fit the settings that cross-validation chose
### Aliases: refit refit.cv_sbrl

### ** Examples

cv <- cv_sbrl(tictactoe, rule_maxlen = 2:3, lambda = 8, folds = 3, seed = 1, iters = 1000, nchain = 2)
refit(cv)
refit(cv, "best", iters = 5000)



cleanEx()
nameEx("rule_list")
### * rule_list

flush(stderr()); flush(stdout())

### Name: rule_list
### Title: A rule list as a parsnip model
### Aliases: rule_list update.rule_list

### ** Examples

if (nzchar(system.file(package = "parsnip"))) {
  print(rule_list(rule_maxlen = 3, lambda = 5))
}



cleanEx()
nameEx("rules")
### * rules

flush(stderr()); flush(stdout())

### Name: rules
### Title: The rules of a model as a data frame
### Aliases: rules rules.sbrl

### ** Examples

set.seed(1)
model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
rules(model)



cleanEx()
nameEx("sbrl")
### * sbrl

flush(stderr()); flush(stdout())

### Name: sbrl
### Title: Fit a Bayesian rule list
### Aliases: sbrl sbrl.data.frame sbrl.formula sbrl.default

### ** Examples

train <- tictactoe[1:639, ]
test <- tictactoe[640:958, ]
set.seed(1)
model <- sbrl(train, iters = 5000, rule_maxlen = 3, nchain = 4)
model
mean(predict(model, test, type = "class") == test$label)

sbrl(Species ~ ., data = iris, iters = 2000, nchain = 4)
people <- as.data.frame(Titanic)
sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq, iters = 2000, nchain = 4)



cleanEx()
nameEx("sbrl_caret")
### * sbrl_caret

flush(stderr()); flush(stdout())

### Name: sbrl_caret
### Title: A rule list as a caret model
### Aliases: sbrl_caret

### ** Examples

## Don't show: 
if (requireNamespace("caret", quietly = TRUE)) (if (getRversion() >= "3.4") withAutoprint else force)({ # examplesIf
## End(Don't show)
set.seed(1)
trained <- caret::train(
  iris[1:4], iris$Species,
  method = sbrl_caret(), iters = 500, nchain = 2, progress = FALSE,
  tuneGrid = data.frame(lambda = c(2, 5), eta = 1, rule_maxlen = 1, minsupport = 0.1),
  trControl = caret::trainControl(method = "cv", number = 3)
)
trained$finalModel
## Don't show: 
}) # examplesIf
## End(Don't show)



cleanEx()
nameEx("sbrl_max_length")
### * sbrl_max_length

flush(stderr()); flush(stdout())

### Name: sbrl_max_length
### Title: The longest rule list worth considering
### Aliases: sbrl_max_length sbrl_max_length.sbrl sbrl_max_length.default

### ** Examples

sbrl_max_length(c(100, 100), n_items = 10, lambda = 3)
sbrl_max_length(c(332, 626), n_items = 27, lambda = 10, pool = c(27, 224, 140))



cleanEx()
nameEx("sbrl_performance")
### * sbrl_performance

flush(stderr()); flush(stdout())

### Name: sbrl_performance
### Title: How well a model predicts
### Aliases: sbrl_performance

### ** Examples

set.seed(1)
model <- sbrl(tictactoe[1:639, ], iters = 2000, rule_maxlen = 3, nchain = 4)
sbrl_performance(model, tictactoe[640:958, ])



cleanEx()
nameEx("sbrl_score")
### * sbrl_score

flush(stderr()); flush(stdout())

### Name: sbrl_score
### Title: Score any rule list
### Aliases: sbrl_score

### ** Examples

set.seed(1)
model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
sbrl_score(model, tictactoe)
sbrl_score(model, tictactoe, c("{c1=x,c2=x,c3=x}", "{c4=x,c5=x,c6=x}"))
sbrl_score(model, tictactoe, model$rs$V1[-nrow(model$rs)])
model$score



cleanEx()
nameEx("sbrl_write_json")
### * sbrl_write_json

flush(stderr()); flush(stdout())

### Name: sbrl_write_json
### Title: Write a model to a JSON file, and read it back
### Aliases: sbrl_write_json sbrl_read_json

### ** Examples

set.seed(1)
model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
file <- tempfile(fileext = ".json")
sbrl_write_json(model, file)
again <- sbrl_read_json(file)
identical(predict(again, tictactoe), predict(model, tictactoe))



cleanEx()
nameEx("show.sbrl")
### * show.sbrl

flush(stderr()); flush(stdout())

### Name: show.sbrl
### Title: Show a rule list (name of version 1.4)
### Aliases: show.sbrl

### ** Examples

set.seed(1)
model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
show.sbrl(model)



cleanEx()
nameEx("summary.sbrl")
### * summary.sbrl

flush(stderr()); flush(stdout())

### Name: summary.sbrl
### Title: Summarise a rule list and its search
### Aliases: summary.sbrl

### ** Examples

set.seed(1)
model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
summary(model)



cleanEx()
nameEx("tictactoe")
### * tictactoe

flush(stderr()); flush(stdout())

### Name: tictactoe
### Title: Finished games of tic-tac-toe
### Aliases: tictactoe
### Keywords: datasets

### ** Examples

matrix(as.matrix(tictactoe[1, 1:9]), 3, byrow = TRUE)
table(tictactoe$label)



cleanEx()
nameEx("tidy.sbrl")
### * tidy.sbrl

flush(stderr()); flush(stdout())

### Name: tidy.sbrl
### Title: A model in the shapes that other packages expect
### Aliases: tidy.sbrl glance.sbrl augment.sbrl logLik.sbrl nobs.sbrl
###   fitted.sbrl as.data.frame.sbrl

### ** Examples

set.seed(1)
model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
BIC(model)
as.data.frame(model)[1:2, ]
fitted(model, tictactoe)[1:2, ]
if (requireNamespace("generics", quietly = TRUE)) {
  print(generics::tidy(model, conf.int = TRUE))
  print(generics::glance(model))
}



### * <FOOTER>
###
cleanEx()
options(digits = 7L)
base::cat("Time elapsed: ", proc.time() - base::get("ptime", pos = 'CheckExEnv'),"\n")
grDevices::dev.off()
###
### Local variables: ***
### mode: outline-minor ***
### outline-regexp: "\\(> \\)?### [*]+" ***
### End: ***
quit('no')
