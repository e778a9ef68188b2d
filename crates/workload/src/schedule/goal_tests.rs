//! GOAL files become messages in an order that their dependencies allow; errors name the line and a remedy.

use super::tests::{refused, setting};
use super::*;

fn goal(text: &str, nodes: usize) -> Schedule {
    Schedule::from_goal(text, &setting(nodes)).unwrap_or_else(|found| panic!("{found:?}"))
}

/// Sender, receiver and bytes of all messages in the order in which they are sent.
fn in_order(schedule: &Schedule) -> Vec<(u32, u32, u64)> {
    let message = |number: &u32| schedule.messages[*number as usize];
    schedule.order.iter().map(message).map(|message| (message.from, message.to, message.bytes)).collect()
}

/// Two ranks with these operations.
fn two(first: &str, second: &str) -> String {
    format!("num_ranks 2\nrank 0 {{\n{first}\n}}\nrank 1 {{\n{second}\n}}\n")
}

#[test]
fn sends_follow_what_they_require() {
    let text = two(
        "late: send 8b to 1 tag 1\nwork: calc 100\nlate requires work\nsend 16b to 1 tag 2",
        "a: recv 16b from 0 tag 2 cpu 0 nic 0\nrecv 8b from 0 tag 1\nsend 24b to 0\nb: send 32b to 0 tag 5\nb requires a",
    )
    .replacen("work: calc", "recv 24b from 1\nrecv 32b from 1 tag -1\nwork: calc", 1);
    let order = in_order(&goal(&text, 2));
    assert_eq!(order, [(0, 1, 16), (1, 0, 24), (1, 0, 32), (0, 1, 8)]);
}

#[test]
fn labels_may_follow_and_comments_and_blanks_mean_nothing() {
    let text = two(
        "  b requires a // first a\n\ta: calc 5 cpu 1\n\n/* two\nlines */ b:send 8 b to 1",
        "recv 8b from 0",
    );
    assert_eq!(in_order(&goal(&text, 2)), [(0, 1, 8)]);
    assert_eq!(goal(&text.replace('\n', "\r\n"), 4), goal(&text, 4));
}

#[test]
fn lengths_become_those_that_the_primitive_carries() {
    let limits = |_: &str| Some(8..=100);
    let setting = Setting { limits: &limits, ..setting(2) };
    let text = two(
        "send 250b to 1\nsend 0b to 1\nsend 203b to 1",
        "recv 250b from 0\nrecv 0b from 0\nrecv 203b from 0",
    );
    let schedule = Schedule::from_goal(&text, &setting).unwrap();
    let bytes: Vec<_> = in_order(&schedule).into_iter().map(|(.., bytes)| bytes).collect();
    assert_eq!(bytes, [100, 100, 50, 8, 100, 100, 8]);
}

#[test]
fn example_is_eight_exchanges_and_a_tree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/exchange.goal");
    let schedule = Schedule::read(&path, &setting(4)).unwrap();
    let order = in_order(&schedule);
    assert!(order[..8].iter().all(|message| message.2 == 64));
    assert_eq!(order[8..], [(3, 2, 8), (1, 0, 8), (2, 0, 8)]);
}

#[test]
fn mistakes_of_ranks_are_refused_with_line_and_remedy() {
    for (text, error) in [
        ("num_ranks 2", "load.goal: there is no message in it; write one, or name a pattern instead"),
        ("rank 0 {\n}", "load.goal, line 1: the number of ranks is unknown; write `num_ranks` first"),
        (
            "num_ranks 5",
            "load.goal, line 1: the file has 5 ranks and the cluster 4 nodes; take as many nodes",
        ),
        ("num_ranks 2\nnum_ranks 2", "load.goal, line 2: `num_ranks` is there twice; leave one out"),
        ("num_ranks x", "load.goal, line 1: `x` is written where the number of ranks belongs; write that"),
        ("num_ranks 2\nrank 2 {", "load.goal, line 2: there is no rank 2 among 2; change it or `num_ranks`"),
        ("num_ranks 2\nrank 0 {\n", "load.goal, line 2: the block of rank 0 has no end; write `}`"),
        ("num_ranks 2\nrank 0 {\n}\nrank 0 {", "load.goal, line 4: rank 0 has a block in line 2; join them"),
        ("num_ranks 2\n/* rank 0 {", "load.goal, line 2: the comment has no end; write `*/`"),
    ] {
        assert_eq!(refused("load.goal", text), error, "{text}");
    }
}

