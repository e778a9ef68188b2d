//! Transcripts that are reproduced exactly, one for each figure from C.3 to C.16. With `DSH_WRITE_TRANSCRIPTS=1` the
//! output is written back, for a new transcript of typed lines.

use std::path::Path;
use std::rc::Rc;

use dimmnet2_machine::Dimmnet2;
use dsh::Models;
use dsh::transcript::play;

#[test]
fn transcripts_come_out_as_they_went_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let played = play::<Dimmnet2>(&text, Rc::new(Models), "model", Path::new("/nowhere")).unwrap();
        if std::env::var_os("DSH_WRITE_TRANSCRIPTS").is_some() {
            std::fs::write(&path, &played).unwrap();
        } else {
            assert_eq!(played, text, "{}", path.display());
        }
        names.push(path.file_stem().unwrap().to_str().unwrap().to_string());
    }
    for figure in 3..=16 {
        let name = format!("figure_c_{figure:02}");
        assert!(names.iter().any(|have| have.starts_with(&name)), "{name} has a transcript");
    }
}

/// The session of a page: all its blocks in sequence.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```\n").skip(1).step_by(2).collect()
}

#[test]
fn session_of_the_tutorial_comes_out_as_it_is_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md");
    let mut page = std::fs::read_to_string(&path).unwrap();
    let session = blocks(&page).concat();
    let folder = tempfile::tempdir().unwrap();
    let played = play::<Dimmnet2>(&session, Rc::new(Models), "model", folder.path()).unwrap();
    assert!(folder.path().join("session.fst").exists(), "waves were opened");
    if std::env::var_os("DSH_WRITE_TRANSCRIPTS").is_some() {
        let mut rest = played.as_str();
        let texts: Vec<_> = blocks(&page).iter().map(|block| block.to_string()).collect();
        for (i, block) in texts.iter().enumerate() {
            // A block ends before the first line typed in the next one.
            let next = texts.get(i + 1).and_then(|next| next.lines().next());
            let end = next.map_or(rest.len(), |line| rest.find(&format!("{line}\n")).expect("it was played"));
            page = page.replacen(&format!("```\n{block}```\n"), &format!("```\n{}```\n", &rest[..end]), 1);
            rest = &rest[end..];
        }
        std::fs::write(&path, page).unwrap();
        return;
    }
    assert_eq!(played, session);
}
