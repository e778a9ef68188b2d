//! A cluster of any machine, through the shell and the session that `memonet shell` uses.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cluster::host::HostCosts;
use cluster::{Duration, Rates, RunError};
use cosim::LockstepError;
use dsh::{
    Conditions, LineError, LinkFaults, Process, ProgramSource, Session, SessionError, Shell, Snapshot, Start,
    StartError, Subject,
};
use hdl::Item;
use machine_api::{Evaluated, SECOND_PROCESS, TargetError};

use crate::any::{AnyCluster, Facts, Opening};
use crate::boards::Kinds;
use crate::break_function::{BreakFunction, Raised};
use crate::built::Built;
use crate::failure::{Diverged, Failure, unknown, wrong_subject};
use crate::rows::HostRegister;
use crate::view::{Instant, Known, View};

struct Driver<M: Built> {
    shell: Shell<M>,
    points: BTreeMap<u64, Snapshot<M::Access>>,
    known: Rc<Known>,
    next: u64,
    raised: Raised,
}

/// Powers on computers and, unless the opening says otherwise, lets their drivers set up the devices.
pub fn start<M: Built>(opening: &Opening) -> Result<Box<dyn AnyCluster>, Failure> {
    let start = Start { processes: opening.nodes, pid: 0, wid: false };
    let opened = |error: StartError| match error {
        StartError::Session(SessionError::Target(error)) => Failure::Failed(error.to_string()),
        other => Failure::Value(other.to_string()),
    };
    start.check::<M>().map_err(opened)?;
    let conditions = conditions::<M>(opening)?;
    let mut shell =
        Shell::<M>::start_with(start, Rc::new(Kinds), &opening.nic, conditions).map_err(opened)?;
    let kind = Cell::new(shell.session().kind());
    let known = Known { kind, found: Default::default(), programs: Default::default() };
    Ok(Box::new(Driver {
        shell,
        points: BTreeMap::new(),
        known: Rc::new(known),
        next: 0,
        raised: Raised::default(),
    }))
}

fn conditions<M: Built>(opening: &Opening) -> Result<Conditions<M>, Failure> {
    let mut conditions = Conditions::<M>::new(opening.nodes);
    let wrong =
        |what: &str, name: &str, error: &dyn Display| Failure::Value(format!("{what} `{name}`: {error}"));
    if let Some(name) = &opening.topology {
        conditions.topology = machine_api::network::<M>(name, opening.nodes)
            .map_err(|error| wrong("topology", name, &error))?;
    }
    if let Some(name) = &opening.host {
        let computer = machine_api::computer_of(name).map_err(|error| wrong("host", name, &error))?;
        let costs = <M as Evaluated>::Costs::default().on(&M::COMPUTER, &computer);
        M::set_costs(&mut conditions.settings, costs);
    }
    if let Some([loss, duplication, reordering, corruption, cut, burst, burst_length]) = opening.rates {
        let rates = Rates { loss, duplication, reordering, corruption, burst, burst_length, cut };
        conditions.faults = Some(LinkFaults { rates, seed: opening.seed });
    }
    conditions.set_up = opening.set_up;
    Ok(conditions)
}

impl<M: Built> Driver<M> {
    fn session(&mut self) -> &mut Session<M> {
        self.shell.session()
    }

    /// The failure of the session, as a divergence where there is one.
    fn failed(&mut self, error: &SessionError) -> Failure {
        match error {
            SessionError::Target(TargetError::Stopped(text)) => {
                let found = self.session().failure().and_then(|failure| diverged(failure, text));
                found.unwrap_or_else(|| Failure::Failed(text.clone()))
            }
            SessionError::Target(TargetError::Break(hit)) => Failure::Break(hit.clone()),
            SessionError::Unfinished { .. } => Failure::Never(error.to_string()),
            SessionError::TooFar(_) | SessionError::TooLate(_) | SessionError::Boards(_) => {
                Failure::Value(error.to_string())
            }
            other => Failure::Failed(other.to_string()),
        }
    }

    /// The result of an operation, unless a function has raised an exception in it.
    fn unless_raised<T>(&mut self, result: Result<T, SessionError>) -> Result<T, Failure> {
        match self.raised.take() {
            Some(error) => Err(Failure::Raised(error)),
            None => result.map_err(|error| self.failed(&error)),
        }
    }

    /// Devices of another implementation have their signals at other places.
    fn look_at_kind(&mut self) {
        let kind = self.shell.session().kind();
        if self.known.kind.replace(kind) != kind {
            self.known.found.borrow_mut().clear();
        }
    }

    fn line_failed(&mut self, error: LineError) -> Failure {
        match error {
            LineError::Session(error) => self.failed(&error),
            LineError::Expression(error) => unknown(error),
            LineError::Subject(error) => wrong_subject(error),
            LineError::Never(_) => Failure::Never(error.to_string()),
            LineError::NotSaved { .. } => Failure::Name(error.to_string()),
            LineError::Unknown(_) | LineError::Wrong { .. } | LineError::NotText { .. } => {
                Failure::Value(error.to_string())
            }
            other => Failure::Failed(other.to_string()),
        }
    }
}

/// The text of a break point is no failure.
fn at_break(result: Result<Option<String>, Failure>) -> Result<Option<String>, Failure> {
    match result {
        Err(Failure::Break(hit)) => Ok(Some(hit)),
        other => other,
    }
}

/// The divergence behind the error of a run.
fn diverged(failure: &RunError, text: &str) -> Option<Failure> {
    let RunError::Nic { node, time, source } = failure else { return None };
    let (LockstepError::Divergence(divergence) | LockstepError::Stopped(divergence)) =
        source.downcast_ref::<LockstepError>()?;
    let found = Diverged { node: *node, time_ps: time.ps(), ..Diverged::of(divergence, text.to_string()) };
    Some(Failure::Diverged(Box::new(found)))
}

