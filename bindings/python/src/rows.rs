//! Registers as Python sees them.

use dsh::Register;
use hdl::{Access, RegisterInfo};
use pyo3::prelude::*;

/// A register of a device, or a field of one, with its present value.
#[pyclass(frozen, get_all, skip_from_py_object, module = "memonet._memonet")]
#[derive(Clone, Debug)]
pub struct RegisterRow {
    /// Path below the device.
    pub name: String,
    /// Number of bits.
    pub width: usize,
    /// Meaning; empty where none is declared.
    pub doc: &'static str,
    /// State or hexadecimal number.
    pub text: String,
    /// Low 64 bits.
    pub value: u64,
    /// Names of states by code; empty for numbers.
    pub states: Vec<String>,
    /// Name of the state machine, if the register is one.
    pub machine: Option<String>,
}

impl RegisterRow {
    /// The row of a register, with its value in `sample`.
    pub fn new(register: &Register, sample: &[u64]) -> Self {
        let machine = register.state_machine().map(hdl::StateMachineTable::drawing);
        let states = register.state_machine().map(|table| table.states.iter());
        RegisterRow {
            name: register.name.clone(),
            width: register.width(),
            doc: register.doc().trim(),
            text: register.show(sample),
            value: register.value(sample),
            machine,
            states: states
                .map_or_else(Vec::new, |states| states.map(|state| state.name.to_string()).collect()),
        }
    }
}

/// Name, lowest bit, width and meaning of a field.
type FieldRow = (&'static str, u32, u32, &'static str);

/// A register that the host reaches.
#[pyclass(frozen, get_all, skip_from_py_object, module = "memonet._memonet")]
#[derive(Clone, Debug)]
pub struct HostRegister {
    /// Name in the tables of the device, UpperCamelCase.
    pub name: &'static str,
    /// Page of the register.
    pub page: &'static str,
    /// Meaning.
    pub doc: &'static str,
    /// Byte offset in its page.
    pub offset: u16,
    /// `read`, `write` or `any`.
    pub access: &'static str,
    /// Number of meaningful bits.
    pub width: u32,
    /// Value after reset.
    pub reset: u64,
    /// Fields: name, lowest bit, width, meaning.
    pub fields: Vec<FieldRow>,
}

impl HostRegister {
    /// The register of a table.
    pub fn new(page: &'static str, info: &'static RegisterInfo) -> Self {
        let fields = info.layout.iter().flat_map(|layout| layout.fields);
        HostRegister {
            name: info.name,
            page,
            doc: info.doc.trim(),
            offset: info.offset,
            access: match info.access {
                Access::Read => "read",
                Access::Write => "write",
                Access::Any => "any",
            },
            width: info.width,
            reset: info.reset,
            fields: fields.map(|field| (field.name, field.low, field.width(), field.doc.trim())).collect(),
        }
    }
}
