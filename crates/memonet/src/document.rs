//! Reports as JSON documents, and what all of them begin with.

use cluster::{Fingerprint, Time};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::{Built, Name};
use crate::nic::Kind;

/// Version of the documents. It is raised when a key goes away or gets another name, type or meaning; a new key does not raise it.
pub const VERSION: u32 = 1;

/// What a report begins with: the same keys for every command and machine, `null` where there is nothing to tell.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Head {
    /// Version of the keys; a program that knows another one should stop.
    version: u32,
    /// Which report it is, by its name on this page.
    report: &'static str,
    /// The machine.
    pub machine: Option<Name>,
    /// What stood behind the pins.
    pub nic: Option<Kind>,
    /// Decides what was random, where something was.
    pub seed: Option<u64>,
    /// Cycles of the core clock that were simulated.
    pub cycles: Option<u64>,
    /// Virtual time that was simulated.
    pub simulated_ps: Option<u64>,
    /// Fingerprint of all that was simulated, 32 hexadecimal digits: the same for the same command, whatever stood behind the pins.
    pub fingerprint: Option<String>,
    /// In how many registers, pins or memories model and RTL differed; `null` where nothing was compared.
    pub divergences: Option<u32>,
}

impl Head {
    /// That of a report of this name.
    pub fn new(report: &'static str) -> Self {
        Head {
            version: VERSION,
            report,
            machine: None,
            nic: None,
            seed: None,
            cycles: None,
            simulated_ps: None,
            fingerprint: None,
            divergences: None,
        }
    }

    /// That of a report on a machine.
    pub fn on(report: &'static str, machine: Name) -> Self {
        Head { machine: Some(machine), ..Self::new(report) }
    }

    /// That of a report on a run that came to its end, if model and RTL were compared without a difference.
    pub fn of_run<M: Built>(report: &'static str, nic: Kind) -> Self {
        Head { nic: Some(nic), divergences: nic.divergences(), ..Self::on(report, M::WHICH) }
    }

    /// With what decided what was random.
    pub fn seeded(self, seed: impl Into<Option<u64>>) -> Self {
        Head { seed: seed.into(), ..self }
    }

    /// With the time at which the run ended.
    pub fn until<M: Built>(self, end: Time) -> Self {
        let cycles = end.ps() / M::CLOCKS.domain(0).period.ps();
        Head { cycles: Some(cycles), simulated_ps: Some(end.ps()), ..self }
    }

    /// With the fingerprint of the run.
    pub fn marked(self, fingerprint: Fingerprint) -> Self {
        Head { fingerprint: Some(fingerprint.to_string()), ..self }
    }

    /// The name of what stood behind the pins.
    pub fn nic_name(&self) -> &'static str {
        self.nic.map_or("none", Kind::name)
    }

    /// The virtual time, in microseconds.
    pub fn simulated_us(&self) -> String {
        crate::output::us(self.simulated_ps.unwrap_or_default())
    }

    /// The fingerprint as text.
    pub fn fingerprint(&self) -> &str {
        self.fingerprint.as_deref().unwrap_or_default()
    }
}

/// Why there is no report.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Failure {
    /// Version of the keys.
    version: u32,
    /// Always `error`.
    report: &'static str,
    /// What went wrong, as on stderr.
    error: String,
    /// The exit code: 1 if the run failed, 2 if the arguments are wrong.
    exit_code: u8,
}

impl Failure {
    /// A command ends with that exit code.
    pub fn new(error: impl Into<String>, exit_code: u8) -> Self {
        Failure { version: VERSION, report: "error", error: error.into(), exit_code }
    }
}
