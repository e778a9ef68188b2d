use super::*;

fn library() -> Library {
    Library::new(Config::default(), 0).unwrap()
}

fn headers(actions: &[Action]) -> Vec<Header> {
    let header = |action: &Action| match action {
        Action::Post { header, .. } => Some(*header),
        _ => None,
    };
    actions.iter().filter_map(header).collect()
}

#[test]
fn messages_of_127_bytes_are_eager_and_of_128_ask() {
    let actions = library().step(Event::Send { to: 1, request: 0, length: 127 });
    assert_eq!(headers(&actions), [Header::Eager { request: 0, length: 127 }]);
    assert!(actions.contains(&Action::Complete { request: 0 }));
    let actions = library().step(Event::Send { to: 1, request: 0, length: 128 });
    assert_eq!(headers(&actions), [Header::Rts { request: 0, length: 128 }]);
    assert_eq!(actions.len(), 1);
}

#[test]
fn lines_are_replaced_before_cts_and_after_data() {
    let mut library = library();
    let rts = Header::Rts { request: 3, length: 8193 };
    let actions = library.step(Event::Arrived { from: 1, header: rts });
    assert_eq!(actions[0], Action::Offer { from: 1, request: 3, length: 8193 });
    // Half of the sender's share of two is free again, so credits are returned.
    assert_eq!(headers(&actions), [Header::Credits { taken: 1 }]);
    let actions = library.step(Event::Accept { from: 1, request: 3 });
    let cts = |unit, slot| Header::Cts { request: 3, unit, slot };
    assert_eq!(actions[..2], [16, 17].map(|slot| Action::ReplaceLines { slot }));
    assert_eq!(headers(&actions), [cts(0, 16), cts(1, 17)]);
    let data = Header::Data { request: 3, unit: 0, slot: 16 };
    let actions = library.step(Event::Arrived { from: 1, header: data });
    let copy = Action::CopyOut { from: 1, request: 3, unit: 0, slot: 16 };
    assert_eq!(actions, [Action::ReplaceLines { slot: 16 }, copy]);
}

#[test]
fn send_slots_come_back_when_the_position_has_passed_them() {
    let mut library = Library::new(Config { send_slots: 1, ..Config::default() }, 0).unwrap();
    library.step(Event::Send { to: 1, request: 0, length: 16_384 });
    let cts = |unit, slot| Event::Arrived { from: 1, header: Header::Cts { request: 0, unit, slot } };
    assert!(library.step(cts(0, 5)).contains(&Action::CopyIn { request: 0, unit: 0, slot: 0 }));
    let waits = library.step(cts(1, 6));
    assert!(!waits.iter().any(|action| matches!(action, Action::CopyIn { .. })));
    let goes = library.step(Event::Sent { slot: 0 });
    assert!(goes.contains(&Action::CopyIn { request: 0, unit: 1, slot: 0 }));
    assert!(goes.contains(&Action::Complete { request: 0 }));
}

#[test]
fn protocol_violations_are_refused_without_effect() {
    let mut library = library();
    let before = library.clone();
    let wrong = [
        Header::Cts { request: 9, unit: 0, slot: 0 },
        Header::Data { request: 9, unit: 0, slot: 0 },
        Header::Rts { request: 9, length: 127 },
    ];
    for (from, header) in wrong.map(|header| (1, header)).into_iter().chain([(9, wrong[0])]) {
        assert_eq!(library.step(Event::Arrived { from, header }), [Action::Refuse { from, header }]);
        assert_eq!(library, before);
    }
}

#[test]
fn invalid_configurations_are_refused() {
    let with = |config, me| Library::new(config, me).unwrap_err();
    assert_eq!(with(Config { pes: 1, ..Config::default() }, 0), ConfigError::Pes);
    assert_eq!(with(Config::default(), 2), ConfigError::Pes);
    assert_eq!(with(Config { send_slots: 17, ..Config::default() }, 0), ConfigError::Slots);
    assert_eq!(with(Config { share: 0, ..Config::default() }, 0), ConfigError::Share);
}

