//! Transcripts: each of them comes out as it went in. One is there for every figure from C.3 to C.16. With
//! `DSH_WRITE_TRANSCRIPTS=1` what comes out is written back, for a new transcript of lines typed; look at the difference.

use std::path::Path;
use std::rc::Rc;

use dsh::Models;
use dsh::transcript::play;

#[test]
fn transcripts_come_out_as_they_went_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let played = play(&text, Rc::new(Models), "model").unwrap();
        if std::env::var_os("DSH_WRITE_TRANSCRIPTS").is_some() {
            std::fs::write(&path, &played).unwrap();
            continue;
        }
        assert_eq!(played, text, "{}", path.display());
        names.push(path.file_stem().unwrap().to_str().unwrap().to_string());
    }
    for figure in 3..=16 {
        let name = format!("figure_c_{figure:02}");
        assert!(names.iter().any(|have| have.starts_with(&name)), "{name} has a transcript");
    }
}
