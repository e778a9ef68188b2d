//! `memonet mpirun --what-if`: one program under several conditions.

use crate::{FOLDER, compiled, fingerprint, run, stderr};

#[test]
fn each_row_equals_the_run_of_its_combination_alone() {
    let (program, file) = (compiled("ring", "what-if"), FOLDER.path().join("table.json"));
    let options = [
        "-np",
        "3",
        "--json",
        file.to_str().unwrap(),
        "--what-if",
        "machine=gigae_pm,dimmnet2",
        "lose=0,10%",
    ];
    let output = run(&options, &program, &[]);
    let output_text = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{output_text}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ring: right on 3\n".repeat(4));
    let table: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let runs = table["runs"].as_array().unwrap();
    let last: Vec<_> = output_text.lines().rev().take(4).collect();
    for (i, (machine, lose)) in
        [("gigae_pm", "0%"), ("gigae_pm", "10%"), ("dimmnet2", "0%"), ("dimmnet2", "10%")]
            .into_iter()
            .enumerate()
    {
        let row = &runs[i];
        assert_eq!((&row["machine"], &row["lose"]), (&machine.into(), &lose.into()), "{row}");
        let alone = run(&["-np", "3", "--machine", machine, "--lose", lose], &program, &[]);
        let fingerprint = fingerprint(&alone, "ring: right on 3\n");
        assert_eq!(row["fingerprint"], fingerprint, "{machine} {lose}");
        assert_eq!((&row["messages"], &row["ranks"]), (&15.into(), &3.into()), "{row}");
        assert!(row["bytes"].as_u64().unwrap() > 0 && row["error"].is_null(), "{row}");
        assert!(last[3 - i].contains(machine) && last[3 - i].ends_with(&fingerprint), "{output_text}");
    }
}

#[test]
fn failed_combination_has_a_row_and_the_others_run() {
    let (program, file) = (compiled("wrong", "what-if"), FOLDER.path().join("failed.json"));
    let options =
        ["-np", "2", "--json", file.to_str().unwrap(), "--what-if", "np=2,1", "machine=memory,gigae_pm"];
    let output = run(&options, &program, &["deadlock"]);
    let output_text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{output_text}");
    let rows: Vec<_> = output_text.lines().filter(|line| line.contains("failed: ")).collect();
    assert_eq!(rows.len(), 4, "{output_text}");
    assert!(rows[0].contains("failed: deadlock: all ranks wait"), "{output_text}");
    let table: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((&table["exit_code"], &table["runs"][0]["exit_code"]), (&1.into(), &1.into()));
    assert!(table["runs"][0]["error"].as_str().unwrap().contains("0 -> 1 -> 0"), "{table}");
}

#[test]
fn what_if_names_the_cost_of_the_library() {
    let program = compiled("ring", "library-cost");
    let output = run(&["-np", "2", "--what-if", "machine=memory,dimmnet2,cenju3"], &program, &[]);
    let text = stderr(&output);
    let table: Vec<_> = text.lines().skip_while(|line| !line.starts_with("np ")).collect();
    assert!(table[0].contains("  library-cost  "), "{text}");
    assert!(table[1].contains("memory") && !table[1].contains("looks"), "{text}");
    assert!(table[2].contains(" looks ") && table[3].contains(" looks "), "{text}");
}
