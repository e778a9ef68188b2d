//! `--what-if`: the same program under several conditions, all combinations of them.

use clap::ValueEnum;

use super::Args;
use crate::{numbers, usage, variants};

/// A condition that a run can change, and how a value is read into the arguments.
struct Choice {
    name: &'static str,
    make: fn(&mut Args, &'static str, &str) -> Result<(), String>,
}

/// The choices before the settings of machines.
const FIRST: [Choice; 5] = [
    Choice { name: "np", make: |args, _, text| numbers::count(text).map(|ranks| args.ranks = ranks) },
    Choice { name: "machine", make: |args, _, text| word(text).map(|machine| args.machine = machine) },
    Choice { name: "carrier", make: |args, _, text| args.way.set_carrier(text) },
    Choice { name: "wait", make: |args, _, text| args.way.set_wait(text) },
    Choice { name: "mtu", make: |args, _, text| args.way.set_mtu(text) },
];

/// The choices behind them.
const LAST: [Choice; 3] = [
    Choice { name: "nic", make: |args, _, text| word(text).map(|nic| args.nic = nic) },
    Choice {
        name: "lose",
        make: |args, _, text| {
            let share = if text == "0" { 0 } else { numbers::share(text)? };
            // Wires in memory lose nothing, which is a choice too.
            args.lose = (share > 0).then_some(share);
            Ok(())
        },
    },
    Choice { name: "seed", make: |args, _, text| numbers::number(text).map(|seed| args.seed = seed) },
];

/// All choices. Whether the machine of a run has a setting is known when its machine is.
fn choices() -> impl Iterator<Item = Choice> {
    let settings = variants::all().into_iter().map(|setting| Choice {
        name: setting.name,
        make: |args, name, text| {
            args.way.set_variant(name, text);
            Ok(())
        },
    });
    FIRST.into_iter().chain(settings).chain(LAST)
}

/// One of a few words.
fn word<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| {
        let known: Vec<_> = T::value_variants().iter().filter_map(T::to_possible_value).collect();
        let known: Vec<_> = known.iter().map(|value| value.get_name()).collect();
        format!("there are {}", known.join(", "))
    })
}

/// Whether a word is a choice with its values, rather than a program.
pub fn is_choice(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| name.chars().all(|letter| letter.is_ascii_alphabetic()))
}

/// What is to be run, in the order in which it was typed: the last choice changes first. Nothing, if nothing was chosen.
pub fn combinations(args: &Args) -> anyhow::Result<Vec<Args>> {
    let mut all = Vec::new();
    let mut seen = Vec::new();
    for typed in &args.what_if {
        let wrong = |reason: String| usage::invalid("--what-if <NAME=VALUE,VALUE...>", typed, reason);
        let known = choices().map(|choice| choice.name).collect::<Vec<_>>().join(", ");
        let Some((name, values)) = typed.split_once('=') else {
            return Err(wrong(format!("it is NAME=VALUE,VALUE... with one of {known}")));
        };
        let Some(choice) = choices().find(|choice| choice.name == name) else {
            return Err(wrong(format!("there is no choice `{name}`, but {known}")));
        };
        if seen.contains(&name) {
            return Err(wrong(format!("`{name}` was chosen before")));
        }
        seen.push(name);
        let bases = if all.is_empty() { vec![args.clone()] } else { all };
        all = Vec::with_capacity(bases.len());
        for base in bases {
            for value in values.split(',') {
                let mut next = base.clone();
                (choice.make)(&mut next, choice.name, value)
                    .map_err(|reason| wrong(format!("`{value}`: {reason}")))?;
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
    fn all_combinations_come_in_the_order_in_which_they_are_typed() {
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
    fn what_is_wrong_is_told_with_what_there_is() {
        let cases = [
            (
                "loss=1%",
                "there is no choice `loss`, but np, machine, carrier, wait, mtu, nif, copy, buffering, progress, bus, nic, lose, seed",
            ),
            ("machine", "it is NAME=VALUE,VALUE... with one of np"),
            ("machine=memory,myrinet", "`myrinet`: there are memory, dimmnet2, gigae_pm, cenju3, hca"),
            ("wait=sleep", "`sleep`: there are poll, event, interrupt"),
            ("mtu=big", "`big`: this is not a number"),
            ("nic=", "``: there are model, rtl, lockstep"),
            ("lose=1", "a share is a number with %"),
            ("seed=x", "this is not a number"),
        ];
        for (typed, says) in cases {
            let told = of(&[typed]).err().expect(typed).to_string();
            assert!(told.contains(says), "{typed}: {told}");
        }
        let twice = of(&["np=1,2", "np=4"]).err().unwrap().to_string();
        assert!(twice.contains("`np` was chosen before"), "{twice}");
    }

    proptest! {
        #[test]
        fn nothing_that_is_typed_is_more_than_an_error(typed in "\\PC*") {
            let _ = of(&[&format!("x{typed}")]);
            let _ = of(&[&format!("seed={typed}")]);
        }
    }
}
