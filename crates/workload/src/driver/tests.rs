//! Nodes send due messages, receive all messages, and end.

use std::sync::Arc;

use cluster::{Duration, Time};
use proptest::prelude::*;

use super::fake::{Behaviour, LATENCY, LOOK, SEND, run};
use super::*;
use crate::report::{Deliveries, Delivery};
use crate::schedule::{Schedule, Setting};
use crate::{ClosedLoop, HotSpot, Pattern};

fn setting(nodes: usize) -> Setting<'static> {
    Setting { nodes, primitive: "put", primitives: &[], limits: &|_| Some(1..=4096) }
}

fn toml(text: &str, nodes: usize) -> Arc<Schedule> {
    Arc::new(Schedule::from_toml(text, &setting(nodes)).unwrap())
}

fn csv(text: &str, nodes: usize) -> Arc<Schedule> {
    Arc::new(Schedule::from_csv(text, &setting(nodes)).unwrap())
}

const LIMIT: Time = Time::from_ps(10_000_000_000);

/// Results of the nodes that have ended.
fn play_on(behaviour: Behaviour, schedule: &Arc<Schedule>) -> Vec<Option<Result<NodeOutcome, DriveError>>> {
    let plans = schedule.plans();
    run(behaviour, plans.len(), LIMIT, |node, mut end| {
        let plan = plans[node].clone();
        async move { drive(&mut end, &plan).await }
    })
}

fn play(schedule: &Arc<Schedule>) -> Vec<NodeOutcome> {
    let outcomes = play_on(Behaviour::default(), schedule);
    outcomes.into_iter().map(|outcome| outcome.expect("the node ends").expect("all goes well")).collect()
}

fn ns(time: Time) -> u64 {
    time.ps() / 1_000
}

#[test]
fn operations_begin_when_what_they_require_has_happened() {
    let text = "num_ranks 2
        rank 0 {
            ask: send 8b to 1 tag 1
            get: recv 8b from 1 tag 2
            work: calc 700
            work requires get
            last: send 8b to 1 tag 3
            last requires work
            same: send 8b to 1 tag 4
            same irequires last
        }
        rank 1 {
            recv 8b from 0 tag 3
            recv 8b from 0 tag 4
            wait: calc 5000
            ask: recv 8b from 0 tag 1
            ask requires wait
            reply: send 8b to 0 tag 2
            reply requires ask
        }";
    let outcomes = play(&Arc::new(Schedule::from_goal(text, &setting(2)).unwrap()));
    // The receive is posted late, after its message has arrived.
    assert_eq!(ns(outcomes[1].sent[0].due), 5_000);
    let seen = outcomes[0].seen[0].time;
    let [_, last, same] = outcomes[0].sent[..] else { panic!("three messages are sent") };
    assert_eq!((last.due, same.due), (seen + Duration::from_ns(700), seen + Duration::from_ns(700)));
    assert_eq!(same.first_store, last.first_store + SEND);
}

#[test]
fn senders_of_a_closed_loop_keep_within_their_window() {
    for window in [1, 2, 5] {
        let load = ClosedLoop { bytes: 64, window, messages: 30, seed: 3, hot: HotSpot::default() };
        let schedule = Arc::new(Pattern::Uniform.closed(&load, &setting(6)).unwrap());
        let outcomes = play(&schedule);
        let deliveries = Deliveries::of(&schedule, &outcomes).unwrap();
        assert_eq!((deliveries.delivered.len(), deliveries.undelivered), (6 * 60, 0));
        let round_trips = deliveries.round_trips(&schedule).delivered;
        assert_eq!(round_trips.len(), 6 * 30);
        let sender = |delivery: &Delivery| schedule.messages()[delivery.message as usize].from;
        for sent in &round_trips {
            assert!(sent.seen >= sent.first_store + SEND + LATENCY + SEND + LATENCY);
            let open = round_trips.iter().filter(|other| {
                sender(other) == sender(sent) && (other.first_store..other.seen).contains(&sent.first_store)
            });
            assert!(open.count() as u64 <= window);
        }
    }
}

#[test]
fn answer_begins_when_the_question_is_received() {
    let schedule = csv("id,from,to,bytes,at,after,delay\nask,0,1,8,1us,,\n,1,0,8,,ask,300ns\n", 2);
    let outcomes = play(&schedule);
    let [ask] = outcomes[0].sent[..] else { panic!("one message is sent") };
    assert_eq!((ns(ask.due), ns(ask.first_store)), (1_000, 1_000));
    let seen = outcomes[1].seen[0].time;
    // Polls take 100 ns, so the message is found by one that ends at its arrival.
    assert_eq!(seen, ask.first_store + SEND + LATENCY);
    let [answer] = outcomes[1].sent[..] else { panic!("one message is sent") };
    assert_eq!(
        (answer.due, answer.first_store),
        (seen + Duration::from_ns(300), seen + Duration::from_ns(300))
    );
    assert_eq!(outcomes[0].seen[0].message, 1);
}

