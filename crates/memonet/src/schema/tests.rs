use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;

fn repository(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn page_is_up_to_date_with_the_types() {
    let committed = repository("docs/json.md");
    let again =
        page::page(|document| page::old(&committed, document.name).expect("every report has an example"));
    assert!(
        again == committed,
        "docs/json.md is not up to date: run `memonet schema --page docs/json.md --keep-examples` and commit"
    );
}

/// Programs that read the documents depend on the names and types of keys. New keys must be added to the
/// list.
#[test]
fn keys_of_a_version_do_not_change() {
    let list = format!("crates/memonet/src/schema/keys_of_version_{VERSION}.txt");
    let (kept, lines) = (repository(&list), lines());
    let [kept, now] = [&kept, &lines].map(|lines| lines.lines().collect::<BTreeSet<_>>());
    let (gone, new): (Vec<_>, Vec<_>) = (kept.difference(&now).collect(), now.difference(&kept).collect());
    assert!(
        gone.is_empty(),
        "these keys were removed or changed; restore them or raise document::VERSION: {gone:#?}"
    );
    assert!(new.is_empty(), "add these keys to {list} (`memonet schema --keys`): {new:#?}");
}

#[test]
fn every_key_has_a_description_and_a_type() {
    for (name, key) in named_keys() {
        assert!(!key.says.is_empty(), "{name}: {} has no comment", key.path);
        assert!(!key.kind.is_empty(), "{name}: {} has no type", key.path);
    }
}

#[test]
fn every_report_begins_with_the_same_keys() {
    let begin: Vec<_> = head().into_iter().map(|key| (key.path, key.kind, key.says)).collect();
    for document in DOCUMENTS.iter().filter(|document| document.name != "error") {
        let keys = keys::of(&(document.schema)());
        let keys: Vec<_> = keys.into_iter().map(|key| (key.path, key.kind, key.says)).collect();
        assert_eq!(keys[..begin.len()], begin, "{}", document.name);
        let paths: BTreeSet<_> = keys.iter().map(|(path, ..)| path).collect();
        assert_eq!(paths.len(), keys.len(), "{} has a key twice", document.name);
    }
}

#[test]
fn times_are_numbers_with_a_unit_in_their_names() {
    for document in DOCUMENTS {
        for key in keys::of(&(document.schema)()) {
            let (unit, kind) = (key.unit(), key.kind.trim_end_matches(" or null"));
            let name = key.path.rsplit('.').next().unwrap_or_default();
            assert!(unit != "ps" || kind == "integer", "{}: {} is {kind}", document.name, key.path);
            for ends in ["_ps", "_us", "_s"] {
                assert!(
                    !name.ends_with(ends) || !unit.is_empty(),
                    "{}: {} is {kind}",
                    document.name,
                    key.path
                );
            }
            assert!(!["ps", "us", "ns", "seconds"].contains(&name), "{}: {}", document.name, key.path);
        }
    }
}
