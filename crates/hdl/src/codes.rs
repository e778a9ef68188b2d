//! Sets of named codes: primitives, conditions, kinds.

/// One code of a set.
#[derive(Debug)]
pub struct Code {
    /// Name, the same in Rust and SystemVerilog.
    pub name: &'static str,
    /// Number of the code.
    pub value: u8,
    /// Meaning of the code.
    pub doc: &'static str,
}

/// The table of a set of codes.
#[derive(Debug)]
pub struct CodeTable {
    /// Rust name, UpperCamelCase.
    pub name: &'static str,
    /// Generated package that holds the codes.
    pub package: &'static str,
    /// Purpose of the set.
    pub doc: &'static str,
    /// Width of every code in bits.
    pub width: u32,
    /// Codes in ascending order.
    pub codes: &'static [Code],
}

/// Declares a set of named codes. Numbers without a name are possible: fields hold `u8` rather than the
/// enumeration.
///
/// ```
/// hdl::codes! {
///     /// Errors that the Receive Controller reports.
///     pub enum Condition in condition_pkg, width 2 {
///         /// No error.
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
            /// All codes in ascending order.
            pub const ALL: &'static [$name] = &[$( $name::$code ),*];

            /// Number of the code.
            #[inline(always)]
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// The code with this number, if any.
            #[inline]
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $( $value => Some($name::$code), )*
                    _ => None,
                }
            }

            /// The table of the set.
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
