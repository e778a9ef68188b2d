//! Files become schedules; errors name the line and a remedy.

use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;

use super::*;

const NAMES: [&str; 2] = ["put", "botf"];

fn limits(name: &str) -> Option<RangeInclusive<u64>> {
    match name {
        "put" => Some(1..=1 << 30),
        "botf" => Some(8..=496),
        _ => None,
    }
}

pub(super) fn setting(nodes: usize) -> Setting<'static> {
    Setting { nodes, primitive: "put", primitives: &NAMES, limits: &limits }
}

fn example(name: &str, nodes: usize) -> Schedule {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    Schedule::read(&path, &setting(nodes)).unwrap()
}

/// Error message for a file with this name and text, for four nodes.
pub(super) fn refused(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let error = Schedule::read(&path, &setting(4)).expect_err("it is refused").to_string();
    error.strip_prefix(folder.path().to_str().unwrap()).expect("it names the file")[1..].to_owned()
}

fn refused_toml(text: &str) -> String {
    refused("load.toml", text)
}

fn refused_csv(text: &str) -> String {
    refused("load.csv", text)
}

/// An entry of 8 bytes from node 0 to node 1 with additional keys.
fn with(keys: &str) -> String {
    format!("[[message]]\nfrom = 0\nto = 1\nbytes = 8\n{keys}\n")
}

#[test]
fn sparse_example_is_a_message_of_each_node_every_10_us() {
    let schedule = example("sparse.toml", 4);
    assert_eq!(schedule.poll(), Duration::from_ps(2_500_000));
    assert_eq!(schedule.messages().len(), 40);
    let begins: Vec<_> = schedule.messages()[..5]
        .iter()
        .map(|message| match message.start {
            Start::At(time) => (message.from, message.to, time.ps()),
            start => panic!("{start:?}"),
        })
        .collect();
    assert_eq!(
        begins,
        [(0, 1, 0), (1, 2, 2_500_000), (2, 3, 5_000_000), (3, 0, 7_500_000), (0, 1, 10_000_000)]
    );
    let plans = Arc::new(schedule).plans();
    assert!(plans.iter().all(|plan| plan.sends().len() == 10 && plan.arrivals().len() == 10));
}

#[test]
fn examples_work_for_any_number_of_nodes() {
    for nodes in [2, 3, 64, 1000] {
        assert_eq!(example("sparse.toml", nodes).messages().len(), 10 * nodes);
        assert_eq!(example("ring.toml", nodes).messages().len(), 3 * nodes);
        assert_eq!(example("pingpong.csv", nodes).messages().len(), 4);
    }
}

#[test]
fn csv_and_toml_give_the_same_schedule() {
    let csv = "bytes,to,from,primitive,at,id,after,delay\n8,1,0,botf,10us,a,,\n16,0,1,,,,a,250ns\n";
    let toml = "
        [[message]]
        id = \"a\"
        from = 0
        to = 1
        bytes = 8
        primitive = \"botf\"
        at = 10_000_000
        [[message]]
        from = 1
        to = 0
        bytes = 16
        after = \"a\"
        delay = \"0.25us\"";
    let schedule = Schedule::from_csv(csv, &setting(2)).unwrap();
    assert_eq!(schedule, Schedule::from_toml(toml, &setting(2)).unwrap());
    assert_eq!(schedule.primitives(), ["botf", "put"]);
}

#[test]
fn byte_order_mark_and_foreign_line_ends_are_accepted() {
    let csv = "\u{feff}from,to,bytes\r\n0,1,8\r\n\r\n1,0,8\r\n";
    assert_eq!(Schedule::from_csv(csv, &setting(2)).unwrap().messages().len(), 2);
    let toml = format!("\u{feff}{}", with("").replace('\n', "\r\n"));
    assert_eq!(Schedule::from_toml(&toml, &setting(2)).unwrap().messages().len(), 1);
}

#[test]
fn messages_of_a_pair_are_ordered_so_that_they_can_be_sent() {
    // The second message begins after the third one arrives, and the first one is last in the file.
    let toml = format!(
        "{}{}{}{}",
        with("after = \"back\""),
        "[[message]]\nid = \"back\"\nfrom = 1\nto = 0\nbytes = 8\nafter = \"first\"\n",
        with("at = \"1us\""),
        with("id = \"first\""),
    );
    let schedule = Schedule::from_toml(&toml, &setting(2)).unwrap();
    assert_eq!(Arc::new(schedule).plans()[0].sends(), [3, 0, 2]);
}

