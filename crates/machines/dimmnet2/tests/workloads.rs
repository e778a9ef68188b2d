use std::sync::Arc;

use cluster::{Duration, Time};
use dimmnet2::Dimmnet2;
use dimmnet2::registers::{PrimitiveCounter, UserRegister};
use dimmnet2_machine::{AnyNic, Cluster, Host, Messenger, PRIMITIVES, ScheduleError, Settings, begin};
use hdl::Model;
use machine_api::Placement;
use workload::{NodeOutcome, NodePlan, Schedule, Setting, drive};

const LIMIT: Duration = Duration::from_us(50_000);

fn cluster(nodes: usize) -> Cluster {
    let board = || -> Box<AnyNic> { Box::new(Model::new(Dimmnet2::default())) };
    Cluster::with_switch((0..nodes).map(|_| board()).collect(), &Settings::default())
}

fn schedule(text: &str, nodes: usize) -> Arc<Schedule> {
    let names: Vec<_> = PRIMITIVES.iter().map(|(name, _)| *name).collect();
    let limits =
        |name: &str| PRIMITIVES.iter().find(|(known, _)| *known == name).map(|(_, most)| most.clone());
    let setting = Setting { nodes, primitive: "botf", primitives: &names, limits: &limits };
    Arc::new(Schedule::parse_toml(text, &setting).unwrap())
}

/// Plays the part of a node once all nodes are set up.
async fn play(host: Host, plan: NodePlan, placement: Placement, begin: Time) -> NodeOutcome {
    let mut messenger = Messenger::for_plan(host.clone(), &plan, placement).await;
    assert!(host.now() <= begin, "the node is set up at {:?}", host.now());
    host.compute(begin - host.now()).await;
    drive(&mut messenger, &plan).await.unwrap()
}

/// Plays a schedule to its end and returns the order of messages at each node.
fn run(cluster: &mut Cluster, schedule: &Arc<Schedule>) -> Vec<NodeOutcome> {
    run_placed(cluster, schedule, 1)
}

/// The same with `per_node` processes on each board.
fn run_placed(cluster: &mut Cluster, schedule: &Arc<Schedule>, per_node: usize) -> Vec<NodeOutcome> {
    let placement = Placement::new(schedule.nodes(), per_node);
    let begin = Time::ZERO + begin(schedule, placement).unwrap();
    let plans = schedule.plans().into_iter().enumerate();
    let outputs: Vec<_> = plans
        .map(|(number, plan)| {
            let node = placement.node(number);
            cluster.spawn(node, "workload", move |host| play(host, plan, placement, begin))
        })
        .collect();
    cluster.run(LIMIT).unwrap();
    outputs.iter().map(|output| output.take().unwrap()).collect()
}

/// Messages of different sizes, so that a message in the place of another is detected.
fn messages(primitive: &str, from: &str, to: &str, sizes: impl Iterator<Item = usize>) -> String {
    let message = |bytes| {
        format!(
            "[[message]]\nfrom = \"{from}\"\nto = {to}\nbytes = {bytes}\ncount = 3\nprimitive = \"{primitive}\"\n"
        )
    };
    sizes.map(message).collect()
}

#[test]
fn every_primitive_carries_all_sizes_that_it_says() {
    for (primitive, sizes) in PRIMITIVES {
        let (least, most) = (*sizes.start() as usize, *sizes.end() as usize);
        let sizes = [least, 7, 8, 48, 49, 56, 57, 200, most.min(4096) - 1, most].into_iter();
        // A board with two processes is tested without the longest messages, which take long.
        for (per_node, most) in [(1, most), (2, most.min(4096))] {
            let sizes = sizes.clone().filter(|size| (least..=most).contains(size));
            let text = messages(primitive, "all", "\"next\"", sizes);
            let outcomes = run_placed(&mut cluster(3), &schedule(&text, 3), per_node);
            assert!(outcomes.iter().all(|outcome| outcome.seen.len() == outcome.sent.len()), "{primitive}");
        }
    }
}

