//! The shell: executes a line and returns its output.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cluster::Fault;
use machine_api::command::{BadLine, parse};
use machine_api::{Driven, ShellRequest, TargetError};

use crate::boards::Boards;
use crate::break_point::Subject;
use crate::conditions::Conditions;
use crate::error::{LineError, StartError, UNTIL};
use crate::explain::Explanation;
use crate::expression::{find, split};
use crate::extra::{Extra, FaultKind};
use crate::session::{MODEL, Session, SessionError, Snapshot, cycle};
use crate::table::{Action, entries};
use crate::values::{registers, sample};
use crate::{explain, help, script};

/// Maximum depth of nested `source` files.
const DEPTH: usize = 8;

/// Maximum output of a `source` file, in bytes.
const PRINTED: usize = 4 << 20;

/// The process of a shell (thesis figure C.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Number of processes; the process of PID n is on node n.
    pub processes: usize,
    /// PID of the shell's process.
    pub pid: usize,
    /// WID of the shell's process.
    pub wid: bool,
}

impl Start {
    /// Checks that the process exists.
    pub fn check<M: Driven>(&self) -> Result<(), StartError> {
        let Start { processes, pid, .. } = *self;
        if !(1..=M::PROCESSES).contains(&processes) {
            return Err(StartError::Processes { most: M::PROCESSES, asked: processes });
        }
        if pid >= processes {
            return Err(StartError::Pid { processes, pid });
        }
        Ok(())
    }
}

/// Whether the session continues after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The session continues.
    Next,
    /// The session ends.
    Quit,
}

/// Result of a line.
#[derive(Debug)]
pub struct Reply {
    /// Output, also that before a failure.
    pub text: String,
    /// End of the line.
    pub outcome: Result<Flow, LineError>,
}

/// The process that enters lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Node on which it runs.
    pub node: usize,
    /// WID on this node.
    pub wid: bool,
    /// Folder of relative file names.
    pub folder: PathBuf,
}

/// A shell on a running cluster.
pub struct Shell<M: Driven> {
    session: Session<M>,
    process: Process,
    saved: BTreeMap<String, Snapshot<M::Access>>,
    depth: usize,
}

impl<M: Driven> Shell<M> {
    /// Starts a cluster with a node for each process, and a shell as one of them.
    pub fn start(start: Start, boards: Rc<dyn Boards<M>>, kind: &str) -> Result<Self, StartError> {
        start.check::<M>()?;
        Self::start_with(start, boards, kind, Conditions::new(start.processes))
    }

    /// Starts a cluster under conditions, and a shell as one of its processes.
    pub fn start_with(
        start: Start,
        boards: Rc<dyn Boards<M>>,
        kind: &str,
        conditions: Conditions<M>,
    ) -> Result<Self, StartError> {
        let Start { pid, wid, .. } = start;
        let session = Session::start_with(boards, kind, conditions)?;
        let process = Process { node: pid, wid, folder: PathBuf::new() };
        Ok(Shell { session, process, saved: BTreeMap::new(), depth: 0 })
    }

    /// The session below the shell.
    pub fn session(&mut self) -> &mut Session<M> {
        &mut self.session
    }