#[test]
fn message_after_one_of_its_sender_begins_when_that_is_sent() {
    let schedule = csv("id,from,to,bytes,after,delay\na,0,1,8,,\n,0,2,8,a,1us\n", 3);
    let outcomes = play(&schedule);
    let [a, b] = outcomes[0].sent[..] else { panic!("two messages are sent") };
    assert_eq!(b.due, a.first_store + SEND + Duration::from_us(1));
}

#[test]
fn ring_step_begins_when_the_previous_message_is_received() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ring.toml")).unwrap();
    for nodes in [2, 5] {
        for outcome in play(&toml(&text, nodes)) {
            assert_eq!((outcome.sent.len(), outcome.seen.len()), (3, 3));
            for step in 0..2 {
                assert_eq!(outcome.sent[step + 1].due, outcome.seen[step].time + Duration::from_ns(200));
            }
        }
    }
}

#[test]
fn message_after_several_waits_for_the_last_of_them() {
    let gather = "[[message]]\nid = \"in\"\nfrom = \"all\"\nto = 0\nbytes = 8\nevery = \"1us\"\ncount = 3\n";
    let scatter = "[[message]]\nfrom = 0\nto = \"others\"\nbytes = 8\nafter = \"in\"\n";
    let outcomes = play(&toml(&format!("{gather}{scatter}"), 4));
    assert_eq!(outcomes[0].seen.len(), 9);
    let last = outcomes[0].seen.last().unwrap().time;
    assert_eq!(outcomes[0].sent[0].due, last);
    assert_eq!(outcomes[0].sent.len(), 3);
}

#[test]
fn poll_interval_delays_receives_but_not_sends() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sparse.toml")).unwrap();
    let outcomes = play(&toml(&text, 4));
    let mut latencies = Vec::new();
    for outcome in &outcomes {
        assert_eq!((outcome.sent.len(), outcome.seen.len()), (10, 10));
        for sent in &outcome.sent {
            assert!(sent.first_store <= sent.due + LOOK, "{sent:?}");
        }
        let sender = &outcomes[(outcome.node as usize + 3) % 4];
        latencies.extend(
            outcome
                .seen
                .iter()
                .zip(&sender.sent)
                .map(|(seen, sent)| (seen.time - sent.first_store).ps() / 1_000),
        );
    }
    let (least, most) = (latencies.iter().min().unwrap(), latencies.iter().max().unwrap());
    assert!(*least >= 1_200 && *most <= 1_200 + 2_500 + 300, "{least} to {most}");
    assert!(most - least > 1_000, "looks and messages meet at different phases: {least} to {most}");
    // Nothing else delays messages, so latencies differ by at most the poll periods in which they arrive.
    let periods = outcomes.iter().flat_map(|outcome| &outcome.seen);
    let periods: Vec<_> = periods.map(|seen| (seen.time - seen.look_before).ps() / 1_000).collect();
    assert!(periods.iter().all(|period| (2_600..=2_900).contains(period)), "{periods:?}");
    assert!(most - least <= *periods.iter().max().unwrap());
}

#[test]
fn successful_poll_is_followed_by_another_at_once() {
    let text = "poll = \"50us\"\n[[message]]\nfrom = \"1-3\"\nto = 0\nbytes = 8\n";
    let seen: Vec<_> = play(&toml(text, 4))[0].seen.iter().map(|seen| ns(seen.time)).collect();
    assert_eq!(seen, [50_200, 50_300, 50_400]);
    let before: Vec<_> = play(&toml(text, 4))[0].seen.iter().map(|seen| ns(seen.look_before)).collect();
    assert_eq!(before, [100, 50_200, 50_300]);
}

#[test]
fn overloaded_node_polls_between_two_messages() {
    let text = "[[message]]\nfrom = \"all\"\nto = \"next\"\nbytes = 8\ncount = 1000\n";
    let outcomes = play(&toml(text, 2));
    let last_sent = outcomes[0].sent.last().unwrap().first_store;
    let early = outcomes[0].seen.iter().filter(|seen| seen.time < last_sent).count();
    assert!(early > 900, "{early}");
    assert_eq!(outcomes[0].sent.iter().filter(|sent| sent.first_store > sent.due).count(), 999);
}

#[test]
fn messages_to_one_node_keep_their_order_and_others_overtake() {
    // The second message to node 1 is due long before the one that the first one follows.
    let rows = "id,from,to,bytes,at,after\nslow,2,0,8,50us,\n,0,1,8,,slow\n,0,1,16,60us,\n,0,2,8,2us,\n";
    let outcomes = play(&csv(rows, 3));
    assert_eq!(outcomes[0].sent.iter().map(|sent| sent.message).collect::<Vec<_>>(), [3, 1, 2]);
    // With an earlier time, 10 us, it is sent first.
    let outcomes = play(&csv(&rows.replace("60us", "10us"), 3));
    assert_eq!(outcomes[0].sent.iter().map(|sent| sent.message).collect::<Vec<_>>(), [3, 2, 1]);
}

