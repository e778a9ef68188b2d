//! The file formats, chosen by the extension of the file.

use std::path::Path;

/// A waveform file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value Change Dump (IEEE 1364): text, read by every viewer.
    Vcd,
    /// Fast Signal Trace: GTKWave's compressed format.
    Fst,
}

impl Format {
    /// The format of a file of this name; `None` for other extensions.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        if extension.eq_ignore_ascii_case("vcd") {
            Some(Self::Vcd)
        } else if extension.eq_ignore_ascii_case("fst") {
            Some(Self::Fst)
        } else {
            None
        }
    }
}

/// Exponent of a time unit in seconds; `None` if it is not a power of ten from 1 ps to 1 s.
pub(crate) fn exponent(timescale_ps: u64) -> Option<i8> {
    let digits = timescale_ps.checked_ilog10()?;
    (10u64.pow(digits) == timescale_ps && digits <= 12).then_some(digits as i8 - 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_selects_the_format() {
        assert_eq!(Format::of(Path::new("a.vcd")), Some(Format::Vcd));
        assert_eq!(Format::of(Path::new("dir.vcd/a.FST")), Some(Format::Fst));
        assert_eq!(Format::of(Path::new("a.fst.gz")), None);
        assert_eq!(Format::of(Path::new("fst")), None);
    }

    #[test]
    fn time_units_are_powers_of_ten_up_to_a_second() {
        assert_eq!(exponent(1), Some(-12));
        assert_eq!(exponent(1_000), Some(-9));
        assert_eq!(exponent(1_000_000_000_000), Some(0));
        assert_eq!(exponent(10_000_000_000_000), None);
        assert_eq!(exponent(0), None);
        assert_eq!(exponent(500), None);
    }
}