/// Engine of PE 0 among three, with a message of two units from PE 1 accepted and one to PE 1 asked.
fn busy() -> Library {
    let mut library = Library::new(Config { pes: 3, share: 8, ..Config::default() }, 0).unwrap();
    library.step(Event::Send { to: 1, request: 7, length: 8193 });
    library.step(Event::Arrived { from: 1, header: Header::Rts { request: 3, length: 8193 } });
    let actions = library.step(Event::Accept { from: 1, request: 3 });
    let cts = |unit, slot| Header::Cts { request: 3, unit, slot };
    assert_eq!(headers(&actions), [cts(0, 16), cts(1, 17)]);
    library
}

#[test]
fn headers_count_from_their_pe_and_in_order_alone() {
    let data = |request, unit, slot| Header::Data { request, unit, slot };
    let cts = |request, unit| Header::Cts { request, unit, slot: 20 };
    let wrong = [
        (2, data(3, 0, 16)),
        (0, data(3, 0, 16)),
        (1, data(2, 0, 16)),
        (1, data(3, 1, 16)),
        (1, data(3, 1, 17)),
        (1, data(3, 0, 17)),
        (1, Header::Rts { request: 3, length: 8193 }),
        (1, Header::Rts { request: 4, length: EAGER_LIMIT - 1 }),
        (2, cts(7, 0)),
        (1, cts(6, 0)),
        (1, cts(7, 1)),
        (3, cts(7, 0)),
    ];
    let before = busy();
    for (from, header) in wrong {
        let mut library = before.clone();
        let refused = [Action::Refuse { from, header }];
        assert_eq!(library.step(Event::Arrived { from, header }), refused, "{header:?} from PE {from}");
        assert_eq!(library, before);
    }
    // The right ones, to the last unit and not beyond.
    let mut library = before;
    for (unit, slot) in [(0, 16), (1, 17)] {
        let actions = library.step(Event::Arrived { from: 1, header: data(3, unit, slot) });
        assert!(actions.contains(&Action::CopyOut { from: 1, request: 3, unit, slot }));
        assert!(library.pools().is_free(slot), "the slot is free again");
        let ended = actions.contains(&Action::Received { from: 1, request: 3 });
        assert_eq!(ended, unit == 1);
    }
    for unit in 0..2 {
        let actions = library.step(Event::Arrived { from: 1, header: cts(7, unit) });
        let source = unit as u8;
        let replaced = actions.iter().position(|action| *action == Action::ReplaceLines { slot: source });
        let copied =
            actions.iter().position(|action| *action == Action::CopyIn { request: 7, unit, slot: source });
        assert!(copied.is_some() && copied < replaced, "lines of the slot with the copy are replaced");
        assert_eq!(actions.contains(&Action::Complete { request: 7 }), unit == 1);
    }
    assert_eq!(
        library.step(Event::Arrived { from: 1, header: cts(7, 2) }).len(),
        1,
        "there is no third unit"
    );
}

#[test]
fn messages_of_two_pes_with_one_number_do_not_end_each_other() {
    let mut library = Library::new(Config { pes: 3, share: 8, ..Config::default() }, 0).unwrap();
    for peer in [1, 2] {
        library.step(Event::Send { to: peer, request: 7, length: 128 });
        library.step(Event::Arrived { from: peer, header: Header::Rts { request: 7, length: 128 } });
        library.step(Event::Accept { from: peer, request: 7 });
    }
    let data = |slot| Header::Data { request: 7, unit: 0, slot };
    let cts = Header::Cts { request: 7, unit: 0, slot: 20 };
    for (peer, slot) in [(1, 16), (2, 17)] {
        let actions = library.step(Event::Arrived { from: peer, header: data(slot) });
        assert!(actions.contains(&Action::Received { from: peer, request: 7 }), "PE {peer}");
        let actions = library.step(Event::Arrived { from: peer, header: cts });
        assert!(actions.contains(&Action::Complete { request: 7 }), "PE {peer}");
    }
}

#[test]
fn cts_beyond_the_last_unit_is_refused_while_units_wait() {
    let mut library = Library::new(Config { send_slots: 1, share: 8, ..Config::default() }, 0).unwrap();
    library.step(Event::Send { to: 1, request: 0, length: 8193 });
    let cts = |unit| Header::Cts { request: 0, unit, slot: 5 };
    library.step(Event::Arrived { from: 1, header: cts(0) });
    library.step(Event::Arrived { from: 1, header: cts(1) });
    let (from, header) = (1, cts(2));
    assert_eq!(library.step(Event::Arrived { from, header }), [Action::Refuse { from, header }]);
}