#[test]
fn sender_that_waits_for_room_reports_its_first_store() {
    let text = "poll = \"10us\"\n[[message]]\nfrom = 1\nto = 0\nbytes = 8\ncount = 4\n";
    let behaviour = Behaviour { room: Some(1), ..Behaviour::default() };
    let outcomes = play_on(behaviour, &toml(text, 2));
    let sent = &outcomes[1].as_ref().unwrap().as_ref().unwrap().sent;
    assert!(sent[3].first_store - sent[0].first_store > Duration::from_us(20), "{sent:?}");
}

#[test]
fn wrong_message_size_is_an_error_of_the_receiver() {
    let schedule = csv("from,to,bytes\n1,0,8\n", 2);
    let longer = |arrival: Arrival| Some(Arrival { bytes: arrival.bytes + 1, ..arrival });
    let outcomes = play_on(Behaviour { damage: Some(longer), ..Behaviour::default() }, &schedule);
    let error = outcomes[0].as_ref().unwrap().as_ref().unwrap_err();
    assert_eq!(*error, DriveError::WrongSize { node: 0, from: 1, message: 0, bytes: 9, expected: 8 });
    assert_eq!(error.to_string(), "node 0 has received 9 bytes from node 1 in place of message 0 of 8");
    assert!(outcomes[1].as_ref().unwrap().is_ok());
}

#[test]
fn unexpected_message_is_an_error_and_a_lost_one_is_awaited() {
    let schedule = csv("from,to,bytes\n1,0,8\n", 3);
    let other = |arrival: Arrival| Some(Arrival { from: 2, ..arrival });
    let outcomes = play_on(Behaviour { damage: Some(other), ..Behaviour::default() }, &schedule);
    let error = outcomes[0].as_ref().unwrap().as_ref().unwrap_err();
    assert_eq!(*error, DriveError::Unexpected { node: 0, from: 2, bytes: 8 });
    let outcomes = play_on(Behaviour { damage: Some(|_| None), ..Behaviour::default() }, &schedule);
    assert_eq!(outcomes.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true]);
}

#[test]
fn failed_send_is_an_error_of_the_sender() {
    let outcomes = play_on(Behaviour::default(), &csv("from,to,bytes\n1,13,8\n", 14));
    let error = outcomes[1].as_ref().unwrap().as_ref().unwrap_err().to_string();
    assert_eq!(error, "node 1 cannot send message 0 to node 13: node 13 does not answer");
}

#[test]
fn outcomes_are_sendable_and_round_trip_as_json() {
    fn sendable<T: Send + 'static>(_: &T) {}
    let schedule = csv("from,to,bytes\n1,0,8\n", 2);
    sendable(&schedule.plans());
    let outcomes = play(&schedule);
    sendable(&outcomes);
    let json = serde_json::to_string(&outcomes).unwrap();
    assert_eq!(serde_json::from_str::<Vec<NodeOutcome>>(&json).unwrap(), outcomes);
}

proptest! {
    /// Messages with arbitrary dependencies are all sent and received.
    #[test]
    fn all_messages_of_a_schedule_arrive(
        poll in 0u64..3_000,
        entries in prop::collection::vec((0u32..4, 1u32..4, 0u64..4_000, 1u64..4, prop::option::of(0usize..100)), 1..40),
    ) {
        let mut text = format!("poll = \"{poll}ns\"\n");
        let mut nodes = Vec::new();
        for (n, (from, steps, time, count, after)) in entries.into_iter().enumerate() {
            let after = after.filter(|_| n > 0).map(|after| after % n);
            let from = after.map_or(from, |after: usize| nodes[after]);
            // A later message may be sent by this message's receiver.
            nodes.push(if time % 2 == 0 { from } else { (from + steps) % 4 });
            let to = (from + steps) % 4;
            let start = match after {
                Some(after) => format!("after = \"m{after}\"\ndelay = \"{time}ns\""),
                None => format!("at = \"{time}ns\""),
            };
            text += &format!(
                "[[message]]\nid = \"m{n}\"\nfrom = {from}\nto = {to}\nbytes = {}\ncount = {count}\n{start}\n", n + 1
            );
        }
        let schedule = toml(&text, 4);
        let outcomes = play(&schedule);
        let sent: usize = outcomes.iter().map(|outcome| outcome.sent.len()).sum();
        let seen: usize = outcomes.iter().map(|outcome| outcome.seen.len()).sum();
        prop_assert_eq!((sent, seen), (schedule.messages().len(), schedule.messages().len()));
        for sent in outcomes.iter().flat_map(|outcome| &outcome.sent) {
            prop_assert!(sent.due <= sent.first_store);
        }
    }
}
