//! Programs of hosts, step by step: their time, their repetition, their ends.

use std::rc::Rc;

use cluster::{Duration, Time};
use dimmnet2_machine::{Cluster, Dimmnet2};
use dsh::{Boards, Conditions, Models, ProgramSource, ProgramState, Session, SessionError};
use machine_api::{Accept, Driven, Step, StepAnswer, StepResult};

/// Steps that do not depend on answers.
struct Steps {
    steps: std::vec::IntoIter<Step>,
    answers: Rc<std::cell::RefCell<Vec<StepResult>>>,
}

impl ProgramSource for Steps {
    fn next(&mut self, _now: Time, answer: Option<StepResult>) -> Option<Step> {
        self.answers.borrow_mut().extend(answer);
        self.steps.next()
    }

    fn has_failed(&self) -> bool {
        false
    }
}

fn address(name: &str) -> u32 {
    Dimmnet2::register_address(name).expect("the register exists")
}

const INITIALISED: Accept = Accept { mask: 1 << 63, value: 0, equal: false };

fn bring_up() -> Vec<Step> {
    vec![
        Step::Compute(Duration::from_ns(100)),
        Step::Store(address("SdimmInit"), 1),
        Step::Poll(address("SmaLid"), Accept { mask: 0xffff, value: 0, equal: false }),
        Step::Load(address("ControllerStatus")),
        Step::StoreBytes(0, vec![7; 64]),
        Step::Fence,
    ]
}

fn session(set_up: bool) -> Session<Dimmnet2> {
    let conditions = Conditions { set_up, ..Conditions::new(2) };
    Session::start_with(Rc::new(Models), "model", conditions).unwrap()
}

fn begin(
    session: &mut Session<Dimmnet2>,
    steps: Vec<Step>,
) -> (dsh::HostProgram, Rc<std::cell::RefCell<Vec<StepResult>>>) {
    let answers = Rc::default();
    let source = Steps { steps: steps.into_iter(), answers: Rc::clone(&answers) };
    (session.begin_program(0, Box::new(source)), answers)
}

const LIMIT: Duration = Duration::from_us(1_000);

#[test]
fn program_equals_one_in_rust_in_time_and_fingerprint() {
    let mut session = session(false);
    let (program, answers) = begin(&mut session, bring_up());
    session.finish_programs(std::slice::from_ref(&program), LIMIT).unwrap();

    let boards = Boards::<Dimmnet2>::open(&Models, "model", 2).unwrap();
    let mut cluster = Cluster::with_switch(boards, &Dimmnet2::settings(2));
    let lid = cluster.spawn(0, "in Rust", |host| async move {
        host.compute(Duration::from_ns(100)).await;
        host.store_uc(address("SdimmInit"), 1).await;
        let lid = host.poll("a LID", address("SmaLid"), |value| value & 0xffff != 0).await;
        host.load_uc(address("ControllerStatus")).await;
        host.store_wc(0, &[7; 64]).await;
        host.sfence().await;
        lid
    });
    let end = cluster.run(LIMIT).unwrap();
    assert_eq!(program.state(), ProgramState::Ended(end));
    assert_eq!(session.fingerprint().unwrap(), cluster.fingerprint().unwrap());
    assert_eq!(answers.borrow()[2], Ok(StepAnswer::Word(lid.take().unwrap())));
}

#[test]
fn time_goes_back_into_a_program_and_forth() {
    let mut session = session(true);
    let (program, answers) = begin(&mut session, bring_up());
    session.finish_programs(std::slice::from_ref(&program), LIMIT).unwrap();
    let (end, fingerprint) = (session.now(), session.fingerprint().unwrap());
    session.back(60).unwrap();
    assert!(session.now() < end);
    session.forward(None).unwrap();
    assert_eq!((session.now(), session.fingerprint().unwrap()), (end, fingerprint));
    assert_eq!(answers.borrow().len(), bring_up().len(), "repetitions do not ask the source");
    assert_eq!(program.state(), ProgramState::Ended(end));
}

#[test]
fn program_goes_on_after_time_was_turned_back_during_it() {
    let mut session = session(true);
    let (program, answers) = begin(&mut session, bring_up());
    session.run(50).unwrap();
    let before = answers.borrow().len();
    session.back(30).unwrap();
    session.finish_programs(std::slice::from_ref(&program), LIMIT).unwrap();
    assert!(matches!(program.state(), ProgramState::Ended(_)));
    assert!(before < bring_up().len() && answers.borrow().len() == bring_up().len());
}

#[test]
fn program_that_sees_another_past_strays() {
    let mut session = session(true);
    let poll = Step::Poll(address("SmaLid"), INITIALISED);
    let window = 0x20000;
    let steps = vec![Step::Compute(Duration::from_us(1)), Step::Load(window), poll];
    let (program, answers) = begin(&mut session, steps);
    session.run(400).unwrap();
    assert_eq!(answers.borrow().len(), 2);
    session.back(399).unwrap();
    let other = Steps { steps: vec![Step::Store(window, 5)].into_iter(), answers: Rc::default() };
    let other = session.begin_program(1, Box::new(other));
    let first = begin(&mut session, vec![Step::Store(window, 5)]).0;
    session.finish_programs(&[other, first], LIMIT).unwrap();
    session.run(400).unwrap();
    assert!(matches!(program.state(), ProgramState::Strayed(_)), "{:?}", program.state());
}

#[test]
fn limits_name_the_programs_that_wait() {
    let mut session = session(true);
    let (program, _) = begin(&mut session, vec![Step::Poll(address("SmaLid"), INITIALISED)]);
    let error = session.finish_programs(std::slice::from_ref(&program), Duration::from_us(3)).unwrap_err();
    let SessionError::Unfinished { waiting, .. } = error else { panic!("{error}") };
    assert!(waiting.starts_with("`program` on node 0 waits for a value, polling 0x50300"), "{waiting}");
    program.close();
    session.finish_programs(std::slice::from_ref(&program), LIMIT).unwrap();
    assert_eq!(program.state(), ProgramState::Closed);
}

#[test]
fn refused_steps_are_answers() {
    let mut session = session(true);
    let (program, answers) = begin(&mut session, vec![Step::Load(3), Step::Load(0x50301), Step::Receive]);
    session.finish_programs(&[program], LIMIT).unwrap();
    let refused: Vec<_> = answers.borrow().iter().map(|answer| answer.clone().unwrap_err()).collect();
    assert!(refused[0].contains("not in an Uncachable area"), "{refused:?}");
    assert!(
        refused[1].contains("multiples of 8") && refused[2].contains("no messages of its own"),
        "{refused:?}"
    );
}
