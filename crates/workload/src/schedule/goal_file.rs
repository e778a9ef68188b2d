//! Workloads in GOAL, the text format of schedules that LogGOPSim reads.
//!
//! A rank's operations are sends, receives and calculations. Dependencies order them; operations without one
//! begin at time 0. What the format leaves to the simulator is described in `docs/workloads.md`.

use std::collections::HashMap;
use std::fmt::Display;

use cluster::Duration;

use super::operations::{Kind, Moment, OperationsBuilder};
use super::problem::LocatedProblem;
use super::{Problem, Schedule, Setting};
use crate::duration::LONGEST;
use crate::nodes;
use crate::quote::quote;

/// Words of a line: names, numbers, `:`, `{` and `}`.
struct Words<'t> {
    rest: &'t str,
}

impl<'t> Words<'t> {
    /// The next word; none at the end of the line.
    fn next(&mut self) -> Option<&'t str> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let first = self.rest.chars().next()?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let end = match is_part(first) {
            true => self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len()),
            false => first.len_utf8(),
        };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(word)
    }

    /// The next word, which must be `expected`.
    fn word(&mut self, expected: &str) -> Result<(), Problem> {
        match self.next() {
            Some(word) if word == expected => Ok(()),
            found => Err(unexpected(found, &format!("`{expected}`"))),
        }
    }

    /// The next word as a number.
    fn number(&mut self, what: &str) -> Result<u64, Problem> {
        let word = self.next();
        word.and_then(number).ok_or_else(|| no_number(word, what))
    }

    /// The end of the line.
    fn end(&mut self) -> Result<(), Problem> {
        match self.next() {
            None => Ok(()),
            found => Err(unexpected(found, "the end of the line")),
        }
    }
}

/// Digits alone; a sign is part of no number of the format.
fn number(word: &str) -> Option<u64> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The error for a word that is no number, or too large.
fn no_number(word: Option<&str>, what: &str) -> Problem {
    match word {
        Some(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
            Problem::Syntax(format!("{} is too large for {what}; take a smaller number", quote(word)))
        }
        word => unexpected(word, what),
    }
}

fn unexpected(found: Option<&str>, expected: &str) -> Problem {
    let found = found.map_or("the line ends".to_owned(), |word| format!("{} is written", quote(word)));
    Problem::Syntax(format!("{found} where {expected} belongs; write that"))
}

/// Whether a word can be a label.
fn is_label(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains('-')
}

/// A dependency whose labels may be defined later in the block.
struct Dependency<'t> {
    line: u32,
    /// Label of the operation that waits, and of the one that it waits for.
    labels: [&'t str; 2],
    moment: Moment,
}

/// The block of a rank that is being read.
struct Block<'t> {
    rank: u32,
    line: u32,
    labels: HashMap<&'t str, u32>,
    dependencies: Vec<Dependency<'t>>,
}

struct Reader<'t, 's> {
    builder: OperationsBuilder<'s>,
    nodes: usize,
    ranks: Option<u64>,
    block: Option<Block<'t>>,
    /// Line of the block of each rank.
    blocks: HashMap<u32, u32>,
}

