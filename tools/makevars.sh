# Writes src/Makevars or src/Makevars.win from its template; sourced by configure after tools/toolchain.sh.

# How cargo is to work:
#   vendored  release archive: crates from vendor.tar.xz, no network, nothing written outside the package
#   checkout  git checkout: the user's cargo cache, and cargo's target is kept for the next build
#   download  neither: crates from the network, nothing written outside the package
build_mode() {
  if [ -f src/rust/vendor.tar.xz ]; then
    echo vendored
  elif [ -e .git ]; then
    echo checkout
  else
    echo download
  fi
}

# The Rust target that matches R, which need not be the compiler's own (R for Intel on an Apple-silicon Mac).
rust_target() {
  host=$("$RUSTC" -vV | sed -n 's/^host: //p')
  if [ -n "${CARGO_BUILD_TARGET:-}" ]; then
    echo "$CARGO_BUILD_TARGET"
  elif [ "$1" = windows ]; then
    echo x86_64-pc-windows-gnu
  elif [ "$(uname)" = Darwin ]; then
    echo "$("${R_HOME:-$(R RHOME)}/bin/Rscript" -e 'cat(R.version$arch)')-apple-darwin"
  else
    echo "$host"
  fi
}

check_target() {
  sysroot=$("$RUSTC" --print sysroot)
  if [ -d "$sysroot/lib/rustlib/$1" ]; then return 0; fi
  echo "Rust is installed, but not its support for $1, which this R needs." >&2
  echo "Add it with: rustup target add $1" >&2
  exit 1
}

# Unpacks the vendored crates and tells cargo, in its private home, to use them and only them.
unpack_vendored() {
  rm -rf src/rust/vendor
  xz -dc src/rust/vendor.tar.xz | (cd src/rust && tar -xf -)
  mkdir -p src/.cargo
  cat > src/.cargo/config.toml <<EOF
[source.crates-io]
replace-with = "vendored"

[source.vendored]
directory = "rust/vendor"
EOF
}

# Makes a value safe on the right side of sed's s|…|…|.
escaped() {
  printf '%s' "$1" | sed 's/[&|\\]/\\&/g'
}

write_makevars() {
  mode=$(build_mode)
  target=$(rust_target "$1")
  check_target "$target"
  # PWD is spelt out because cargo resolves a relative CARGO_HOME against a directory of its own choosing.
  environment='CARGO_HOME="$$PWD/.cargo"'
  flags="--locked"
  finish='rm -rf ./rust/target ./rust/vendor ./.cargo'
  # Debug information of Rust's standard library; macOS leaves it out of the shared library by itself.
  strip='$(STRIP_STATIC_LIB) $(STATLIB)'
  case $mode in
    vendored)
      unpack_vendored
      flags="--offline --locked"
      ;;
    checkout)
      environment=""
      flags=""
      finish="@:"
      strip="@:"
      ;;
  esac
  if [ "$(uname)" = Darwin ]; then
    strip="@:"
  elif [ "$mode" != checkout ] && [ "$1" != windows ]; then
    # names of local functions are a tenth of the shared library; those of R's functions stay, R CMD check looks for them
    finish="strip -x \$(SHLIB) \&\& $finish"
  fi

  template=src/Makevars.in
  if [ "$1" = windows ]; then template=src/Makevars.win.in; fi
  output=${template%.in}
  sed -e "s|@CARGO@|$(escaped "$CARGO")|" -e "s|@RUSTC@|$(escaped "$RUSTC")|" -e "s|@TARGET@|$target|" \
    -e "s|@ENVIRONMENT@|$environment|" -e "s|@FLAGS@|$flags|" \
    -e "s|@STRIP@|$strip|" -e "s|@FINISH@|$finish|" "$template" > "$output"
  echo "build mode: $mode, target: $target"
}
