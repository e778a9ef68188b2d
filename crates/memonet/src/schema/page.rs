//! docs/json.md: a table and an example for each report, and the messages of studio.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::keys::{self, Key};
use super::{DOCUMENTS, Document, head};
use crate::document::VERSION;
use crate::output;

const BEGIN: &str = "\
With `--json`, each command that reports prints one JSON document on stdout; everything else goes to
stderr. The document of a failed command contains the reason. `make json` generates this page from the
types of the documents; `memonet schema REPORT` prints them as JSON Schema.

- All documents have a version. Removing a key, or changing its name, type or meaning, raises it. New
  keys may be added at any time, so readers should ignore unknown keys.
- Every key is present unless its description says otherwise. It is `null` if it does not apply.
- Times of the model are integers in picoseconds, with names that end in `_ps`, or numbers in
  microseconds, with `_us`. Real times are in seconds, with `_s`. No time is a string.
- Paths of files are strings, as they were given. A name that is not UTF-8 is the word that a shell
  takes for it, such as `$'caf\\351'`.
";

/// Generates the page; `example` returns the example of a report.
pub fn page(example: impl Fn(&Document) -> String) -> String {
    let mut page = "<!-- Written by `make json`; do not edit. -->\n# JSON\n\n".to_owned();
    page +=
        &format!("Version {VERSION}.\n\n{BEGIN}\n## All reports\n\nEvery report begins with these keys.\n\n");
    let head = head();
    page += &table(&head);
    for document in DOCUMENTS {
        let in_head = |key: &Key| head.iter().any(|other| other.path == key.path);
        let mut keys = keys::of(&(document.schema)());
        if document.name != "error" {
            keys.retain(|key| !in_head(key));
        }
        page += &format!("\n## {}\n\n{}\n\n{}", document.name, document.says, table(&keys));
        page +=
            &format!("\n`memonet {}`, with one object or two values of each array:\n", document.command());
        page += &format!("\n{FENCE}\n{}\n```\n", example(document));
    }
    #[cfg(feature = "studio")]
    {
        let version = studio::protocol::VERSION;
        page += &format!(
            "\n## studio\n\nProtocol of `memonet studio`, version {version}: JSON objects in WebSocket messages \
             ([use](studio.md#protocol)).\nThe first row of a message is the value of its key `type`.\n"
        );
        for direction in super::protocol::DIRECTIONS {
            page +=
                &format!("\n### {}\n\n{}\n\n{}", direction.name, direction.says, table(&direction.keys()));
        }
    }
    page
}

const FENCE: &str = "```json";

fn table(keys: &[Key]) -> String {
    let mut table = "| Key | Type | Unit | Meaning |\n|---|---|---|---|\n".to_owned();
    for key in keys {
        let words: Vec<_> = key.words.iter().map(|word| format!("`{word}`")).collect();
        let words = if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) };
        let says = key.says.replace('|', "\\|");
        table += &format!("| `{}` | {}{words} | {} | {says} |\n", key.path, key.kind, key.unit());
    }
    table
}

/// The example of a report in an existing page.
pub fn old(page: &str, name: &str) -> Option<String> {
    let (_, section) = page.split_once(&format!("\n## {name}\n"))?;
    let (_, example) = section.split_once(&format!("{FENCE}\n"))?;
    example.split_once("\n```").map(|(example, _)| example.to_owned())
}

/// The output of a report's command, shortened. If the command cannot run here, the example of the old page.
pub fn example(program: &Path, document: &Document, page: &str) -> String {
    if let Some(report) = report(program, document) {
        output::aside(format_args!("{}: new", document.name));
        let example = serde_json::to_string_pretty(&shortened(report)).expect("it was JSON");
        // The user's folder is replaced by a neutral one.
        return match std::env::current_dir() {
            Ok(here) => example.replace(&here.display().to_string(), "/home/user/memonet"),
            Err(_) => example,
        };
    }
    output::aside(format_args!(
        "{}: `memonet {}` cannot run here, so the example is the old one",
        document.name, document.example
    ));
    old(page, document.name).unwrap_or_else(|| "null".to_owned())
}

/// The report of a command, from stdout or from the file that it names.
fn report(program: &Path, document: &Document) -> Option<Value> {
    let folder = tempfile::tempdir().ok()?;
    let file = folder.path().join("report.json");
    let command = document.command();
    let words = command.split(' ').map(|word| match word.ends_with(".json") {
        true => file.as_os_str(),
        false => word.as_ref(),
    });
    let output =
        Command::new(program).args(words).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let written = std::fs::read(&file).unwrap_or(output.stdout);
    serde_json::from_slice::<Value>(&written).ok().filter(|report| report["report"] == document.name)
}

/// Shortens each array to one object or two values.
fn shortened(value: Value) -> Value {
    match value {
        Value::Array(values) => {
            let most = if values.first().is_some_and(Value::is_object) { 1 } else { 2 };
            values.into_iter().take(most).map(shortened).collect()
        }
        Value::Object(keys) => keys.into_iter().map(|(key, value)| (key, shortened(value))).collect(),
        value => value,
    }
}
