//! Progress of long runs: step, position and estimated remaining time.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{
    HumanDuration, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle,
};

/// Time after which a step counts as long: an estimate or an [`Activity`] is shown.
pub const FIRST: Duration = Duration::from_secs(2);

/// Progress bar of a step on stderr, if that is a terminal. It is cleared when dropped.
pub fn progress(step: &str, length: u64, unit: &str) -> ProgressBar {
    let template = format!("{{msg}} {{bar:30}} {{human_pos}} of {{human_len}} {unit}{{left}}");
    begin(Some(length), step, &template)
}

/// Counter of a step of unknown length.
pub fn counter(step: &str, unit: &str) -> ProgressBar {
    begin(None, step, &format!("{{msg}} {{spinner}} {{human_pos}} {unit}, {{elapsed}}"))
}

/// Spinner with the elapsed time of a step that cannot be counted. It appears on stderr after two seconds, if that is a
/// terminal, and is cleared when dropped.
#[derive(Debug)]
pub struct Activity {
    line: ActivityLine,
    /// Ends the thread that draws; `None` if stderr is no terminal.
    drawer: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The line of an activity, for those who print other lines meanwhile.
#[derive(Clone, Debug, Default)]
pub struct ActivityLine(Arc<Mutex<Option<ProgressBar>>>);

impl ActivityLine {
    /// Prints while the spinner is hidden.
    pub fn suspend(&self, print: impl FnOnce()) {
        match self.0.lock().expect(NO_PANIC).as_ref() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

const NO_PANIC: &str = "no thread panics while it holds the lock";

/// Shows that a step is running.
pub fn activity(step: impl Into<String>) -> Activity {
    let step = step.into();
    activity_of(move || step.clone())
}

/// Shows that a step is running, with a text that is updated twice a second.
pub fn activity_of(text: impl Fn() -> String + Send + 'static) -> Activity {
    if !std::io::stderr().is_terminal() {
        return Activity { line: ActivityLine::default(), drawer: None };
    }
    let (stop, stopped) = channel::<()>();
    let ends = move |wait| stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout);
    let line = ActivityLine::default();
    let shown = line.clone();
    let show = move || {
        if ends(FIRST) {
            return;
        }
        let bar = begin_after(FIRST, None, &text(), "{msg} {spinner} {elapsed}");
        *shown.0.lock().expect(NO_PANIC) = Some(bar.clone());
        while !ends(Duration::from_millis(500)) {
            bar.set_message(text());
        }
        shown.0.lock().expect(NO_PANIC).take();
        bar.finish_and_clear();
    };
    Activity { line, drawer: Some((stop, thread::spawn(show))) }
}

impl Activity {
    /// The line on which the spinner is shown.
    pub fn line(&self) -> ActivityLine {
        self.line.clone()
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.drawer.take() {
            drop(stop);
            // A thread that panicked has nothing to clear.
            let _ = thread.join();
        }
    }
}

fn begin(length: Option<u64>, step: &str, template: &str) -> ProgressBar {
    begin_after(Duration::ZERO, length, step, template)
}

/// A bar of a step that has taken some time already.
fn begin_after(elapsed: Duration, length: Option<u64>, step: &str, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is right").with_key("left", left);
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr())
        .with_style(style)
        .with_elapsed(elapsed)
        .with_finish(ProgressFinish::AndClear);
    bar.set_message(step.to_string());
    if !bar.is_hidden() {
        // Steady ticks show that a long step is still running.
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

/// Estimated remaining time, once there is a basis for it.
fn left(state: &ProgressState, text: &mut dyn Write) {
    if state.pos() > 0 && state.elapsed() >= FIRST {
        // Errors of writing to a terminal are ignored.
        let _ = write!(text, ", about {:#} left", HumanDuration(state.eta()));
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal in memory that stores the last drawn line.
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
    fn bar_shows_step_and_count_without_an_initial_estimate() {
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
    fn counter_shows_step_and_count() {
        let term = Terminal::default();
        let bar = counter("check", "states");
        bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(term.clone())));
        bar.set_position(1234);
        bar.tick();
        let text = term.contents();
        assert!(text.starts_with("check ") && text.contains(" 1,234 states, "), "{text}");
    }
}
