//! Shapes of accesses to a window: which primitive moves them. No time and no network.
//!
//! | Bytes of the target | Primitives |
//! |---|---|
//! | contiguous | RVS, RVL |
//! | elements of 4 to 128 bytes at equal distances | RVSS, RVLS |
//! | other short runs of bytes | RVSI, RVLI, whose list lies at the target |
//! | other long runs | an RVS or RVL each |
//!
//! An SO-DIMM is accessed in units of 4 bytes, so any other place or length has no shape.

use mpi::Piece;

use crate::programs::vl::{Elements, Source};

/// Elements of a primitive.
const ELEMENTS: usize = 255;
/// Bytes of the shortest and of the longest element.
const SHORTEST: u64 = 4;
const LONGEST: u64 = 128;
/// Mean length of runs from which each is moved by a primitive of its own. Our choice: a list takes 4 bytes for each
/// 128, and a packet as much as 16.
const LONG: u64 = 512;

/// Bytes of the longest part of an access.
pub const MOST_BYTES: usize = 32 << 10;
const _: () = assert!(PART <= MOST_BYTES as u64 && ELEMENTS * LONGEST as usize <= MOST_BYTES);

/// Bytes of the longest contiguous part. Our choice, as for long messages: a get is read while the next part comes.
const PART: u64 = 16 << 10;

/// Bytes of the longest list.
pub const LIST_BYTES: usize = 4 * ELEMENTS;

/// The bytes of a part of an access, by offset in the region of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A run of bytes.
    Contiguous {
        /// Offset of the first byte.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// Elements at equal distances.
    Strided {
        /// Offset of the first element.
        offset: u32,
        /// Bytes from one element to the next.
        stride: u32,
        /// Size and number of elements.
        elements: Elements,
    },
    /// Elements anywhere.
    Listed {
        /// Offset of each element from the window's place.
        list: Vec<u32>,
        /// The window's place.
        place: u32,
        /// Size and number of elements.
        elements: Elements,
    },
}

impl Shape {
    /// The shape of a part that [`cut`] has made.
    pub fn of(place: u32, part: &[Piece]) -> Shape {
        let offset = |piece: &Piece| place + piece.at as u32;
        let (first, size) = (&part[0], part[0].bytes);
        if part.len() == 1 {
            return Shape::Contiguous { offset: offset(first), size: size as u32 };
        }
        let elements = Elements { dtype: size.ilog2() as u8, count: part.len() as u8 };
        match stride(part) {
            Some(stride) => Shape::Strided { offset: offset(first), stride: stride as u32, elements },
            None => {
                Shape::Listed { list: part.iter().map(|piece| piece.at as u32).collect(), place, elements }
            }
        }
    }

    /// The operand of a command, with the list at this offset in the same region.
    pub fn operand(&self, list_at: u32) -> Source {
        match *self {
            Shape::Contiguous { offset, size } => Source::Contiguous { offset, size },
            Shape::Strided { offset, stride, elements } => Source::Strided { offset, stride, elements },
            Shape::Listed { place, elements, .. } => {
                Source::Listed { offset: place, list: list_at, elements }
            }
        }
    }
}

/// Cuts an access into parts of one primitive each; none if a place or a length is not a multiple of 4.
pub fn cut(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    if pieces.iter().any(|piece| (piece.at | piece.bytes) % SHORTEST != 0) {
        return Vec::new();
    }
    let runs = merged(pieces);
    let bytes: u64 = runs.iter().map(|run| run.bytes).sum();
    if bytes >= LONG * runs.len() as u64 || runs.len() == 1 {
        let parts = runs.iter().flat_map(|run| split(*run, PART));
        return parts.map(|part| vec![part]).collect();
    }
    if is_element(runs[0].bytes) && stride(&runs).is_some() {
        return runs.chunks(ELEMENTS).map(<[Piece]>::to_vec).collect();
    }
    let all = runs.iter().fold(LONGEST, |all, run| all | run.bytes);
    let unit = 1 << all.trailing_zeros();
    let units: Vec<Piece> = runs.iter().flat_map(|run| split(*run, unit)).collect();
    units.chunks(ELEMENTS).map(<[Piece]>::to_vec).collect()
}

