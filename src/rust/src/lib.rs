//! stub while the build files are made
use extendr_api::prelude::*;

/// Stub.
/// @noRd
#[extendr]
fn native_stub() -> i32 {
    42
}

/// Keeps panics quiet: they reach R as values, so nothing may be printed from here.
#[no_mangle]
pub extern "C" fn sbrl_install_panic_hook() {
    std::panic::set_hook(Box::new(|_| {}));
}

extendr_module! {
    mod sbrl;
    fn native_stub;
}
