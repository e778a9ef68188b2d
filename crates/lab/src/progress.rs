//! Progress of long runs.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Progress of a long run on stderr, if that is a terminal.
pub fn progress(length: u64, unit: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("the template is right");
    ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
}
