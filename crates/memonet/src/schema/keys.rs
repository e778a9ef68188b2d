//! The keys of a document, from its schema.

use serde_json::Value;

/// A key of a document, or of an object in it.
pub struct Key {
    /// Path of the key: `stages[].name`.
    pub path: String,
    /// JSON type of the value.
    pub kind: String,
    /// Allowed values, if the value is one of a few words.
    pub words: Vec<String>,
    /// Description of the key.
    pub says: String,
}

/// The keys of an inlined schema, in the order of a document.
pub fn of(schema: &Value) -> Vec<Key> {
    let mut keys = Vec::new();
    gather(schema, "", &mut keys);
    keys
}

/// Collects the keys below a path.
fn gather(schema: &Value, path: &str, keys: &mut Vec<Key>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let says = schema["description"].as_str().unwrap_or_default();
        let says = says.split_whitespace().collect::<Vec<_>>().join(" ");
        keys.push(Key { path: path.clone(), kind: kind(schema), words: words(schema), says });
        gather(schema, &path, keys);
    }
    for way in ways(schema) {
        gather(way, path, keys);
    }
    if schema["items"].is_object() {
        gather(&schema["items"], &format!("{path}[]"), keys);
    }
}

/// The alternatives of a schema.
pub fn ways(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"].into_iter().filter_map(|of| schema[of].as_array()).flatten()
}

/// The JSON type of a value: one type, or several joined by `or`.
fn kind(schema: &Value) -> String {
    let name = |kind: &str| match kind {
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => format!("[{}]", items.iter().map(self::kind).collect::<Vec<_>>().join(", ")),
            None => self::kind(&schema["items"]) + "[]",
        },
        kind => kind.to_owned(),
    };
    let mut kinds: Vec<String> = match &schema["type"] {
        Value::String(kind) => vec![name(kind)],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).map(name).collect(),
        _ => ways(schema).map(kind).collect(),
    };
    kinds.dedup();
    kinds.join(" or ")
}

/// The allowed words, if only some are allowed.
fn words(schema: &Value) -> Vec<String> {
    let own = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
    let own: Vec<_> = own.filter_map(Value::as_str).map(str::to_owned).collect();
    own.into_iter().chain(ways(schema).flat_map(words)).collect()
}

impl Key {
    /// Unit of a number, from the suffix of its name.
    pub fn unit(&self) -> &'static str {
        let name = self.path.rsplit('.').next().unwrap_or_default();
        const UNITS: [(&str, &str); 10] = [
            ("_ps", "ps"),
            ("_us", "us"),
            ("_s", "s"),
            ("percent", "%"),
            ("megabytes_per_second", "MB/s"),
            ("bytes_per_second", "byte/s"),
            ("kilobytes_per_node", "KB"),
            ("cycles_per_second", "1/s"),
            ("bytes", "byte"),
            ("cycles", "cycle"),
        ];
        let is_number = self.kind.contains("integer") || self.kind.contains("number");
        let unit = UNITS.iter().find(|(ends, _)| is_number && name.ends_with(ends));
        unit.map_or("", |(_, unit)| unit)
    }
}
