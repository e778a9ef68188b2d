//! The portable representation `external32` of elements (MPI 5.0, section 14.5.2): big-endian, with sizes of its own.

use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};

use super::{Body, Contents, Datatype, Kind};

/// Size in `external32` of a predefined datatype with this label and kind, in bytes. Pairs have two parts, each with a
/// size of its own.
pub type ExternalSize<'a> = &'a dyn Fn(u64, Kind) -> usize;

impl Datatype {
    /// Label of the predefined datatype with this layout; none for others.
    pub fn label(&self) -> Option<u64> {
        match self.contents() {
            Contents::Named { label, .. } | Contents::F90 { label, .. } => Some(*label),
            Contents::Duplicate { of } | Contents::Resized { of, .. } => of.label(),
            _ => None,
        }
    }

    /// Bytes of one element in `external32`.
    pub fn external_size(&self, size: ExternalSize) -> u64 {
        match &self.0.body {
            Body::Kind(kind) => {
                let label = self.label().unwrap_or_default();
                let (value, index) = kind.parts();
                let index = index.map_or(0, |index| external_size(index) as u64);
                size(label, value) as u64 + index
            }
            Body::Blocks(blocks) => {
                let each = |block: &super::Blocks| {
                    block.of.external_size(size).saturating_mul(block.times.saturating_mul(block.length))
                };
                blocks.iter().map(each).fold(0, u64::saturating_add)
            }
        }
    }

    /// Calls `visit` with offset, kind and size in `external32` of each value of `count` elements, in message order,
    /// until it fails.
    pub fn values<E>(
        &self,
        count: u64,
        size: ExternalSize,
        visit: &mut impl FnMut(i64, Kind, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..count as i64).try_for_each(|index| self.values_at(index * self.extent(), size, visit))
    }

