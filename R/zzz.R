# What happens at load: registrations that a line in NAMESPACE cannot do.

.onLoad <- function(libname, pkgname) {
  register_text_class(topenv())
}
