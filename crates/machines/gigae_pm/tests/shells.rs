//! The shell on cards: registers, messages, and time that runs, is traced, stops and is turned back.

use std::path::Path;
use std::rc::Rc;

use dsh::transcript::play;
use dsh::{Flow, Models, Start};
use gigae_pm_machine::GigaePm;
use hdl::Stimulus;
use machine_api::command::Kind;
use wellen::simple;

type Shell = dsh::Shell<GigaePm>;

fn shell(nodes: usize) -> Shell {
    Shell::start(Start { processes: nodes, pid: 0, wid: false }, Rc::new(Models), "model").unwrap()
}

/// The output of lines that all succeed.
fn prints(shell: &mut Shell, lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let reply = shell.line(line);
        assert_eq!(reply.outcome, Ok(Flow::Next), "{line}");
        text += &reply.text;
    }
    text
}

/// The error of a line.
fn fails(shell: &mut Shell, line: &str) -> String {
    shell.line(line).outcome.unwrap_err().to_string()
}

#[test]
fn registers_are_read_and_written_by_name_and_by_address() {
    let mut shell = shell(3);
    assert_eq!(prints(&mut shell, &["reg Nodes", "node 2", "reg Node"]), {
        "0x1014 Nodes = 0x3\nnode 2: MAC address 02:00:47:50:00:02\n0x1010 Node = 0x2\n"
    });
    assert_eq!(prints(&mut shell, &["reg Limit 5", "read 0x102c"]), "#0000102c: 00000005\n");
    assert_eq!(prints(&mut shell, &["write 0x102c 7", "reg Limit"]), "0x102c Limit = 0x7\n");
    let all = prints(&mut shell, &["reg"]);
    assert!(all.contains("0x1000 Control = 0x1\n") && !all.contains("Release"), "{all}");
    for (line, why) in [
        ("reg Release", "reg: Release can only be written; usage: reg ([Register]) ([Value])"),
        ("reg Held 1", "reg: Held can only be read"),
        ("reg Limit 256", "reg: the value does not fit, Limit has 8 bits"),
        ("read 2", "read: 0x2 is not a multiple of 4"),
        ("read 0x3000", "read: [Address]: 0x3000 is out of range"),
        ("node 3", "node: the last one is 2; usage: node ([Node])"),
        ("node 0 1", "node: `1` is too much"),
    ] {
        assert!(fails(&mut shell, line).starts_with(why), "{line}: {}", fails(&mut shell, line));
    }
}

#[test]
fn user_sees_the_window_and_nothing_else() {
    let mut shell = shell(2);
    assert_eq!(prints(&mut shell, &["send 1 4 0xa0", "node 1"]).lines().count(), 1);
    // The flag of the first receive descriptor: a message has arrived.
    assert_eq!(prints(&mut shell, &["read user 0x0c"]), "#0000000c: 00000001\n");
    assert_eq!(prints(&mut shell, &["read user 0x1014", "reg RefusedAccesses"]), {
        "#00001014: 00000000\n0x10b0 RefusedAccesses = 0x1\n"
    });
}

#[test]
fn message_goes_from_node_to_node_and_counts() {
    let mut shell = shell(2);
    assert_eq!(prints(&mut shell, &["send 1 6 0xfe", "reg Sent", "recv"]), {
        "0x10a8 Sent = 0x1\nnothing has arrived\n"
    });
    let got = prints(&mut shell, &["node 1", "recv", "recv", "reg Delivered"]);
    assert!(got.ends_with(
        "6 bytes from node0\n#00000000: 0100fffe 00000302\nnothing has arrived\n0x10a4 Delivered = 0x1\n"
    ));
    // More messages than the rings have slots.
    for n in 0..40 {
        prints(&mut shell, &["node 0", &format!("send 1 1468 {n}"), "node 1"]);
        let got = prints(&mut shell, &["recv"]);
        let first = format!("#00000000: {:02x}{:02x}{:02x}{n:02x} ", n + 3, n + 2, n + 1);
        assert!(got.starts_with("1468 bytes from node0\n") && got.contains(&first), "{got}");
    }
    for (line, why) in [
        ("send 1 1469", "send: [Size(Byte)]: 1469 is out of range"),
        ("send 1 0", "send: a message has at least one byte"),
        ("send 1 1", "send: there is no node 1"),
        ("send 7 1", "send: there is no node 7"),
    ] {
        assert!(fails(&mut shell, line).starts_with(why), "{line}: {}", fails(&mut shell, line));
    }
}

