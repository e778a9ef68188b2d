//! Packed words: commands, packet header lines, status registers.

use crate::Kind;

/// One field of a packed word.
#[derive(Debug)]
pub struct PackedField {
    /// Name, the same in Rust and SystemVerilog.
    pub name: &'static str,
    /// Meaning of the field.
    pub doc: &'static str,
    /// Highest bit, included.
    pub high: u32,
    /// Lowest bit, included.
    pub low: u32,
    /// Structure of the bits.
    pub kind: Kind,
}

impl PackedField {
    /// Width in bits.
    pub const fn width(&self) -> u32 {
        self.high - self.low + 1
    }
}

/// The table of a packed word. Bits without a field are written as 0 and ignored when read.
#[derive(Debug)]
pub struct FieldsTable {
    /// Rust name, UpperCamelCase; SystemVerilog adds `_t` in snake_case.
    pub name: &'static str,
    /// Generated package that holds the type.
    pub package: &'static str,
    /// Purpose of the word.
    pub doc: &'static str,
    /// Fields in ascending bit order.
    pub fields: &'static [PackedField],
}

impl FieldsTable {
    /// The bits that belong to a field.
    pub const fn mask(&self) -> u64 {
        let (mut mask, mut i) = (0, 0);
        while i < self.fields.len() {
            mask |= u64::MAX >> (64 - self.fields[i].width()) << self.fields[i].low;
            i += 1;
        }
        mask
    }
}

/// Declares a packed 64-bit word with its fields in ascending bit order, at the positions printed by the
/// papers.
///
/// ```
/// hdl::fields! {
///     /// Lower word of a BOTF (figure 4.14).
///     pub struct BotfLower in command_pkg {
///         /// Primitive code.
///         [4:0] otype: u8,
///         /// Write Window number.
///         [6:5] window: u8,
///         /// Bytes to send.
///         [41:32] size: u16,
///     }
/// }
/// let lower = BotfLower { otype: 1, window: 2, size: 512 };
/// assert_eq!(lower.bits(), 0x0000_0200_0000_0041);
/// assert_eq!(BotfLower::from_bits(lower.bits()), lower);
/// assert_eq!(BotfLower::TABLE.mask(), 0x0000_03ff_0000_007f);
/// ```
#[macro_export]
macro_rules! fields {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident in $package:ident {
            $( $(#[doc = $field_doc:literal])* [$high:literal $(: $low:literal)?] $field:ident : $ty:ty , )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        $vis struct $name {
            $( $(#[doc = $field_doc])* pub $field: $ty, )*
        }

        impl $name {
            /// Unpacks a word.
            #[inline(always)]
            pub fn from_bits(word: u64) -> Self {
                Self { $( $field: {
                    const LOW: u32 = $crate::low!($high $(, $low)?);
                    <$ty as $crate::Bits>::take(&[word], LOW, $high - LOW + 1)
                }, )* }
            }

            /// Packs the word; bits without a field are 0.
            #[inline(always)]
            pub fn bits(self) -> u64 {
                let mut word = [0];
                $({
                    const LOW: u32 = $crate::low!($high $(, $low)?);
                    <$ty as $crate::Bits>::put(self.$field, &mut word, LOW, $high - LOW + 1);
                })*
                word[0]
            }

            /// The table of the word.
            pub const TABLE: &'static $crate::FieldsTable = &$crate::FieldsTable {
                name: stringify!($name),
                package: stringify!($package),
                doc: concat!($($doc, "\n"),*),
                fields: &[$( $crate::PackedField {
                    name: stringify!($field),
                    doc: concat!($($field_doc, "\n"),*),
                    high: $high,
                    low: $crate::low!($high $(, $low)?),
                    kind: <$ty as $crate::Bits>::KIND,
                } ),*],
            };
        }
    };
}

/// Lowest bit of `[high:low]` or `[bit]`.
#[doc(hidden)]
#[macro_export]
macro_rules! low {
    ($high:literal) => {
        $high
    };
    ($high:literal, $low:literal) => {
        $low
    };
}
