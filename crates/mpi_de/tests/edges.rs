//! Slots, waiting threads, rings and libraries of MPI/DE at their edges.

use mpi_de::{
    Action, Buffering, Config, ConfigError, Event, Header, Library, Pools, Positions, Reserve, Rules, SLOTS,
    Side, Turn, UNIT, Waiter, units,
};

fn library(config: Config) -> Library {
    Library::new(config, 0).expect("the configuration is valid")
}

fn posted(actions: &[Action]) -> Vec<(u8, Header)> {
    let header = |action: &Action| match action {
        Action::Post { to, header, .. } => Some((*to, *header)),
        _ => None,
    };
    actions.iter().filter_map(header).collect()
}

fn arrived(library: &mut Library, from: u8, header: Header) -> Vec<Action> {
    library.step(Event::Arrived { from, header })
}

/// Slots of the copies into the window.
fn copied(actions: &[Action]) -> Vec<u8> {
    let slot = |action: &Action| match action {
        Action::CopyIn { slot, .. } => Some(*slot),
        _ => None,
    };
    actions.iter().filter_map(slot).collect()
}

#[test]
fn each_slot_is_taken_once_and_none_beyond_the_last_comes_back() {
    for (send, receive) in [(1, 1), (3, 5), (16, 16), (31, 1), (1, 31)] {
        let mut pools = Pools::new(send, receive, true).expect("both sides have slots");
        let all = send + receive;
        assert!(pools.all_free() && pools.slots() == all);
        let taken: Vec<u8> = std::iter::from_fn(|| pools.take(Side::Send)).collect();
        assert_eq!(taken, (0..send).collect::<Vec<_>>());
        let taken: Vec<u8> = std::iter::from_fn(|| pools.take(Side::Receive)).collect();
        assert_eq!(taken, (send..all).collect::<Vec<_>>());
        assert!((0..all).all(|slot| !pools.is_free(slot)));
        for slot in 0..all {
            assert!(!pools.all_free(), "{slot} of {all} have come back");
            pools.give(slot);
            assert!(pools.is_free(slot));
            // The same again, and slots that do not exist, are nothing.
            let before = pools;
            [slot, all, all + 1, 40, 255].into_iter().for_each(|slot| pools.give(slot));
            assert_eq!(pools, before, "{slot}");
        }
        assert!(pools.all_free());
        assert!([all, SLOTS, 255].iter().all(|slot| !pools.is_free((*slot).max(all))));
    }
    assert!(Pools::new(SLOTS - 1, 1, true).is_some() && Pools::new(SLOTS, 1, true).is_none());
    assert!(Pools::new(SLOTS, 0, false).is_some() && Pools::new(SLOTS, 0, true).is_none());
}

#[test]
fn waiter_arms_once_polls_again_and_sleeps() {
    let mut waiter = Waiter::new(true, true);
    let turns: Vec<Turn> = (0..6)
        .map(|_| {
            let turn = waiter.turn();
            match turn {
                Turn::Poll => waiter.polled(false),
                Turn::Arm => waiter.arm(),
                Turn::Sleep => waiter.sleep(),
                Turn::Asleep => waiter.notify(),
            }
            turn
        })
        .collect();
    assert_eq!(turns, [Turn::Poll, Turn::Arm, Turn::Poll, Turn::Sleep, Turn::Asleep, Turn::Poll]);
    // A woken waiter has to arm again.
    assert_eq!(waiter.turn(), Turn::Arm);
    // A waiter that finds a message polls for more.
    let mut waiter = Waiter::new(true, true);
    waiter.polled(true);
    assert_eq!(waiter.turn(), Turn::Poll);
}

/// Times that a waiter sleeps at once, without a message, until it stays asleep.
fn wakes(mut waiter: Waiter) -> usize {
    let mut wakes = 0;
    loop {
        waiter.sleep();
        if waiter.turn() == Turn::Asleep {
            return wakes;
        }
        wakes += 1;
        assert!(wakes < 300, "an event wakes for ever");
    }
}

