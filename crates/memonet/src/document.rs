//! Reports as JSON documents, and the keys that all of them begin with.

use cluster::{Fingerprint, Time};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::{Built, Name};
use crate::nic::{ComparedCycles, Kind};

/// Version of the documents. Removing a key, or changing its name, type or meaning, raises it; a new key does
/// not.
pub const VERSION: u32 = 1;

/// The first keys of every report, the same for every command and machine; `null` where a value does not
/// apply.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Head {
    /// Version of the keys; a program that expects another version should stop.
    version: u32,
    /// Name of the report, as on this page.
    report: &'static str,
    /// Machine that was simulated.
    pub machine: Option<Name>,
    /// Implementation of the device.
    pub nic: Option<Kind>,
    /// Seed of all random choices.
    pub seed: Option<u64>,
    /// Core clock cycles that were simulated.
    pub cycles: Option<u64>,
    /// Virtual time that was simulated.
    pub simulated_ps: Option<u64>,
    /// Fingerprint of the whole simulation, 32 hexadecimal digits: the same command gives the same one with
    /// every `--nic`.
    pub fingerprint: Option<String>,
    /// Registers, pins and memories in which model and RTL differed; `null` where nothing was compared.
    pub divergences: Option<u32>,
    /// Cycles of the first clock after which model and RTL were compared, summed over all boards; `null` where
    /// nothing was compared.
    pub cycles_compared: Option<u64>,
    /// Cycles of the first clock that sleeping boards skipped on both sides, without a comparison.
    pub cycles_skipped: Option<u64>,
}

impl Head {
    /// The head of a report of this name.
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
            cycles_compared: None,
            cycles_skipped: None,
        }
    }

    /// The head of a report on a machine.
    pub fn on(report: &'static str, machine: Name) -> Self {
        Head { machine: Some(machine), ..Self::new(report) }
    }

    /// The head of a report on a completed run; lockstep then found no divergence.
    pub fn of_run<M: Built>(report: &'static str, nic: Kind) -> Self {
        Head { nic: Some(nic), divergences: nic.divergences(), ..Self::on(report, M::WHICH) }
    }

    /// Sets the seed of the random choices.
    pub fn seeded(self, seed: impl Into<Option<u64>>) -> Self {
        Head { seed: seed.into(), ..self }
    }

    /// Sets the end time of the run.
    pub fn until<M: Built>(self, end: Time) -> Self {
        let cycles = end.ps() / M::CLOCKS.domain(0).period.ps();
        Head { cycles: Some(cycles), simulated_ps: Some(end.ps()), ..self }
    }

    /// Sets the fingerprint of the run.
    pub fn marked(self, fingerprint: Fingerprint) -> Self {
        let compared = self.divergences.map(|_| ComparedCycles::so_far());
        Head {
            fingerprint: Some(fingerprint.to_string()),
            cycles_compared: compared.map(|cycles| cycles.compared),
            cycles_skipped: compared.map(|cycles| cycles.skipped),
            ..self
        }
    }

    /// The divergences and the cycles of their search, as text; `None` where nothing was compared.
    pub fn comparison(&self) -> Option<String> {
        let divergences = self.divergences?;
        Some(match (self.cycles_compared, self.cycles_skipped) {
            (Some(compared), Some(skipped)) => {
                format!("{divergences} divergences; {}", ComparedCycles { compared, skipped })
            }
            _ => format!("{divergences} divergences"),
        })
    }

    /// Name of the device's implementation.
    pub fn nic_name(&self) -> &'static str {
        self.nic.map_or("none", Kind::name)
    }

    /// The simulated virtual time in microseconds.
    pub fn simulated_us(&self) -> String {
        crate::output::us(self.simulated_ps.unwrap_or_default())
    }

    /// The fingerprint as text.
    pub fn fingerprint(&self) -> &str {
        self.fingerprint.as_deref().unwrap_or_default()
    }
}

/// Document printed in place of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Failure {
    /// Version of the keys.
    version: u32,
    /// Always `error`.
    report: &'static str,
    /// The error message, as on stderr.
    error: String,
    /// Exit code: 1 if the run failed, 2 if the arguments are wrong.
    exit_code: u8,
}

impl Failure {
    /// An error and the exit code of its command.
    pub fn new(error: impl Into<String>, exit_code: u8) -> Self {
        Failure { version: VERSION, report: "error", error: error.into(), exit_code }
    }
}