    fn values_at<E>(
        &self,
        at: i64,
        size: ExternalSize,
        visit: &mut impl FnMut(i64, Kind, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.0.body {
            Body::Kind(kind) => {
                let (value, index) = kind.parts();
                visit(at, value, size(self.label().unwrap_or_default(), value))?;
                match index {
                    Some(index) => visit(at + kind.index_offset() as i64, index, external_size(index)),
                    None => Ok(()),
                }
            }
            Body::Blocks(blocks) => {
                for block in blocks.iter().filter(|block| block.of.size() > 0) {
                    for time in 0..block.times as i64 {
                        for index in 0..block.length as i64 {
                            let at = at + block.at + time * block.stride + index * block.of.extent();
                            block.of.values_at(at, size, visit)?;
                        }
                    }
                }
                Ok(())
            }
        }
    }
}

/// Size of a value in `external32` unless its datatype has another one, as `MPI_LONG` has.
pub fn external_size(kind: Kind) -> usize {
    if kind == Kind::WideChar { 2 } else { kind.size() }
}

/// Appends a value in `external32`; false if the value does not fit.
pub fn to_external(kind: Kind, size: usize, value: &[u8], external: &mut Vec<u8>) -> bool {
    match kind {
        Kind::LongDouble => external.extend(quad(value)),
        Kind::Complex16 | Kind::Complex32 | Kind::Complex64 | Kind::Complex128 => {
            let (real, imaginary) = value.split_at(value.len() / 2);
            external.extend(real.iter().rev().chain(imaginary.iter().rev()));
        }
        Kind::LongDoubleComplex => {
            value.chunks(16).for_each(|part| external.extend(quad(part)));
        }
        _ => {
            let (low, high) = value.split_at(size.min(value.len()));
            let sign =
                if is_signed(kind) && low.last().is_some_and(|byte| byte & 0x80 != 0) { 0xff } else { 0 };
            external.extend(low.iter().rev());
            return high.iter().all(|byte| *byte == sign);
        }
    }
    true
}

/// A value of this kind, of a value in `external32`.
pub fn of_external(kind: Kind, external: &[u8]) -> Vec<u8> {
    let reversed = |bytes: &[u8]| bytes.iter().rev().copied().collect::<Vec<_>>();
    match kind {
        Kind::LongDouble => x87(external),
        Kind::Complex16 | Kind::Complex32 | Kind::Complex64 | Kind::Complex128 => {
            let (real, imaginary) = external.split_at(external.len() / 2);
            [reversed(real), reversed(imaginary)].concat()
        }
        Kind::LongDoubleComplex => external.chunks(16).flat_map(x87).collect(),
        _ => {
            let mut value = reversed(external);
            let is_negative = is_signed(kind) && value.last().is_some_and(|byte| byte & 0x80 != 0);
            value.resize(kind.size(), if is_negative { 0xff } else { 0 });
            value
        }
    }
}

fn is_signed(kind: Kind) -> bool {
    matches!(kind, Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 | Kind::Int128 | Kind::Address)
}

/// An x87 number as a quadruple one, big-endian.
fn quad(value: &[u8]) -> [u8; 16] {
    let bits = value.iter().take(10).rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
    let number: Quad = X87DoubleExtended::from_bits(bits).convert(&mut false).value;
    number.to_bits().to_be_bytes()
}

/// A big-endian quadruple number as an x87 one in 16 bytes.
fn x87(external: &[u8]) -> Vec<u8> {
    let bits = external.iter().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
    let number: X87DoubleExtended = Quad::from_bits(bits).convert(&mut false).value;
    number.to_bits().to_le_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(kind: Kind, value: &[u8]) -> Vec<u8> {
        let mut external = Vec::new();
        assert!(to_external(kind, external_size(kind), value, &mut external));
        assert_eq!(external.len(), external_size(kind), "{kind:?}");
        assert_eq!(of_external(kind, &external), value, "{kind:?}");
        external
    }

    #[test]
    fn values_are_big_endian_and_return_unchanged() {
        assert_eq!(there_and_back(Kind::Int32, &(-2i32).to_le_bytes()), (-2i32).to_be_bytes());
        assert_eq!(there_and_back(Kind::WideChar, &0xabcdu32.to_le_bytes()), [0xab, 0xcd]);
        let complex = [1.5f32.to_le_bytes(), 2.5f32.to_le_bytes()].concat();
        assert_eq!(
            there_and_back(Kind::Complex32, &complex),
            [1.5f32.to_be_bytes(), 2.5f32.to_be_bytes()].concat()
        );
        let one = (0x3fff_u128 << 64 | 1 << 63).to_le_bytes();
        assert_eq!(there_and_back(Kind::LongDouble, &one), (0x3fff_u128 << 112).to_be_bytes());
        there_and_back(Kind::LongDoubleComplex, &[one, one].concat());
    }

    #[test]
    fn longs_have_4_bytes_and_keep_their_sign() {
        for (value, fits) in [(-5i64, true), (1 << 31, false), ((1 << 31) - 1, true), (i64::MIN, false)] {
            let mut external = Vec::new();
            assert_eq!(to_external(Kind::Int64, 4, &value.to_le_bytes(), &mut external), fits, "{value}");
            assert_eq!(external.len(), 4);
            let back = i64::from_le_bytes(of_external(Kind::Int64, &external).try_into().unwrap());
            assert_eq!(back == value, fits);
        }
        let mut external = Vec::new();
        assert!(to_external(Kind::Uint64, 4, &u64::from(u32::MAX).to_le_bytes(), &mut external));
        assert_eq!(of_external(Kind::Uint64, &external), u64::from(u32::MAX).to_le_bytes());
    }

    #[test]
    fn values_of_structures_come_in_message_order() {
        let (int, pair) = (Datatype::named(Kind::Int32, 7), Datatype::named(Kind::DoubleInt, 8));
        let both = Datatype::structure(&[2, 1], &[0, 8], &[int.duplicate(), pair]).unwrap();
        let size: ExternalSize = &|label, kind| if label == 7 { 2 } else { external_size(kind) };
        assert_eq!(both.external_size(size), 2 + 2 + 12);
        let mut found = Vec::new();
        both.values::<()>(1, size, &mut |at, kind, size| {
            found.push((at, kind, size));
            Ok(())
        })
        .unwrap();
        assert_eq!(
            found,
            [(0, Kind::Int32, 2), (4, Kind::Int32, 2), (8, Kind::Float64, 8), (16, Kind::Int32, 4)]
        );
    }
}
