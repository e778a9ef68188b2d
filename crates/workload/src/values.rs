//! TOML values written as a number or as text.

use std::fmt;

use cluster::Duration;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};

use crate::duration::parse_duration;

/// A duration: text with a unit, or picoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeValue(pub Duration);

/// One or several nodes: a number or text.
#[derive(Clone, Debug)]
pub(crate) struct NodesValue(pub String);

struct TimeValueVisitor;

impl Visitor<'_> for TimeValueVisitor {
    type Value = TimeValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time as in \"10us\", or a whole number of picoseconds")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<TimeValue, E> {
        parse_duration(text).map(TimeValue).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, ps: i64) -> Result<TimeValue, E> {
        let ps = u64::try_from(ps).map_err(|_| E::invalid_value(Unexpected::Signed(ps), &self))?;
        self.visit_str(&ps.to_string())
    }

    fn visit_u64<E: Error>(self, ps: u64) -> Result<TimeValue, E> {
        self.visit_str(&ps.to_string())
    }
}

impl<'de> Deserialize<'de> for TimeValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TimeValueVisitor)
    }
}

struct NodesVisitor;

impl Visitor<'_> for NodesVisitor {
    type Value = NodesValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number of a node, or text as in \"all\" or \"0-3\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<NodesValue, E> {
        Ok(NodesValue(text.to_owned()))
    }

    fn visit_i64<E: Error>(self, node: i64) -> Result<NodesValue, E> {
        let node = u64::try_from(node).map_err(|_| E::invalid_value(Unexpected::Signed(node), &self))?;
        self.visit_u64(node)
    }

    fn visit_u64<E: Error>(self, node: u64) -> Result<NodesValue, E> {
        Ok(NodesValue(node.to_string()))
    }
}

impl<'de> Deserialize<'de> for NodesValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodesVisitor)
    }
}