#[test]
fn invalid_messages_are_refused_with_their_line() {
    let node = |line: &str| refused_toml(&format!("# A comment.\n[[message]]\n{line}\n"));
    assert_eq!(
        node("from = 4\nto = 1\nbytes = 8"),
        "load.toml, line 2: there is no node 4; the 4 nodes have the numbers 0 to 3"
    );
    assert_eq!(
        node("from = 0\nto = 9\nbytes = 8"),
        "load.toml, line 2: there is no node 9; the 4 nodes have the numbers 0 to 3"
    );
    assert_eq!(
        node("from = 2\nto = 2\nbytes = 8"),
        "load.toml, line 2: node 2 sends to itself; name another receiver"
    );
    assert_eq!(
        node("from = 2\nto = 1\nbytes = 0"),
        "load.toml, line 2: the message has 0 bytes; give it at least 1"
    );
    assert_eq!(
        node("from = 2\nto = 1\nbytes = 497\nprimitive = \"botf\""),
        "load.toml, line 2: 497 bytes are not what `botf` carries, which is 8 to 496; change `bytes` or the primitive"
    );
    assert_eq!(
        node("from = 2\nto = 1\nbytes = 8\nprimitive = \"bottf\""),
        "load.toml, line 2: there is no primitive `bottf`; use one of put, botf"
    );
}

#[test]
fn incompatible_keys_are_refused() {
    let refused = |keys| refused_toml(&with(keys));
    for (keys, problem) in [
        ("at = 1\nafter = \"a\"\nid = \"a\"", Problem::AtAndAfter),
        ("delay = 1", Problem::DelayWithoutAfter),
        ("every = \"1us\"", Problem::EveryWithoutCount),
        ("count = 0", Problem::NoTimes),
        ("spread = true", Problem::SpreadWithoutEvery),
        ("every = \"10s\"\ncount = 200", Problem::TooLate),
        ("count = 10_000_001", Problem::TooMany),
        ("count = 9223372036854775807", Problem::TooMany),
        ("id = \"\"", Problem::BadId("".into())),
    ] {
        assert_eq!(refused(keys), format!("load.toml, line 1: {problem}"), "{keys}");
    }
}

#[test]
fn toml_syntax_errors_are_located() {
    for (text, error) in [
        ("poll = \"2.5 years\"", "line 1: `2.5 years` is no time;"),
        ("poll = -1", "line 1: invalid value: integer `-1`, expected a time as in \"10us\""),
        ("[[message]]\nfrom = 0\nto = 1\nbytes = 8\nfrm = 1", "line 5: unknown field `frm`"),
        (
            "[[message]]\nfrom = -1\nto = 1\nbytes = 8",
            "line 2: invalid value: integer `-1`, expected the number",
        ),
        ("[[message]]\nfrom = 0\nto = 1", "line 1: missing field `bytes`"),
        ("[[message]]\nfrom = 0\nto = 1\nbytes = -8", "line 4: invalid value: integer `-8`, expected u64"),
        ("[[message]]\nfrom = 0\nto =\nbytes = 8", "line 3: "),
        ("message = 3", "line 1: invalid type: integer `3`, expected a sequence"),
        ("\"\\u001b[2J\" = 3", "line 1: unknown field `\\u{1b}[2J`"),
    ] {
        let refused = refused_toml(text);
        assert!(refused.starts_with(&format!("load.toml, {error}")), "{text}: {refused}");
        assert!(!refused.contains('\n'), "{refused}");
    }
}

#[test]
fn csv_syntax_errors_are_located() {
    for (text, error) in [
        ("from,to\n0,1", "line 1: the column `bytes` is missing; name the columns in the first line"),
        ("0,1,8", "line 1: there is no column `0`; use id, from, to, bytes, at, after, delay, primitive"),
        ("from,to,bytes,to\n", "line 1: the column `to` is there twice; leave one out"),
        ("from,to,bytes\n0,1,8\n0,1", "line 3: the row has 2 cells and the first line 3; make them as many"),
        ("from,to,bytes\n0,,8", "line 2: there is nothing under `to`; fill it in"),
        ("\u{feff}# A comment.\n\nfrom,to,byte\n", "line 3: there is no column `byte`"),
        ("from,to,bytes\r\n# A comment.\r\n0,1,8\r\n\r\n0,1", "line 5: the row has 2 cells"),
        ("id,from,to,bytes\n\"a\nb\",0,1,8", "line 2: `a\\nb` is no id"),
        ("from,to,bytes\n\n# A comment.\n\n0,1,many", "line 5: `many` is no number of bytes; write one"),
        ("from,to,bytes,at\n0,1,8,noon", "line 2: `noon` is no time; write a number and a unit"),
        ("from,to,bytes\n0,7,8", "line 2: there is no node 7; the 4 nodes have the numbers 0 to 3"),
    ] {
        let refused = refused_csv(text);
        assert!(refused.starts_with(&format!("load.csv, {error}")), "{text}: {refused}");
    }
}

