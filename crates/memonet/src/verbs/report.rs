//! What is said of a run.

use std::fmt;

use cluster::Fingerprint;
use processes::verbs::Run;
use schemars::JsonSchema;
use serde::Serialize;

use super::once::Ran;
use super::{Args, BETWEEN};
use crate::document::Head;
use crate::machines::Name;

/// How a run went.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The program of each host.
    hosts: Vec<Host>,
    /// Bus of the adapters.
    bus: &'static str,
    /// Messages that programs received.
    messages: u64,
    /// Bytes of these messages, what is in front of datagrams among them.
    bytes: u64,
    /// Calls of programs that the simulator answered.
    calls: u64,
    /// Exit code of the first host whose program ended with another one than 0.
    exit_code: u8,
}

/// The program of a host.
#[derive(JsonSchema, Serialize)]
struct Host {
    /// The program with its arguments.
    program: Vec<String>,
    /// Its exit code.
    exit_code: Option<u8>,
}

impl Report {
    pub(super) fn new(args: &Args, run: &Run, ran: &Ran) -> Self {
        let mut head = Head::on("verbs", Name::Hca);
        head.nic = Some(args.nic);
        head.divergences = args.nic.divergences();
        head.simulated_ps = Some(ran.end.ps());
        let words = args.programs.split(|word| word == BETWEEN);
        let hosts = words.zip(run.codes()).map(|(words, exit_code)| Host {
            program: words.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            exit_code,
        });
        Report {
            head: head.marked(Fingerprint::of([run.fingerprint(), ran.machine].into_iter())),
            hosts: hosts.collect(),
            bus: args.bus.name(),
            messages: run.messages(),
            bytes: run.bytes(),
            calls: run.calls(),
            exit_code: run.codes().into_iter().flatten().find(|code| *code != 0).unwrap_or(0),
        }
    }

    /// Exit code of the first host whose program ended with another one than 0.
    pub(super) fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { head, messages, bytes, calls, .. } = self;
        let divergences = head.divergences.map_or(String::new(), |count| format!(", {count} divergences"));
        writeln!(
            f,
            "virtual time {} us; {messages} messages, {bytes} bytes, {calls} calls{divergences}",
            head.simulated_us()
        )?;
        write!(f, "fingerprint {}", head.fingerprint())
    }
}