#[test]
fn events_wake_as_often_as_they_are_counted() {
    for events in [0, 1, 2, 255, 256] {
        let mut counting = Waiter::new(true, true);
        counting.arm();
        (0..events).for_each(|_| counting.notify());
        assert_eq!(wakes(counting), events.min(255), "an event counter of eight bits");
        let mut flag = Waiter::new(false, true);
        flag.arm();
        (0..events).for_each(|_| flag.notify());
        assert_eq!(wakes(flag), events.min(1));
        // A flag that is not armed keeps nothing.
        let mut early = Waiter::new(false, true);
        (0..events).for_each(|_| early.notify());
        assert_eq!(wakes(early), 0);
        // Arming forgets.
        for counts in [true, false] {
            let mut armed = Waiter::new(counts, true);
            armed.arm();
            (0..events).for_each(|_| armed.notify());
            armed.arm();
            assert_eq!(wakes(armed), 0, "{events}");
        }
    }
}

#[test]
fn ring_is_filled_to_its_last_place_but_one_at_every_position() {
    assert_eq!((Positions::new(0, false), Positions::new(1, true)), (None, None));
    assert!(Positions::new(1, false).is_some());
    for places in [2, 3, 7, 128, 255] {
        let mut ring = Positions::new(places, true).expect("it has a place");
        for turn in 0..300u16 {
            assert!(!ring.may_read() && ring.entries() == 0, "{turn}");
            for entries in 0..places - 1 {
                assert!(ring.may_write() && ring.entries() == entries, "{turn}");
                ring.wrote();
                assert!(ring.may_read(), "{turn}");
            }
            assert!(!ring.may_write() && ring.entries() == places - 1, "{turn}");
            (1..places).for_each(|_| ring.took());
            // From another position.
            ring.wrote();
            ring.took();
        }
    }
    // Without the place a full ring looks empty.
    let mut ring = Positions::new(3, false).expect("it has places");
    (0..3).for_each(|_| ring.wrote());
    assert_eq!((ring.entries(), ring.may_read(), ring.may_write()), (0, false, true));
}

#[test]
fn buffering_decides_the_units_in_flight() {
    for (buffering, most) in [(Buffering::Serial, 1), (Buffering::Double, 2)] {
        let mut library = library(Config { buffering, share: 8, ..Config::default() });
        let length = 3 * UNIT;
        arrived(&mut library, 1, Header::Rts { request: 4, length });
        let actions = library.step(Event::Accept { from: 1, request: 4 });
        let cts = |unit, slot| (1, Header::Cts { request: 4, unit, slot });
        let first: Vec<_> = (0..most).map(|unit| cts(unit, 16 + unit as u8)).collect();
        assert_eq!(posted(&actions), first);
        // Each unit that has come makes room for one CTS, up to the last unit.
        for unit in 0..3 {
            let slot = 16 + (unit % most) as u8;
            let actions = arrived(&mut library, 1, Header::Data { request: 4, unit, slot });
            let next = (unit + most < 3).then(|| cts(unit + most, slot));
            assert_eq!(posted(&actions), Vec::from_iter(next), "unit {unit}");
            let whole = actions.contains(&Action::Received { from: 1, request: 4 });
            assert_eq!(whole, unit == 2, "unit {unit}");
        }
        assert!(library.is_idle());
    }
}

#[test]
fn lines_are_replaced_as_the_rules_say() {
    for (before, after) in [(false, false), (false, true), (true, false), (true, true)] {
        let rules = Rules { replace_before: before, replace_after: after, ..Rules::REPAIRED };
        let mut library = library(Config { rules, ..Config::default() });
        arrived(&mut library, 1, Header::Rts { request: 4, length: UNIT });
        let replaced = |actions: &[Action]| {
            actions.iter().filter(|action| matches!(action, Action::ReplaceLines { slot: 16 })).count()
        };
        let actions = library.step(Event::Accept { from: 1, request: 4 });
        assert_eq!(replaced(&actions), usize::from(before));
        let actions = arrived(&mut library, 1, Header::Data { request: 4, unit: 0, slot: 16 });
        assert_eq!(replaced(&actions), usize::from(after));
    }
}