impl<'t> Reader<'t, '_> {
    /// Reads a line, and tells whether it ends a block.
    fn line(&mut self, text: &'t str, line: u32) -> Result<bool, Problem> {
        let mut words = Words { rest: text };
        let Some(first) = words.next() else { return Ok(false) };
        let Some(block) = &mut self.block else {
            match first {
                "num_ranks" => self.ranks(&mut words)?,
                "rank" => self.begin(&mut words, line)?,
                _ => return Err(unexpected(Some(first), "`num_ranks` or `rank`")),
            }
            return Ok(false);
        };
        let ranks = self.ranks.unwrap_or_default();
        match first {
            "}" => {}
            "send" | "recv" | "calc" => {
                let kind = known(operation(first, &mut words)?, ranks)?;
                self.builder.add(block.rank, kind, line)?;
            }
            label if is_label(label) => match words.next() {
                Some(":") => {
                    let word = words.next();
                    let kind = word.filter(|word| ["send", "recv", "calc"].contains(word));
                    let kind = kind.ok_or_else(|| unexpected(word, "`send`, `recv` or `calc`"))?;
                    let kind = known(operation(kind, &mut words)?, ranks)?;
                    let number = self.builder.add(block.rank, kind, line)?;
                    if block.labels.insert(label, number).is_some() {
                        return Err(Problem::Syntax(format!(
                            "the label {} is taken; choose another",
                            quote(label)
                        )));
                    }
                }
                Some(word @ ("requires" | "irequires")) => {
                    let other = words.next();
                    let other =
                        other.filter(|other| is_label(other)).ok_or_else(|| unexpected(other, "a label"))?;
                    let moment = if word == "requires" { Moment::End } else { Moment::Begin };
                    block.dependencies.push(Dependency { line, labels: [label, other], moment });
                }
                found => return Err(unexpected(found, "`:`, `requires` or `irequires`")),
            },
            _ => return Err(unexpected(Some(first), "a label, an operation or `}`")),
        }
        words.end()?;
        Ok(first == "}")
    }

    fn ranks(&mut self, words: &mut Words) -> Result<(), Problem> {
        let ranks = words.number("the number of ranks")?;
        words.end()?;
        if self.ranks.replace(ranks).is_some() {
            return Err(Problem::Syntax("`num_ranks` is there twice; leave one out".into()));
        }
        if ranks > self.nodes as u64 {
            return Err(Problem::Ranks { ranks, nodes: self.nodes });
        }
        Ok(())
    }

    fn begin(&mut self, words: &mut Words, line: u32) -> Result<(), Problem> {
        let Some(ranks) = self.ranks else {
            return Err(Problem::Syntax("the number of ranks is unknown; write `num_ranks` first".into()));
        };
        let rank = words.number("the number of a rank")?;
        words.word("{")?;
        words.end()?;
        if rank >= ranks {
            return Err(Problem::Syntax(no_rank(rank, ranks)));
        }
        let rank = rank as u32;
        if let Some(first) = self.blocks.insert(rank, line) {
            return Err(Problem::Syntax(format!("rank {rank} has a block in line {first}; join them")));
        }
        self.block = Some(Block { rank, line, labels: HashMap::new(), dependencies: Vec::new() });
        Ok(())
    }

    /// Ends the block of a rank, whose labels are all known now.
    fn end(&mut self) -> Result<(), LocatedProblem> {
        let Some(block) = self.block.take() else { return Ok(()) };
        for Dependency { line, labels, moment } in block.dependencies {
            let number = |label| {
                block.labels.get(label).copied().ok_or_else(|| {
                    let text = format!("no operation of rank {} has the label {}", block.rank, quote(label));
                    LocatedProblem::at(line, Problem::Syntax(format!("{text}; give it to one")))
                })
            };
            let [operation, on] = labels;
            self.builder.depend(number(operation)?, number(on)?, moment);
        }
        Ok(())
    }
}

/// The operation, if its peer is one of the ranks.
fn known(kind: Kind, ranks: u64) -> Result<Kind, Problem> {
    match kind {
        Kind::Send { to: peer, .. } | Kind::Receive { from: peer, .. } if u64::from(peer) >= ranks => {
            Err(Problem::Syntax(no_rank(peer, ranks)))
        }
        kind => Ok(kind),
    }
}

fn no_rank(rank: impl Display, ranks: u64) -> String {
    format!("there is no rank {rank} among {ranks}; change it or `num_ranks`")
}

