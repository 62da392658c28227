# For the Rust steps: quick tests that still check overflow, and the R library the shell's tests link to.
# Sourced after env.sh.
CARGO_PROFILE_DEV_OPT_LEVEL=3
CARGO_PROFILE_DEV_DEBUG=line-tables-only
LD_LIBRARY_PATH=$(R RHOME)/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
DYLD_LIBRARY_PATH=$LD_LIBRARY_PATH
export CARGO_PROFILE_DEV_OPT_LEVEL CARGO_PROFILE_DEV_DEBUG LD_LIBRARY_PATH DYLD_LIBRARY_PATH
cd src/rust
