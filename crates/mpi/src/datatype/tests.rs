use proptest::prelude::*;

use super::*;

fn int() -> Datatype {
    Datatype::named(Kind::Int32, 0)
}

fn byte() -> Datatype {
    Datatype::named(Kind::Byte, 0)
}

/// Byte runs of `count` elements, with adjacent runs merged.
fn runs(datatype: &Datatype, count: u64) -> Vec<(i64, usize)> {
    let mut runs: Vec<(i64, usize)> = Vec::new();
    datatype
        .runs(count, |at, length| match runs.last_mut() {
            Some((last, have)) if *last + *have as i64 == at => *have += length,
            _ => runs.push((at, length)),
        })
        .unwrap();
    runs
}

/// Size, lower bound, extent, true lower bound and true extent.
fn numbers(datatype: &Datatype) -> (u64, i64, i64, i64, i64) {
    (datatype.size(), datatype.lower(), datatype.extent(), datatype.true_lower(), datatype.true_extent())
}

#[test]
fn vector_has_blocks_at_a_distance_and_ends_with_its_last_block() {
    let vector = int().vector(2, 3, 4).unwrap();
    assert_eq!(numbers(&vector), (24, 0, 28, 0, 28));
    assert_eq!(runs(&vector, 2), [(0, 12), (16, 24), (44, 12)]);
    let backwards = int().hvector(2, 1, -8).unwrap();
    assert_eq!(numbers(&backwards), (8, -8, 12, -8, 12));
    assert_eq!(runs(&backwards, 1), [(0, 4), (-8, 4)]);
    assert_eq!(int().vector(3, 2, 2).map(|dense| runs(&dense, 5)), Ok(vec![(0, 120)]));
}

#[test]
fn indexed_has_blocks_of_any_lengths_anywhere() {
    let indexed = int().indexed(&[1, 0, 2], &[5, 9, 1]).unwrap();
    assert_eq!(numbers(&indexed), (12, 4, 20, 4, 20));
    assert_eq!(runs(&indexed, 1), [(20, 4), (4, 8)]);
    let same = int().hindexed(&[1, 0, 2], &[20, 36, 4]).unwrap();
    assert_eq!((numbers(&same), runs(&same, 2)), (numbers(&indexed), runs(&indexed, 2)));
    let block = int().indexed_block(2, &[3, 0]).unwrap();
    assert_eq!(runs(&block, 1), [(12, 8), (0, 8)]);
    assert_eq!(int().hindexed_block(2, &[12, 0]).map(|block| runs(&block, 1)), Ok(vec![(12, 8), (0, 8)]));
    assert!(int().indexed(&[1], &[1, 2]).is_err());
}

#[test]
fn structure_is_padded_as_in_c_unless_its_bounds_were_given() {
    let double = Datatype::named(Kind::Float64, 0);
    let structure = Datatype::structure(&[1, 1], &[0, 8], &[double.clone(), byte()]).unwrap();
    assert_eq!(numbers(&structure), (9, 0, 16, 0, 9));
    assert_eq!(runs(&structure, 2), [(0, 9), (16, 9)]);
    let short = double.resized(0, 9).unwrap();
    let given = Datatype::structure(&[1, 1], &[0, 8], &[short, byte()]).unwrap();
    assert_eq!(given.extent(), 9);
    let lengths = Datatype::structure(&[1], &[0, 8], &[double]);
    assert!(lengths.is_err());
}

#[test]
fn bounds_that_were_given_place_the_next_element() {
    let resized = int().resized(-4, 12).unwrap();
    assert_eq!(numbers(&resized), (4, -4, 12, 0, 4));
    assert_eq!(runs(&resized, 3), [(0, 4), (12, 4), (24, 4)]);
    assert_eq!(runs(&resized.contiguous(2).unwrap(), 2), [(0, 4), (12, 4), (24, 4), (36, 4)]);
    let over = int().vector(2, 1, 2).unwrap().resized(0, 4).unwrap();
    assert_eq!(runs(&over, 2), [(0, 4), (8, 4), (4, 4), (12, 4)]);
}

#[test]
fn subarray_is_a_part_of_an_array_whose_extent_is_all_of_it() {
    let c = int().subarray(&[4, 5], &[2, 3], &[1, 2], Order::C).unwrap();
    assert_eq!(numbers(&c), (24, 0, 80, 28, 32));
    assert_eq!(runs(&c, 1), [(28, 12), (48, 12)]);
    let fortran = int().subarray(&[5, 4], &[3, 2], &[2, 1], Order::Fortran).unwrap();
    assert_eq!(runs(&fortran, 2), runs(&c, 2));
    assert!(int().subarray(&[4], &[3], &[2], Order::C).is_err());
    assert!(int().subarray(&[], &[], &[], Order::C).is_err());
    assert!(int().subarray(&[u64::MAX, 4], &[1, 1], &[u64::MAX - 1, 0], Order::C).is_err());
}