#[test]
fn ids_are_unique_and_known_to_the_sender() {
    let csv = |rows: &str| refused_csv(&format!("id,from,to,bytes,after\n{rows}"));
    assert_eq!(csv("a,0,1,8,\na,1,2,8,"), "load.csv, line 3: the id `a` is taken, by line 2; choose another");
    assert_eq!(
        csv(",0,1,8,b"),
        "load.csv, line 2: it follows `b`, but no message has that id; give it to one"
    );
    assert_eq!(
        csv("a,0,1,8,\nb,2,3,8,a"),
        "load.csv, line 3: node 2 sends it after `a`, but neither receives nor sends that message; \
         let a node send it that does, or follow another message"
    );
    let group = "[[message]]\nid = \"all\"\nfrom = \"0-1\"\nto = \"next\"\nbytes = 8\n";
    let follower = "[[message]]\nfrom = 3\nto = 0\nbytes = 8\nafter = \"all\"\n";
    assert_eq!(
        refused_toml(&format!("{group}{follower}")),
        "load.toml, line 6: node 3 sends it after `all`, but neither receives nor sends one of those messages; \
         let a node send it that does, or follow another message"
    );
}

#[test]
fn dependency_cycles_are_refused_and_named() {
    let csv = |rows: &str| refused_csv(&format!("id,from,to,bytes,after\n{rows}"));
    assert_eq!(
        csv("x,0,1,8,a\na,0,1,8,c\nb,1,0,8,a\nc,0,1,8,b"),
        "load.csv, line 3: `a` after `c` after `b` after `a`: none of them ever begins; give one a time in `at`"
    );
    assert_eq!(
        csv("a,0,1,8,a"),
        "load.csv, line 2: `a` after `a`: none of them ever begins; give one a time in `at`"
    );
    let long: String = (0..100).map(|n| format!("m{n},0,1,8,m{}\n", (n + 1) % 100)).collect();
    assert!(csv(&long).contains("`m8` after ... after `m1`: none"), "{}", csv(&long));
}

#[test]
fn files_without_messages_or_of_unknown_kind_are_refused() {
    assert_eq!(refused_toml(""), "load.toml: the file is empty");
    let none = "there is no message in it; write one, or name a pattern instead";
    assert_eq!(refused_toml("poll = \"1us\""), format!("load.toml: {none}"));
    assert_eq!(refused_csv("from,to,bytes\n"), format!("load.csv: {none}"));
    assert_eq!(
        refused("load.json", "{}"),
        "load.json: a workload is a file whose name ends in .toml, .csv or .goal; rename it"
    );
    let error = Schedule::read(Path::new("no.toml"), &setting(4)).unwrap_err().to_string();
    assert!(error.starts_with("no.toml: it cannot be read: No such file"), "{error}");
}

#[test]
fn chain_of_a_hundred_thousand_messages_is_ordered() {
    let count = 100_000;
    let mut csv = String::from("id,from,to,bytes,after,delay\n");
    for n in (0..count).rev() {
        let after = if n == 0 { String::new() } else { format!("m{}", n - 1) };
        let delay = if n == 0 { "" } else { "1000s" };
        csv += &format!("m{n},{},{},8,{after},{delay}\n", n % 2, (n + 1) % 2);
    }
    let schedule = Schedule::from_csv(&csv, &setting(2)).unwrap();
    let expected: Vec<u32> = (0..count).rev().collect();
    assert_eq!(schedule.order, expected);
}

proptest! {
    /// Every message comes after those it follows, and each occurs once.
    #[test]
    fn order_has_every_message_after_those_it_follows(entries in prop::collection::vec(
        (0u32..5, 1u32..5, 0u64..3, prop::option::of(0usize..100)), 1..40)
    ) {
        let mut csv = String::from("id,from,to,bytes,at,after,delay\n");
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (n, (from, steps, time, after)) in entries.into_iter().enumerate() {
            let after = after.filter(|_| n > 0).map(|after| after % n);
            // A follower is sent by the sender or receiver of the followed message.
            let from = after.map_or(from, |after| if from % 2 == 0 { pairs[after].0 } else { pairs[after].1 });
            let to = (from + steps) % 5;
            pairs.push((from, to));
            csv += &match after {
                Some(after) => format!("m{n},{from},{to},8,,m{after},{time}\n"),
                None => format!("m{n},{from},{to},8,{time},,\n"),
            };
        }
        let schedule = Schedule::from_csv(&csv, &setting(5)).unwrap();
        let mut done = BTreeSet::new();
        for &number in &schedule.order {
            if let Start::After(id, _) = schedule.messages[number as usize].start {
                prop_assert!(schedule.ids[id.0 as usize].clone().all(|followed| done.contains(&followed)));
            }
            prop_assert!(done.insert(number));
        }
        prop_assert_eq!(done.len(), schedule.messages.len());
    }
}
