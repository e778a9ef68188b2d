//! The thread that owns the shell: executes requests and publishes the state of the run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use dsh::{Boards, Conditions, Flow, Reply, Shell, Start, Words};
use machine_api::Subject;

use crate::capture::Capture;
use crate::hello::Structure;
use crate::links::network;
use crate::protocol::{Event, Hello, Message, Request, Ruler, Said, SourceFile, Stage};
use crate::recorder::{Recorder, Shared, lock};
use crate::snapshot::{Sampled, Snapshot};
use crate::sources::sources;
use crate::tours::{Step, Tour};

/// Time between two moments while the run plays.
const FRAME: Duration = Duration::from_millis(33);

/// Most cycles between two moments.
const MOST_CYCLES: u64 = 1_000_000;

/// Longest line of a page, in bytes.
const MOST_LINE: usize = 4096;

/// A request, the connection that sent it, and where its answer goes.
pub enum Asked {
    /// A page asks for something.
    Request {
        /// Number of the connection.
        client: u64,
        /// Its content.
        request: Request,
        /// Takes the answer to the request, or none once it is carried out.
        answer: Box<dyn Fn(Option<Message>) + Send>,
    },
    /// A connection has ended.
    Gone {
        /// Number of the connection.
        client: u64,
    },
    /// The server ends.
    End,
}

/// All pages.
pub trait Audience {
    /// Publishes the state of the run; pages may skip it.
    fn show(&self, snapshot: Snapshot);
    /// Publishes a line and its output.
    fn tell(&self, said: Said);
}

/// A shell that pages drive.
pub struct Simulator<M: Subject> {
    shell: Shell<M>,
    structure: Structure,
    recorder: Rc<RefCell<Recorder>>,
    history: Shared,
    /// Node at which each connection looks.
    looks: BTreeMap<u64, usize>,
    playing: Option<u64>,
    /// Interrupts a line.
    stop: Arc<AtomicBool>,
    tours: Vec<Tour>,
}

impl<M: Subject> Simulator<M> {
    /// Takes a shell after its first prompt. `stop` interrupts a line.
    pub fn new(mut shell: Shell<M>, stop: Arc<AtomicBool>) -> Self {
        let structure = Structure::of::<M>();
        let history = Shared::default();
        let recorder = Rc::new(RefCell::new(Recorder::new(structure.lanes.clone(), history.clone())));
        let session = shell.session();
        session.stop_at(stop.clone());
        recorder.borrow_mut().begin(session.now(), session.nodes());
        let looking = recorder.clone();
        session.observe_instants(Box::new(move |now, nodes| looking.borrow_mut().look(now, nodes)));
        Simulator {
            shell,
            structure,
            recorder,
            history,
            looks: BTreeMap::new(),
            playing: None,
            stop,
            tours: Vec::new(),
        }
    }

    /// Captures all registers at every instant from now on.
    pub(crate) fn capture(&mut self) -> Rc<RefCell<Capture>> {
        let capture = Rc::new(RefCell::new(Capture::default()));
        let (recorder, capturing) = (self.recorder.clone(), capture.clone());
        let session = self.shell.session();
        capture.borrow_mut().look(session.now(), session.nodes());
        session.observe_instants(Box::new(move |now, nodes| {
            recorder.borrow_mut().look(now, nodes);
            capturing.borrow_mut().look(now, nodes);
        }));
        capture
    }

    /// Structure of the device.
    pub(crate) fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The present time, the kind of the devices and all changes of states.
    pub(crate) fn recorded(&mut self) -> (u64, &'static str, Vec<Event>) {
        let session = self.shell.session();
        (session.now().ps(), session.kind(), lock(&self.history).since(0, usize::MAX).0)
    }

    /// Files in both languages; `None` if there is no such block.
    pub(crate) fn sources(&self, block: &str) -> Option<Vec<SourceFile>> {
        sources(&self.structure, block)
    }

    /// Stages of the last message of a node. The run is repeated on other devices and stays as it is.
    pub(crate) fn ruler(&mut self, node: usize) -> Result<Ruler, String> {
        if node >= self.shell.session().nodes().len() {
            return Err(self.no_node(node));
        }
        let explanation = self.shell.explain(node).map_err(|error| error.to_string())?;
        let stage = |stage: &dsh::ExplainedStage| Stage {
            name: stage.name.to_string(),
            place: stage.place_name(),
            begin_ps: stage.begin.ps(),
            duration_ps: stage.duration.ps(),
        };
        Ok(Ruler {
            heading: explanation.heading.trim_end().to_string(),
            stages: explanation.stages.iter().map(stage).collect(),
            total_ps: explanation.total.ps(),
        })
    }