#[test]
fn messages_of_all_primitives_keep_their_order() {
    let mut text = String::new();
    for (size, primitive) in
        (16..96).zip(["lhs", "ipush", "botf", "lhs", "lhs", "rvs", "ipush"].iter().cycle())
    {
        text += &messages(primitive, "0, 1, 2", "3", [4 * size].into_iter());
    }
    for per_node in [1, 2] {
        let outcomes = run_placed(&mut cluster(4), &schedule(&text, 4), per_node);
        for sender in &outcomes[..3] {
            let sent: Vec<_> = sender.sent.iter().map(|sent| sent.message).collect();
            let mut seen: Vec<_> = outcomes[3].seen.iter().map(|seen| seen.message).collect();
            seen.retain(|message| sent.contains(message));
            assert_eq!((sent.len(), seen), (240, sent), "{per_node} on each board");
        }
    }
}

#[test]
fn two_nodes_that_compute_for_long_do_not_deadlock() {
    for (primitive, _) in PRIMITIVES {
        let text =
            format!("poll = \"1ms\"\n{}", messages(primitive, "all", "\"next\"", (0..80).map(|n| 100 + n)));
        for per_node in [1, 2] {
            let outcomes = run_placed(&mut cluster(2), &schedule(&text, 2), per_node);
            assert!(outcomes.iter().all(|outcome| outcome.seen.len() == 240), "{primitive}");
        }
    }
}

#[test]
fn host_that_does_not_look_stops_nobody_who_pushes() {
    const SENDERS: usize = 10;
    for (primitive, bytes) in [("ipush", 2032), ("lhs", 8), ("lhs", 2024)] {
        let text = messages(primitive, "1-10", "0", (0..10).map(|_| bytes));
        let schedule = schedule(&format!("poll = \"1ms\"\n{text}"), SENDERS + 1);
        let mut cluster = cluster(SENDERS + 1);
        let looks =
            Time::ZERO + begin(&schedule, Placement::new(SENDERS + 1, 1)).unwrap() + Duration::from_us(900);
        // Messages sent and messages taken, when all is still.
        let read = |cluster: &mut Cluster, node, register: UserRegister| {
            cluster.spawn(node, "reads", move |host: Host| async move {
                host.compute(looks - Time::ZERO).await;
                let address = dimmnet2::address::Area::UserRegister.part(false);
                host.load_uc(address + u32::from(register.info().offset)).await
            })
        };
        let sent: Vec<_> =
            (1..=SENDERS).map(|node| read(&mut cluster, node, UserRegister::PrimitiveCounter)).collect();
        let received = read(&mut cluster, 0, UserRegister::PacketCounter);
        let outcomes = run(&mut cluster, &schedule);
        assert_eq!(outcomes[0].seen.len(), 30 * SENDERS);
        let sent: Vec<_> =
            sent.iter().map(|sent| PrimitiveCounter::from_bits(sent.take().unwrap()).ipush).collect();
        // 63 places among ten senders.
        assert_eq!(sent, [6; SENDERS], "{primitive}");
        assert_eq!(received.take(), Some(60), "{primitive}: no packet waits in the network");
    }
}

#[test]
fn more_senders_than_lh_entries_can_push_by_ipush_alone() {
    let crowd = |primitive: &str| schedule(&messages(primitive, "all", "0", [24].into_iter()), 71);
    let alone = Placement::new(71, 1);
    assert_eq!(begin(&crowd("lhs"), alone), Err(ScheduleError::Senders { node: 0, senders: 70 }));
    let outcomes = run(&mut cluster(71), &crowd("ipush"));
    assert_eq!(outcomes[0].seen.len(), 210);
}

#[test]
fn node_that_gives_and_has_room_of_all_others_is_set_up_in_time() {
    let text = messages("ipush", "all", "\"others\"", [8].into_iter()).replace("count = 3", "count = 1");
    for per_node in [1, 2] {
        let outcomes = run_placed(&mut cluster(48), &schedule(&text, 48), per_node);
        assert!(outcomes.iter().all(|outcome| outcome.seen.len() == 47));
    }
}
