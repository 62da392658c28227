# C4.5 (J48) and RIPPER (JRip) of Weka, which Debian packages, called through rJava in this process.

weka_jar <- Sys.getenv("WEKA_JAR", "/usr/share/java/weka.jar")

start_weka <- function() {
  rJava::.jinit(weka_jar, parameters = c("-Xmx3g", "-Djava.awt.headless=true", "-XX:+UseSerialGC"))
}

weka_version <- function() {
  start_weka()
  rJava::.jfield("weka/core/Version", "S", "VERSION")
}

# Missing values are `?`, which Weka reads as missing. Levels are numbered, so that no text needs quotes.
write_arff <- function(data, file) {
  stopifnot(vapply(data, \(x) is.factor(x) || is.numeric(x), NA))
  type <- function(x) {
    if (is.factor(x)) sprintf("{%s}", paste0("l", seq_along(levels(x)), collapse = ",")) else "numeric"
  }
  coded <- function(x) {
    text <- if (is.factor(x)) paste0("l", as.integer(x)) else format(x, digits = 15, trim = TRUE)
    ifelse(is.na(x), "?", text)
  }
  header <- c("@relation data", sprintf("@attribute f%d %s", seq_along(data), vapply(data, type, "")), "@data")
  writeLines(c(header, do.call(paste, c(unname(lapply(data, coded)), sep = ","))), file)
}

# Rows as Weka's Instances, the label last.
weka_instances <- function(data) {
  start_weka()
  data <- data[c(setdiff(names(data), "label"), "label")]
  file <- tempfile(fileext = ".arff")
  on.exit(unlink(file))
  write_arff(data, file)
  reader <- rJava::.jnew("java/io/FileReader", file)
  instances <- rJava::.jnew("weka/core/Instances", rJava::.jcast(reader, "java/io/Reader"))
  rJava::.jcall(reader, "V", "close")
  rJava::.jcall(instances, "V", "setClassIndex", ncol(data) - 1L)
  instances
}

# A fitted classifier and the seconds of fitting it.
weka_fit <- function(class, options, train) {
  start_weka()
  classifier <- rJava::.jnew(class)
  rJava::.jcall(classifier, "V", "setOptions", rJava::.jarray(options))
  with_seconds(\() {
    rJava::.jcall(classifier, "V", "buildClassifier", train)
    classifier
  })
}

# The probability of the second class, row by row.
weka_predict <- function(classifier, test) {
  n <- rJava::.jcall(test, "I", "numInstances")
  vapply(seq_len(n) - 1L, function(i) {
    row <- rJava::.jcall(test, "Lweka/core/Instance;", "instance", i)
    rJava::.jcall(classifier, "[D", "distributionForInstance", row)[2]
  }, 1)
}

# Leaves of the tree, and its splits: one per condition that a reader has to look at.
j48_size <- function(tree) {
  leaves <- rJava::.jcall(tree, "D", "measureNumLeaves")
  c(leaves = leaves, conditions = rJava::.jcall(tree, "D", "measureTreeSize") - leaves)
}

# Rules but the default rule, and their conditions. Weka's own list of rules ends with the default rule.
jrip_size <- function(model) {
  text <- rJava::.jcall(model, "S", "toString")
  lines <- grep(" => ", strsplit(text, "\n", fixed = TRUE)[[1]], value = TRUE)
  conditions <- lengths(regmatches(lines, gregexpr("(f", lines, fixed = TRUE)))
  c(leaves = sum(conditions > 0), conditions = sum(conditions))
}

fit_j48 <- function(train, test, options = c("-C", "0.25", "-M", "2")) {
  fit <- weka_fit("weka/classifiers/trees/J48", options, weka_instances(train))
  list(prob = weka_predict(fit$value, weka_instances(test)), size = j48_size(fit$value), seconds = fit$seconds)
}

fit_jrip <- function(train, test, options = character()) {
  fit <- weka_fit("weka/classifiers/rules/JRip", options, weka_instances(train))
  list(prob = weka_predict(fit$value, weka_instances(test)), size = jrip_size(fit$value), seconds = fit$seconds)
}