/// Runs of bytes without those that touch the one before.
fn merged(pieces: &[Piece]) -> Vec<Piece> {
    let mut runs: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match runs.last_mut() {
            Some(last) if last.at + last.bytes == piece.at => last.bytes += piece.bytes,
            _ => runs.push(*piece),
        }
    }
    runs
}

fn split(run: Piece, unit: u64) -> impl Iterator<Item = Piece> {
    (0..run.bytes.div_ceil(unit)).map(move |number| {
        let begin = number * unit;
        Piece { at: run.at + begin, bytes: unit.min(run.bytes - begin) }
    })
}

fn is_element(bytes: u64) -> bool {
    bytes.is_power_of_two() && (SHORTEST..=LONGEST).contains(&bytes)
}

/// Distance of pieces of one size that rise evenly.
fn stride(pieces: &[Piece]) -> Option<u64> {
    let stride = pieces.get(1)?.at.checked_sub(pieces[0].at).filter(|stride| *stride > 0)?;
    let is_even = |pair: &[Piece]| pair[0].bytes == pair[1].bytes && pair[0].at + stride == pair[1].at;
    pieces.windows(2).all(is_even).then_some(stride)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(at: u64, bytes: u64) -> Piece {
        Piece { at, bytes }
    }

    fn column(count: u64, bytes: u64, stride: u64) -> Vec<Piece> {
        (0..count).map(|number| piece(8 + stride * number, bytes)).collect()
    }

    /// The bytes of parts, each by its offset, in the order of the data.
    fn bytes(pieces: &[Piece]) -> Vec<u64> {
        pieces.iter().flat_map(|piece| piece.at..piece.at + piece.bytes).collect()
    }

    #[test]
    fn parts_have_the_bytes_of_the_access_in_its_order() {
        let odd = vec![piece(400, 12), piece(0, 4), piece(100, 24)];
        let backwards: Vec<Piece> = column(600, 8, 24).into_iter().rev().collect();
        let touching = vec![piece(0, 8), piece(8, 8), piece(16, 40_000)];
        for access in
            [odd, backwards, touching, column(300, 128, 256), column(3, 4096, 8192), column(2, 512, 600)]
        {
            let parts = cut(&access);
            assert_eq!(bytes(&parts.concat()), bytes(&access));
            for part in parts {
                let shape = Shape::of(0, &part);
                let moved: u64 = part.iter().map(|piece| piece.bytes).sum();
                assert!(moved <= MOST_BYTES as u64 && part.len() <= ELEMENTS, "{shape:?}");
                assert!(part.len() == 1 || part.iter().all(|piece| is_element(piece.bytes)), "{shape:?}");
            }
        }
    }

    #[test]
    fn access_gets_the_primitive_of_its_shape() {
        let shapes = |access: &[Piece]| -> Vec<Shape> {
            cut(access).iter().map(|part| Shape::of(0x1_0000, part)).collect()
        };
        assert_eq!(shapes(&[piece(8, 20)]), [Shape::Contiguous { offset: 0x1_0008, size: 20 }]);
        let elements = |dtype, count| Elements { dtype, count };
        let strided = |offset, count| Shape::Strided { offset, stride: 32, elements: elements(3, count) };
        assert_eq!(shapes(&column(300, 8, 32)), [strided(0x1_0008, 255), strided(0x1_0008 + 255 * 32, 45)]);
        let list = vec![400, 404, 408, 0];
        let listed = Shape::Listed { list, place: 0x1_0000, elements: elements(2, 4) };
        assert_eq!(shapes(&[piece(400, 12), piece(0, 4)]), [listed]);
        assert_eq!(shapes(&column(2, 4096, 8192)).len(), 2);
    }

    #[test]
    fn bytes_that_are_no_words_have_no_shape() {
        for access in [vec![piece(2, 4)], vec![piece(4, 3)], vec![piece(0, 4), piece(9, 4)], vec![]] {
            assert!(cut(&access).is_empty(), "{access:?}");
        }
    }
}
