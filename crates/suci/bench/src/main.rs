//! Compares Suci with other message protocols in one run on one computer: `suci-bench --help`. The report is
//! a JSON document.

mod links;
mod measure;
mod relay;

use std::process::ExitCode;

use serde::Serialize;

use links::{ALL, Protocol};
use measure::Setup;

const HELP: &str = "\
Suci beside others that carry messages, over the loopback of this machine

Usage: suci-bench [--against NAME,..] [--lose PERCENT,..] [--rounds N] [--repeat N] [--seed N] [--unpinned]

  --against   of tcp, udp, quinn, kcp, enet; all by default. suci and suci-trusted are always there
  --lose      datagrams that a relay loses, in percent; 0,1,5 by default. With 0 there is no relay. TCP has none: it is no datagram
  --rounds    round trips of 4 bytes without loss, 20000 by default; with loss a tenth
  --repeat    how often all is done; each number is the median, 3 by default
  --seed      of the relay, 1 by default
  --unpinned  ends are not kept on processors 0 and 1";

/// Results of a protocol at one loss rate. Failed measurements are null, and `error` has the reason.
#[derive(Serialize, Default)]
struct Row {
    name: &'static str,
    sealed: bool,
    lose_percent: f64,
    half_round_trip_us: Option<f64>,
    round_trip_p99_us: Option<f64>,
    burst_64_per_second: Option<f64>,
    burst_1024_megabytes_per_second: Option<f64>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Report {
    report: &'static str,
    processor: String,
    processors: usize,
    pinned: bool,
    rounds: usize,
    repeat: usize,
    seed: u64,
    rows: Vec<Row>,
}

struct Options {
    against: Vec<Protocol>,
    lose: Vec<f64>,
    rounds: usize,
    repeat: usize,
    seed: u64,
    pinned: bool,
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        against: ALL.to_vec(),
        lose: vec![0.0, 1.0, 5.0],
        rounds: 20_000,
        repeat: 3,
        seed: 1,
        pinned: true,
    };
    while let Some(argument) = arguments.next() {
        if argument == "--unpinned" {
            options.pinned = false;
            continue;
        }
        let value = arguments.next().ok_or(format!("{argument} wants a value"))?;
        let number = || {
            value
                .parse::<usize>()
                .ok()
                .filter(|number| *number > 0)
                .ok_or(format!("{value} is no number above 0"))
        };
        match argument.as_str() {
            "--against" => {
                let known = |name: &str| ALL.into_iter().find(|protocol| protocol.name == name);
                options.against = ["suci", "suci-trusted"]
                    .into_iter()
                    .chain(value.split(','))
                    .map(|name| known(name).ok_or(format!("there is no {name}: tcp, udp, quinn, kcp, enet")))
                    .collect::<Result<_, _>>()?;
            }
            "--lose" => {
                let percent = |text: &str| {
                    text.trim_end_matches('%').parse().ok().filter(|loss| (0.0..=50.0).contains(loss))
                };
                options.lose = value
                    .split(',')
                    .map(|text| percent(text).ok_or(format!("{text} is no loss from 0 to 50 percent")))
                    .collect::<Result<_, _>>()?;
            }
            "--rounds" => options.rounds = number()?,
            "--repeat" => options.repeat = number()?,
            "--seed" => options.seed = number()? as u64,
            _ => return Err(format!("{argument} is no option; suci-bench --help lists them")),
        }
    }
    Ok(options)
}

/// Median of the values, or `None` after an error.
fn median(values: Vec<links::Result<f64>>, error: &mut Option<String>) -> Option<f64> {
    let mut numbers = Vec::new();
    for value in values {
        match value {
            Ok(value) => numbers.push(value),
            Err(why) => *error = Some(why.to_string()),
        }
    }
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// Results of one repetition.
struct Once {
    half: links::Result<f64>,
    p99: links::Result<f64>,
    small: links::Result<f64>,
    large: links::Result<f64>,
}

fn once(protocol: Protocol, setup: Setup, rounds: usize) -> Once {
    let unreliable = || Err("it does not carry what is lost".into());
    let (rounds, messages) = if setup.loss > 0 { (rounds / 10, 20_000) } else { (rounds, 200_000) };
    let times = measure::round_trips(protocol, setup, rounds.max(100));
    let (half, p99) = match times {
        Ok(times) => {
            let micros = |at: usize| times[at.min(times.len() - 1)].as_secs_f64() * 1e6;
            (Ok(micros(times.len() / 2) / 2.0), Ok(micros(times.len() * 99 / 100)))
        }
        Err(error) => (Err(error.to_string().into()), Err(error)),
    };
    if !protocol.reliable {
        return Once { half, p99, small: unreliable(), large: unreliable() };
    }
    let burst = |length: usize, count: usize| measure::burst(protocol, setup, length, count);
    let small = burst(64, messages).map(|time| messages as f64 / time.as_secs_f64());
    let large =
        burst(1_024, messages / 2).map(|time| (messages / 2 * 1_024) as f64 / time.as_secs_f64() / 1e6);
    Once { half, p99, small, large }
}

fn row(protocol: Protocol, loss: f64, all: Vec<Once>) -> Row {
    let mut row = Row { name: protocol.name, sealed: protocol.sealed, lose_percent: loss, ..Row::default() };
    let (mut half, mut p99, mut small, mut large) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for once in all {
        half.push(once.half);
        p99.push(once.p99);
        small.push(once.small);
        large.push(once.large);
    }
    row.half_round_trip_us = median(half, &mut row.error);
    row.round_trip_p99_us = median(p99, &mut row.error);
    row.burst_64_per_second = median(small, &mut row.error);
    row.burst_1024_megabytes_per_second = median(large, &mut row.error);
    row
}

/// Model name of the processor.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split(": ").nth(1)).unwrap_or("unknown").into()
}

fn main() -> ExitCode {
    // Every option is text; the error about another argument shows it with replacement characters.
    let arguments: Vec<_> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if arguments.iter().any(|argument| argument == "--help") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match options(arguments.into_iter()) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let pinned = options.pinned && processors > 1;
    let mut rows = Vec::new();
    for loss in options.lose {
        let carries = |protocol: &&Protocol| loss == 0.0 || (protocol.relayed && protocol.reliable);
        let protocols: Vec<_> = options.against.iter().filter(carries).copied().collect();
        let mut all: Vec<Vec<Once>> = protocols.iter().map(|_| Vec::new()).collect();
        // Protocols alternate, so that disturbances affect all of them.
        for round in 0..options.repeat {
            for (protocol, all) in protocols.iter().zip(&mut all) {
                eprintln!("{} at {loss} %, {} of {}", protocol.name, round + 1, options.repeat);
                let setup = Setup {
                    loss: (loss * 1e4) as u64,
                    seed: options.seed + round as u64,
                    processors: pinned.then_some((0, 1)),
                };
                all.push(once(*protocol, setup, options.rounds));
            }
        }
        rows.extend(protocols.into_iter().zip(all).map(|(protocol, all)| row(protocol, loss, all)));
    }
    let report = Report {
        report: "suci bench",
        processor: processor(),
        processors,
        pinned,
        rounds: options.rounds,
        repeat: options.repeat,
        seed: options.seed,
        rows,
    };
    match serde_json::to_string_pretty(&report) {
        Ok(text) => println!("{text}"),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
