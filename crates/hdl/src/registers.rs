//! Pages of host-visible registers.

use crate::FieldsTable;

/// Direction in which the host may use a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The host reads it.
    Read,
    /// The host writes it.
    Write,
    /// Any access, read or write, triggers the effect.
    Any,
}

/// One register of a page. Two registers may share an offset if one is read and the other written.
#[derive(Debug)]
pub struct RegisterInfo {
    /// Name, UpperCamelCase.
    pub name: &'static str,
    /// Meaning; the first line is a tagline.
    pub doc: &'static str,
    /// Byte offset in the page.
    pub offset: u16,
    /// Direction.
    pub access: Access,
    /// Number of meaningful bits, from bit 0; the others read 0 and are ignored when written.
    pub width: u32,
    /// Value after reset, as the host would read it or as it takes effect.
    pub reset: u64,
    /// Layout of the bits, if the register has fields.
    pub layout: Option<&'static FieldsTable>,
}

/// The table of a page of registers.
#[derive(Debug)]
pub struct RegisterTable {
    /// Rust name, UpperCamelCase.
    pub name: &'static str,
    /// Generated package that holds the offsets.
    pub package: &'static str,
    /// Purpose of the page.
    pub doc: &'static str,
    /// Registers in ascending offset order.
    pub registers: &'static [RegisterInfo],
}

/// Declares a page of registers: name, offset, direction, width, reset value and optional layout.
///
/// ```
/// hdl::registers! {
///     /// A page.
///     pub enum UserRegister in user_register_pkg {
///         /// Writing it issues the command.
///         Command0Lower = 0x000 Write, width 64, reset 0;
///         /// Any data resets the counter.
///         PacketCounterReset = 0x500 Write, width 64, reset 0;
///         /// Packets received.
///         PacketCounter = 0x500 Read, width 64, reset 0;
///     }
/// }
/// use UserRegister::*;
/// assert_eq!(UserRegister::read(0x500), Some(PacketCounter));
/// assert_eq!(UserRegister::write(0x500), Some(PacketCounterReset));
/// assert_eq!(UserRegister::read(0x000), None);
/// assert_eq!(PacketCounter.info().offset, 0x500);
/// ```
#[macro_export]
macro_rules! registers {
    (
        $(#[doc = $doc:literal])*
        $vis:vis enum $name:ident in $package:ident {
            $(
                $(#[doc = $register_doc:literal])*
                $register:ident = $offset:literal $access:ident, width $width:literal, reset $reset:literal
                $(, layout $layout:ty)? ;
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $( $(#[doc = $register_doc])* $register, )*
        }

        impl $name {
            /// All registers of the page in ascending offset order.
            pub const ALL: &'static [$name] = &[$( $name::$register ),*];

            /// The register that a host read of `offset` reaches.
            pub fn read(offset: u16) -> Option<Self> {
                Self::find(offset, $crate::Access::Read)
            }

            /// The register that a host write to `offset` reaches.
            pub fn write(offset: u16) -> Option<Self> {
                Self::find(offset, $crate::Access::Write)
            }

            fn find(offset: u16, access: $crate::Access) -> Option<Self> {
                Self::ALL.iter().copied().find(|register| {
                    let info = register.info();
                    info.offset == offset && (info.access == access || info.access == $crate::Access::Any)
                })
            }

            /// Table entry of the register.
            pub fn info(self) -> &'static $crate::RegisterInfo {
                &Self::TABLE.registers[self as usize]
            }

            /// The table of the page.
            pub const TABLE: &'static $crate::RegisterTable = &$crate::RegisterTable {
                name: stringify!($name),
                package: stringify!($package),
                doc: concat!($($doc, "\n"),*),
                registers: &[$( $crate::RegisterInfo {
                    name: stringify!($register),
                    doc: concat!($($register_doc, "\n"),*),
                    offset: $offset,
                    access: $crate::Access::$access,
                    width: $width,
                    reset: $reset,
                    layout: $crate::layout!($($layout)?),
                } ),*],
            };
        }
    };
}

/// Optional layout of a register.
#[doc(hidden)]
#[macro_export]
macro_rules! layout {
    () => {
        None
    };
    ($layout:ty) => {
        Some(<$layout>::TABLE)
    };
}
