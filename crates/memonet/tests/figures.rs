use crate::{KINDS, json, memonet, path, repository};

/// By how many percent of what was published a row may be worse than the page says: what rounding may do.
const TOLERANCE: f64 = 0.1;

#[test]
fn a_figure_is_the_same_on_all_three() {
    let figure = |kind| json(&["figures", "--only", "table 6.2", "--nic", kind])["rows"].clone();
    let rows = KINDS.map(figure);
    assert_eq!(rows[0].as_array().unwrap().len(), 2);
    assert_eq!(rows[0], rows[1]);
    assert_eq!(rows[0], rows[2]);
}

#[test]
fn rows_are_as_the_committed_page_says_and_none_is_worse() {
    let folder = tempfile::tempdir().unwrap();
    let output = memonet(&["figures", "--json", "--output", path(folder.path())]);
    assert_eq!(output.status.code(), Some(0));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = report["rows"].as_array().unwrap();

    let mut errors: Vec<f64> = rows
        .iter()
        .filter(|row| row["class"] == "predicted")
        .map(|row| row["error_percent"].as_f64().unwrap().abs())
        .collect();
    errors.sort_by(f64::total_cmp);
    assert_eq!(report["median_error_percent"].as_f64(), Some(errors[errors.len() / 2]));
    assert_eq!(report["worst_error_percent"].as_f64(), errors.last().copied());
    for row in rows.iter().filter(|row| row["class"] == "exact") {
        assert!(row["error_percent"].as_f64().unwrap().abs() < 1e-6, "{row}");
    }

    for row in rows.iter().filter(|row| row["class"] != "exact") {
        let far = row["error_percent"].as_f64().unwrap().abs() > 15.0;
        assert!(!far || row["cause"].is_string(), "{row} is far off and nobody says why");
    }

    let page = std::fs::read_to_string(repository("docs/dimmnet2_fidelity.md")).unwrap();
    for row in rows {
        let id = row["id"].as_str().unwrap();
        let line = page
            .lines()
            .find(|line| line.starts_with(&format!("| {id} |")))
            .unwrap_or_else(|| panic!("no {id}"));
        let committed: f64 = line.split('|').nth(7).unwrap().trim().trim_end_matches(" %").parse().unwrap();
        let now = row["error_percent"].as_f64().unwrap();
        assert!(
            now.abs() <= committed.abs() + TOLERANCE,
            "{id}: {now} % instead of {committed} %; `make figures`"
        );
    }
    for figure in report["figures"].as_array().unwrap() {
        for format in ["svg", "png"] {
            let name = format!("figures/dimmnet2_figure_{}.{format}", figure["id"].as_str().unwrap());
            assert!(folder.path().join(&name).metadata().unwrap().len() > 1_000, "{name}");
        }
    }
}
