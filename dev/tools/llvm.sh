# Finds LLVM's tools for coverage; they must be of the compiler's own LLVM. Sourced after env.sh.

llvm_major() {
  "${RUSTC:-rustc}" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p'
}

# The path of a tool: rustup's component llvm-tools has it, or Debian's package llvm-<major>.
llvm_tool() {
  for tool in "$("${RUSTC:-rustc}" --print target-libdir)/../bin/$1" "/usr/lib/llvm-$(llvm_major)/bin/$1"; do
    if [ -x "$tool" ]; then
      echo "$tool"
      return 0
    fi
  done
  return 1
}

has_llvm_tools() {
  llvm_tool llvm-profdata > /dev/null && llvm_tool llvm-cov > /dev/null
}