#[test]
fn send_asks_with_the_slot_that_its_first_unit_uses() {
    let config = Config { reserve: Reserve::BeforeRts, send_slots: 2, share: 8, ..Config::default() };
    let mut library = library(config);
    let rts = |request| (1, Header::Rts { request, length: 2 * UNIT });
    for (request, asks) in [(0, true), (1, true), (2, false), (3, false)] {
        let actions = library.step(Event::Send { to: 1, request, length: 2 * UNIT });
        assert_eq!(posted(&actions), Vec::from_iter(asks.then(|| rts(request))), "request {request}");
    }
    // Both slots are held by sends that wait; the unit of each goes into its own.
    let cts = |request, unit| Header::Cts { request, unit, slot: 20 };
    assert_eq!(copied(&arrived(&mut library, 1, cts(1, 0))), [1]);
    assert_eq!(copied(&arrived(&mut library, 1, cts(0, 0))), [0]);
    // The second unit waits for a slot, and so do the sends that have not asked. The oldest is first.
    assert_eq!(copied(&arrived(&mut library, 1, cts(0, 1))), []);
    let actions = library.step(Event::Sent { slot: 1 });
    assert_eq!((copied(&actions), posted(&actions)), (vec![], vec![rts(2)]));
    let actions = library.step(Event::Sent { slot: 0 });
    assert_eq!((copied(&actions), posted(&actions)), (vec![], vec![rts(3)]));
}

#[test]
fn slot_comes_back_at_once_without_positions() {
    let rules = Rules { positions: false, ..Rules::REPAIRED };
    let mut library = library(Config { rules, send_slots: 1, share: 8, ..Config::default() });
    for request in [0, 1] {
        library.step(Event::Send { to: 1, request, length: 2 * UNIT });
    }
    let cts = |request, unit| Header::Cts { request, unit, slot: 20 };
    assert_eq!(copied(&arrived(&mut library, 1, cts(0, 0))), [0]);
    assert_eq!(copied(&arrived(&mut library, 1, cts(0, 1))), [0], "it came back when it was posted");
    let before = library.clone();
    assert_eq!(library.step(Event::Sent { slot: 0 }), []);
    assert_eq!(library, before);
    // A send that holds the slot keeps it.
    let reserve = Reserve::BeforeRts;
    let mut library = self::library(Config { rules, send_slots: 1, reserve, share: 8, ..Config::default() });
    library.step(Event::Send { to: 1, request: 0, length: UNIT });
    library.step(Event::Sent { slot: 0 });
    assert_eq!(posted(&library.step(Event::Send { to: 1, request: 1, length: UNIT })), []);
}

#[test]
fn library_is_idle_when_nothing_is_pending_alone() {
    let mut library = library(Config { share: 1, ..Config::default() });
    assert!(library.is_idle());
    // A header waits for a credit.
    library.step(Event::Send { to: 1, request: 0, length: 1 });
    assert!(library.is_idle(), "it has left");
    library.step(Event::Send { to: 1, request: 1, length: 1 });
    assert!(!library.is_idle());
    arrived(&mut library, 1, Header::Credits { taken: 1 });
    assert!(library.is_idle());
    // A send whose RTS has left, then a slot that the NIF still reads.
    arrived(&mut library, 1, Header::Credits { taken: 2 });
    library.step(Event::Send { to: 1, request: 2, length: UNIT });
    assert!(!library.is_idle());
    arrived(&mut library, 1, Header::Cts { request: 2, unit: 0, slot: 9 });
    assert!(!library.is_idle() && !library.pools().all_free());
    library.step(Event::Sent { slot: 0 });
    assert!(library.is_idle());
    // A message that was offered and is not accepted.
    arrived(&mut library, 1, Header::Rts { request: 3, length: UNIT });
    assert!(!library.is_idle() && library.pools().all_free());
}

#[test]
fn pe_beyond_the_last_is_sent_nothing() {
    for pes in [2, 3, 256] {
        let mut library = library(Config { pes, share: 9, ..Config::default() });
        for to in [pes - 1, pes, pes + 1, 255] {
            let Ok(to) = u8::try_from(to) else { continue };
            for length in [1, UNIT] {
                let actions = library.step(Event::Send { to, request: 0, length });
                assert_eq!(actions.is_empty(), u16::from(to) >= pes, "{to} of {pes}");
            }
        }
        assert_eq!(Library::new(Config { pes, ..Config::default() }, 255).is_ok(), pes == 256);
    }
    assert_eq!(Library::new(Config { pes: 257, ..Config::default() }, 0), Err(ConfigError::Pes));
    assert_eq!(Library::new(Config { pes: 1, ..Config::default() }, 0), Err(ConfigError::Pes));
}

#[test]
fn message_has_the_units_that_hold_its_last_byte() {
    for (length, count) in [(0, 0), (1, 1), (UNIT - 1, 1), (UNIT, 1), (UNIT + 1, 2), (u32::MAX, 1 << 19)] {
        assert_eq!(units(length), count, "{length}");
    }
}