#[test]
fn mistakes_of_operations_are_refused_with_line_and_remedy() {
    for (operations, error) in [
        ("send 8 to 1", "line 3: `to` is written where `b` belongs; write that"),
        ("send 8b 1", "line 3: `1` is written where `to` belongs; write that"),
        ("send 8b to 1 tag", "line 3: the line ends where a tag belongs; write that"),
        ("send 8b to 1 tag 4294967296", "line 3: `4294967296` is too large for a tag; take a smaller number"),
        ("send 8b to 0", "line 3: node 0 sends to itself; name another receiver"),
        ("recv 8b from 0", "line 3: rank 0 receives from itself; name another sender"),
        ("send 8b to 2", "line 3: there is no rank 2 among 2; change it or `num_ranks`"),
        ("send 8b to 1 now", "line 3: `now` is written where the end of the line belongs; write that"),
        ("send -8b to 1", "line 3: `-8b` is written where a size such as `8b` belongs; write that"),
        ("a: calc 1\na: calc 2", "line 4: the label `a` is taken; choose another"),
        ("a: calc 1\na requires b", "line 4: no operation of rank 0 has the label `b`; give it to one"),
        ("a calc 1", "line 3: `calc` is written where `:`, `requires` or `irequires` belongs; write that"),
        (
            "calc 1000000000001",
            "line 3: 1000000000001 ns is more than 1000000000000, the longest; shorten it",
        ),
        ("recv 8b from -1", "line 3: a receive from any rank is not supported; name the sender"),
    ] {
        assert_eq!(refused("load.goal", &two(operations, "")), format!("load.goal, {error}"));
    }
}

#[test]
fn sends_and_receives_must_match_and_be_able_to_happen() {
    for (first, second, error) in [
        ("send 8b to 1", "", "line 3: no receive takes it; add one with its rank and tag"),
        (
            "send 8b to 1 tag 3",
            "recv 8b from 0",
            "line 6: rank 0 sends nothing more to rank 1 with tag 0; add a send",
        ),
        (
            "send 9b to 1",
            "recv 8b from 0",
            "line 6: it receives at most 8 bytes, and the send in line 3 has 9; lengthen it",
        ),
        (
            "a: calc 1\na requires a\nsend 8b to 1",
            "recv 8b from 0",
            "line 3: the operation in line 3 waits for itself; remove a dependency",
        ),
        (
            "s: send 8b to 1\nr: recv 8b from 1\ns requires r",
            "s: send 8b to 0\nr: recv 8b from 0\ns requires r",
            "line 3: the operations in lines 3, 4, 8, 9 wait for each other; remove a dependency",
        ),
        // The receive in line 3 has begun, so the one in line 4 does not wait for it.
        (
            "r: recv 8b from 1\ny: recv 8b from 1 tag 1\ny irequires r\nz: send 8b to 1\nz requires y",
            "w: recv 8b from 0\ns: send 8b to 0\ns requires w\nq: send 8b to 0 tag 1\nq requires w",
            "line 4: the operations in lines 4, 6, 10, 13 wait for each other; remove a dependency",
        ),
        (
            "a: calc 1000000000000\nb: calc 1\nb requires a\ns: send 8b to 1\ns requires b",
            "recv 8b from 0",
            "line 4: it is later than 1000s, the longest time in a file; calculate less",
        ),
    ] {
        assert_eq!(refused("load.goal", &two(first, second)), format!("load.goal, {error}"), "{first}");
    }
}

#[test]
fn receives_of_any_tag_take_sends_in_order_and_may_be_longer() {
    let text = two(
        "send 8b to 1 tag 4\nsend 16b to 1 tag 2\nsend 24b to 1 tag 4",
        "recv 100b from 0 tag -1\nrecv 24b from 0 tag 4\nrecv 16b from 0 tag -1",
    );
    assert_eq!(in_order(&goal(&text, 2)), [(0, 1, 8), (0, 1, 16), (0, 1, 24)]);
}
