# What happens at load: registrations that a line in NAMESPACE cannot do. And at installation: what is compiled then.

.onLoad <- function(libname, pkgname) {
  register_text_class(topenv())
  when_loaded("parsnip", register_parsnip)
  when_loaded("generics", register_tunable)
  when_loaded("mlr3", register_mlr3)
  # its generic function hides ours where it is attached later; a line in NAMESPACE would make it a package to suggest
  when_loaded("dplyr", \() registerS3method("explain", "sbrl", explain.sbrl, asNamespace("dplyr")))
  when_loaded("posterior", register_draws)
  when_loaded("loo", register_loo)
  when_loaded("rstantools", register_rstantools)
  when_loaded("vip", register_vip)
  when_loaded("vip", register_vip_model)
  when_loaded("DALEX", register_dalex)
  when_loaded("iml", register_iml)
  when_loaded("butcher", register_butcher)
  when_loaded("tidypredict", register_tidypredict)
  when_loaded("orbital", register_orbital)
}

# Functions are installed as text (`ByteCompile` in DESCRIPTION), which keeps the package small; R compiles them when
# they are called for the second time. What predict() may call is compiled at installation: services ask row by row.
compile_with_callees <- function(name, env) {
  functions <- Filter(\(known) is.function(env[[known]]), ls(env, all.names = TRUE))
  compiled <- character()
  while (length(name) > 0L) {
    compiled <- c(compiled, name)
    parts <- lapply(mget(name, env), \(called) c(body(called), formals(called)))
    words <- unique(all.names(as.call(c(quote(f), unlist(parts, use.names = FALSE)))))
    is_called <- functions %in% words | sub("[.]sbrl_(feature|outcome)_.*$", "", functions) %in% words # methods, too
    name <- setdiff(functions[is_called], compiled)
  }
  for (known in compiled) assign(known, compiler::cmpfun(env[[known]]), env)
}
compile_with_callees("predict.sbrl", environment())
