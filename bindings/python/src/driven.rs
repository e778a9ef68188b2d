//! A cluster of any machine, through the shell and the session that `memonet shell` uses.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cluster::host::HostCosts;
use cluster::{Duration, Rates, RunError};
use cosim::LockstepError;
use dsh::{
    Conditions, ExpressionError, HostProgram, LineError, LinkFaults, Process, ProgramSource, ProgramState,
    Register, Session, SessionError, Shell, Snapshot, Start, StartError,
};
use hdl::Item;
use machine_api::{Evaluated, SECOND_PROCESS, TargetError};

use crate::any::{AnyCluster, Facts, Opening, ProgramRow};
use crate::boards::Kinds;
use crate::built::Built;
use crate::failure::{Diverged, Failure};
use crate::rows::{HostRegister, RegisterRow};

struct Driver<M: Built> {
    shell: Shell<M>,
    points: BTreeMap<u64, Snapshot<M::Access>>,
    /// Registers by node and the name that was asked for: a search walks all signals of a device.
    found: BTreeMap<(usize, String), Register>,
    next: u64,
    programs: BTreeMap<u64, HostProgram>,
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
    let shell = Shell::<M>::start_with(start, Rc::new(Kinds), &opening.nic, conditions).map_err(opened)?;
    Ok(Box::new(Driver {
        shell,
        points: BTreeMap::new(),
        found: BTreeMap::new(),
        next: 0,
        programs: BTreeMap::new(),
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
            SessionError::Unfinished { .. } => Failure::Never(error.to_string()),
            SessionError::TooFar(_) | SessionError::TooLate(_) | SessionError::Boards(_) => {
                Failure::Value(error.to_string())
            }
            other => Failure::Failed(other.to_string()),
        }
    }

    fn line_failed(&mut self, error: LineError) -> Failure {
        match error {
            LineError::Session(error) => self.failed(&error),
            LineError::Expression(error) => unknown(error),
            LineError::Never(_) => Failure::Never(error.to_string()),
            LineError::NotSaved { .. } => Failure::Name(error.to_string()),
            LineError::Unknown(_) | LineError::Wrong { .. } | LineError::NotText { .. } => {
                Failure::Value(error.to_string())
            }
            other => Failure::Failed(other.to_string()),
        }
    }
}

fn unknown(error: ExpressionError) -> Failure {
    match error {
        ExpressionError::UnknownRegister { .. } => Failure::Name(error.to_string()),
        other => Failure::Value(other.to_string()),
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

    fn now(&mut self) -> (u64, &'static str) {
        let session = self.session();
        (session.now().ps(), session.kind())
    }

    fn kinds(&mut self) -> Vec<&'static str> {
        self.session().kinds().to_vec()
    }

    fn run(&mut self, cycles: u64) -> Result<Option<String>, Failure> {
        match self.session().run(cycles) {
            Ok(()) => Ok(None),
            Err(SessionError::Target(TargetError::Break(hit))) => Ok(Some(hit)),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn back(&mut self, cycles: u64) -> Result<(), Failure> {
        self.session().back(cycles).map_err(|error| self.failed(&error))
    }

    fn line(&mut self, node: usize, text: &str) -> Result<String, Failure> {
        let process = Process { node, ..self.shell.process().clone() };
        self.shell.act_as(process);
        let reply = self.shell.line(text);
        reply.outcome.map_err(|error| self.line_failed(error))?;
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
        self.found.clear();
        self.session().change(kind).map_err(|error| self.failed(&error))
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
        self.session().restore(&point).map_err(|error| self.failed(&error))
    }

    fn forget(&mut self, number: u64) {
        self.points.remove(&number);
    }

    fn registers(&mut self, node: usize) -> Vec<RegisterRow> {
        let node = &self.session().nodes()[node];
        let sample = dsh::sample(node);
        dsh::registers(node).iter().map(|register| RegisterRow::new(register, &sample)).collect()
    }

    fn register(&mut self, node: usize, name: &str) -> Result<RegisterRow, Failure> {
        let key = (node, name.to_string());
        if !self.found.contains_key(&key) {
            let register = dsh::find(name, node, self.session().nodes()).map_err(unknown)?;
            self.found.insert(key.clone(), register);
        }
        let register = &self.found[&key];
        Ok(RegisterRow::new(register, &dsh::sample(&self.shell.session().nodes()[register.node])))
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
        self.programs.insert(self.next, program);
        self.next
    }

    fn finish(&mut self, programs: &[u64], limit_ps: u64) -> Result<(), Failure> {
        let programs: Vec<_> =
            programs.iter().filter_map(|number| self.programs.get(number).cloned()).collect();
        let limit = Duration::from_ps(limit_ps);
        self.session().finish_programs(&programs, limit).map_err(|error| self.failed(&error))
    }

    fn program(&mut self, number: u64) -> ProgramRow {
        match self.programs.get(&number).map(HostProgram::state) {
            Some(ProgramState::Running) => ("running", None),
            Some(ProgramState::Ended(time)) => ("ended", Some(time.ps())),
            Some(ProgramState::Failed(time)) => ("failed", Some(time.ps())),
            Some(ProgramState::Strayed(time)) => ("strayed", Some(time.ps())),
            Some(ProgramState::Closed) | None => ("closed", None),
        }
    }

    fn close_program(&mut self, number: u64) {
        if let Some(program) = self.programs.get(&number) {
            program.close();
        }
    }

    fn peek(&mut self, node: usize, address: u64, size: usize) -> Vec<u8> {
        let mut bytes = M::peek(self.session().nodes()[node].side(), address, size);
        bytes.truncate(size);
        bytes
    }

    fn poke(&mut self, node: usize, address: u64, bytes: &[u8]) {
        self.session().poke(node, address, bytes);
    }
}
