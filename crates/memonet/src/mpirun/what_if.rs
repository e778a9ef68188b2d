//! `--what-if`: one program under all combinations of several options.

use clap::ValueEnum;

use super::Args;
use crate::{numbers, usage, variants};

/// An option that `--what-if` can vary.
struct Choice {
    name: &'static str,
    /// Sets the option of this name to a value, as text.
    set: fn(&mut Args, &'static str, &str) -> Result<(), String>,
}

/// Options before the settings of machines.
const FIRST: [Choice; 6] = [
    Choice { name: "np", set: |args, _, text| args.set_ranks(numbers::count(text)?) },
    Choice {
        name: "per-node",
        set: |args, _, text| numbers::count(text).map(|ranks| args.per_node.set(ranks)),
    },
    Choice { name: "machine", set: |args, _, text| word(text).map(|machine| args.machine = machine) },
    Choice { name: "carrier", set: |args, _, text| args.way.set_carrier(text) },
    Choice { name: "wait", set: |args, _, text| args.way.set_wait(text) },
    Choice { name: "mtu", set: |args, _, text| args.way.set_mtu(text) },
];

/// Options after them.
const LAST: [Choice; 3] = [
    Choice { name: "nic", set: |args, _, text| word(text).map(|nic| args.nic = nic) },
    Choice {
        name: "lose",
        set: |args, _, text| {
            let share = if text == "0" { 0 } else { numbers::share(text)? };
            // No loss is a valid value for wires in memory too.
            args.lose = (share > 0).then_some(share);
            Ok(())
        },
    },
    Choice { name: "seed", set: |args, _, text| numbers::number(text).map(|seed| args.seed = seed) },
];

/// All options that can be varied. Whether the machine of a run has a setting is checked when it runs.
fn choices() -> impl Iterator<Item = Choice> {
    let settings = variants::all().into_iter().map(|setting| Choice {
        name: setting.name,
        set: |args, name, text| {
            args.way.set_variant(name, text);
            Ok(())
        },
    });
    FIRST.into_iter().chain(settings).chain(LAST)
}

/// The value of this name, or an error with all names.
fn word<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| {
        let values: Vec<_> = T::value_variants().iter().filter_map(T::to_possible_value).collect();
        let names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
        format!("there are {}", names.join(", "))
    })
}

/// Whether a word is NAME=VALUES rather than a program.
pub fn is_choice(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && name.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '-')
    })
}

/// All combinations, in the order of the command line: the last option changes fastest. Empty without `--what-if`.
pub fn combinations(args: &Args) -> anyhow::Result<Vec<Args>> {
    let mut all = Vec::new();
    let mut seen = Vec::new();
    for typed in &args.what_if {
        let invalid = |reason: String| usage::invalid("--what-if <NAME=VALUE,VALUE...>", typed, reason);
        let known = choices().map(|choice| choice.name).collect::<Vec<_>>().join(", ");
        let Some((name, values)) = typed.split_once('=') else {
            return Err(invalid(format!("it is NAME=VALUE,VALUE... with one of {known}")));
        };
        let Some(choice) = choices().find(|choice| choice.name == name) else {
            return Err(invalid(format!("there is no choice `{name}`, but {known}")));
        };
        if seen.contains(&name) {
            return Err(invalid(format!("`{name}` was chosen before")));
        }
        seen.push(name);
        let bases = if all.is_empty() { vec![args.clone()] } else { all };
        all = Vec::with_capacity(bases.len());
        for base in bases {
            for value in values.split(',') {
                let mut next = base.clone();
                (choice.set)(&mut next, choice.name, value)
                    .map_err(|reason| invalid(format!("`{value}`: {reason}")))?;
                all.push(next);
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use proptest::prelude::*;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn of(choices: &[&str]) -> anyhow::Result<Vec<Args>> {
        let mut words = vec!["mpirun", "--np", "2"];
        words.extend(choices.iter().flat_map(|choice| ["--what-if", choice]));
        words.push("./a");
        combinations(&Command::try_parse_from(words)?.args)
    }

    #[test]
    fn combinations_are_in_the_order_of_the_command_line() {
        let runs = of(&["machine=gigae-pm,dimmnet2", "lose=0,1%"]).unwrap();
        let seen: Vec<_> = runs.iter().map(|run| (run.machine.title(), run.lose)).collect();
        assert_eq!(
            seen,
            [
                ("GigaE PM", None),
                ("GigaE PM", Some(10_000)),
                ("DIMMnet-2", None),
                ("DIMMnet-2", Some(10_000))
            ]
        );
        assert!(of(&[]).unwrap().is_empty());
    }

    #[test]
    fn errors_list_the_valid_values() {
        let cases = [
            (
                "loss=1%",
                "there is no choice `loss`, but np, per-node, machine, carrier, wait, mtu, one-sided, library-cost, nif, copy, buffering, progress, bus, nic, lose, seed",
            ),
            ("machine", "it is NAME=VALUE,VALUE... with one of np"),
            ("machine=memory,myrinet", "`myrinet`: there are memory, dimmnet2, gigae_pm, cenju3, hca"),
            ("wait=sleep", "`sleep`: there are poll, event, interrupt"),
            ("mtu=big", "`big`: this is not a number"),
            ("nic=", "``: there are model, rtl, lockstep"),
            ("lose=1", "a share is a number with %"),
            ("seed=x", "this is not a number"),
        ];
        for (typed, expected) in cases {
            let error = of(&[typed]).err().expect(typed).to_string();
            assert!(error.contains(expected), "{typed}: {error}");
        }
        let twice = of(&["np=1,2", "np=4"]).err().unwrap().to_string();
        assert!(twice.contains("`np` was chosen before"), "{twice}");
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_an_error(typed in "\\PC*") {
            let _ = of(&[&format!("x{typed}")]);
            let _ = of(&[&format!("seed={typed}")]);
        }
    }
}
