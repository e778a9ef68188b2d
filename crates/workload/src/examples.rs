//! Examples in the documentation equal the example files, and they work.

use std::fs;
use std::path::Path;

use crate::schedule::{Schedule, Setting};
use crate::topology::Topology;

fn repository(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

/// Code blocks of a page in this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = repository(page);
    let begin = format!("```{language}\n");
    text.split(&begin).skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn examples_of_the_pages_equal_the_files() {
    let [sparse] = &blocks("docs/workloads.md", "toml")[..] else { panic!("there is one") };
    assert_eq!(*sparse, repository("crates/workload/examples/sparse.toml"));
    let [rows] = &blocks("docs/workloads.md", "csv")[..] else { panic!("there is one") };
    assert!(repository("crates/workload/examples/pingpong.csv").ends_with(rows));
    let two_level = &blocks("docs/topologies.md", "toml")[0];
    assert!(repository("crates/workload/examples/two-level.toml").ends_with(two_level));
}

#[test]
fn examples_of_the_pages_work() {
    let setting = Setting { nodes: 4, primitive: "put", primitives: &[], limits: &|_| Some(1..=496) };
    for text in blocks("docs/workloads.md", "toml") {
        assert!(Schedule::from_toml(&text, &setting).is_ok(), "{text}");
    }
    for text in blocks("docs/workloads.md", "csv") {
        assert!(Schedule::from_csv(&text, &setting).is_ok(), "{text}");
    }
    let topologies = blocks("docs/topologies.md", "toml");
    assert_eq!(topologies.len(), 2);
    for text in topologies {
        assert!(Topology::from_toml(&text, 4).is_ok(), "{text}");
    }
}