/// A session in which the firmware is traced, saved and turned back.
const SESSION: [&str; 6] = [
    "break send_message.state == Moving",
    "send 1 100",
    "delete",
    "run until node1.firmware.receive_frame.state == Place",
    "show node1.firmware.receive_frame.state",
    "time",
];

#[test]
fn time_runs_until_a_state_and_back_to_the_same_fingerprint() {
    let mut shell = shell(2);
    let text = prints(&mut shell, &SESSION);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("break at ") && lines[0].ends_with(": node0.send_message.state == Moving"));
    assert!(lines[1].ends_with("node1.firmware.receive_frame.state == Place"), "{text}");
    assert_eq!(lines[2], "node1.firmware.receive_frame.state = Place");
    // Time is counted in cycles of the PCI bus.
    let (ns, cycle) = lines[3].split_once(", core cycle ").unwrap();
    let (us, cycle): (f64, f64) = (ns.trim_end_matches(" us").parse().unwrap(), cycle.parse().unwrap());
    assert!((us * 1_000.0 / 30.0).floor() == cycle, "{}", lines[3]);

    let here = prints(&mut shell, &["save here", "fingerprint"]);
    let there = prints(&mut shell, &["run 3000", "time", "fingerprint"]);
    assert!(!there.contains(&here));
    assert_eq!(prints(&mut shell, &["back 3000", "fingerprint", "diff here"]), here);
    assert_eq!(prints(&mut shell, &["run 3000", "time", "fingerprint"]), there);
    assert_eq!(prints(&mut shell, &["restore here", "fingerprint"]), here);
    // The message arrives from there on, whatever the state of the library when time was turned back.
    let got = prints(&mut shell, &["run 3000", "node 1", "recv", "send 0 4", "node 0", "recv"]);
    assert!(got.contains("100 bytes from node0\n") && got.contains("4 bytes from node1\n"), "{got}");
}

#[test]
fn trace_is_a_file_with_the_states_of_both_cards() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["fst", "vcd"] {
        let path = folder.path().join(format!("session.{format}"));
        let mut shell = shell(2);
        prints(&mut shell, &[&format!("trace on {}", path.display()), "send 1 100"]);
        let told = prints(&mut shell, &["trace off"]);
        assert!(told.contains(" variables, ") && told.contains(" changes"), "{told}");

        let mut wave = simple::read(&path).unwrap();
        let variable = |node: usize, block: &str| {
            let hierarchy = wave.hierarchy();
            let name = format!("node{node}.firmware.{block}.state");
            let found = hierarchy.all_vars().find(|var| hierarchy[*var].full_name(hierarchy) == name);
            hierarchy[found.unwrap_or_else(|| panic!("{name} is in the file"))].signal_ref()
        };
        let signals =
            [variable(0, "send_message"), variable(1, "receive_frame"), variable(1, "send_message")];
        wave.load_signals(&signals);
        // Values before the first instant are no states.
        let states = signals.map(|signal| {
            let changes = wave.get_signal(signal).unwrap().iter_changes();
            let known = changes.map(|(_, value)| value.to_string()).filter(|value| !value.starts_with('x'));
            known.collect::<std::collections::BTreeSet<_>>().len()
        });
        assert_eq!(
            (states[0], states[2]),
            (8, 1),
            "a message sent walks through eight states; node 1 sends none"
        );
        assert!(states[1] > 8, "{states:?}: node 1 receives it");
    }
}

