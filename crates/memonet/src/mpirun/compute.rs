//! `--compute`: the time that ranks compute between calls, and the profile that holds it.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fmt::Display;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use processes::mpi::{Computing, Profile, Rate, Run};
use serde::{Deserialize, Serialize};

use super::Args;
use crate::launcher::{FailedRun, Launcher, texts};
use crate::output;
use crate::shell_words::quoted;

/// Source of the time that ranks compute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compute {
    /// Computation takes no time.
    #[default]
    Nothing,
    /// The profile in this file; it is recorded if the file does not exist.
    Profile(PathBuf),
}

/// Parser of the value of `--compute`, in which a file may have any name.
pub fn parser() -> impl TypedValueParser<Value = Compute> {
    OsStringValueParser::new().try_map(|text| parse(&text))
}

/// Parses the value of `--compute`.
fn parse(text: &OsStr) -> Result<Compute, &'static str> {
    match text.as_bytes().strip_prefix(b"profile=") {
        Some(file) if !file.is_empty() => Ok(Compute::Profile(OsStr::from_bytes(file).into())),
        None if text == "none" => Ok(Compute::Nothing),
        _ => Err("it is `none` or `profile=FILE`"),
    }
}

/// The options on the command line, with a space before them.
pub(super) fn typed(args: &Args) -> String {
    let rate = args.rate.map_or(String::new(), |rate| format!(" --rate {rate}"));
    let profile = |file: &Path| format!(" --compute profile={}{rate}", quoted(file));
    file(args).map_or(String::new(), profile)
}

/// The file of the profile, if computation takes time.
pub(super) fn file(args: &Args) -> Option<&Path> {
    match &args.compute {
        Compute::Nothing => None,
        Compute::Profile(file) => Some(file),
    }
}

/// Basic blocks per second: `--rate`, or the default.
pub(super) fn rate(args: &Args) -> u64 {
    args.rate.unwrap_or(BLOCKS_PER_SECOND)
}

/// Default rate: blocks of four instructions on a processor of 400 MHz with one instruction per clock (our choice).
pub const BLOCKS_PER_SECOND: u64 = 100_000_000;

/// Bytes of a file at most, about ten million calls.
const MOST_BYTES: u64 = 512 << 20;

/// Version of the format.
const FORMAT: u32 = 1;

/// Contents of the file.
#[derive(Serialize, Deserialize)]
struct Document {
    memonet_profile: u32,
    #[serde(flatten)]
    profile: Profile,
}

/// Prepares recording or replay; also the words that describe it to the user.
pub(super) fn begin(args: &Args) -> Result<(Computing, String), FailedRun> {
    let Compute::Profile(file) = &args.compute else {
        return Ok((Computing::Nothing, "computation takes no time".to_owned()));
    };
    let blocks = rate(args);
    let rate = Rate::new(blocks).expect("the parser refuses 0");
    if !file.exists() {
        output::check_folder(file).map_err(|error| FailedRun::new(error.to_string()))?;
        let profile = RefCell::new(Profile::new(arguments(args), args.ranks));
        let description =
            format!("computation is recorded in {}, at {blocks} basic blocks a second", file.display());
        return Ok((Computing::Recorded(profile, rate), description));
    }
    let text = files::read(file, MOST_BYTES).map_err(|error| FailedRun::new(error.to_string()))?;
    let profile = read(&text).map_err(|reason| failed(file, reason))?;
    let mismatch = |mismatch| {
        failed(
            file,
            format_args!("this is not the run that was recorded: {mismatch}; another FILE records it"),
        )
    };
    profile.check(&arguments(args), args.ranks).map_err(mismatch)?;
    let description = format!("computation as in {}, at {blocks} basic blocks a second", file.display());
    Ok((Computing::Replayed(profile, rate), description))
}

/// Writes the recorded profile of a run in which all ranks ended with exit code 0.
pub(super) fn end(args: &Args, run: &Run, launcher: &Launcher) -> Result<(), FailedRun> {
    let (Compute::Profile(file), Some(profile)) = (&args.compute, run.recorded()) else { return Ok(()) };
    if run.exit_code() != 0 {
        launcher.say(format_args!(
            "nothing is recorded, because a rank ended with exit code {}",
            run.exit_code()
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
    let text = serde_json::to_string(&document).expect("numbers and strings can be encoded");
    files::write_whole(file, text.as_bytes()).map_err(|error| failed(file, error))
}

/// Parses the contents of a file.
fn read(text: &str) -> Result<Profile, String> {
    let invalid = |reason: String| format!("this is no profile of `--compute`: {reason}");
    let document: Document = serde_json::from_str(text).map_err(|error| invalid(error.to_string()))?;
    match document.memonet_profile {
        FORMAT => Ok(document.profile),
        other => Err(invalid(format!("it has form {other}, and this program knows {FORMAT}"))),
    }
}

fn arguments(args: &Args) -> Vec<String> {
    texts(&args.program[1..])
}

fn failed(file: &Path, reason: impl Display) -> FailedRun {
    FailedRun::new(format!("{}: {reason}", file.display()))
}

#[cfg(test)]
mod tests {
    use processes::mpi::Step;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn computation_is_none_or_a_profile() {
        assert_eq!(parse("none".as_ref()), Ok(Compute::Nothing));
        assert_eq!(parse("profile=a=b".as_ref()), Ok(Compute::Profile("a=b".into())));
        for invalid in ["", "profile", "profile=", "None", "file=x"] {
            assert!(parse(invalid.as_ref()).is_err(), "{invalid}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let error = read("{\"memonet_profile\":2,\"arguments\":[],\"ranks\":[]}").unwrap_err();
        assert!(error.contains("it has form 2"), "{error}");
    }

    fn profile() -> impl Strategy<Value = Profile> {
        let step = ("[A-Za-z_]{0,20}", any::<u64>(), any::<u64>())
            .prop_map(|(function, digest, blocks)| Step(function, digest, blocks));
        let ranks = prop::collection::vec(prop::collection::vec(step, 0..5), 0..4);
        (prop::collection::vec(".*", 0..3), ranks).prop_map(|(arguments, ranks)| Profile { arguments, ranks })
    }

    proptest! {
        #[test]
        fn written_profile_is_read_and_a_prefix_is_an_error(profile in profile(), cut in any::<prop::sample::Index>()) {
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
        fn any_text_is_read_or_an_error(text in "\\PC*") {
            prop_assert!(read(&text).is_err());
        }
    }
}