#[test]
fn ring_has_places_for_all_others_and_their_credits() {
    let places = |pes, share| Config { pes, share, ..Config::default() }.places();
    assert_eq!(places(2, 2), 2 + Credits::tellings(2));
    assert_eq!(places(9, 4), 8 * (4 + Credits::tellings(4)));
}

#[test]
fn library_with_a_waiting_message_is_not_idle() {
    let mut library = Library::new(Config { share: 1, ..Config::default() }, 0).unwrap();
    let posted = |actions: Vec<Action>| headers(&actions).len();
    assert!(library.is_idle());
    assert_eq!(posted(library.step(Event::Send { to: 1, request: 0, length: 1 })), 1);
    assert!(library.is_idle());
    assert_eq!(posted(library.step(Event::Send { to: 1, request: 1, length: 1 })), 0);
    assert!(!library.is_idle());
    let taken = Header::Credits { taken: 1 };
    assert_eq!(posted(library.step(Event::Arrived { from: 1, header: taken })), 1);
    assert!(library.is_idle());
}

#[test]
fn without_credits_messages_leave_at_once() {
    let rules = Rules { credits: false, ..Rules::REPAIRED };
    let mut library = Library::new(Config { share: 1, rules, ..Config::default() }, 0).unwrap();
    for request in 0..5 {
        let actions = library.step(Event::Send { to: 1, request, length: 1 });
        assert_eq!(headers(&actions), [Header::Eager { request, length: 1 }]);
    }
}

#[test]
fn slot_is_taken_before_the_rts_only_if_so_configured() {
    for (reserve, asked) in [(Reserve::BeforeRts, 1), (Reserve::AfterCts, 2)] {
        let config = Config { send_slots: 1, reserve, ..Config::default() };
        let mut library = Library::new(config, 0).unwrap();
        let all: usize = (0..2)
            .map(|request| headers(&library.step(Event::Send { to: 1, request, length: 8192 })).len())
            .sum();
        assert_eq!(all, asked, "{reserve:?}");
        assert_eq!(library.pools().is_free(0), reserve == Reserve::AfterCts);
    }
}

#[test]
fn buffering_limits_the_units_announced_at_once() {
    for (buffering, most) in [(Buffering::Serial, 1), (Buffering::Double, 2)] {
        let config = Config { buffering, share: 9, ..Config::default() };
        let mut library = Library::new(config, 0).unwrap();
        let header = Header::Rts { request: 3, length: 5 * 8192 };
        library.step(Event::Arrived { from: 1, header });
        let announced = headers(&library.step(Event::Accept { from: 1, request: 3 }));
        assert_eq!(announced.len(), most, "{buffering:?}");
        for unit in 0..5 {
            let Some(slot) = library.receiving[0].slots.front().copied() else { panic!("unit {unit}") };
            let header = Header::Data { request: 3, unit, slot };
            library.step(Event::Arrived { from: 1, header });
        }
        assert!(library.is_idle());
    }
}

#[test]
fn other_sends_outlive_the_end_of_one() {
    let mut library = Library::new(Config { share: 9, ..Config::default() }, 0).unwrap();
    for request in 0..2 {
        library.step(Event::Send { to: 1, request, length: 8192 });
    }
    for request in [1, 0] {
        let header = Header::Cts { request, unit: 0, slot: 16 };
        assert!(library.step(Event::Arrived { from: 1, header }).contains(&Action::Complete { request }));
    }
}

#[test]
fn send_to_an_unknown_pe_has_no_effect() {
    for length in [1, 8192] {
        let mut library = library();
        assert_eq!(library.step(Event::Send { to: 2, request: 0, length }), []);
        assert_eq!(library, self::library());
    }
}

#[test]
fn each_unit_is_copied_replaced_and_posted_in_this_order() {
    let mut library = library();
    library.step(Event::Send { to: 1, request: 4, length: 8193 });
    for unit in 0..2 {
        let slot = 20 + unit as u8;
        let source = unit as u8;
        let actions =
            library.step(Event::Arrived { from: 1, header: Header::Cts { request: 4, unit, slot } });
        let header = Header::Data { request: 4, unit, slot };
        let of_unit: Vec<_> = actions.into_iter().filter(|action| !is_credit(action)).collect();
        let posted = [
            Action::CopyIn { request: 4, unit, slot: source },
            Action::ReplaceLines { slot: source },
            Action::Post { to: 1, header, source: Some(source) },
        ];
        assert_eq!(of_unit[..3], posted);
        assert_eq!(of_unit[3..], [Action::Complete { request: 4 }][..unit as usize]);
    }
}

