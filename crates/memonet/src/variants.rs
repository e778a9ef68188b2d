//! Options for the settings that machines declare (`Parallel::VARIANTS`), such as `--nif old` and `--bus
//! pci-66`.

use clap::{Arg, ArgMatches, Command, ValueEnum};
use machine_api::{LIBRARY_COST, Parallel};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::machines::{Name, with_machine};
use crate::usage;

/// A setting of at least one machine of this build.
pub struct Setting {
    pub name: &'static str,
    pub doc: &'static str,
    pub values: &'static [&'static str],
    machines: Vec<Name>,
}

impl Setting {
    /// The option in usage lines: `--nif <new|old>`.
    pub fn option(&self) -> String {
        format!("--{} <{}>", self.name, self.values.join("|"))
    }

    fn help(&self) -> String {
        format!("{}; default: {} on {}", self.doc, self.values[0], self.machines())
    }

    fn machines(&self) -> String {
        self.machines.iter().map(|machine| machine.folder()).collect::<Vec<_>>().join(", ")
    }
}

/// The settings of all machines of this build, without duplicates. `wait` has an option of its own, because
/// carriers support it too.
pub fn all() -> Vec<Setting> {
    let mut all: Vec<Setting> = Vec::new();
    for machine in Name::value_variants() {
        with_machine!(*machine, M => for variant in M::VARIANTS.iter().filter(|variant| variant.name != "wait") {
            match all.iter_mut().find(|known| known.name == variant.name) {
                Some(known) => known.machines.push(*machine),
                None => all.push(Setting {
                    name: variant.name,
                    doc: variant.doc,
                    values: variant.values,
                    machines: vec![*machine],
                }),
            }
        });
    }
    all
}

/// The settings that were given, with their values.
#[derive(Clone, Debug, Default)]
pub struct Args(Vec<(&'static str, String)>);

impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        all().iter().fold(command, |command, setting| {
            let argument = Arg::new(setting.name).long(setting.name).value_name(setting.values.join("|"));
            command.arg(argument.help(setting.help()))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = all().into_iter().filter_map(|setting| {
            let value = matches.try_get_one::<String>(setting.name).ok().flatten()?;
            Some((setting.name, value.clone()))
        });
        Ok(Args(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args {
    /// Names and values of the given settings.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// The first given option.
    pub fn first(&self) -> Option<String> {
        let (first, _) = self.0.first()?;
        all().iter().find(|setting| setting.name == *first).map(Setting::option)
    }

    /// Applies the given values to the settings of a machine. Errors name the machines that have the setting.
    pub fn apply<M: Parallel>(&self, settings: &mut M::Settings) -> anyhow::Result<()> {
        let all = all();
        for (name, value) in self.iter() {
            let setting = all.iter().find(|setting| setting.name == name).expect("it was parsed");
            let invalid = |reason| usage::invalid(&setting.option(), value, reason);
            let variant = M::VARIANTS.iter().find(|variant| variant.name == name).ok_or_else(|| {
                invalid(format!("{} does not support it; --machine {} has it", M::TITLE, setting.machines()))
            })?;
            let known = variant.choose(settings, value);
            known.ok_or_else(|| invalid(format!("there are {}", variant.values.join(", "))))?;
        }
        Ok(())
    }

    /// Replaces the value of a setting.
    pub fn set(&mut self, name: &'static str, value: &str) {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, value.to_string()));
    }

    /// The settings as a part of a report on a machine, or on wires in memory. The cost of libraries is named even if it
    /// was not given: numbers of several machines are compared.
    pub fn chosen(&self, machine: Option<Name>) -> Chosen {
        let given = |name| self.iter().find(|(given, _)| *given == name).map(|(_, value)| value.to_string());
        let used = |Setting { name, values, machines, .. }| {
            let is_default =
                name == LIBRARY_COST && machine.is_some_and(|machine| machines.contains(&machine));
            (name, given(name).or_else(|| is_default.then(|| values[0].to_string())))
        };
        Chosen(all().into_iter().map(used).collect())
    }
}

/// All settings by name; `null` for one that was not given, except [`LIBRARY_COST`].
pub struct Chosen(Vec<(&'static str, Option<String>)>);

impl Chosen {
    /// The value of a setting.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name)?.1.as_deref()
    }
}

impl Serialize for Chosen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Chosen {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Chosen".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let settings = all();
        let properties: serde_json::Map<_, _> = settings
            .iter()
            .map(|setting| {
                let null = match setting.name {
                    LIBRARY_COST => "without such a choice",
                    _ => "for the machine's default",
                };
                let doc = format!("{}; `null` {null}.", setting.doc);
                (
                    setting.name.to_string(),
                    serde_json::json!({ "description": doc, "type": ["string", "null"] }),
                )
            })
            .collect();
        let required: Vec<_> = settings.iter().map(|setting| setting.name).collect();
        json_schema!({ "type": "object", "properties": properties, "required": required })
    }
}
