//! Predictions of docs/fidelity/predictions.toml and docs/fidelity/blind.toml: committed before they were measured.

use std::collections::BTreeMap;
use std::process::Command;

use crate::{json, memonet, not_tested, path, repository};

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

/// Blind predictions; see docs/decisions/0088-blind-predictions.md.
const BLIND: &str = "docs/fidelity/blind.toml";

/// Entries of a file of blind predictions by id, without published values.
fn blind(text: &str) -> BTreeMap<String, toml::Table> {
    let file: toml::Table = text.parse().unwrap();
    let entry = |entry: &toml::Value| {
        let mut entry = entry.as_table().unwrap().clone();
        entry.remove("published");
        (entry["id"].as_str().unwrap().to_owned(), entry)
    };
    file["prediction"].as_array().unwrap().iter().map(entry).collect()
}

/// The first difference between the entries of a commit and the entries of today.
fn changed(then: &str, now: &str) -> Option<String> {
    let (then, now) = (blind(then), blind(now));
    let ids = then.keys().chain(now.keys());
    ids.into_iter().find(|id| then.get(*id) != now.get(*id)).cloned()
}

#[test]
fn blind_predictions_are_those_of_their_own_commit() {
    let now = std::fs::read_to_string(repository(BLIND)).unwrap();
    if git(&["rev-parse", "--is-shallow-repository"]).is_none_or(|answer| answer.trim() != "false") {
        not_tested(
            "when blind predictions were committed, because there is no history here; clone all of it",
        );
        return;
    }
    let added = git(&["log", "--diff-filter=A", "--format=%H", "--", BLIND]).unwrap();
    let added: Vec<_> = added.lines().collect();
    let [commit] = added[..] else { panic!("{BLIND} was added by one commit, not by {added:?}") };
    assert!(git(&["merge-base", "--is-ancestor", commit, "HEAD"]).is_some(), "{commit} is no ancestor");
    let files = git(&["show", "--format=", "--name-only", commit]).unwrap();
    assert_eq!(files.trim(), BLIND, "the commit has no other file");
    let then = git(&["show", &format!("{commit}:{BLIND}")]).unwrap();
    assert_eq!(changed(&then, &now), None, "a prediction never changes; only `published` is added");
    let file: toml::Table = then.parse().unwrap();
    let is_blind = |entry: &toml::Value| entry.get("published").is_none();
    assert!(file["prediction"].as_array().unwrap().iter().all(is_blind), "{commit} has published values");
    assert!(blind(&now).len() >= 25);
}

#[test]
fn changed_blind_predictions_are_found() {
    let entry = |rest: &str| format!("[[prediction]]\nid = \"P-01\"\nvalue = 60.0\n{rest}");
    let published = "published = { value = 61.0, unit = \"us\", source = \"a paper\" }\n";
    assert_eq!(changed(&entry(""), &entry(published)), None);
    let other_value = entry("").replace("60.0", "61.0");
    let more = entry("") + &entry("").replace("P-01", "P-02");
    assert_eq!(changed(&entry(""), &other_value).as_deref(), Some("P-01"));
    assert_eq!(changed(&entry(""), &more).as_deref(), Some("P-02"));
    assert_eq!(changed(&more, &entry("")).as_deref(), Some("P-02"));
}

#[test]
#[ignore = "slow; make slow"]
fn blind_predictions_are_computed_by_this_build() {
    let report = json(&["figures", "--predict", path(&repository(BLIND))]);
    let now = std::fs::read_to_string(repository(BLIND)).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), blind(&now).len());
    for row in rows {
        assert_eq!(row["foretold"]["in_band"], true, "{row}");
    }
}

#[test]
fn predictions_of_another_host_are_values_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    let prediction = |id: &str, command: &str, path: &str| {
        format!(
            "[[prediction]]\nid = \"{id}\"\ndescription = \"time\"\ncommand = {command}\npath = \"{path}\"\n\
             value = 0.4\nunit = \"us\"\nband = [0.1, 0.9]\n"
        )
    };
    let figures = prediction("own-1", r#"["figures", "--only", "table 6.2"]"#, "/rows/id=B-04/measured");
    let run = prediction("own-2", r#"["run", "--nic", "model"]"#, "/simulated_ps");
    std::fs::write(&file, figures + &run).unwrap();
    let rows = |more: &[&str]| json(&[&["figures", "--predict", path(&file)], more].concat());
    let own = rows(&[]);
    assert_eq!((own["rows"].as_array().unwrap().len(), &own["left_out"]), (2, &0.into()));
    assert_eq!(
        (&own["rows"][0]["class"], &own["rows"][0]["foretold"]["in_band"]),
        (&"predicted".into(), &true.into())
    );
    assert_eq!(own["rows"][1]["foretold"]["in_band"], false, "picoseconds are not in the band");
    let slow = rows(&["--host", "pentium-150"]);
    assert_eq!((slow["rows"].as_array().unwrap().len(), &slow["left_out"]), (1, &1.into()));
    let row = &slow["rows"][0];
    assert_eq!((&row["class"], row["foretold"].is_null()), (&"extrapolated".into(), true));
    assert!(row["now"].as_f64().unwrap() > 1.5 * own["rows"][0]["now"].as_f64().unwrap());
}

#[test]
fn predictions_that_cannot_be_run_are_refused_before_any_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    std::fs::write(
        &file,
        "[[prediction]]\nid = \"P\"\ndescription = \"time\"\ncommand = [\"ran\"]\npath = \"/a\"\nvalue = 1.0\n\
         unit = \"us\"\nband = [0.5, 2.0]\n",
    )
    .unwrap();
    let output = memonet(&["figures", "--predict", path(&file)]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{error}");
    assert!(error.contains("line 4") && error.contains("memonet ran"), "{error}");
}
