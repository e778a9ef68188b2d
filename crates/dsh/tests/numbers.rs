use dsh::{End, Flow, LineShell};

use crate::{fails, prints, shell};

/// The cycle in the output of `time`.
fn cycle(shell: &mut crate::Shell) -> u64 {
    let time = prints(shell, &["time"]);
    time.trim_end().rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn other_commands_read_numbers_as_the_command_line_does() {
    let mut shell = shell();
    for (line, cycles) in
        [("run 1e3", 1_000), ("run 1_000", 1_000), ("run 0x200", 512), ("run 010", 10), ("run 1.5e3", 1_500)]
    {
        let before = cycle(&mut shell);
        prints(&mut shell, &[line]);
        assert_eq!(cycle(&mut shell) - before, cycles, "{line}");
    }
}

#[test]
fn tails_are_refused_where_the_manual_does_not_demand_them() {
    let mut shell = shell();
    let before = cycle(&mut shell);
    for (line, error) in [
        ("run 24x", "run: [Cycles]: `24x`: this is not a number such as"),
        ("run 1.5", "run: [Cycles]: `1.5`: this is not a whole number"),
        ("run -1", "run: [Cycles]: `-1`: this is not a number such as"),
        ("back 1x", "back: [Cycles]: `1x`"),
        ("botf 0 24x", "botf: [Size(Byte)]: `24x`"),
        ("peek 0x600x 64", "peek: [Address]: `0x600x`"),
        ("poke 0 1x", "poke: [Value]: `1x`"),
        ("node 1x", "node: [Node]: `1x`"),
        ("fault link drop 1x", "fault: [Number]: `1x`"),
        ("delete 1x", "delete: [Number]: `1x`"),
        ("break user_register0.botf_count >= 1x", "user_register0.botf_count cannot be `1x`"),
        ("run until user_register0.botf_count >= 1x", "user_register0.botf_count cannot be `1x`"),
    ] {
        let said = fails(&mut shell, line);
        assert!(said.contains(error), "{line}: {said}");
    }
    assert_eq!(cycle(&mut shell), before, "no command ran");
}

#[test]
fn commands_of_the_manual_drop_tails_and_say_so() {
    let mut shell = shell();
    let text = prints(&mut shell, &["llcm_write from=010 it=1 val=55ff inc=0", "llcm_read 8 8"]);
    assert!(text.starts_with("warning: val: `55ff` is read as 55; its tail `ff` is dropped\n"), "{text}");
    assert!(text.ends_with("0000000000000037\n"), "{text}");
    assert!(!prints(&mut shell, &["llcm_write from=0x8 it=1 val=-1 inc=0"]).contains("warning"));
}

#[test]
fn line_of_other_bytes_fails_and_the_session_goes_on() {
    let mut shell = shell();
    let answer = shell.line_of_bytes(b"run 5\xff");
    let Ok(End::Failed(error)) = answer.end else { panic!("the line is refused") };
    assert_eq!(error, "byte 6 of the line, 0xff, is not UTF-8 text; type the line again in UTF-8");
    assert_eq!(shell.line_of_bytes("# caf\u{e9}".as_bytes()).end, Ok(End::Next));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines");
    std::fs::write(&path, b"run 5\nrun \xe9\nrun 5\n").unwrap();
    let before = cycle(&mut shell);
    let error = fails(&mut shell, &format!("source {}", path.display()));
    assert!(
        error.ends_with("lines:2: byte 5 of the line, 0xe9, is not UTF-8 text; type the line again in UTF-8"),
        "{error}"
    );
    assert_eq!(cycle(&mut shell) - before, 5, "the line before it ran");
    assert_eq!(shell.line("v").outcome, Ok(Flow::Next));
}
