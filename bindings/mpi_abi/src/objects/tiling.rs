//! Places of a filetype's data in a file (MPI 5.0, section 14.1.1).

use mpi::Datatype;

use super::fault;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// Most byte runs of one filetype.
const MOST_RUNS: usize = 1 << 26;

/// Data of a filetype as runs of bytes, which repeat at each extent. Offsets are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    runs: Vec<Run>,
    /// Bytes of data in one tile.
    size: u64,
    /// Bytes from one tile to the next.
    extent: i64,
}

/// Consecutive bytes of data in a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Offset from the beginning of the tile.
    at: i64,
    /// Bytes of data.
    length: u64,
    /// Bytes of data in the tile before this run.
    before: u64,
}

impl Run {
    fn end(&self) -> i64 {
        self.at + self.length as i64
    }
}

impl Tiling {
    /// Contiguous data, in tiles of `size` bytes.
    pub fn contiguous(size: u64) -> Self {
        let run = Run { at: 0, length: size, before: 0 };
        Tiling { runs: if size == 0 { vec![] } else { vec![run] }, size, extent: size as i64 }
    }

    /// Tiling of a datatype. Displacements must not be negative and must not decrease; data may overlap
    /// unless it is `written` (MPI 5.0, section 14.1.1).
    pub fn new(layout: &Datatype, written: bool) -> Outcome<Self> {
        let (mut runs, mut size) = (Vec::<Run>::new(), 0);
        let (mut descends, mut overlaps, mut too_many) = (false, false, false);
        let visit = |at: i64, length: usize| {
            let length = length as u64;
            match runs.last_mut() {
                Some(last) if last.end() == at => last.length += length,
                last => {
                    descends |= last.as_ref().map_or(at < 0, |last| at < last.at);
                    overlaps |= last.is_some_and(|last| at < last.end());
                    too_many |= runs.len() == MOST_RUNS;
                    if !too_many {
                        runs.push(Run { at, length, before: size });
                    }
                }
            }
            size += length;
        };
        layout.runs(1, visit).map_err(fault)?;
        // The standard names no class; MPICH returns this one.
        let wrong = |why: &str| Err(Fault::new(MPI_ERR_IO, format!("a filetype {why}")));
        if descends || layout.extent() < 0 {
            return wrong("has displacements that are negative or decrease");
        }
        if written && (overlaps || size > 0 && layout.extent() == 0) {
            return wrong("overlaps with itself, and the file is open for writing");
        }
        if too_many {
            return Err(Fault::new(MPI_ERR_NO_MEM, format!("a filetype has more than {MOST_RUNS} pieces")));
        }
        Ok(Tiling { runs, size, extent: layout.extent() })
    }

    /// Whether data follows data without a gap, within a tile and from tile to tile.
    pub fn is_contiguous(&self) -> bool {
        matches!(&self.runs[..], [run] if run.length as i64 == self.extent)
    }

    /// Bytes of data in one tile.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Offset of byte `index` of the data; `None` if there is no such offset.
    pub fn offset(&self, index: u64) -> Option<i64> {
        if self.size == 0 {
            return Some(0);
        }
        let (tile, within) = (index / self.size, index % self.size);
        let run = self.runs[self.run_of(within)];
        let tile = i64::try_from(tile).ok()?.checked_mul(self.extent)?;
        tile.checked_add(run.at)?.checked_add((within - run.before) as i64)
    }

    /// Run that holds byte `within` of a tile's data.
    fn run_of(&self, within: u64) -> usize {
        self.runs.partition_point(|run| run.before <= within) - 1
    }

    /// Bytes of data at offsets below `end`.
    pub fn data_below(&self, end: i64) -> u64 {
        let (Some(first), Some(last)) = (self.runs.first(), self.runs.last()) else { return 0 };
        let whole = match self.extent {
            0 => 0,
            extent => (end - last.end()).div_euclid(extent).saturating_add(1).max(0),
        };
        let mut data = (whole as u64).saturating_mul(self.size);
        let mut base = whole * self.extent;
        while base + first.at < end {
            let below = |run: &Run| (end - base - run.at).clamp(0, run.length as i64) as u64;
            data = self.runs.iter().map(below).fold(data, u64::saturating_add);
            if self.extent == 0 {
                break;
            }
            base += self.extent;
        }
        data
    }

    /// Pieces of the file, each with offset and length, of `length` bytes of data from byte `index` on. The
    /// offsets count from `displacement`.
    pub fn pieces(&self, displacement: i64, index: u64, length: u64) -> Outcome<Pieces<'_>> {
        let length = if self.size == 0 { 0 } else { length };
        let end = index.checked_add(length);
        let last = end.and_then(|end| self.offset(end.saturating_sub(1)));
        if last.and_then(|last| last.checked_add(1)?.checked_add(displacement)).is_none() {
            return Err(Fault::new(MPI_ERR_ARG, "the access ends beyond the largest offset of a file"));
        }
        Ok(Pieces { tiling: self, displacement, index, length })
    }
}