/// The rest of an operation after its first word.
fn operation(word: &str, words: &mut Words) -> Result<Kind, Problem> {
    if word == "calc" {
        let ns = words.number("a number of nanoseconds")?;
        places(words, &["cpu"])?;
        let longest = LONGEST.ps() / 1_000;
        if ns > longest {
            return Err(Problem::Syntax(format!("{ns} ns is more than {longest}, the longest; shorten it")));
        }
        return Ok(Kind::Calculate(Duration::from_ns(ns)));
    }
    let bytes = bytes(words)?;
    words.word(if word == "send" { "to" } else { "from" })?;
    let peer = words.next();
    if word == "recv" && peer == Some("-1") {
        return Err(Problem::Syntax("a receive from any rank is not supported; name the sender".into()));
    }
    let number = peer.and_then(number).and_then(|peer| u32::try_from(peer).ok());
    let peer = number.ok_or_else(|| no_number(peer, "the number of a rank"))?;
    let mut tag = Some(0);
    let mut ahead = Words { rest: words.rest };
    if ahead.next() == Some("tag") {
        *words = ahead;
        tag = match words.next() {
            Some("-1") if word == "recv" => None,
            found => {
                let number = found.and_then(self::number).and_then(|tag| u32::try_from(tag).ok());
                Some(number.ok_or_else(|| no_number(found, "a tag"))?)
            }
        };
    }
    places(words, &["cpu", "nic"])?;
    Ok(match (word, tag) {
        ("send", Some(tag)) => Kind::Send { to: peer, tag, bytes },
        (_, tag) => Kind::Receive { from: peer, tag, bytes },
    })
}

/// A size such as `8b`, also with a blank in it.
fn bytes(words: &mut Words) -> Result<u64, Problem> {
    let word = words.next();
    let (digits, is_complete) = match word.and_then(|word| word.strip_suffix('b')) {
        Some(digits) => (Some(digits), true),
        None => (word, false),
    };
    let bytes = digits.and_then(number).ok_or_else(|| unexpected(word, "a size such as `8b`"))?;
    if !is_complete {
        words.word("b")?;
    }
    Ok(bytes)
}

/// Reads and ignores on which processor and NIC an operation takes place.
fn places(words: &mut Words, names: &[&str]) -> Result<(), Problem> {
    for name in names {
        let mut ahead = Words { rest: words.rest };
        if ahead.next() == Some(name) {
            ahead.number("a number")?;
            *words = ahead;
        }
    }
    Ok(())
}

/// Replaces comments by blanks. Line ends stay.
fn without_comments(text: &str) -> Result<String, LocatedProblem> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        plain.push_str(&rest[..at]);
        let comment = &rest[at..];
        let end = match comment.as_bytes().get(1) {
            Some(b'/') => comment.find('\n').unwrap_or(comment.len()),
            Some(b'*') => match comment[2..].find("*/") {
                Some(end) => end + 4,
                None => {
                    let line = 1 + plain.matches('\n').count() as u32;
                    let problem = Problem::Syntax("the comment has no end; write `*/`".into());
                    return Err(LocatedProblem::at(line, problem));
                }
            },
            _ => 1,
        };
        let (comment, after) = comment.split_at(end);
        // A single slash is found as a word that belongs nowhere.
        plain.push_str(if comment == "/" { "/" } else { " " });
        plain.extend(comment.chars().filter(|c| *c == '\n'));
        rest = after;
    }
    plain.push_str(rest);
    Ok(plain)
}

impl Schedule {
    /// Parses a GOAL workload; errors name the line.
    pub(crate) fn from_goal(text: &str, setting: &Setting) -> Result<Schedule, LocatedProblem> {
        nodes::check(setting.nodes).map_err(LocatedProblem::whole)?;
        let text = without_comments(text)?;
        let mut reader = Reader {
            builder: OperationsBuilder::new(setting),
            nodes: setting.nodes,
            ranks: None,
            block: None,
            blocks: HashMap::new(),
        };
        for (line, text) in (1..).zip(text.lines()) {
            if reader.line(text, line).map_err(|problem| LocatedProblem::at(line, problem))? {
                reader.end()?;
            }
        }
        if let Some(block) = &reader.block {
            let problem = format!("the block of rank {} has no end; write `}}`", block.rank);
            return Err(LocatedProblem::at(block.line, Problem::Syntax(problem)));
        }
        reader.builder.finish()
    }
}
