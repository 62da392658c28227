# What happens at load: registrations with suggested packages that a line in NAMESPACE cannot do.

.onLoad <- function(libname, pkgname) {
  when_loaded("parsnip", register_parsnip)
}

# Now if the package is loaded, and whenever it is loaded later.
when_loaded <- function(package, action) {
  if (isNamespaceLoaded(package)) {
    action()
  }
  setHook(packageEvent(package, "onLoad"), function(...) action())
}
