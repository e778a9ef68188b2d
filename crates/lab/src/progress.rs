//! Progress of long runs: which step it is, how far, and for how long it may still take.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{
    HumanDuration, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle,
};

/// Before this nobody can say how long the rest takes.
const FIRST: Duration = Duration::from_secs(2);

/// Progress of a step on stderr, if that is a terminal. It is cleared when it is dropped.
pub fn progress(step: &str, length: u64, unit: &str) -> ProgressBar {
    let template = format!("{{msg}} {{bar:30}} {{human_pos}} of {{human_len}} {unit}{{left}}");
    begin(Some(length), step, &template)
}

/// Progress of a step that nobody knows the end of.
pub fn counter(step: &str, unit: &str) -> ProgressBar {
    begin(None, step, &format!("{{msg}} {{spinner}} {{human_pos}} {unit}, {{elapsed}}"))
}

fn begin(length: Option<u64>, step: &str, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is right").with_key("left", left);
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr())
        .with_style(style)
        .with_finish(ProgressFinish::AndClear);
    bar.set_message(step.to_string());
    if !bar.is_hidden() {
        // A step that takes long is seen to go on.
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

/// How long the rest takes, once there is something to tell it by.
fn left(state: &ProgressState, text: &mut dyn Write) {
    if state.pos() > 0 && state.elapsed() >= FIRST {
        // What cannot be written to a terminal is not missed.
        let _ = write!(text, ", about {:#} left", HumanDuration(state.eta()));
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal in memory that holds the line last drawn.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl Terminal {
        fn contents(&self) -> String {
            self.0.lock().unwrap().trim_end().to_owned()
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            100
        }

        fn move_cursor_up(&self, _lines: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _lines: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _columns: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _columns: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_bar_tells_step_and_count_and_no_time_before_anything_is_done() {
        let term = Terminal::default();
        let bar = progress("figure 6.3", 10, "clusters");
        bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(term.clone())));
        bar.tick();
        let text = term.contents();
        assert!(text.starts_with("figure 6.3 ") && text.ends_with(" 0 of 10 clusters"), "{text}");
        bar.set_position(4);
        bar.set_elapsed(Duration::from_secs(4));
        bar.tick();
        let text = term.contents();
        assert!(text.contains(" 4 of 10 clusters, about ") && text.ends_with(" left"), "{text}");
    }

    #[test]
    fn a_counter_tells_step_and_count() {
        let term = Terminal::default();
        let bar = counter("check", "states");
        bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(term.clone())));
        bar.set_position(1234);
        bar.tick();
        let text = term.contents();
        assert!(text.starts_with("check ") && text.contains(" 1,234 states, "), "{text}");
    }
}
