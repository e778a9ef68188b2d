//! Messages that programs exchange with `memonet studio`: objects whose key `type` selects the other keys.

use serde_json::Value;

use super::keys::{self, Key};
use super::schema;

/// The messages of one direction.
pub struct Direction {
    /// Name on the command line of `memonet schema`.
    pub name: &'static str,
    /// Description.
    pub says: &'static str,
    /// Schema of a message.
    pub schema: fn() -> Value,
}

/// Both directions, in the order of the page.
pub const DIRECTIONS: &[Direction] = &[
    Direction {
        name: "studio_request",
        says: "Messages from a page to the server.",
        schema: schema::<studio::protocol::Request>,
    },
    Direction {
        name: "studio_message",
        says: "Messages from the server to a page.",
        schema: schema::<studio::protocol::Message>,
    },
];

impl Direction {
    /// Each message, followed by its keys with the path `type.key`.
    pub fn keys(&self) -> Vec<Key> {
        let schema = (self.schema)();
        keys::ways(&schema).flat_map(keys_of_message).collect()
    }
}

/// The message itself, then its keys other than `type`.
fn keys_of_message(schema: &Value) -> Vec<Key> {
    let name = schema["properties"]["type"]["const"].as_str().unwrap_or_default();
    let says = schema["description"].as_str().unwrap_or_default();
    let says = says.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = Key { path: name.to_owned(), kind: "object".to_owned(), words: Vec::new(), says };
    let own = keys::of(schema).into_iter().filter(|key| key.path != "type");
    let own = own.map(|key| Key { path: format!("{name}.{}", key.path), ..key });
    std::iter::once(message).chain(own).collect()
}
