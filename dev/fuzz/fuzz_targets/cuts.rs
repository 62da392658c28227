//! Any numbers, labels and weights: cut points rise, are finite, and separate the observed values.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::control::Control;
use sbrl_engine::cuts::{cut_points, Method, Target};

fuzz_target!(|input: (Vec<(f64, u8, u8)>, u8, u8)| {
    let (rows, method, bins) = input;
    let method = [Method::Mdlp, Method::Quantile, Method::Width][usize::from(method % 3)];
    let bins = usize::from(bins);
    let values: Vec<f64> = rows.iter().map(|row| row.0).collect();
    let labels: Vec<u32> = rows.iter().map(|row| u32::from(row.1 % 3)).collect();
    let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 8.0 + 0.125).collect();
    let target = Target { labels: &labels, n_classes: 3, weights: Some(&weights) };
    let cuts = cut_points(&values[..], &target, method, bins, &Control::default()).expect("the input fits");
    let cuts: Vec<f64> = cuts.iter().map(|cut| cut.at).collect();
    assert!(cuts.len() <= bins.saturating_sub(1));
    assert!(cuts.iter().all(|cut| cut.is_finite()) && cuts.windows(2).all(|pair| pair[0] < pair[1]));
    let bin = |x: f64| cuts.iter().filter(|&&cut| x >= cut).count();
    for parts in cuts.windows(2).filter(|_| method != Method::Width) {
        assert!(values.iter().any(|&x| parts[0] <= x && x < parts[1]));
    }
    if let (Some(_), Some(_)) = (cuts.first(), cuts.last()) {
        assert!(values.iter().any(|&x| bin(x) == 0 && !x.is_nan()));
        assert!(values.iter().any(|&x| bin(x) == cuts.len()));
    }
});
