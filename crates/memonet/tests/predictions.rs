//! Predictions of docs/fidelity/predictions.toml: committed before they were measured.

use std::process::Command;

use crate::{json, not_tested, path, repository};

const FILE: &str = "docs/fidelity/predictions.toml";
/// Path of the file in commits before it was moved.
const OLD_FILE: &str = "docs/predictions.toml";

/// Entries of a file of predictions, each as row, conditions and value, with the commit that it names.
fn entries(text: &str) -> Vec<([String; 3], Option<String>)> {
    let file: toml::Table = text.parse().unwrap();
    let entries = file["prediction"].as_array().unwrap();
    let entry = |entry: &toml::Value| {
        let text = |key: &str| entry.get(key).and_then(|value| value.as_str()).map(String::from);
        let value = entry["value"].as_float().unwrap().to_string();
        ([text("row").unwrap(), text("under").unwrap_or_default(), value], text("commit"))
    };
    entries.iter().map(entry).collect()
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(repository(".")).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn predictions_were_committed_before_they_were_measured() {
    let now = std::fs::read_to_string(repository(FILE)).unwrap();
    if git(&["rev-parse", "--is-shallow-repository"]).is_none_or(|answer| answer.trim() != "false") {
        not_tested("when predictions were committed, because there is no history here; clone all of it");
        return;
    }
    for (entry, commit) in entries(&now) {
        let Some(commit) = commit else { continue };
        assert!(git(&["merge-base", "--is-ancestor", &commit, "HEAD"]).is_some(), "{commit} is no ancestor");
        let then = [FILE, OLD_FILE].iter().find_map(|file| git(&["show", &format!("{commit}:{file}")]));
        let then = then.expect("the commit has the file");
        let written = entries(&then).into_iter().any(|(written, named)| written == entry && named.is_none());
        assert!(written, "{commit} does not contain {entry:?} as a prediction");
    }
}

#[test]
#[ignore = "slow; make slow"]
fn what_was_foretold_is_measured_under_its_conditions() {
    let file = repository(FILE);
    let of = |paper: &str| json(&["figures", "--paper", paper, "--foretold", path(&file)])["rows"].clone();
    // Each publication takes a minute.
    let papers = std::thread::scope(|scope| {
        let begun =
            ["dimmnet2", "gigae_pm", "cenju3", "hca", "suci"].map(|paper| scope.spawn(move || of(paper)));
        begun.map(|paper| paper.join().unwrap())
    });
    let rows: Vec<_> = papers.iter().flat_map(|rows| rows.as_array().unwrap()).collect();
    let all = entries(&std::fs::read_to_string(&file).unwrap());
    assert_eq!(rows.len(), all.len(), "every entry is a row of a publication");
    for row in rows {
        let (measured, commit) = (&row["measured"], &row["commit"]);
        assert_eq!(
            measured.is_null(),
            commit.is_null(),
            "measured rows name the commit of their prediction: {row}"
        );
    }
}
