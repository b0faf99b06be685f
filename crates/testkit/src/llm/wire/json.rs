//! Writes JSON in the order in which it is said. `serde_json` would sort the keys, and no server does.

use serde_json::Value;

/// Text that is JSON.
#[derive(Debug, Clone)]
pub struct Json(pub String);

/// What can be written as JSON.
pub trait WriteJson {
    fn write(&self, out: &mut String);
}

/// `object! { "key": value, … }`, where a value is anything that implements [`WriteJson`].
macro_rules! object {
    ($($key:literal : $value:expr),* $(,)?) => {{
        let mut out = String::with_capacity(256);
        out.push('{');
        $(
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(concat!("\"", $key, "\":"));
            $crate::llm::wire::json::WriteJson::write(&$value, &mut out);
        )*
        out.push('}');
        $crate::llm::wire::json::Json(out)
    }};
}
pub(crate) use object;

impl Json {
    pub fn null() -> Self {
        Self("null".to_owned())
    }

    pub fn empty_list() -> Self {
        Self("[]".to_owned())
    }

    pub fn empty_object() -> Self {
        Self("{}".to_owned())
    }
}

/// A text in quotation marks, escaped.
pub fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("text is JSON")
}

impl WriteJson for Json {
    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

impl WriteJson for str {
    fn write(&self, out: &mut String) {
        out.push_str(&quoted(self));
    }
}

impl WriteJson for String {
    fn write(&self, out: &mut String) {
        self.as_str().write(out);
    }
}

impl WriteJson for Value {
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl WriteJson for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl WriteJson for u64 {
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl WriteJson for usize {
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl WriteJson for f64 {
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl<Item: WriteJson> WriteJson for [Item] {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
}

impl<Item: WriteJson> WriteJson for Vec<Item> {
    fn write(&self, out: &mut String) {
        self.as_slice().write(out);
    }
}

impl<Inner: WriteJson> WriteJson for Option<Inner> {
    fn write(&self, out: &mut String) {
        match self {
            Some(inner) => inner.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<Inner: WriteJson + ?Sized> WriteJson for &Inner {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}
