//! The one list of machines: a command reaches them through it and names none of them.

/// Does something with the machine of a name: `with_machine!(name, M => on::<M>(args))`.
macro_rules! with_machine {
    ($name:expr, $machine:ident => $do:expr) => {
        match $name {
            $crate::device::Name::Dimmnet2 => {
                type $machine = dimmnet2_machine::Dimmnet2;
                $do
            }
            $crate::device::Name::GigaePm => {
                type $machine = gigae_pm_machine::GigaePm;
                $do
            }
        }
    };
}

pub(crate) use with_machine;