impl<M: Built> AnyCluster for Driver<M> {
    fn facts(&self) -> Facts {
        Facts {
            title: M::TITLE,
            cycle_ps: M::CLOCKS.domain(0).period.ps(),
            last_address: M::BACK_DOOR.most,
            word: M::BACK_DOOR.word,
        }
    }

    fn stop_at(&mut self, flag: Arc<AtomicBool>) {
        self.session().stop_at(flag);
    }

    fn view(&mut self) -> Box<dyn View + '_> {
        let session = self.shell.session();
        Box::new(Instant { now: session.now(), nodes: session.nodes(), known: &self.known })
    }

    fn kinds(&mut self) -> Vec<&'static str> {
        self.session().kinds().to_vec()
    }

    fn run(&mut self, cycles: u64) -> Result<Option<String>, Failure> {
        let ran = self.session().run(cycles);
        at_break(self.unless_raised(ran).map(|()| None))
    }

    fn run_until(&mut self, text: &str, cycles: u64) -> Result<Option<String>, Failure> {
        let subject = Subject::parse(text, 0, self.session().cluster()).map_err(wrong_subject)?;
        let ran = self.session().until(&subject, |session| session.run(cycles));
        at_break(match self.unless_raised(ran) {
            Ok(false) => Err(Failure::Never(format!("`{text}` did not become true in {cycles} cycles"))),
            other => other.map(|_| None),
        })
    }

    fn break_at(&mut self, function: Option<BreakFunction>) {
        let (known, raised) = (self.known.clone(), self.raised.clone());
        self.session().break_at(function.map(|function| -> dsh::BreakFunction<M> {
            Box::new(move |now, nodes| {
                let name = function.call(&Instant { now, nodes, known: &known }, &raised)?;
                Some(format!("break at {now}: {name}"))
            })
        }));
    }

    fn back(&mut self, cycles: u64) -> Result<(), Failure> {
        let went = self.session().back(cycles);
        self.unless_raised(went)
    }

    fn line(&mut self, node: usize, text: &str) -> Result<String, Failure> {
        let process = Process { node, ..self.shell.process().clone() };
        self.shell.act_as(process);
        let reply = self.shell.line(text);
        self.unless_raised(Ok(()))?;
        reply.outcome.map_err(|error| self.line_failed(error))?;
        self.look_at_kind();
        Ok(reply.text)
    }

    fn check(&mut self) -> Result<(), Failure> {
        self.session().check().map_err(|error| self.failed(&error))
    }

    fn fingerprint(&mut self) -> Result<String, Failure> {
        let fingerprint = self.session().fingerprint().map_err(|error| self.failed(&error))?;
        Ok(fingerprint.to_string())
    }

    fn change(&mut self, kind: &str) -> Result<(), Failure> {
        let changed = self.session().change(kind);
        self.look_at_kind();
        self.unless_raised(changed)
    }

    fn save(&mut self) -> Result<(u64, u64, String), Failure> {
        let point = self.session().snapshot().map_err(|error| self.failed(&error))?;
        let (time, fingerprint) = (point.time.ps(), point.fingerprint.to_string());
        self.next += 1;
        self.points.insert(self.next, point);
        Ok((self.next, time, fingerprint))
    }

    fn restore(&mut self, number: u64) -> Result<(), Failure> {
        let lost = || Failure::Value("the snapshot belongs to another cluster".to_string());
        let point = self.points.get(&number).cloned().ok_or_else(lost)?;
        let restored = self.session().restore(&point);
        self.unless_raised(restored)
    }

    fn forget(&mut self, number: u64) {
        self.points.remove(&number);
    }

    fn host_registers(&self) -> Vec<HostRegister> {
        let items = M::PACKAGES.iter().flat_map(|package| package.items);
        let tables = items.filter_map(|item| match item {
            Item::Registers(table) => Some(*table),
            _ => None,
        });
        tables
            .flat_map(|table| table.registers.iter().map(|info| HostRegister::new(table.name, info)))
            .collect()
    }

    fn write(&mut self, node: usize, name: &str, value: u64) -> Result<(), Failure> {
        let refusal = || {
            Failure::Failed(format!("no command of {} writes {name}; Node.line(\"h\") lists them", M::TITLE))
        };
        let line = M::register_line(name, value).ok_or_else(refusal)?;
        self.line(node, &line).map(drop)
    }

    fn register_addresses(&self) -> Vec<(String, u32)> {
        let names = self.host_registers().into_iter().map(|register| register.name);
        let both = names.flat_map(|name| [name.to_string(), format!("{SECOND_PROCESS}{name}")]);
        both.filter_map(|name| M::register_address(&name).map(|address| (name, address))).collect()
    }

    fn begin(&mut self, node: usize, source: Box<dyn ProgramSource>) -> u64 {
        self.next += 1;
        let program = self.session().begin_program(node, source);
        self.known.programs.borrow_mut().insert(self.next, program);
        self.next
    }

    fn finish(&mut self, programs: &[u64], limit_ps: u64) -> Result<(), Failure> {
        let known = self.known.programs.borrow();
        let programs: Vec<_> = programs.iter().filter_map(|number| known.get(number).cloned()).collect();
        drop(known);
        let ended = self.session().finish_programs(&programs, Duration::from_ps(limit_ps));
        self.unless_raised(ended)
    }

    fn close_program(&mut self, number: u64) {
        let program = self.known.programs.borrow().get(&number).cloned();
        if let Some(program) = program {
            program.close();
        }
    }

    fn poke(&mut self, node: usize, address: u64, bytes: &[u8]) {
        self.session().poke(node, address, bytes);
    }
}
