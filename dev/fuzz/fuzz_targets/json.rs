//! Any text: an error, or a model that is written back unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::export::from_json;

fuzz_target!(|text: &str| {
    if let Ok(model) = from_json(text) {
        assert_eq!(from_json(&model.to_json().unwrap()).as_ref(), Ok(&model));
    }
});
