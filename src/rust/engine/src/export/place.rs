//! Values in a file that know their place in it, so that what is wrong can be named.

use serde_json::{Map, Value};

pub(super) type Read<T> = Result<T, String>;

/// A value and its place in the file, such as `rules[2].candidate`.
pub(super) struct At<'v> {
    value: &'v Value,
    place: String,
}

impl<'v> At<'v> {
    pub(super) fn new(value: &'v Value, place: &str) -> Self {
        At { value, place: place.to_string() }
    }

    pub(super) fn place(&self) -> &str {
        &self.place
    }

    pub(super) fn wrong<T>(&self, expected: &str) -> Read<T> {
        let given: String = self.value.to_string().chars().take(40).collect();
        Err(format!("`{}` must be {expected}, not {given}.", self.place))
    }

    pub(super) fn object(&self) -> Read<&'v Map<String, Value>> {
        self.value.as_object().map_or_else(|| self.wrong("an object"), Ok)
    }

    pub(super) fn has(&self, name: &str) -> Read<bool> {
        Ok(self.object()?.contains_key(name))
    }

    pub(super) fn field(&self, name: &str) -> Read<At<'v>> {
        match self.object()?.get(name) {
            Some(value) => Ok(At { value, place: format!("{}.{name}", self.place) }),
            None => Err(format!("`{}.{name}` is missing.", self.place)),
        }
    }

    pub(super) fn elements(&self) -> Read<impl Iterator<Item = At<'v>> + '_> {
        let at = |(index, value)| At { value, place: format!("{}[{}]", self.place, index + 1) };
        match self.value.as_array() {
            Some(values) => Ok(values.iter().enumerate().map(at)),
            None => self.wrong("an array"),
        }
    }

    pub(super) fn text(&self) -> Read<String> {
        let text = self.value.as_str().map_or_else(|| self.wrong("text"), Ok)?;
        if !is_r_text(text) {
            return self.wrong("text without the character U+0000");
        }
        Ok(text.to_string())
    }

    pub(super) fn texts(&self) -> Read<Vec<String>> {
        self.elements()?.map(|value| value.text()).collect()
    }

    pub(super) fn number(&self) -> Read<f64> {
        let number = self.value.as_f64().filter(|number| number.is_finite());
        number.map_or_else(|| self.wrong("a number"), Ok)
    }

    /// Numbers, some of which may be infinite.
    pub(super) fn cuts(&self) -> Read<Vec<f64>> {
        let cut = |value: At<'v>| match value.value.as_str() {
            Some("Inf") => Ok(f64::INFINITY),
            Some("-Inf") => Ok(f64::NEG_INFINITY),
            _ => value.number(),
        };
        self.elements()?.map(cut).collect()
    }

    pub(super) fn numbers(&self) -> Read<Vec<f64>> {
        self.elements()?.map(|value| value.number()).collect()
    }

    /// A whole number in `range`.
    pub(super) fn whole(&self, range: std::ops::RangeInclusive<u64>) -> Read<u64> {
        match self.value.as_u64().filter(|number| range.contains(number)) {
            Some(number) => Ok(number),
            None => self.wrong(&format!("a whole number from {} to {}", range.start(), range.end())),
        }
    }

    pub(super) fn column(&self) -> Read<Vec<Option<f64>>> {
        let cell = |value: At<'v>| {
            if value.value.is_null() {
                Ok(None)
            } else {
                value.number().map(Some)
            }
        };
        self.elements()?.map(cell).collect()
    }
}

/// A text in R ends at the first U+0000.
pub(super) fn is_r_text(text: &str) -> bool {
    !text.contains('\0')
}