/// Iterator over the pieces of an access, in the order of its data. Adjacent pieces are merged.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    tiling: &'a Tiling,
    displacement: i64,
    /// Next byte of the data.
    index: u64,
    /// Bytes that follow.
    length: u64,
}

impl Pieces<'_> {
    /// Takes the next piece, of at most `most` bytes.
    pub fn take(&mut self, most: u64) -> Option<(u64, u64)> {
        if self.length == 0 || most == 0 {
            return None;
        }
        let most = most.min(self.length);
        let begin = self.tiling.offset(self.index)?;
        let mut taken = 0;
        if self.tiling.is_contiguous() {
            taken = most;
        }
        while taken < most && self.tiling.offset(self.index + taken) == Some(begin + taken as i64) {
            let within = (self.index + taken) % self.tiling.size;
            let run = self.tiling.runs[self.tiling.run_of(within)];
            taken += (run.before + run.length - within).min(most - taken);
        }
        self.index += taken;
        self.length -= taken;
        Some(((self.displacement + begin) as u64, taken))
    }
}

#[cfg(test)]
mod tests {
    use mpi::Kind;

    use super::*;

    fn int() -> Datatype {
        Datatype::named(Kind::Int32, 0)
    }

    fn pieces(tiling: &Tiling, index: u64, length: u64) -> Vec<(u64, u64)> {
        let mut pieces = tiling.pieces(100, index, length).unwrap();
        std::iter::from_fn(|| pieces.take(u64::MAX)).collect()
    }

    #[test]
    fn pieces_follow_the_data_over_runs_and_tiles() {
        // Integers 0 and 2 to 3 of five.
        let layout = int().indexed(&[1, 2], &[0, 2]).unwrap().resized(0, 20).unwrap();
        let tiling = Tiling::new(&layout, true).unwrap();
        assert_eq!(pieces(&tiling, 0, 12), [(100, 4), (108, 8)]);
        assert_eq!(pieces(&tiling, 2, 13), [(102, 2), (108, 8), (120, 3)]);
        assert_eq!(pieces(&tiling, 24, 4), [(140, 4)]);
        assert_eq!(pieces(&tiling, 5, 0), []);
        assert_eq!(tiling.offset(13), Some(21));
    }

    #[test]
    fn adjacent_tiles_are_one_piece() {
        let tiling = Tiling::new(&int(), true).unwrap();
        assert!(tiling.is_contiguous());
        assert_eq!(pieces(&tiling, 3, 1000), [(103, 1000)]);
        // The last run of a tile touches the first run of the next one.
        let ends = int().indexed(&[1, 1], &[0, 2]).unwrap();
        let tiling = Tiling::new(&ends, true).unwrap();
        assert_eq!(pieces(&tiling, 0, 16), [(100, 4), (108, 8), (120, 4)]);
        let mut some = tiling.pieces(0, 4, 8).unwrap();
        assert_eq!([some.take(3), some.take(9), some.take(1)], [Some((8, 3)), Some((11, 5)), None]);
    }

    #[test]
    fn data_below_an_offset_is_the_inverse_of_an_offset() {
        let layout = int().indexed(&[1, 2], &[1, 3]).unwrap().resized(0, 32).unwrap();
        let tiling = Tiling::new(&layout, true).unwrap();
        for index in 0..50 {
            let offset = tiling.offset(index).unwrap();
            assert_eq!(tiling.data_below(offset), index);
            assert_eq!(tiling.data_below(offset + 1), index + 1);
        }
        assert_eq!([tiling.data_below(0), tiling.data_below(4), tiling.data_below(64)], [0, 0, 24]);
    }

    #[test]
    fn filetypes_against_the_rules_are_refused() {
        let class = |layout: &Datatype, written| Tiling::new(layout, written).map_err(|fault| fault.class);
        let backward = int().indexed(&[1, 1], &[2, 0]).unwrap();
        let twice = int().hindexed(&[2, 1], &[0, 4]).unwrap();
        let negative = int().hindexed(&[1], &[-4]).unwrap();
        assert_eq!(class(&backward, false).unwrap_err(), MPI_ERR_IO);
        assert_eq!(class(&negative, false).unwrap_err(), MPI_ERR_IO);
        assert_eq!(class(&twice, true).unwrap_err(), MPI_ERR_IO);
        assert!(class(&twice, false).is_ok());
        let nothing = class(&int().contiguous(0).unwrap(), true).unwrap();
        assert_eq!((pieces(&nothing, 0, 8), nothing.data_below(9)), (vec![], 0));
    }

    #[test]
    fn offsets_that_do_not_exist_are_refused() {
        let wide = int().resized(0, 1 << 40).unwrap();
        let tiling = Tiling::new(&wide, true).unwrap();
        assert_eq!(tiling.pieces(0, 1 << 30, 4).unwrap_err().class, MPI_ERR_ARG);
        assert_eq!(tiling.pieces(i64::MAX, 0, 4).unwrap_err().class, MPI_ERR_ARG);
        assert_eq!(Tiling::contiguous(1).pieces(0, u64::MAX, 4).unwrap_err().class, MPI_ERR_ARG);
    }
}
