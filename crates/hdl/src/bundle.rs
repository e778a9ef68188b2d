//! Bundles: named groups of bits, used for the pins of a block and for its registers.

use crate::{Bits, Kind};

/// One member of a bundle.
#[derive(Debug)]
pub struct Field {
    /// Name, the same in Rust and SystemVerilog.
    pub name: &'static str,
    /// Meaning; becomes the comment in the package and in the docs.
    pub doc: &'static str,
    /// Width in bits.
    pub width: u32,
    /// Bit offset in the packed bundle; the first field is at bit 0.
    pub offset: u32,
    /// Structure of the bits.
    pub kind: Kind,
}

/// The table of a bundle, from which packages and pages are emitted.
#[derive(Debug)]
pub struct BundleTable {
    /// Rust name, UpperCamelCase; SystemVerilog adds `_t` in snake_case.
    pub name: &'static str,
    /// Generated package that holds the type.
    pub package: &'static str,
    /// Purpose of the bundle; becomes the comment of the type.
    pub doc: &'static str,
    /// Members, bit 0 first.
    pub fields: &'static [Field],
    /// Width in bits.
    pub width: u32,
}

/// A group of bits declared with [`bundle!`](crate::bundle).
pub trait Bundle: Bits {
    /// Table of the fields.
    const TABLE: &'static BundleTable;

    /// Calls `each` with every field in declaration order, as one or more 64-bit words.
    fn for_each(&self, each: impl FnMut(&'static Field, &[u64]));
}

/// Declares a bundle: the pins of a block, or its registers.
///
/// Each field has a Rust type and, where the hardware is narrower, a width after a second colon, as in C:
///
/// ```
/// hdl::bundle! {
///     /// Input pins of the BOTF module.
///     pub struct In in botf_pkg {
///         /// Starts a packet; high for one cycle.
///         start: bool,
///         /// Bytes to send, header included.
///         size: u16 : 10,
///     }
/// }
/// use hdl::{Bits, Bundle};
/// assert_eq!(In::WIDTH, 11);
/// assert_eq!(In::TABLE.fields[1].offset, 1);
/// ```
///
/// The first field is bit 0. SystemVerilog sees a packed struct `botf_pkg::in_t`. `In::WIDTHS` has the
/// [`Width`](crate::Width) of each field, for example to wrap a counter: `In::WIDTHS.size.wrap(size + 1)`.
#[macro_export]
macro_rules! bundle {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $name:ident in $package:ident {
            $( $(#[doc = $field_doc:literal])* $field:ident : $ty:ty $(: $width:literal)? , )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq $($(, $derive)*)?)]
        $vis struct $name {
            $( $(#[doc = $field_doc])* pub $field: $ty, )*
        }

        const _: () = {
            use $crate::{Bits, Bundle, BundleTable, Field, Kind};

            const WIDTHS: &[u32] = &[$( $crate::width!($ty $(, $width)?) ),*];

            const fn offset(index: usize) -> u32 {
                let (mut i, mut sum) = (0, 0);
                while i < index {
                    sum += WIDTHS[i];
                    i += 1;
                }
                sum
            }

            #[allow(non_camel_case_types, dead_code)]
            enum Index { $( $field, )* }

            #[derive(Clone, Copy, Debug)]
            #[allow(missing_docs, dead_code)]
            pub struct Widths {
                $( pub $field: $crate::Width<$ty>, )*
            }

            #[allow(dead_code)]
            impl $name {
                /// Width of each field.
                pub const WIDTHS: Widths =
                    Widths { $( $field: $crate::Width::new(WIDTHS[Index::$field as usize]), )* };
            }

            impl Bits for $name {
                const WIDTH: u32 = offset(WIDTHS.len());
                const KIND: Kind = Kind::Bundle(&TABLE);

                #[inline(always)]
                #[allow(unused_variables)]
                fn put(self, words: &mut [u64], at: u32, _width: u32) {
                    $({
                        const AT: u32 = offset(Index::$field as usize);
                        const WIDTH: u32 = WIDTHS[Index::$field as usize];
                        <$ty as Bits>::put(self.$field, words, at + AT, WIDTH);
                    })*
                }

                #[inline(always)]
                #[allow(unused_variables)]
                fn take(words: &[u64], at: u32, _width: u32) -> Self {
                    Self { $( $field: {
                        const AT: u32 = offset(Index::$field as usize);
                        const WIDTH: u32 = WIDTHS[Index::$field as usize];
                        <$ty as Bits>::take(words, at + AT, WIDTH)
                    }, )* }
                }
            }

            impl Bundle for $name {
                const TABLE: &'static BundleTable = &TABLE;

                #[inline(always)]
                #[allow(unused_mut, unused_variables)]
                fn for_each(&self, mut each: impl FnMut(&'static Field, &[u64])) {
                    $({
                        const WIDTH: u32 = WIDTHS[Index::$field as usize];
                        let mut words = [0u64; $crate::words_for(WIDTH)];
                        <$ty as Bits>::put(self.$field, &mut words, 0, WIDTH);
                        each(&TABLE.fields[Index::$field as usize], &words);
                    })*
                }
            }

            static TABLE: BundleTable = BundleTable {
                name: stringify!($name),
                package: stringify!($package),
                doc: concat!($($doc, "\n"),*),
                width: offset(WIDTHS.len()),
                fields: &[$( Field {
                    name: stringify!($field),
                    doc: concat!($($field_doc, "\n"),*),
                    width: $crate::width!($ty $(, $width)?),
                    offset: offset(Index::$field as usize),
                    kind: <$ty as Bits>::KIND,
                } ),*],
            };
        };
    };
}

/// Width of a field: the number after the second colon, or the natural width of its type.
#[doc(hidden)]
#[macro_export]
macro_rules! width {
    ($ty:ty) => {
        <$ty as $crate::Bits>::WIDTH
    };
    ($ty:ty, $width:literal) => {
        $width
    };
}

#[cfg(test)]
mod tests {
    use crate::{Bits, Bundle};

    crate::bundle! {
        /// A line in flight.
        pub struct Line in test_pkg {
            /// 64 bits of data.
            data: u64,
            /// Line identifier.
            id: u8 : 2,
        }
    }

    crate::bundle! {
        /// Pins.
        pub struct Out in test_pkg {
            /// The line driven in this cycle.
            line: Line,
            /// `line` is driven in this cycle.
            valid: bool,
            /// A field of more than 64 bits.
            wide: u128 : 100,
        }
    }

    #[test]
    fn packs_first_field_at_bit_zero() {
        let out = Out { line: Line { data: 5, id: 2 }, valid: true, wide: 1 << 99 };
        let mut words = [0; 3];
        out.put(&mut words, 0, Out::WIDTH);
        assert_eq!(words, [5, 0b110, 1 << (67 + 99 - 128)]);
        assert_eq!(Out::take(&words, 0, Out::WIDTH), out);
        assert_eq!(Out::TABLE.width, 167);
        assert_eq!(Line::TABLE.fields[1].offset, 64);
    }

    #[test]
    fn width_wraps_at_its_field() {
        assert_eq!(Line::WIDTHS.id.wrap(7u32), 3);
        assert_eq!(Line::WIDTHS.data.wrap(u64::MAX), u64::MAX);
        assert!(!Out::WIDTHS.valid.wrap(2u8));
    }
}
