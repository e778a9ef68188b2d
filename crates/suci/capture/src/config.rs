//! A configuration as text, one line for each value.

use std::fmt::Write;
use std::time::Duration;

use suci::paper::Repairs;
use suci::{Config, Rules, SecretKey, Security};

use crate::keys::Keys;

/// Reason why no endpoint can be created from a capture's configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadConfig {
    /// A line is invalid.
    #[error("'{0}' is no value of a configuration")]
    Value(String),
    /// A line is missing.
    #[error("the configuration has no {0}")]
    Missing(&'static str),
    /// The key was not recorded.
    #[error(
        "its endpoint had a key, which was left out; record with keys (`Keys::Kept`) what is to be replayed"
    )]
    NoKey,
}

/// Writes configuration and seed.
pub fn write(config: &Config, seed: &[u8; 32], keys: Keys) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name} {value}");
    };
    line("rules", &rules_text(config.rules));
    line("security", &security_text(&config.security, keys));
    for (name, value) in values(config) {
        line(name, &value);
    }
    // Connection IDs and cookies derive from the seed, which is secret with protection.
    if keys == Keys::Kept || config.security == Security::Trusted {
        line("seed", &hex(seed));
    }
    text
}

/// Names and values of all fields but rules and security.
fn values(config: &Config) -> Vec<(&'static str, String)> {
    // Exhaustive pattern: a new field is a compile error here instead of being lost in files.
    let Config {
        rules: _,
        security: _,
        datagram,
        largest_datagram,
        ecn,
        rekey_after,
        per_key,
        window,
        largest_block,
        queue,
        budget,
        unscheduled,
        permit_life,
        peers,
        initial_rtt,
        least_timeout,
        ack_delay,
        keep_alive,
        give_up,
        id,
        database,
        congested,
    } = config;
    let mut values = vec![
        ("datagram", datagram.to_string()),
        ("largest_datagram", largest_datagram.to_string()),
        ("per_key", per_key.to_string()),
        ("window", window.to_string()),
        ("largest_block", largest_block.to_string()),
        ("queue", queue.to_string()),
        ("budget", budget.to_string()),
        ("unscheduled", unscheduled.to_string()),
        ("peers", peers.to_string()),
        ("congested", congested.to_string()),
        ("permit_life_ns", permit_life.as_nanos().to_string()),
        ("initial_rtt_ns", initial_rtt.as_nanos().to_string()),
        ("least_timeout_ns", least_timeout.as_nanos().to_string()),
        ("ack_delay_ns", ack_delay.as_nanos().to_string()),
        ("keep_alive_ns", keep_alive.as_nanos().to_string()),
        ("give_up_ns", give_up.as_nanos().to_string()),
        ("ecn", ecn.to_string()),
        ("rekey_after", rekey_after.to_string()),
        ("id", id.to_string()),
    ];
    values.extend(database.iter().map(|(address, id)| ("peer", format!("{address} {id}"))));
    values
}

fn rules_text(rules: Rules) -> String {
    match rules {
        Rules::Modern => "modern".into(),
        Rules::Paper(repairs) => {
            repairs.names().fold("paper".to_owned(), |text, name| format!("{text} {name}"))
        }
    }
}

fn security_text(security: &Security, keys: Keys) -> String {
    match (security, keys) {
        (Security::Trusted, _) => "trusted".into(),
        (Security::SharedKey(key), Keys::Kept) => format!("shared_key {}", hex(key)),
        (Security::Pinned { own, peers }, Keys::Kept) => {
            let keys = format!("pinned {}", hex(own.as_bytes()));
            peers.iter().fold(keys, |text, peer| format!("{text} {peer}"))
        }
        (_, _) => "left_out".into(),
    }
}