    /// Number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.session.nodes().len()
    }

    /// Kind of the boards and process of the shell, as text.
    pub(crate) fn about(&self) -> String {
        let (nodes, &Process { node, wid, .. }) = (self.nodes(), &self.process);
        let (title, kind) = (M::TITLE, self.session.kind());
        let s = if nodes == 1 { "" } else { "s" };
        format!("{nodes} node{s} of {title}, {kind}; this is node {node}: {}", M::who(node, wid, nodes))
    }

    /// Names of the saved points.
    pub(crate) fn saved_names(&self) -> impl Iterator<Item = &str> {
        self.saved.keys().map(String::as_str)
    }

    /// Break points as text, in the order of their numbers.
    pub fn breaks(&mut self) -> Vec<String> {
        self.session.looking().breaks().collect()
    }

    /// Stages of the last message of a node, as the command `explain` prints them.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn explain(&self, node: usize) -> Result<Explanation, LineError> {
        assert!(node < self.nodes(), "there is no node {node}");
        explain::last(&self.session, node)
    }

    /// The process that enters lines; the command `node` changes it.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Makes another process enter the next lines.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn act_as(&mut self, process: Process) {
        assert!(process.node < self.session.nodes().len(), "there is no node {}", process.node);
        self.process = process;
    }

    /// Executes a line.
    pub fn line(&mut self, line: &str) -> Reply {
        let mut text = String::new();
        // `?` is short for `help`.
        let asking = line.trim_start().strip_prefix('?').map(|of| format!("help {of}"));
        let line = asking.as_deref().unwrap_or(line);
        let outcome = match parse(line, &entries::<M>()) {
            Ok(None) => Ok(Flow::Next),
            Ok(Some((entry, arguments))) => {
                arguments.warnings().for_each(|warning| text += &(warning + "\n"));
                match entry.build.make(&arguments) {
                    Action::Machine(asked) => self.asked(line, entry.names, &asked, &mut text),
                    Action::Extra(extra) => self.extra(&extra, &mut text),
                }
            }
            Err(BadLine { error, command: None }) => Err(LineError::Unknown(error)),
            Err(BadLine { error, command: Some(command) }) => Err(LineError::wrong::<M>(command, error)),
        };
        for note in self.session.looking().notes() {
            text += &note;
            text.push('\n');
        }
        // A break point is no error: a later command continues the run.
        if let Err(LineError::Session(SessionError::Target(TargetError::Break(hit)))) = outcome {
            return Reply { text: text + &hit + "\n", outcome: Ok(Flow::Next) };
        }
        Reply { text, outcome }
    }

    /// Ends the session with the last comparison of a lockstep run.
    pub fn finish(&mut self) -> Result<(), LineError> {
        if self.session.looking().is_tracing() {
            self.session.looking().trace_off()?;
        }
        Ok(self.session.check()?)
    }

    fn asked(
        &mut self,
        line: &str,
        names: &'static [&'static str],
        asked: &ShellRequest<M::Command>,
        out: &mut String,
    ) -> Result<Flow, LineError> {
        match asked {
            ShellRequest::Help(None) => *out += &help::all::<M>(),
            ShellRequest::Help(Some(command)) => *out += &help::one::<M>(command),
            ShellRequest::Quit => return Ok(Flow::Quit),
            ShellRequest::Version => *out += M::VERSION,
            ShellRequest::Own(command) => {
                let typed = line.split_whitespace().next().unwrap_or_default();
                let name = names.iter().find(|name| **name == typed).expect("it was found by a name");
                let Process { node, wid, .. } = self.process;
                *out += &M::execute(command, wid, &mut self.session.board(node))
                    .map_err(|refusal| LineError::of::<M>(name, refusal))?;
                self.settle(out)?;
            }
        }
        Ok(Flow::Next)
    }

    fn settle(&mut self, out: &mut String) -> Result<(), LineError> {
        if !self.session.settle().map_err(SessionError::from)? {
            *out += "(still at work; run lets more time pass)\n";
        }
        Ok(())
    }

    fn extra(&mut self, extra: &Extra, out: &mut String) -> Result<Flow, LineError> {
        match extra {
            Extra::Node(None) => *out += &self.here(),
            Extra::Node(Some((node, wid))) if *node < self.session.nodes().len() => {
                self.process.node = *node;
                self.process.wid = wid.unwrap_or(self.process.wid);
                *out += &self.here();
            }
            Extra::Node(Some(_)) => return Err(self.no_node()),
            Extra::Run(cycles) => self.session.run(*cycles)?,
            Extra::RunUntil(text) => self.until(text, |session| session.run(UNTIL), out)?,
            Extra::Forward(cycles) => self.session.forward(*cycles)?,
            Extra::ForwardUntil(text) => self.until(text, |session| session.forward(None), out)?,
            Extra::Time => {
                let now = self.session.now();
                writeln!(out, "{now}, core cycle {}", now.ps() / cycle::<M>().ps()).expect("text has room");
            }
            Extra::Peek { address, size } => {
                let side = self.session.nodes()[self.process.node].side();
                *out += &M::dump(*address, &M::peek(side, *address, *size as usize));
            }
            Extra::Poke { address, value } => {
                let word = &value.to_le_bytes()[..M::BACK_DOOR.word];
                self.session.poke(self.process.node, *address, word);
            }
            Extra::Fault(..) | Extra::ClearFaults | Extra::Faults => self.link_faults(extra, out),
            Extra::Flip(name, bit) => self.flip(name, *bit)?,
            Extra::Explain => *out += &self.explain(self.process.node)?.to_string(),
            Extra::Show(text) => self.show(text.as_deref().unwrap_or(""), out)?,
            Extra::Break(Some(text)) => self.add_break(text)?,
            Extra::Break(None) => self.list_breaks(out),
            Extra::Delete(number) => self.delete_break(*number)?,
            Extra::Watch(Some(name)) => self.add_watch(name)?,
            Extra::Watch(None) => self.list_watches(out),
            Extra::Unwatch => self.session.looking().clear_watches(),
            Extra::DumpPacket => self.dump_packet(out)?,
            Extra::TraceOn(path) => self.trace_on(path)?,
            Extra::TraceOff => {
                *out += &self.session.looking().trace_off()?;
                out.push('\n');
            }
            Extra::Save(name) => self.save(name)?,
            Extra::Restore(name) => self.restore(name)?,
            Extra::Back(cycles) => self.session.back(*cycles)?,
            Extra::Diff(name, other) => self.diff(name, other.as_deref(), out)?,
            Extra::Fingerprint => {
                let fingerprint = self.session.fingerprint()?;
                writeln!(out, "{fingerprint}").expect("text has room");
            }
            Extra::Nic(None) => {
                let (kind, kinds) = (self.session.kind(), self.session.kinds().join(", "));
                writeln!(out, "{kind} (of {kinds})").expect("text has room");
            }
            Extra::Nic(Some(kind)) => self.session.change(kind)?,
            Extra::Source(path) => return self.source(path, out),
        }
        Ok(Flow::Next)
    }

    fn list_breaks(&mut self, out: &mut String) {
        for (n, condition) in self.session.looking().breaks().enumerate() {
            writeln!(out, "{}: {condition}", n + 1).expect("text has room");
        }
    }

    fn list_watches(&mut self, out: &mut String) {
        for register in self.session.looking().watches() {
            writeln!(out, "node{}.{}", register.node, register.name).expect("text has room");
        }
    }

    fn add_break(&mut self, text: &str) -> Result<(), LineError> {
        let subject = Subject::parse(text, self.process.node, self.session.cluster())?;
        self.session.add_break(subject);
        Ok(())
    }

    /// Deletes a break point, counted from 1, or all.
    fn delete_break(&mut self, number: Option<usize>) -> Result<(), LineError> {
        let index = number.map(|n| n.wrapping_sub(1));
        let nodes = self.nodes();
        if !self.session.looking().remove_break(index, nodes) {
            let why = format!("there is no break point {}", number.unwrap_or_default());
            return Err(LineError::wrong::<M>("delete", why));
        }
        Ok(())
    }

    fn add_watch(&mut self, name: &str) -> Result<(), LineError> {
        let register = find(name, self.process.node, self.session.nodes())?;
        let (looking, nodes) = self.session.look();
        looking.add_watch(register, nodes);
        Ok(())
    }

    /// Appends the last frame that the node sent.
    fn dump_packet(&self, out: &mut String) -> Result<(), LineError> {
        let node = self.process.node;
        let frame = M::last_frame(self.session.nodes()[node].side());
        *out += &frame.ok_or(LineError::NothingSent(node))?;
        Ok(())
    }

    fn trace_on(&mut self, path: &Path) -> Result<(), LineError> {
        let now = self.session.now();
        let (looking, nodes) = self.session.look();
        looking.trace_on(path, &self.process.folder, now, nodes)?;
        Ok(())
    }

    fn save(&mut self, name: &str) -> Result<(), LineError> {
        let snapshot = self.session.snapshot()?;
        self.saved.insert(name.into(), snapshot);
        Ok(())
    }

    fn restore(&mut self, name: &str) -> Result<(), LineError> {
        let snapshot = self.point(name)?.clone();
        Ok(self.session.restore(&snapshot)?)
    }

    fn here(&self) -> String {
        let Process { node, wid, .. } = self.process;
        format!("node {node}: {}\n", M::who(node, wid, self.nodes()))
    }

    fn no_node(&self) -> LineError {
        LineError::wrong::<M>("node", format!("the last one is {}", self.nodes() - 1))
    }

    /// Lets time pass by `run` until a condition is true.
    fn until(
        &mut self,
        text: &str,
        run: impl FnOnce(&mut Session<M>) -> Result<(), SessionError>,
        out: &mut String,
    ) -> Result<(), LineError> {
        let subject = Subject::parse(text, self.process.node, self.session.cluster())?;
        if !self.session.until(&subject, run)? {
            return Err(LineError::Never(text.to_string()));
        }
        writeln!(out, "{}: {subject}", self.session.now()).expect("text has room");
        Ok(())
    }

    fn fault(&mut self, kind: &FaultKind, number: u16) {
        match kind {
            FaultKind::Drop => {
                (0..number).for_each(|_| self.session.add_fault(self.process.node, Fault::Drop))
            }
            FaultKind::Cut => self.session.add_fault(self.process.node, Fault::Cut(number)),
            FaultKind::Corrupt => self.session.add_fault(self.process.node, Fault::Corrupt(number.into())),
        }
    }

    fn link_faults(&mut self, extra: &Extra, out: &mut String) {
        match extra {
            Extra::Fault(kind, number) => self.fault(kind, *number),
            Extra::ClearFaults => self.session.clear_faults(self.process.node),
            _ => self.faults(out),
        }
    }

    fn flip(&mut self, name: &str, bit: u32) -> Result<(), LineError> {
        let register = find(name, self.process.node, self.session.nodes())?;
        let Some((signal, at)) = register.place(bit) else {
            let why = format!("{} has bits 0 to {}", register.name, register.width() - 1);
            return Err(LineError::wrong::<M>("flip", why));
        };
        if self.session.kind() == MODEL {
            let why = "the model has no RTL; nic lockstep selects boards that have it".to_string();
            return Err(LineError::wrong::<M>("flip", why));
        }
        Ok(self.session.flip(register.node, signal, at)?)
    }

    fn faults(&self, out: &mut String) {
        let list = |faults: &[Fault]| match faults {
            [] => "none".to_string(),
            _ => faults.iter().map(Fault::to_string).collect::<Vec<_>>().join(", "),
        };
        for node in 0..self.session.nodes().len() {
            let faults = self.session.faults(node);
            let waiting: Vec<_> = faults.waiting().collect();
            writeln!(
                out,
                "link from node{node}: to come {}; struck {}",
                list(&waiting),
                list(faults.struck())
            )
            .expect("text has room");
        }
    }

    fn show(&self, text: &str, out: &mut String) -> Result<(), LineError> {
        let (node, part) = split(text.trim(), self.process.node);
        let board = self.session.nodes().get(node);
        let board = board.ok_or_else(|| self.no_node())?;
        let sample = sample(board);
        let all = registers(board);
        let mut found = all.iter().filter(|register| register.name.contains(part)).peekable();
        if found.peek().is_none() {
            find(text, self.process.node, self.session.nodes())?;
        }
        for register in found {
            writeln!(out, "node{node}.{} = {}", register.name, register.show(&sample))
                .expect("text has room");
        }
        Ok(())
    }

    fn point(&self, name: &str) -> Result<&Snapshot<M::Access>, LineError> {
        self.saved.get(name).ok_or_else(|| LineError::NotSaved {
            name: name.to_string(),
            known: self.saved.keys().cloned().collect(),
        })
    }

    fn diff(&self, name: &str, other: Option<&str>, out: &mut String) -> Result<(), LineError> {
        let one = self.point(name)?;
        let now: Vec<_>;
        let two = match other {
            Some(other) => &self.point(other)?.samples,
            None => {
                now = self.session.nodes().iter().map(sample).collect();
                &now
            }
        };
        for node in self.session.nodes() {
            let (a, b) = (&one.samples[node.id()], &two[node.id()]);
            for register in registers(node).iter().filter(|register| register.differs(a, b)) {
                let (from, to) = (register.show(a), register.show(b));
                writeln!(out, "node{}.{}: {from} -> {to}", node.id(), register.name).expect("text has room");
            }
        }
        Ok(())
    }

    fn source(&mut self, path: &Path, out: &mut String) -> Result<Flow, LineError> {
        let shown = path.display();
        if self.depth == DEPTH {
            return Err(LineError::File(format!("{shown}: files within files within files end at {DEPTH}")));
        }
        let script = script::read(&self.process.folder.join(path));
        let script = script.map_err(|error| LineError::File(error.to_string()))?;
        if self.depth == 0 {
            self.session.begin_lines();
        }
        self.depth += 1;
        let mut flow = Ok(Flow::Next);
        for (number, line) in script.iter().enumerate() {
            let Reply { text, outcome } = match script::text(line) {
                Ok(line) => self.line(line),
                Err(error) => Reply { text: String::new(), outcome: Err(error) },
            };
            *out += &text;
            flow = outcome.map_err(|error| LineError::File(format!("{shown}:{}: {error}", number + 1)));
            if flow != Ok(Flow::Next) {
                break;
            }
            if out.len() > PRINTED {
                let why = format!("{shown}:{}: it prints more than {} MB", number + 1, PRINTED >> 20);
                flow = Err(LineError::File(why));
                break;
            }
            if self.session.was_stopped() {
                flow = Err(LineError::File(format!("{shown}:{}: stopped", number + 1)));
                break;
            }
        }
        self.depth -= 1;
        flow
    }
}
