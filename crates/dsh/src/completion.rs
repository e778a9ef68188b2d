//! Completions at the cursor, from the table of commands.

use machine_api::Driven;
use serde::{Deserialize, Serialize};

use crate::Shell;
use crate::expression::split;
use crate::table::{Entry, Kind, Parameter, command_names, entries};
use crate::values::{Register, registers};

/// Words for completion besides those of the table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Words {
    /// Registers of a board, with the states of state machines.
    registers: Vec<(String, Vec<String>)>,
    here: usize,
    saved: Vec<String>,
    kinds: Vec<String>,
}

impl Words {
    /// The words of a shell at present.
    pub fn of<M: Driven>(shell: &mut Shell<M>) -> Self {
        let here = shell.process().node;
        let saved = shell.saved_names().map(str::to_string).collect();
        let session = shell.session();
        let states = |register: &Register| {
            register
                .state_machine()
                .map_or(&[][..], |table| table.states)
                .iter()
                .map(|state| state.name.to_string())
        };
        let registers = registers(&session.nodes()[here])
            .into_iter()
            .map(|register| (register.name.clone(), states(&register).collect()))
            .collect();
        Words { registers, here, saved, kinds: session.kinds().iter().map(ToString::to_string).collect() }
    }

    /// Updates the words after a line.
    pub fn update(&mut self, here: usize, saved: Vec<String>) {
        (self.here, self.saved) = (here, saved);
    }
}

/// Beginning of the word under the cursor, and its completions.
pub fn complete<M: Driven>(line: &str, words: &Words) -> (usize, Vec<String>) {
    let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let (before, word) = line.split_at(start);
    let mut typed = before.split_whitespace();
    let Some(name) = typed.next() else {
        return (start, matching(command_names::<M>().into_iter(), word));
    };
    let typed: Vec<_> = typed.collect();
    let mut found = Vec::new();
    for entry in entries::<M>().iter().filter(|entry| entry.names.contains(&name)) {
        found.extend(of_entry(entry, &typed, word, words));
    }
    found.sort();
    found.dedup();
    (start, found)
}

fn of_entry<M: Driven>(entry: &Entry<M>, typed: &[&str], word: &str, words: &Words) -> Vec<String> {
    let keyed =
        |text: &&&str| text.split_once('=').is_some_and(|(key, _)| keys(entry).any(|known| known == key));
    let positional: Vec<_> = typed.iter().filter(|text| !keyed(text)).collect();
    let places: Vec<_> = entry.parameters.iter().filter(|parameter| parameter.key.is_none()).collect();
    let fits = |(parameter, text): (&&Parameter, &&&str)| {
        !matches!(parameter.kind, Kind::Literal) || parameter.shown == **text
    };
    if !places.iter().zip(&positional).all(fits) {
        return vec![];
    }
    // Words and expressions extend to the end of the line.
    if let Some(Kind::Words(known)) = places.last().map(|last| last.kind)
        && positional.len() >= places.len()
    {
        return matching(known().into_iter(), word);
    }
    if let Some(last) = places.len().checked_sub(1)
        && matches!(places[last].kind, Kind::Expression)
        && positional.len() > last
    {
        return names_of_states(positional[last], word, words);
    }
    let mut found = match places.get(positional.len()).map(|parameter| parameter.kind) {
        Some(Kind::Choice(choices) | Kind::Register(choices, _) | Kind::Words(choices)) => {
            matching(choices().into_iter(), word)
        }
        Some(Kind::Command) => matching(command_names::<M>().into_iter(), word),
        Some(Kind::Literal) => matching(std::iter::once(places[positional.len()].shown), word),
        Some(Kind::Expression) => names_of_registers(word, words),
        Some(Kind::Word) => match entry.names[0] {
            "watch" | "flip" => names_of_registers(word, words),
            "nic" => matching(words.kinds.iter().map(String::as_str), word),
            "save" => vec![],
            _ => matching(words.saved.iter().map(String::as_str), word),
        },
        Some(Kind::Number(_) | Kind::ManualNumber(_) | Kind::File) | None => vec![],
    };
    // A command with a fixed first word matches only after that word.
    if places.iter().skip(positional.len()).any(|parameter| matches!(parameter.kind, Kind::Literal)) {
        return found;
    }
    let used =
        |key: &&str| typed.iter().any(|text| text.split_once('=').is_some_and(|(have, _)| have == *key));
    found.extend(
        keys(entry).filter(|key| !used(key)).map(|key| format!("{key}=")).filter(|key| key.starts_with(word)),
    );
    found
}