#[test]
fn watch_tells_how_the_firmware_moves() {
    let mut shell = shell(2);
    prints(&mut shell, &["watch firmware.send_message.state"]);
    let text = prints(&mut shell, &["send 1 4"]);
    let states: Vec<_> =
        text.lines().filter_map(|line| line.split_once("state = ")).map(|(_, state)| state).collect();
    let message = ["Load", "Check", "Copy", "Moving", "Offer", "Judge", "Done", "Idle"];
    // The firmware then looks for another one.
    assert_eq!(states[..8], message, "{text}");
    assert_eq!(states[8..], ["Load", "Check", "Done", "Idle"], "{text}");
}

#[test]
fn lost_message_is_explained_and_sent_again_by_the_timer() {
    let mut shell = shell(2);
    assert_eq!(fails(&mut shell, "explain"), "explain: node 0 has not issued anything");
    prints(&mut shell, &["fault link drop 1", "send 1 4"]);
    let text = prints(&mut shell, &["explain"]);
    assert!(text.starts_with("message of 4 bytes, node0 to node1, at "), "{text}");
    assert!(text.ends_with("frames: 1 sent, 0 received\n1 of them lost on the way\n"));
    assert!(prints(&mut shell, &["fault"]).starts_with("link from node0: to come none; struck drop\n"));
    prints(&mut shell, &["run 50000"]);
    let text = prints(&mut shell, &["explain"]);
    assert!(text.ends_with("frames: 3 sent, 2 received\n1 of them lost on the way\n"), "{text}");
    // Stages follow each other without a gap: nanoseconds sum to the whole.
    let ns = |line: &str| {
        let (value, unit) = line.trim().split_once(' ').unwrap();
        let factor = match unit.split_whitespace().next().unwrap() {
            "us" => 1_000.0,
            "ns" => 1.0,
            "ps" => 0.001,
            unit => panic!("{unit} in {line}"),
        };
        value.parse::<f64>().unwrap() * factor
    };
    let rows: Vec<_> = text.lines().skip(1).take_while(|line| !line.starts_with("frames")).collect();
    let (whole, stages) = rows.split_last().unwrap();
    assert!(whole.ends_with("in all") && stages.len() > 10, "{text}");
    let sum: f64 = stages.iter().map(|line| ns(line)).sum();
    assert!((sum - ns(whole)).abs() < 0.01 * rows.len() as f64, "{sum}: {text}");
    assert!(prints(&mut shell, &["node 1", "recv"]).contains("4 bytes from node0\n"));
}

#[test]
fn frame_that_was_sent_last_is_taken_apart() {
    let mut shell = shell(2);
    assert!(fails(&mut shell, "dump packet").contains("node 0 has not sent anything"));
    let text = prints(&mut shell, &["send 1 5", "dump packet", "node 1", "dump packet"]);
    assert!(text.contains("to 02:00:47:50:00:01 from 02:00:47:50:00:00, type 0x88b5\nMessage "), "{text}");
    assert!(
        text.contains(" of node0 to node1, channel 0, epoch 1, 5 bytes\n#00000000: 03020100 00000004\n"),
        "{text}"
    );
    assert!(text.contains("\nAck ") && text.contains(" of node1 to node0, channel 0"), "{text}");
}

#[test]
fn memories_are_looked_at_by_the_front_door_and_the_back_door() {
    let mut shell = shell(2);
    let text = prints(&mut shell, &["poke 0x1004 0x01234567", "peek 0x1000 12"]);
    assert_eq!(text, "#00001000: 00000000 01234567 00000000\n");
    // NIC memory is reached through the page register; a page set by hand does not confuse the driver.
    prints(&mut shell, &["mem_write 0x3ff00 0xcafe", "reg Page 0"]);
    assert_eq!(prints(&mut shell, &["mem_read 0x3ff00 2"]), "#000ffc00: 0000cafe 00000000\n");
    assert_eq!(prints(&mut shell, &["write 0x100c 0", "send 1 4", "node 1", "recv"]).lines().count(), 3);
    prints(&mut shell, &["save before", "poke 0x1004 1", "restore before"]);
    assert_eq!(prints(&mut shell, &["node 0", "peek 0x1004 4"]).lines().last(), Some("#00001004: 01234567"));
}

