#!/bin/sh
# Copies the package's own files, and nothing that was built, into a new directory: export.sh <directory>
. "$(dirname "$0")/env.sh"

# With git: what is tracked or could be. Without (an unpacked archive): all but what .gitignore would keep out.
list_files() {
  if [ -e .git ] && git ls-files > /dev/null 2>&1; then
    git -c core.quotePath=false ls-files -co --exclude-standard | sort -u
  else
    find . -type f ! -path './.git/*' ! -path './build/*' ! -path './.lib/*' ! -path '*/target/*' ! -path './src/rust/vendor/*' \
      ! -path './src/.cargo/*' ! -name '*.o' ! -name '*.so' ! -name '*.a' ! -name '*.tar.gz' \
      ! -path ./src/Makevars ! -path ./src/rust/vendor.tar.xz | sort
  fi
}

rm -rf "$1"
mkdir -p "$1"
# A tracked file may have been deleted in the working tree.
list_files | while IFS= read -r file; do
  if [ -e "$file" ]; then printf '%s\n' "$file"; fi
done | tar -cf - -T - | (cd "$1" && tar -xf -)
