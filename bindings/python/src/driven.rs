//! A cluster of any machine, through the shell and the session that `memonet shell` uses.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cluster::RunError;
use dsh::{
    ExpressionError, LineError, Process, Register, Session, SessionError, Shell, Snapshot, Start, StartError,
};
use hdl::Item;
use machine_api::TargetError;

use crate::any::{AnyCluster, Facts};
use crate::boards::Kinds;
use crate::built::Built;
use crate::failure::Failure;
use crate::rows::{HostRegister, RegisterRow};

struct Driver<M: Built> {
    shell: Shell<M>,
    points: BTreeMap<u64, Snapshot<M::Access>>,
    /// Registers by node and the name that was asked for: a search walks all signals of a device.
    found: BTreeMap<(usize, String), Register>,
    next: u64,
}

/// Powers on `nodes` computers and lets their drivers set up the devices, as `memonet shell` does.
pub fn start<M: Built>(nodes: usize, nic: &str) -> Result<Box<dyn AnyCluster>, Failure> {
    let start = Start { processes: nodes, pid: 0, wid: false };
    let shell = Shell::<M>::start(start, Rc::new(Kinds), nic).map_err(|error| match error {
        StartError::Session(SessionError::Target(error)) => Failure::Failed(error.to_string()),
        other => Failure::Value(other.to_string()),
    })?;
    Ok(Box::new(Driver { shell, points: BTreeMap::new(), found: BTreeMap::new(), next: 0 }))
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

#[cfg(not(feature = "rtl"))]
fn diverged(_failure: &RunError, _text: &str) -> Option<Failure> {
    None
}

/// The fields of a divergence.
#[cfg(feature = "rtl")]
fn diverged(failure: &RunError, text: &str) -> Option<Failure> {
    let RunError::Nic { node, time, source } = failure else { return None };
    let divergence = match source.downcast_ref::<cosim::LockstepError>()? {
        cosim::LockstepError::Divergence(divergence) | cosim::LockstepError::Stopped(divergence) => {
            divergence
        }
    };
    let differences = divergence.differences.iter();
    let registers = divergence.registers.iter();
    Some(Failure::Diverged(Box::new(crate::failure::Diverged {
        report: text.to_string(),
        node: *node,
        time_ps: time.ps(),
        clock: divergence.clock.to_string(),
        cycle: divergence.cycle,
        block: divergence.block.clone(),
        differences: differences
            .map(|d| (d.block.clone(), d.name.clone(), d.model.clone(), d.rtl.clone()))
            .collect(),
        registers: registers
            .map(|r| (r.name.clone(), r.before.clone(), r.model.clone(), r.rtl.clone()))
            .collect(),
        states: divergence.states.clone(),
        pins: divergence.pins.clone(),
        sources: divergence.sources.clone(),
        waves: divergence.waves.iter().flatten().next().map(|path| path.display().to_string()),
        assertion: divergence.stop.as_ref().map(ToString::to_string),
    })))
}

fn row(register: &Register, sample: &[u64]) -> RegisterRow {
    RegisterRow {
        name: register.name.clone(),
        width: register.width(),
        doc: register.doc().trim(),
        text: register.show(sample),
        value: register.value(sample),
        states: register
            .state_machine()
            .map(|table| table.states.iter().map(|state| state.name.to_string()).collect())
            .unwrap_or_default(),
    }
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
        dsh::registers(node).iter().map(|register| row(register, &sample)).collect()
    }

    fn register(&mut self, node: usize, name: &str) -> Result<RegisterRow, Failure> {
        let key = (node, name.to_string());
        if !self.found.contains_key(&key) {
            let register = dsh::find(name, node, self.session().nodes()).map_err(unknown)?;
            self.found.insert(key.clone(), register);
        }
        let register = &self.found[&key];
        Ok(row(register, &dsh::sample(&self.shell.session().nodes()[register.node])))
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

    fn peek(&mut self, node: usize, address: u64, size: usize) -> Vec<u8> {
        let mut bytes = M::peek(self.session().nodes()[node].side(), address, size);
        bytes.truncate(size);
        bytes
    }

    fn poke(&mut self, node: usize, address: u64, bytes: &[u8]) {
        self.session().poke(node, address, bytes);
    }
}
