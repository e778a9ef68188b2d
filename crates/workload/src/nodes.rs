//! Selections of nodes in files: `all`, `3`, `0-3, 8, 12-`.

use crate::quote::quote;

/// Largest number of nodes in a cluster; port numbers have 16 bits.
pub const MOST_NODES: usize = 1 << 14;

/// Reason why a text does not select nodes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodesError {
    /// The text has another syntax.
    #[error("{} names no nodes; write `all`, a number, or ranges as in 0-3, 8, 12-", quote(.0))]
    NotNodes(String),
    /// The number of nodes is out of range.
    #[error("a cluster has 1 to {MOST_NODES} nodes, not {0}")]
    Count(usize),
    /// A number exceeds the last node.
    #[error("there is no node {node}; the {nodes} nodes have the numbers 0 to {last}", last = nodes - 1)]
    NoSuchNode {
        /// Selected number.
        node: u64,
        /// Number of nodes.
        nodes: usize,
    },
    /// The end of a range is below its start.
    #[error("the range {first}-{last} is backwards; write {last}-{first}")]
    Backwards {
        /// First number of the range.
        first: u32,
        /// Last number of the range.
        last: u32,
    },
    /// A node is selected twice.
    #[error("node {0} is there twice; name it once")]
    Twice(u32),
}

/// Checks the number of nodes of a cluster.
pub(crate) fn check(nodes: usize) -> Result<(), NodesError> {
    if (1..=MOST_NODES).contains(&nodes) { Ok(()) } else { Err(NodesError::Count(nodes)) }
}

/// Nodes selected by a text, in its order. [`check`] has accepted `nodes`.
pub(crate) fn select(text: &str, nodes: usize) -> Result<Vec<u32>, NodesError> {
    let last = nodes as u32 - 1;
    if text.trim() == "all" {
        return Ok((0..=last).collect());
    }
    // Most messages have a single sender.
    if let Ok(node) = number(text, text, nodes) {
        return Ok(vec![node]);
    }
    let mut there = vec![false; nodes];
    let mut selected = Vec::new();
    for part in text.split(',') {
        let (from, to) = match part.split_once('-') {
            None => (number(part, text, nodes)?, number(part, text, nodes)?),
            Some((from, to)) if to.trim().is_empty() => (number(from, text, nodes)?, last),
            Some((from, to)) => (number(from, text, nodes)?, number(to, text, nodes)?),
        };
        if from > to {
            return Err(NodesError::Backwards { first: from, last: to });
        }
        for node in from..=to {
            if std::mem::replace(&mut there[node as usize], true) {
                return Err(NodesError::Twice(node));
            }
            selected.push(node);
        }
    }
    Ok(selected)
}

/// Number of a single node. `text` is the whole selection, for errors.
pub(crate) fn number(part: &str, text: &str, nodes: usize) -> Result<u32, NodesError> {
    let part = part.trim();
    if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NodesError::NotNodes(text.to_owned()));
    }
    let node = part.parse().unwrap_or(u64::MAX);
    if node < nodes as u64 { Ok(node as u32) } else { Err(NodesError::NoSuchNode { node, nodes }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_named_alone_in_ranges_and_all() {
        for (text, nodes) in [
            ("all", vec![0, 1, 2, 3, 4, 5]),
            ("3", vec![3]),
            ("0-2", vec![0, 1, 2]),
            ("4-", vec![4, 5]),
            (" 5 , 0 - 1,3", vec![5, 0, 1, 3]),
        ] {
            assert_eq!(select(text, 6), Ok(nodes), "{text}");
        }
    }

    #[test]
    fn invalid_selections_are_refused_with_a_remedy() {
        let refused = |text| select(text, 6).unwrap_err().to_string();
        assert_eq!(refused("6"), "there is no node 6; the 6 nodes have the numbers 0 to 5");
        assert_eq!(refused("2-99999999999999999999").split(';').count(), 2);
        assert_eq!(refused("4-2"), "the range 4-2 is backwards; write 2-4");
        assert_eq!(refused("0-3,2"), "node 2 is there twice; name it once");
        for text in ["", "first", "1,,2", "-3", "+1", "1-2-3", "²"] {
            assert_eq!(select(text, 6), Err(NodesError::NotNodes(text.into())), "{text}");
        }
    }
}