fn keys<M: Driven>(entry: &Entry<M>) -> impl Iterator<Item = &'static str> {
    entry.parameters.iter().filter_map(|parameter| parameter.key)
}

fn matching<'a>(words: impl Iterator<Item = &'a str>, word: &str) -> Vec<String> {
    words.filter(|known| known.starts_with(word)).map(str::to_string).collect()
}

/// Registers with this prefix, up to the next dot, so that the list stays short.
fn names_of_registers(word: &str, words: &Words) -> Vec<String> {
    let (_, path) = split(word, words.here);
    let prefix = &word[..word.len() - path.len()];
    // The front of a name may be left out, up to a dot.
    let cuts = |name: &'_ str| match path {
        "" => vec![0],
        _ => std::iter::once(0).chain(name.match_indices('.').map(|(dot, _)| dot + 1)).collect(),
    };
    let mut found = Vec::new();
    for (name, _) in &words.registers {
        let tails = cuts(name).into_iter().map(|at| &name[at..]).filter(|tail| tail.starts_with(path));
        found.extend(tails.map(|tail| match tail[path.len()..].find('.') {
            Some(dot) => format!("{prefix}{}", &tail[..path.len() + dot + 1]),
            None => format!("{prefix}{tail}"),
        }));
    }
    found.sort();
    found.dedup();
    found
}

/// States of a state machine, also behind the arrow of an arc.
fn names_of_states(machine: &str, word: &str, words: &Words) -> Vec<String> {
    let (_, path) = split(machine, words.here);
    let means = |name: &str, path: &str| {
        name.strip_suffix(path).is_some_and(|front| front.is_empty() || front.ends_with('.'))
    };
    let state = format!("{path}.state");
    let found = words.registers.iter().find(|(name, _)| means(name, path) || means(name, &state));
    let Some((_, states)) = found else { return vec![] };
    let (before, begun) =
        word.rsplit_once("->").map_or((String::new(), word), |(from, to)| (format!("{from}->"), to));
    matching(states.iter().map(String::as_str), begun)
        .iter()
        .map(|state| format!("{before}{state}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use dimmnet2_machine::Dimmnet2;

    use super::*;
    use crate::{Models, Start};

    fn words() -> Words {
        let start = Start { processes: 2, pid: 0, wid: false };
        let mut shell = Shell::<Dimmnet2>::start(start, Rc::new(Models), "model").unwrap();
        shell.line("save before");
        Words::of(&mut shell)
    }

    fn completions(line: &str) -> Vec<String> {
        complete::<Dimmnet2>(line, &words()).1
    }

    #[test]
    fn commands_options_and_names_come_from_the_table() {
        assert_eq!(completions("llcm"), ["llcm_read", "llcm_write"]);
        assert_eq!(completions("ureg_read p"), ["pkt_counter", "prim_counter", "pw_flag"]);
        assert_eq!(completions("sreg_write a"), ["amt"]);
        assert_eq!(completions("sreg_write amt wid=1 "), ["addr=", "lid="]);
        assert_eq!(completions("prim VS dt=0 s"), ["size=", "src="]);
        assert_eq!(completions("prim RVL"), ["RVL", "RVLI", "RVLS"]);
        assert_eq!(completions("help ww"), ["ww_write"]);
        assert_eq!(completions("trace o"), ["off", "on"]);
        assert_eq!(completions("restore "), ["before"]);
        assert_eq!(completions("frobnicate "), Vec::<String>::new());
    }

    #[test]
    fn registers_are_completed_block_by_block() {
        assert_eq!(completions("watch core"), ["core_logic."]);
        assert!(completions("watch ").contains(&"swif.".to_string()));
        assert_eq!(completions("watch core_logic.window_c"), ["core_logic.window_controller."]);
        assert_eq!(completions("watch window_c"), ["window_controller."]);
        assert_eq!(completions("break node1.request_acc"), ["node1.request_acceptor."]);
        assert!(completions("run until botf.").contains(&"botf.state".to_string()));
        assert_eq!(complete::<Dimmnet2>("run until wind", &words()).0, 10);
    }

    #[test]
    fn states_are_completed_behind_their_machine() {
        assert_eq!(completions("break node1.botf.state == BotfE"), ["BotfEnd1", "BotfEnd2"]);
        assert_eq!(completions("run until request_acceptor W"), ["Wait"]);
        assert_eq!(completions("break botf Botf3->BotfEnd1"), ["Botf3->BotfEnd1"]);
        assert_eq!(completions("break botf Botf3->BotfE"), ["Botf3->BotfEnd1", "Botf3->BotfEnd2"]);
        assert_eq!(completions("break nothing I"), Vec::<String>::new());
    }
}