#[test]
fn pairs_leave_their_gaps_out_of_messages() {
    let pair = Datatype::named(Kind::ShortInt, 0);
    assert_eq!(runs(&pair, 2), [(0, 2), (4, 6), (12, 4)]);
    let memory: Vec<u8> = (0..16).collect();
    assert_eq!(pair.pack(2, &memory, 0), Ok(vec![0, 1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15]));
}

#[test]
fn elements_are_counted_in_parts_of_messages() {
    let structure = Datatype::structure(&[1, 2], &[0, 4], &[int(), byte()]).unwrap();
    assert_eq!(structure.elements(), 3);
    assert_eq!(
        [12, 6, 4, 5, 10, 3].map(|bytes| structure.elements_of(bytes)),
        [Some(6), Some(3), Some(1), Some(2), Some(4), None]
    );
    assert_eq!([12, 4, 0].map(|bytes| structure.count(bytes)), [Some(2), None, Some(0)]);
    let pair = Datatype::named(Kind::DoubleInt, 0);
    assert_eq!((pair.elements_of(12), pair.elements_of(8)), (Some(2), Some(1)));
    let nothing = int().contiguous(0).unwrap().contiguous(1 << 60).unwrap();
    assert_eq!((nothing.elements_of(0), nothing.count(0), nothing.elements_of(1)), (Some(0), Some(0), None));
}

#[test]
fn kind_is_that_of_all_elements() {
    let vector = int().vector(2, 3, 4).unwrap();
    assert_eq!(vector.duplicate().contiguous(2).unwrap().kind(), Some(Kind::Int32));
    assert_eq!(Datatype::structure(&[1, 1], &[0, 4], &[int(), byte()]).unwrap().kind(), None);
    assert_eq!(Datatype::structure(&[1, 0], &[0, 4], &[int(), byte()]).unwrap().kind(), Some(Kind::Int32));
    assert_eq!(int().contiguous(0).unwrap().kind(), None);
}

#[test]
fn contents_are_the_call_that_made_it() {
    let int = Datatype::named(Kind::Int32, 7);
    let vector = int.vector(2, 3, 4).unwrap();
    assert_eq!(*vector.contents(), Contents::Vector { count: 2, length: 3, stride: 4, of: int.clone() });
    assert_eq!(*int.contents(), Contents::Named { kind: Kind::Int32, label: 7 });
    assert_eq!(*vector.duplicate().contents(), Contents::Duplicate { of: vector });
}

#[test]
fn bounds_outside_memory_are_errors_and_never_panic() {
    let huge = byte().contiguous(1 << 62).unwrap();
    assert!(huge.contiguous(4).is_err());
    assert!(int().contiguous(u64::MAX).is_err());
    assert!(int().vector(2, 1, i64::MAX).is_err());
    assert!(int().hvector(3, 1, i64::MAX / 2).is_err());
    assert!(int().resized(i64::MAX, 1).is_err());
    assert!(huge.pack(1, &[], 0).is_err());
    assert!(huge.pack(u64::MAX, &[], 0).is_err());
    assert!(huge.runs(u64::MAX, |_, _| ()).is_err());
    assert!(byte().hindexed(&[1, 1], &[i64::MIN, i64::MAX]).is_err());
    let sparse = byte().resized(0, 1 << 61).unwrap();
    assert!(sparse.span(8).is_err());
    assert_eq!(int().pack(2, &[0; 7], 0), Err(Error::Buffer { have: 7, need: 8 }));
    assert!(int().hindexed(&[1], &[-1]).unwrap().pack(1, &[0; 8], 0).is_err());
    let mut memory = [0; 8];
    assert_eq!(int().unpack(1, &mut memory, 0, &[1; 5]), Err(Error::Truncated { bytes: 5, most: 4 }));
}