/// Parses configuration and seed.
pub fn parse(text: &str) -> Result<(Config, [u8; 32]), BadConfig> {
    let (mut rules, mut security, mut seed) = (None, None, None);
    // Missing values keep their defaults: files of earlier versions lack later values.
    let mut config = Config::new(Rules::MODERN, Security::Trusted);
    for line in text.lines() {
        let bad = || BadConfig::Value(line.chars().take(60).collect());
        let (name, value) = line.split_once(' ').ok_or_else(bad)?;
        let number = || value.parse::<usize>().map_err(|_| bad());
        let time = || value.parse().map(Duration::from_nanos).map_err(|_| bad());
        match name {
            "rules" => rules = Some(parse_rules(value).ok_or_else(bad)?),
            "security" if value == "left_out" => return Err(BadConfig::NoKey),
            "security" => security = Some(parse_security(value).ok_or_else(bad)?),
            "datagram" => config.datagram = number()?,
            "largest_datagram" => config.largest_datagram = number()?,
            "per_key" => config.per_key = number()?,
            "ecn" => config.ecn = value.parse().map_err(|_| bad())?,
            "rekey_after" => config.rekey_after = value.parse().map_err(|_| bad())?,
            "window" => config.window = number()?,
            "largest_block" => config.largest_block = number()?,
            "queue" => config.queue = number()?,
            "budget" => config.budget = number()?,
            "unscheduled" => config.unscheduled = number()?,
            "peers" => config.peers = number()?,
            "congested" => config.congested = number()?,
            "permit_life_ns" => config.permit_life = time()?,
            "initial_rtt_ns" => config.initial_rtt = time()?,
            "least_timeout_ns" => config.least_timeout = time()?,
            "ack_delay_ns" => config.ack_delay = time()?,
            "keep_alive_ns" => config.keep_alive = time()?,
            "give_up_ns" => config.give_up = time()?,
            "id" => config.id = value.parse().map_err(|_| bad())?,
            "peer" => {
                let (address, id) = value.split_once(' ').ok_or_else(bad)?;
                let peer = (address.parse().map_err(|_| bad())?, id.parse().map_err(|_| bad())?);
                config.database.push(peer);
            }
            "seed" => seed = Some(parse_hex(value).ok_or_else(bad)?),
            _ => return Err(bad()),
        }
    }
    config.rules = rules.ok_or(BadConfig::Missing("rules"))?;
    config.security = security.ok_or(BadConfig::Missing("security"))?;
    Ok((config, seed.ok_or(BadConfig::Missing("seed"))?))
}

fn parse_rules(value: &str) -> Option<Rules> {
    let mut words = value.split(' ');
    match words.next()? {
        "modern" => words.next().is_none().then_some(Rules::Modern),
        "paper" => words.try_fold(Repairs::NONE, Repairs::with).map(Rules::Paper),
        _ => None,
    }
}

fn parse_security(value: &str) -> Option<Security> {
    let mut words = value.split(' ');
    match words.next()? {
        "trusted" => words.next().is_none().then_some(Security::Trusted),
        "shared_key" => {
            let key = parse_hex(words.next()?)?;
            words.next().is_none().then_some(Security::SharedKey(key))
        }
        "pinned" => {
            let own = SecretKey::from_bytes(parse_hex(words.next()?)?);
            let peers = words.map(|key| key.parse().ok()).collect::<Option<_>>()?;
            Some(Security::Pinned { own, peers })
        }
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn parse_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_round_trip() {
        let repairs = Repairs { timer: true, epochs: true, ..Repairs::NONE };
        let mut config = Config::new(Rules::Paper(repairs), Security::Trusted);
        config.database = vec![("10.0.0.1:7".parse().unwrap(), 3), ("[::1]:8".parse().unwrap(), 4)];
        (config.window, config.congested, config.id) = (70_000, 5, 9);
        config.give_up = Duration::from_nanos(1_000_000_007);
        for rules in [config.rules, Rules::PRINTED, Rules::REPAIRED, Rules::MODERN] {
            let config = Config { rules, ..config.clone() };
            assert_eq!(parse(&write(&config, &[7; 32], Keys::LeftOut)), Ok((config, [7; 32])));
        }
    }

    #[test]
    fn key_is_recorded_only_on_request() {
        let config = Config::new(Rules::MODERN, Security::SharedKey([0xab; 32]));
        let text = write(&config, &[0xcd; 32], Keys::LeftOut);
        assert!(!text.contains("abab") && !text.contains("cdcd"), "{text}");
        assert_eq!(parse(&text), Err(BadConfig::NoKey));
        assert_eq!(parse(&write(&config, &[0xcd; 32], Keys::Kept)), Ok((config, [0xcd; 32])));
        let own = SecretKey::from_bytes([0xab; 32]);
        let peers = [1, 2].map(|key| SecretKey::from_bytes([key; 32]).public()).into();
        let config = Config::new(Rules::MODERN, Security::Pinned { own, peers });
        assert_eq!(parse(&write(&config, &[7; 32], Keys::LeftOut)), Err(BadConfig::NoKey));
        assert_eq!(parse(&write(&config, &[7; 32], Keys::Kept)), Ok((config, [7; 32])));
    }

    #[test]
    fn invalid_text_is_refused_with_its_line() {
        let text = write(&Config::new(Rules::MODERN, Security::Trusted), &[7; 32], Keys::LeftOut);
        for (from, to, says) in [
            ("rules modern", "rules new", "'rules new' is no value of a configuration"),
            ("rules modern\n", "", "the configuration has no rules"),
            ("datagram 1200", "datagram -1", "'datagram -1' is no value of a configuration"),
            (
                "security trusted",
                "security shared_key 12",
                "'security shared_key 12' is no value of a configuration",
            ),
            ("seed 07", "seed 0x", "is no value of a configuration"),
            ("id 0", "identity", "'identity' is no value of a configuration"),
        ] {
            let error = parse(&text.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
