# What happens at load: registrations that a line in NAMESPACE cannot do.

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
