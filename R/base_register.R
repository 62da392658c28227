# Methods for generics of packages that need not be installed.

register_methods <- function(package, class, methods) {
  for (generic in names(methods)) {
    registerS3method(generic, class, methods[[generic]], asNamespace(package))
  }
}

# Now if the package is loaded, and whenever it is loaded later.
when_loaded <- function(package, action) {
  if (isNamespaceLoaded(package)) {
    action()
  }
  setHook(packageEvent(package, "onLoad"), function(...) action())
}
