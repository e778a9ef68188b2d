//! Source files of blocks in both languages.

use crate::hello::Structure;
use crate::protocol::{SourceArm, SourceFile};

/// Files of a block in both languages; `None` if there is no such block.
pub fn sources(structure: &Structure, block: &str) -> Option<Vec<SourceFile>> {
    let (rust_type, machines) = structure.sources(block)?;
    let file = |view: cosim::SourceView| SourceFile {
        path: view.path,
        language: if view.is_rtl { "systemverilog" } else { "rust" }.to_string(),
        text: view.text,
        arms: view.arms.into_iter().map(arm).collect(),
    };
    Some(cosim::source_views(rust_type, machines).into_iter().map(file).collect())
}

fn arm(arm: cosim::SourceArm) -> SourceArm {
    SourceArm { register: arm.register, state: arm.state.to_string(), first: arm.first, count: arm.count }
}
