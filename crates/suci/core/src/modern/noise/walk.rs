//! Copies and comparisons for [`crate::walk`], only for connections without protection.

use std::hash::{Hash, Hasher};

use super::Call;

impl Clone for Call {
    fn clone(&self) -> Self {
        assert!(self.state.is_none(), "connections with a key are not copied");
        Self { message: self.message.clone(), state: None }
    }
}

impl PartialEq for Call {
    fn eq(&self, other: &Self) -> bool {
        self.state.is_none() && other.state.is_none() && self.message == other.message
    }
}

impl Eq for Call {}

impl Hash for Call {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.message.hash(hasher);
    }
}
