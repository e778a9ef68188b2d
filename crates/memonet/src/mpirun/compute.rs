//! `--compute`: how long ranks compute between their calls, and the file that says so.

use std::cell::RefCell;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use processes::mpi::{Computing, Profile, Rate, Run};
use serde::{Deserialize, Serialize};

use super::Args;
use super::once::{Failed, quoted};
use crate::output;

/// What is done about computation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compute {
    /// It takes no time.
    #[default]
    Nothing,
    /// As long as this file says; a file that is not there is written.
    Profile(PathBuf),
}

/// What was typed.
pub fn parse(text: &str) -> Result<Compute, &'static str> {
    match text.strip_prefix("profile=") {
        Some(file) if !file.is_empty() => Ok(Compute::Profile(file.into())),
        None if text == "none" => Ok(Compute::Nothing),
        _ => Err("it is `none` or `profile=FILE`"),
    }
}

/// The options of a run, as they are typed, with a space before them.
pub(super) fn typed(args: &Args) -> String {
    let given = args.rate.map_or(String::new(), |rate| format!(" --rate {rate}"));
    let profile = |file: &Path| format!(" --compute profile={}{given}", quoted(&file.to_string_lossy()));
    file(args).map_or(String::new(), profile)
}

/// The file, if computation takes time.
pub(super) fn file(args: &Args) -> Option<&Path> {
    match &args.compute {
        Compute::Nothing => None,
        Compute::Profile(file) => Some(file),
    }
}

/// Basic blocks a second.
pub(super) fn rate(args: &Args) -> u64 {
    args.rate.unwrap_or(BLOCKS_A_SECOND)
}

/// Basic blocks a second, where nobody says how many: four instructions each on a processor of 400 MHz that ends one a clock (our choice).
pub const BLOCKS_A_SECOND: u64 = 100_000_000;

/// Bytes of the file at most: some ten million calls.
const MOST_BYTES: u64 = 512 << 20;

/// Version of the file.
const FORMAT: u32 = 1;

/// What is in the file.
#[derive(Serialize, Deserialize)]
struct Document {
    memonet_profile: u32,
    #[serde(flatten)]
    profile: Profile,
}

/// How long ranks compute in a run, and how that is said.
pub(super) fn begin(args: &Args) -> Result<(Computing, String), Failed> {
    let Compute::Profile(file) = &args.compute else {
        return Ok((Computing::Nothing, "computation takes no time".to_owned()));
    };
    let blocks = rate(args);
    let rate = Rate::new(blocks).expect("it was read as at least 1");
    if !file.exists() {
        output::check_folder(file).map_err(|error| Failed { why: error.to_string(), code: 1 })?;
        let profile = RefCell::new(Profile::new(arguments(args), args.ranks));
        let says =
            format!("computation is recorded in {}, at {blocks} basic blocks a second", file.display());
        return Ok((Computing::Recorded(profile, rate), says));
    }
    let text = files::read(file, MOST_BYTES).map_err(|error| Failed { why: error.to_string(), code: 1 })?;
    let profile = read(&text).map_err(|why| failed(file, why))?;
    let departs = |departure| {
        failed(
            file,
            format_args!("this is not the run that was recorded: {departure}; another FILE records it"),
        )
    };
    profile.check(&arguments(args), args.ranks).map_err(departs)?;
    let says = format!("computation as in {}, at {blocks} basic blocks a second", file.display());
    Ok((Computing::Replayed(profile, rate), says))
}

/// Writes down what a run that went well has counted, if it was to be recorded.
pub(super) fn end(args: &Args, run: &Run) -> Result<(), Failed> {
    let (Compute::Profile(file), Some(profile)) = (&args.compute, run.recorded()) else { return Ok(()) };
    if run.code() != 0 {
        output::aside(format_args!(
            "memonet mpirun: nothing is recorded, because a rank ended with exit code {}",
            run.code()
        ));
        return Ok(());
    }
    if profile.blocks() == 0 {
        return Err(failed(
            file,
            "nothing is recorded, because the program counts nothing: compile it with \
             `memonet mpicc -fsanitize-coverage=trace-pc`",
        ));
    }
    let document = Document { memonet_profile: FORMAT, profile };
    let text = serde_json::to_string(&document).expect("numbers and words can be written");
    files::write_whole(file, text.as_bytes()).map_err(|error| failed(file, error))
}

/// The profile that a file holds.
fn read(text: &str) -> Result<Profile, String> {
    let wrong = |why: String| format!("this is no profile of `--compute`: {why}");
    let document: Document = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    match document.memonet_profile {
        FORMAT => Ok(document.profile),
        other => Err(wrong(format!("it has form {other}, and this program knows {FORMAT}"))),
    }
}

fn arguments(args: &Args) -> Vec<String> {
    args.program[1..].iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

fn failed(file: &Path, why: impl Display) -> Failed {
    Failed { why: format!("{}: {why}", file.display()), code: 1 }
}

#[cfg(test)]
mod tests {
    use processes::mpi::Step;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn computation_takes_no_time_or_what_a_file_says() {
        assert_eq!(parse("none"), Ok(Compute::Nothing));
        assert_eq!(parse("profile=a=b"), Ok(Compute::Profile("a=b".into())));
        for wrong in ["", "profile", "profile=", "None", "file=x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let told = read("{\"memonet_profile\":2,\"arguments\":[],\"ranks\":[]}").unwrap_err();
        assert!(told.contains("it has form 2"), "{told}");
    }

    fn profile() -> impl Strategy<Value = Profile> {
        let step = ("[A-Za-z_]{0,20}", any::<u64>(), any::<u64>())
            .prop_map(|(function, digest, blocks)| Step(function, digest, blocks));
        let ranks = prop::collection::vec(prop::collection::vec(step, 0..5), 0..4);
        (prop::collection::vec(".*", 0..3), ranks).prop_map(|(arguments, ranks)| Profile { arguments, ranks })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_its_parts_are_an_error(profile in profile(), cut in any::<prop::sample::Index>()) {
            let document = Document { memonet_profile: FORMAT, profile: profile.clone() };
            let text = serde_json::to_string(&document).unwrap();
            prop_assert_eq!(read(&text), Ok(profile));
            let mut end = cut.index(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            prop_assert!(read(&text[..end]).is_err());
        }

        #[test]
        fn nothing_that_lies_in_a_file_is_more_than_an_error(text in "\\PC*") {
            prop_assert!(read(&text).is_err());
        }
    }
}
