use waveform::{CreateError, Recorder, Scope};

use crate::device::{Unit, file, sample, signals};

fn refusal(path: &str, timescale: u64, names: &[&str]) -> String {
    let signals = signals();
    let scopes: Vec<_> = names.iter().map(|name| Scope { name, signals: &signals }).collect();
    match Recorder::create(path, timescale, &scopes) {
        Ok(_) => panic!("the recorder was created"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn create_reports_why_it_failed() {
    assert_eq!(
        refusal("wave.txt", 1, &["a"]),
        "cannot tell the waveform format of wave.txt: the name must end in .vcd or .fst"
    );
    let missing = refusal("/nonexistent/wave.fst", 1, &["a"]);
    assert!(missing.starts_with("cannot create the waveform file /nonexistent/wave.fst: "), "{missing}");
    let path = file("refused.vcd");
    let path = path.to_str().unwrap();
    assert!(refusal(path, 3, &["a"]).starts_with("a time unit of 3 ps is not possible"));
    assert!(refusal(path, 1, &["a b"]).starts_with("`a b` is no name for a scope"));
    assert!(refusal(path, 1, &["a..b"]).starts_with("`a..b` is no name for a scope"));
    assert_eq!(refusal(path, 1, &["a", "a"]), "two variables of the waveform have the same path `a.state`");
    let signals = signals();
    let error = Recorder::create("wave", 1, &[Scope { name: "a", signals: &signals }]).err().unwrap();
    assert!(matches!(error, CreateError::UnknownExtension { .. }));
}

#[test]
fn record_reports_why_it_failed() {
    let signals = signals();
    let mut recorder =
        Recorder::create(file("record.fst"), 10, &[Scope { name: "a", signals: &signals }]).unwrap();
    let words = sample(&Unit::default());
    recorder.record(20, 0, &words).unwrap();
    let mut refusal =
        |time, scope, words: &[u64]| recorder.record(time, scope, words).unwrap_err().to_string();
    assert_eq!(refusal(20, 1, &words), "there is no scope 1: the recorder was created with 1");
    assert_eq!(refusal(10, 0, &words), "time runs backwards in the waveform: from 20 ps to 10 ps");
    assert_eq!(refusal(25, 0, &words), "25 ps is not a multiple of the waveform's time unit of 10 ps");
    let found = words.len() - 1;
    assert_eq!(
        refusal(30, 0, &words[..found]),
        format!("a sample of scope `a` has {} words, not {found}", words.len())
    );
}
