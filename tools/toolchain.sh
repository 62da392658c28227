# Finds a cargo and a rustc that are new enough; sourced by configure and by the development scripts.

# The oldest Rust that will do is said once, in the crate's manifest.
minimum_rust() {
  sed -n 's/^rust-version *= *"\([0-9.]*\)".*/\1/p' src/rust/Cargo.toml | head -n 1
}

# "1.75.0" -> 1075, so that versions compare as numbers.
version_number() {
  echo "$1" | awk -F. '{ print $1 * 1000 + $2 }'
}

rustc_version() {
  "$1" --version 2>/dev/null | awk 'NR == 1 { print $2 }'
}

# Where to look: PATH, rustup's directory (R started from a menu often lacks it on PATH), Debian's versioned packages.
toolchain_dirs() {
  path_cargo=$(command -v cargo 2>/dev/null) && dirname "$path_cargo"
  echo "${CARGO_HOME:-$HOME/.cargo}/bin"
  echo "$HOME/.cargo/bin"
  # On Windows, R's HOME is the documents folder.
  if [ -n "${USERPROFILE:-}" ]; then echo "$USERPROFILE/.cargo/bin"; fi
  for dir in /usr/lib/rust-*/bin; do
    if [ -d "$dir" ]; then echo "$dir"; fi
  done
}

# Sets CARGO, RUSTC and RUSTC_VERSION to the first toolchain that is new enough; the status says whether there is one.
pick_toolchain() {
  minimum_number=$(version_number "$(minimum_rust)")
  found_old=""
  old_ifs=$IFS
  IFS='
'
  for dir in $(toolchain_dirs); do
    [ -x "$dir/cargo" ] || [ -x "$dir/cargo.exe" ] || continue
    version=$(rustc_version "$dir/rustc")
    if [ -z "$version" ]; then continue; fi
    if [ "$(version_number "$version")" -ge "$minimum_number" ]; then
      IFS=$old_ifs
      CARGO=$dir/cargo RUSTC=$dir/rustc RUSTC_VERSION=$version
      return 0
    fi
    found_old="$found_old $version"
  done
  IFS=$old_ifs
  return 1
}

explain_missing_toolchain() {
  minimum=$(minimum_rust)
  if [ -n "$found_old" ]; then
    echo "The Rust found here is too old (rustc$found_old); sbrl needs $minimum or newer."
  else
    echo "No Rust compiler (cargo and rustc) was found; sbrl needs $minimum or newer."
  fi
  cat <<EOF
Install it in one of these ways, then install sbrl again:
  - any system:      https://rustup.rs
  - Debian 12:       apt-get install cargo-web rustc-web
  - newer Debian, Ubuntu 24.04 or newer:  apt-get install cargo rustc
  - Fedora:          dnf install cargo rust
  - macOS:           brew install rust
If it is installed already, make sure that cargo is on the PATH or in ~/.cargo/bin.
EOF
}

# As pick_toolchain, and stops with advice when there is none. CRAN asks for the versions to be shown.
find_toolchain() {
  if ! pick_toolchain; then
    echo "---------------------------- [sbrl: Rust is missing] ----------------------------" >&2
    explain_missing_toolchain >&2
    echo "---------------------------------------------------------------------------------" >&2
    exit 1
  fi
  echo "using cargo: $("$CARGO" --version)"
  echo "using rustc: $("$RUSTC" --version)"
}