fn is_credit(action: &Action) -> bool {
    matches!(action, Action::Post { header: Header::Credits { .. }, .. })
}

/// A send slot that is free after its copy goes to the next send, whose RTS follows the data that are ready.
#[test]
fn data_that_hold_a_slot_leave_before_the_rts_of_a_later_send() {
    let rules = Rules { positions: false, ..Rules::REPAIRED };
    let config = Config { send_slots: 2, share: 9, reserve: Reserve::BeforeRts, rules, ..Config::default() };
    let mut library = Library::new(config, 0).unwrap();
    for request in 0..3 {
        library.step(Event::Send { to: 1, request, length: 8192 });
    }
    let cts = |request| Header::Cts { request, unit: 0, slot: 20 };
    library.step(Event::Arrived { from: 1, header: cts(0) });
    let actions = library.step(Event::Arrived { from: 1, header: cts(1) });
    let data = Header::Data { request: 1, unit: 0, slot: 20 };
    assert_eq!(headers(&actions), [data, Header::Rts { request: 2, length: 8192 }]);
}

/// In one pool a free slot goes to the send that waits for it, not to a unit that is to be received.
#[test]
fn free_slot_of_one_pool_goes_to_a_send_first() {
    let rules = Rules { two_pools: false, ..Rules::REPAIRED };
    let config = Config {
        send_slots: 1,
        receive_slots: 1,
        share: 9,
        reserve: Reserve::BeforeRts,
        rules,
        ..Config::default()
    };
    let mut library = Library::new(config, 0).unwrap();
    for request in 0..3 {
        library.step(Event::Send { to: 1, request, length: 8192 });
    }
    library.step(Event::Arrived { from: 1, header: Header::Rts { request: 5, length: 8192 } });
    assert_eq!(headers(&library.step(Event::Accept { from: 1, request: 5 })), []);
    let cts = Header::Cts { request: 0, unit: 0, slot: 20 };
    library.step(Event::Arrived { from: 1, header: cts });
    let actions = library.step(Event::Sent { slot: 0 });
    assert_eq!(headers(&actions), [Header::Rts { request: 2, length: 8192 }]);
}

#[test]
fn lines_of_receive_slots_are_replaced_only_by_these_rules() {
    for (replace_before, replace_after) in [(false, false), (true, false), (false, true)] {
        let rules = Rules { replace_before, replace_after, ..Rules::REPAIRED };
        let mut library = Library::new(Config { rules, ..Config::default() }, 0).unwrap();
        let replaces = |actions: Vec<Action>| actions.contains(&Action::ReplaceLines { slot: 16 });
        library.step(Event::Arrived { from: 1, header: Header::Rts { request: 3, length: 8192 } });
        assert_eq!(replaces(library.step(Event::Accept { from: 1, request: 3 })), replace_before);
        let header = Header::Data { request: 3, unit: 0, slot: 16 };
        assert_eq!(replaces(library.step(Event::Arrived { from: 1, header })), replace_after);
    }
}

#[test]
fn library_with_a_message_or_a_used_slot_is_not_idle() {
    let mut sends = library();
    sends.step(Event::Send { to: 1, request: 0, length: 8192 });
    assert!(sends.pools().all_free() && !sends.is_idle(), "it waits for a CTS");
    sends.step(Event::Arrived { from: 1, header: Header::Cts { request: 0, unit: 0, slot: 16 } });
    assert!(sends.sending.is_empty() && !sends.is_idle(), "the NIF reads its slot");
    sends.step(Event::Sent { slot: 0 });
    assert!(sends.is_idle());
    let mut receives = library();
    receives.step(Event::Arrived { from: 1, header: Header::Rts { request: 0, length: 8192 } });
    assert!(receives.pools().all_free() && !receives.is_idle(), "the program has not accepted it");
}

#[test]
fn without_credits_none_are_returned() {
    let rules = Rules { credits: false, ..Rules::REPAIRED };
    let mut library = Library::new(Config { share: 1, rules, ..Config::default() }, 0).unwrap();
    let header = Header::Eager { request: 0, length: 1 };
    for _ in 0..3 {
        assert_eq!(headers(&library.step(Event::Arrived { from: 1, header })), []);
    }
}
