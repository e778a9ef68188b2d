use serde_json::Value;

use crate::{KINDS, json, memonet, path, prints, repository};

/// Checks that a document has exactly the keys of its report's schema, with the right types.
pub fn check(document: &Value) {
    let report = document["report"].as_str().unwrap_or_else(|| panic!("no report is named: {document}"));
    let schema: Value = serde_json::from_str(&prints(&["schema", report])).unwrap();
    fits(document, &schema).unwrap_or_else(|why| panic!("{report}: {why}"));
}

/// Checks a value against an inlined schema; returns the reason if it does not match. Unlike JSON Schema,
/// unknown keys are errors.
fn fits(value: &Value, schema: &Value) -> Result<(), String> {
    for of in ["anyOf", "oneOf"] {
        let Some(ways) = schema[of].as_array() else { continue };
        let failures: Vec<_> = ways.iter().filter_map(|way| fits(value, way).err()).collect();
        if failures.len() == ways.len() {
            return Err(failures.join("; "));
        }
    }
    let is = |kind: &Value| match kind.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    };
    let good = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    };
    let words = schema["enum"].as_array().cloned().or(schema.get("const").map(|word| vec![word.clone()]));
    if !good || words.is_some_and(|words| !words.contains(value)) {
        return Err(format!("{value} is not {schema}"));
    }
    if let (Some(keys), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for (key, value) in keys {
            let schema = known.get(key).ok_or(format!("the schema has no {key}"))?;
            fits(value, schema).map_err(|why| format!("{key}: {why}"))?;
        }
    }
    let needed = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let (Some(keys), Some(missing)) =
        (value.as_object(), needed.into_iter().find(|key| value.get(key).is_none()))
    {
        return Err(format!("{missing} is missing among {:?}", keys.keys()));
    }
    let items = value.as_array().into_iter().flatten();
    match (&schema["items"], schema["prefixItems"].as_array()) {
        (_, Some(schemas)) => items.zip(schemas).try_for_each(|(item, schema)| fits(item, schema)),
        (Value::Object(_), None) => items.into_iter().try_for_each(|item| fits(item, &schema["items"])),
        _ => Ok(()),
    }
}

#[test]
fn reports_have_the_keys_of_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let coverage = ["coverage", path(folder.path())];
    std::fs::write(
        folder.path().join("x.dat"),
        "C '\x01f\x02rtl/dimmnet2/region.sv\x01l\x021\x01n\x021' 7\n",
    )
    .unwrap();
    // `json` checks the reports of all tests; these reports are requested by no other test.
    for args in [
        &["run", "--nic", "model"][..],
        &["run", "--nic", "model", "--machine", "gigae_pm"],
        &["explain", "lhs1", "--nic", "model"],
        &["check", "gigae_pm", "--hazard", "H6", "--replay", "--nic", "model"],
        &["cluster", "--nodes", "2", "--workload", "neighbour", "--load", "0.1,0.5", "--messages", "2"],
    ] {
        json(args);
    }
    for (args, code) in [
        (&["bench", "--slices", "1", "--cycles", "500", "--json"][..], 0),
        (&["doctor", "--json"], 0),
        (&["run", "--bytes", "0", "--json"], 2),
        (&["run", "--input", "/no/such/file", "--json"], 1),
        (&[&coverage[..], &["--json"]].concat(), 1),
    ] {
        let output = memonet(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        check(&serde_json::from_slice(&output.stdout).unwrap());
    }
}

#[test]
fn examples_of_the_page_match_their_schemas() {
    let page = std::fs::read_to_string(repository("docs/json.md")).unwrap();
    let examples: Vec<_> =
        page.split("```json\n").skip(1).filter_map(|text| text.split("\n```").next()).collect();
    assert!(examples.len() > 15, "every report has an example");
    for example in examples {
        check(&serde_json::from_str(example).unwrap());
    }
}

#[test]
fn missing_and_unknown_keys_are_detected() {
    let report = json(&["explain", "botf", "--nic", "model"]);
    let schema: Value = serde_json::from_str(&prints(&["schema", "explain"])).unwrap();
    let changed = |change: fn(&mut Value)| {
        let mut report = report.clone();
        change(&mut report);
        fits(&report, &schema).err()
    };
    assert_eq!(changed(|_| ()), None);
    for change in [
        |report: &mut Value| report["stages"][0]["begin_ps"] = "0".into(),
        |report: &mut Value| report["machine"] = "dimmnet3".into(),
        |report: &mut Value| report["total_us"] = 1.into(),
        |report: &mut Value| drop(report.as_object_mut().unwrap().remove("fingerprint")),
    ] {
        assert!(changed(change).is_some());
    }
}

#[test]
fn all_machines_and_commands_have_the_same_head() {
    let one = |args: &[&str]| json(&[args, &["--nic", "model"]].concat());
    for machine in ["dimmnet2", "gigae_pm"] {
        let path = if machine == "dimmnet2" { "botf" } else { "pm" };
        let [run, explain] =
            [&["run", "--machine", machine][..], &["explain", path, "--machine", machine]].map(one);
        for report in [&run, &explain] {
            let head = [
                "version",
                "report",
                "machine",
                "nic",
                "seed",
                "cycles",
                "simulated_ps",
                "fingerprint",
                "divergences",
            ];
            let keys: Vec<_> = report.as_object().unwrap().keys().take(head.len()).collect();
            assert_eq!(keys, head);
            assert_eq!((&report["version"], &report["machine"]), (&1.into(), &machine.into()));
            assert_eq!((&report["nic"], &report["divergences"]), (&"model".into(), &Value::Null));
        }
        assert!(
            run["simulated_ps"].as_u64() > run["total_ps"].as_u64() && run["cycles"].as_u64() > Some(100)
        );
        assert_eq!(run["fingerprint"].as_str().map(str::len), Some(32));
    }
    let compared = KINDS.map(|nic| json(&["explain", "botf", "--nic", nic])["divergences"].clone());
    assert_eq!(compared, [Value::Null, Value::Null, 0.into()]);
}