    fn no_node(&mut self, node: usize) -> String {
        let last = self.shell.session().nodes().len() - 1;
        format!("there is no node {node}; the last one is {last}")
    }

    /// Offers a tour; one of another machine is passed over.
    pub fn add_tour(&mut self, name: &str, text: &str) -> Result<(), String> {
        let tour = Tour::parse(name, text)?;
        if tour.machine != M::NAME {
            return Ok(());
        }
        let nodes = self.shell.session().nodes().len();
        for Step { title, node, block, .. } in &tour.steps {
            if let Some(block) = block.as_ref().filter(|block| self.structure.sources(block).is_none()) {
                return Err(format!("{name}: step {title}: the device has no block {block}"));
            }
            if *node >= nodes {
                return Err(format!("{name}: step {title}: there is no node {node}; --nodes gives more"));
            }
        }
        self.tours.push(tour);
        Ok(())
    }

    /// Structure of the machine.
    pub fn hello(&mut self) -> Hello {
        let session = self.shell.session();
        let (nodes, first_ps) = (session.nodes().len(), session.first_prompt().ps());
        Hello {
            kinds: session.kinds().iter().map(ToString::to_string).collect(),
            examples: examples::<M>(),
            tours: self.tours.clone(),
            ..self.structure.hello::<M>(nodes, first_ps)
        }
    }

    /// Executes requests until the end.
    pub fn run(&mut self, queue: &Receiver<Asked>, audience: &impl Audience) {
        audience.show(self.snapshot());
        let mut frame = Instant::now();
        loop {
            let asked = match self.playing {
                Some(_) => queue.recv_timeout(frame.saturating_duration_since(Instant::now())),
                None => queue.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match asked {
                Ok(Asked::End) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Asked::Gone { client }) => drop(self.looks.remove(&client)),
                Ok(Asked::Request { client, request, answer }) => {
                    let message = self.execute(client, request, audience);
                    answer(message);
                    audience.show(self.snapshot());
                }
                Err(RecvTimeoutError::Timeout) => {
                    frame = Instant::now() + FRAME;
                    self.play(audience);
                    audience.show(self.snapshot());
                }
            }
        }
    }

    /// Executes a line of a script.
    pub fn enter(&mut self, line: &str, audience: &impl Audience) -> Result<(), String> {
        match self.execute(0, Request::Line { id: 0, line: line.to_string() }, audience) {
            Some(Message::Done { error: Some(error), .. } | Message::Refused { error, .. }) => Err(error),
            _ => Ok(()),
        }
    }

    /// Executes a request and returns its answer, if it has one.
    pub fn execute(&mut self, client: u64, request: Request, audience: &impl Audience) -> Option<Message> {
        match request {
            Request::Line { id, line } => {
                if line.len() > MOST_LINE || line.contains(['\n', '\r']) {
                    let error = format!("a line has at most {MOST_LINE} bytes and no line break");
                    return Some(Message::Refused { id: Some(id), error });
                }
                self.playing = None;
                let from_ps = self.shell.session().now().ps();
                let said = self.line(&line);
                audience.tell(said.clone());
                let to_ps = self.shell.session().now().ps();
                Some(Message::Done { id, text: said.text, error: said.error, from_ps, to_ps })
            }
            Request::Look { node } if node < self.shell.session().nodes().len() => {
                self.looks.insert(client, node);
                None
            }
            Request::Look { node } => Some(refused(self.no_node(node))),
            Request::Play { cycles } if (1..=MOST_CYCLES).contains(&cycles) => {
                self.playing = Some(cycles);
                None
            }
            Request::Play { .. } => Some(refused(format!("a step has 1 to {MOST_CYCLES} cycles"))),
            Request::Pause => {
                // The interrupt has ended what it was meant for.
                self.stop.store(false, Ordering::SeqCst);
                self.playing = None;
                None
            }
            Request::Complete { id, line } => {
                let words = Words::of(&mut self.shell);
                let (start, words) = dsh::complete::<M>(&line, &words);
                let start = line[..start].chars().count();
                Some(Message::Completions { id, start, words })
            }
            Request::Stages { id, node } => Some(match self.ruler(node) {
                Ok(ruler) => Message::Stages { id, ruler },
                Err(error) => Message::Refused { id: Some(id), error },
            }),
            Request::Source { id, block } => Some(match self.sources(&block) {
                Some(files) => Message::Sources { id, block, files },
                None => {
                    let error = format!("the device has no block {block}; hello lists all blocks");
                    Message::Refused { id: Some(id), error }
                }
            }),
        }
    }