#[test]
fn message_that_ends_early_leaves_the_rest_of_memory_alone() {
    let vector = int().vector(2, 1, 2).unwrap();
    let mut memory = [9; 24];
    vector.unpack(2, &mut memory, 0, &[1, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!(memory[..12], [1, 2, 3, 4, 9, 9, 9, 9, 5, 6, 9, 9]);
    assert_eq!(memory[12..], [9; 12]);
}

/// Derived datatypes whose bytes are close to the buffer address.
fn datatype() -> impl Strategy<Value = Datatype> {
    let leaf = prop_oneof![Just(Kind::Byte), Just(Kind::Int16), Just(Kind::ShortInt), Just(Kind::Float64)];
    leaf.prop_map(|kind| Datatype::named(kind, 0)).prop_recursive(3, 20, 3, |inner| {
        let blocks = prop::collection::vec((0..3u64, -20..20i64), 0..3);
        prop_oneof![
            (inner.clone(), 0..4u64).prop_map(|(of, count)| of.contiguous(count).unwrap()),
            (inner.clone(), 0..4u64, 0..3u64, -3..4i64).prop_map(|(of, c, b, s)| of.vector(c, b, s).unwrap()),
            (inner.clone(), 0..3u64, 0..3u64, -30..30i64)
                .prop_map(|(of, c, b, s)| of.hvector(c, b, s).unwrap()),
            (inner.clone(), blocks.clone()).prop_map(|(of, blocks)| {
                let (lengths, at): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
                of.hindexed(&lengths, &at).unwrap()
            }),
            prop::collection::vec((inner.clone(), 0..3u64, -20..20i64), 0..3).prop_map(|parts| {
                let lengths: Vec<_> = parts.iter().map(|part| part.1).collect();
                let at: Vec<_> = parts.iter().map(|part| part.2).collect();
                let of: Vec<_> = parts.into_iter().map(|part| part.0).collect();
                Datatype::structure(&lengths, &at, &of).unwrap()
            }),
            (inner, -10..10i64, -20..20i64)
                .prop_map(|(of, lower, extent)| of.resized(lower, extent).unwrap()),
        ]
    })
}

/// Byte offsets of a datatype after the text of the standard: the elements of its parts, each displaced.
fn naive(datatype: &Datatype, at: i64) -> Vec<i64> {
    let moved = |of: &Datatype, at: i64, count: u64| -> Vec<i64> {
        (0..count as i64).flat_map(|i| naive(of, at + i * of.extent())).collect()
    };
    match datatype.contents() {
        Contents::Named { kind: Kind::ShortInt, .. } => [0, 1, 4, 5, 6, 7].map(|byte| at + byte).to_vec(),
        Contents::Named { kind, .. } => (0..kind.size() as i64).map(|byte| at + byte).collect(),
        Contents::Contiguous { count, of } => moved(of, at, *count),
        Contents::Vector { count, length, stride, of } => {
            (0..*count as i64).flat_map(|i| moved(of, at + i * stride * of.extent(), *length)).collect()
        }
        Contents::Hvector { count, length, stride, of } => {
            (0..*count as i64).flat_map(|i| moved(of, at + i * stride, *length)).collect()
        }
        Contents::Hindexed { lengths, displacements, of } => {
            lengths.iter().zip(displacements).flat_map(|(length, to)| moved(of, at + to, *length)).collect()
        }
        Contents::Struct { lengths, displacements, of } => {
            let parts = lengths.iter().zip(displacements).zip(of);
            parts.flat_map(|((length, to), of)| moved(of, at + to, *length)).collect()
        }
        Contents::Resized { of, .. } => naive(of, at),
        other => panic!("{other:?} is not made here"),
    }
}

proptest! {
    #[test]
    fn bytes_are_those_of_the_parts_in_their_order(datatype in datatype(), count in 0..3u64) {
        let expected: Vec<i64> =
            (0..count as i64).flat_map(|i| naive(&datatype, i * datatype.extent())).collect();
        let mut bytes = Vec::new();
        datatype.runs(count, |at, length| bytes.extend(at..at + length as i64)).unwrap();
        prop_assert_eq!(&bytes, &expected);
        let span = datatype.span(count).unwrap();
        prop_assert!(bytes.iter().all(|at| (span.begin..span.end).contains(at)));
        if count == 1 && !bytes.is_empty() {
            let (first, last) = (bytes.iter().min().copied(), bytes.iter().max().map(|last| last + 1));
            prop_assert_eq!((first, last), (Some(span.begin), Some(span.end)));
        }
        prop_assert_eq!(bytes.len() as u64, datatype.size() * count);
    }

    #[test]
    fn unpacking_restores_packed_bytes(datatype in datatype(), count in 0..3u64) {
        let span = datatype.span(count).unwrap();
        let origin = span.begin.min(0).unsigned_abs() as usize;
        let memory: Vec<u8> = (0..origin + span.end.max(0) as usize).map(|i| (i * 37) as u8).collect();
        let packed = datatype.pack(count, &memory, origin).unwrap();
        let mut other = vec![0; memory.len()];
        datatype.unpack(count, &mut other, origin, &packed).unwrap();
        prop_assert_eq!(datatype.pack(count, &other, origin).unwrap(), packed);
    }
}

#[test]
fn parts_that_are_too_far_apart_are_refused() {
    let far = [i64::MIN, i64::MAX - 1];
    assert!(Datatype::structure(&[1, 1], &far, &[byte(), byte()]).is_err());
    assert!(byte().hindexed(&[1, 1], &far).is_err());
}

#[test]
fn structure_has_a_place_and_a_datatype_for_each_block() {
    let structure = |lengths: &[u64], places: &[i64], of: usize| {
        Datatype::structure(lengths, places, &vec![byte(); of]).is_ok()
    };
    assert!(structure(&[1, 1], &[0, 8], 2));
    assert!(!structure(&[1, 1], &[0], 2));
    assert!(!structure(&[1, 1], &[0, 8], 1));
    assert!(!structure(&[1], &[0, 8], 2));
}

#[test]
fn empty_parts_take_no_time_however_many_they_are() {
    let empty = byte().contiguous(0).unwrap();
    let all = Datatype::structure(&[1 << 60, 1], &[0, 0], &[empty, byte()]).unwrap();
    assert_eq!(all.elements_of(1), Some(1));
}
