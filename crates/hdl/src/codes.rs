//! Sets of named codes: primitives, conditions, kinds.

/// One code of a set.
#[derive(Debug)]
pub struct Code {
    /// Name, the same in Rust and SystemVerilog.
    pub name: &'static str,
    /// Value.
    pub value: u8,
    /// What it stands for.
    pub doc: &'static str,
}

/// The table behind a set of codes.
#[derive(Debug)]
pub struct CodeTable {
    /// Rust name, UpperCamelCase.
    pub name: &'static str,
    /// Generated package that holds the codes.
    pub package: &'static str,
    /// What the set is.
    pub doc: &'static str,
    /// Width of every code in bits.
    pub width: u32,
    /// Codes in ascending order.
    pub codes: &'static [Code],
}

/// Declares a set of codes. A number that no code has stays a number: fields hold `u8`, not the enumeration.
///
/// ```
/// hdl::codes! {
///     /// What the Receive Controller complains of.
///     pub enum Condition in condition_pkg, width 2 {
///         /// No complaint.
///         Normal = 0b00,
///         /// Two packets overlap.
///         Overlap = 0b01,
///     }
/// }
/// assert_eq!(Condition::Overlap.code(), 1);
/// assert_eq!(Condition::from_code(0), Some(Condition::Normal));
/// assert_eq!(Condition::from_code(3), None);
/// ```
///
/// SystemVerilog sees one `localparam` per code, `condition_pkg::Overlap`.
#[macro_export]
macro_rules! codes {
    (
        $(#[doc = $doc:literal])*
        $vis:vis enum $name:ident in $package:ident, width $width:literal {
            $( $(#[doc = $code_doc:literal])* $code:ident = $value:literal , )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        $vis enum $name {
            $( $(#[doc = $code_doc])* $code = $value, )*
        }

        impl $name {
            /// All of them in ascending order of code.
            pub const ALL: &'static [$name] = &[$( $name::$code ),*];

            /// The code.
            #[inline(always)]
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// The one that has the code.
            #[inline]
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $( $value => Some($name::$code), )*
                    _ => None,
                }
            }

            /// The table behind the set.
            pub const TABLE: &'static $crate::CodeTable = &$crate::CodeTable {
                name: stringify!($name),
                package: stringify!($package),
                doc: concat!($($doc, "\n"),*),
                width: $width,
                codes: &[$( $crate::Code {
                    name: stringify!($code),
                    value: $value,
                    doc: concat!($($code_doc, "\n"),*),
                } ),*],
            };
        }
    };
}