#[test]
fn program_under_way_keeps_the_library_and_the_next_one_waits() {
    let mut shell = shell(2);
    prints(&mut shell, &["break send_message.state == Load", "send 1 4 1"]);
    // The first call has not ended.
    prints(&mut shell, &["delete", "send 1 4 2", "node 1"]);
    let text = prints(&mut shell, &["recv", "recv", "recv"]);
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(rows, ["#00000000: 04030201", "#00000000: 05040302"], "{text}");
}

#[test]
fn help_lists_the_commands_of_the_card_first() {
    let mut shell = shell(1);
    let text = prints(&mut shell, &["h"]);
    assert!(text.starts_with("h (or help) : Help\n- h ([Command])\nmem_read : NIC Memory Read\n"), "{text}");
    assert!(text.contains("\nAs on every machine:\nnode : Node\n- node ([Node])\n"), "{text}");
    for entry in dsh::table::entries::<GigaePm>() {
        for example in entry.examples {
            assert!(
                machine_api::command::parse(example, &dsh::table::entries::<GigaePm>()).is_ok(),
                "{example}"
            );
        }
        assert!(prints(&mut shell, &[&format!("help {}", entry.names[0])]).contains("dsh > "));
    }
    // The registers in examples exist.
    for line in
        ["show firmware.dispatcher", "watch receive_frame.state", "break firmware.dispatcher Idle->Send"]
    {
        prints(&mut shell, &[line]);
    }
}

/// With `DSH_WRITE_TRANSCRIPTS=1` the output is written back for review.
#[test]
fn transcript_comes_out_as_it_went_in() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/message.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let played = play::<GigaePm>(&text, Rc::new(Models), "model", Path::new("/nowhere")).unwrap();
    if std::env::var_os("DSH_WRITE_TRANSCRIPTS").is_some() {
        std::fs::write(&path, &played).unwrap();
        return;
    }
    assert_eq!(played, text);
    let fingerprints: Vec<_> = text.lines().filter(|line| line.len() == 32 && !line.contains(' ')).collect();
    assert!(fingerprints.len() == 2 && fingerprints[0] == fingerprints[1], "{text}");
}

#[test]
fn random_lines_never_panic_and_errors_are_one_line() {
    let mut random = Stimulus::new(7);
    let entries = dsh::table::entries::<GigaePm>();
    let words = [
        "a",
        "firmware.dispatcher.state",
        "send_message Idle->Load",
        "node1.x",
        "==",
        "/nowhere/x.fst",
        "-1",
    ];
    let (mut shell, mut done, mut failed) = (shell(2), 0, 0);
    for n in 0..2_000 {
        if n % 100 == 0 {
            shell = self::shell(2);
        }
        let entry = entries[random.below(entries.len() as u64) as usize];
        let mut line = entry.names[0].to_string();
        for parameter in entry.parameters {
            if parameter.optional && random.one_in(2) {
                break;
            }
            let word = match parameter.kind {
                Kind::Number(most) if random.one_in(4) => random.below(most.saturating_add(1)).to_string(),
                Kind::Number(most) => random.below(most.min(64) + 1).to_string(),
                Kind::Choice(choices) | Kind::Register(choices, _) => {
                    choices()[random.below(choices().len() as u64) as usize].to_string()
                }
                Kind::Literal => parameter.shown.to_string(),
                _ => words[random.below(words.len() as u64) as usize].to_string(),
            };
            line += &format!(" {word}");
        }
        // Whole seconds of a card take too long to simulate.
        if line.starts_with("run 1") && line.len() > 8 {
            continue;
        }
        match shell.line(&line).outcome {
            Ok(_) => done += 1,
            Err(error) => {
                failed += 1;
                assert!(!error.to_string().contains('\n'), "{line:?}: {error}");
            }
        }
    }
    assert!(done > 500 && failed > 200, "{done} done, {failed} refused");
}