    /// Executes a line. `quit` and commands that read or write files are for terminals.
    fn line(&mut self, line: &str) -> Said {
        let (node, from_ps) = (self.shell.process().node, self.shell.session().now().ps());
        let said = |text, error, to_ps| Said { line: line.to_string(), text, error, node, from_ps, to_ps };
        let name = line.split_whitespace().next().unwrap_or_default();
        if let Some(why) = refusal(name) {
            return said(String::new(), Some(format!("{name}: {why}")), from_ps);
        }
        let before = self.shell.session().now();
        let Reply { text, outcome } = self.shell.line(line);
        let session = self.shell.session();
        if session.now() < before || matches!(name, "restore" | "nic") {
            self.recorder.borrow_mut().begin(session.now(), session.nodes());
        }
        let error = match outcome {
            Ok(Flow::Next) => None,
            Ok(Flow::Quit) => Some("Ctrl-C on the terminal of memonet studio ends it".to_string()),
            Err(error) => Some(error.to_string()),
        };
        said(text, error, session.now().ps())
    }

    fn play(&mut self, audience: &impl Audience) {
        let Some(cycles) = self.playing else { return };
        let again = self.shell.session().undone_until().is_some();
        let said = self.line(&format!("{} {cycles}", if again { "forward" } else { "run" }));
        // A run prints only what ends it or was asked for: a break point, a watch, a failure.
        if !said.text.is_empty() || said.error.is_some() {
            self.playing = None;
            audience.tell(said);
        }
    }

    /// The state of the run.
    pub fn snapshot(&mut self) -> Snapshot {
        let playing = self.playing;
        let here = self.shell.process().node;
        let breaks = self.shell.breaks();
        let structure = &self.structure;
        let session = self.shell.session();
        lock(&self.history).come_to(session.now().ps());
        let wanted = self.looks.values().copied().chain([0]);
        let sampled = |node: usize| {
            let (mut words, mut twin) = (Vec::new(), Vec::new());
            let nic = session.nodes()[node].nic();
            nic.sample(&mut words);
            nic.sample_twin(&mut twin);
            let rtl = twin.into_iter().enumerate().filter(|(index, word)| words[*index] != *word).collect();
            let mut memories = Vec::new();
            nic.memories(&mut memories);
            (node, Sampled { words: words.into(), rtl, memories: structure.fills(&memories).into() })
        };
        let (links, queues) = network(session.cluster());
        Snapshot {
            time_ps: session.now().ps(),
            cycle: session.now().ps() / cycle_ps::<M>(),
            undone_ps: session.undone_until().map(|end| end.ps()),
            playing,
            nic: session.kind(),
            here,
            breaks,
            nodes: wanted.map(sampled).collect(),
            links: links.into(),
            queues: queues.into(),
            history: self.history.clone(),
        }
    }

    /// Ends the run with the last comparison of lockstep.
    pub fn finish(&mut self) -> Result<(), String> {
        self.shell.finish().map_err(|error| error.to_string())
    }
}

/// An error unless the machine has addresses for as many nodes; a published shell may have had fewer processes.
pub(crate) fn check_nodes<M: Subject>(nodes: usize) -> Result<(), String> {
    let most = M::MOST_NODES;
    if (1..=most).contains(&nodes) {
        Ok(())
    } else {
        Err(format!("there are 1 to {most} nodes, not {nodes}"))
    }
}

/// A shell on node 0 of a new cluster.
pub(crate) fn shell<M: Subject>(
    nodes: usize,
    boards: Rc<dyn Boards<M>>,
    kind: &str,
) -> Result<Shell<M>, String> {
    check_nodes::<M>(nodes)?;
    let start = Start { processes: nodes, pid: 0, wid: false };
    Shell::start_with(start, boards, kind, Conditions::new(nodes)).map_err(|error| error.to_string())
}

/// Lines that show the machine at work.
fn examples<M: Subject>() -> Vec<String> {
    let own = M::BESIDE.iter().chain(M::MANUAL).filter(|command| command.names[0].len() > 1);
    let own = own.filter_map(|command| command.examples.first());
    let all =
        own.chain(M::EXAMPLES.until).chain(M::EXAMPLES.stop.first()).chain(&["fault link drop 1", "explain"]);
    all.map(ToString::to_string).collect()
}

/// Why pages may not use a command.
fn refusal(name: &str) -> Option<&'static str> {
    match name {
        "source" | "trace" => Some("pages access no files; use memonet shell"),
        _ => None,
    }
}

fn refused(error: String) -> Message {
    Message::Refused { id: None, error }
}

fn cycle_ps<M: Subject>() -> u64 {
    M::CLOCKS.domain(0).period.ps()
}
