//! Creation and release of windows, and of memory in dynamic ones.

use std::collections::BTreeMap;

use processes::mpi::call::{Answer, Call, MemoryAddress, WindowCall};

use super::read;
use crate::arguments::{Memory, Number, Out};
use crate::calls::{attribute, info};
use crate::fault::{Fault, Outcome};
use crate::link::{self, Named};
use crate::objects::{Attributes, Window, WindowValues, communicator, within};
use crate::types::*;

/// The memory of a new window at this rank.
struct Exposed {
    memory: Memory,
    /// Bytes; none for a dynamic window.
    size: Option<usize>,
    unit: c_int,
    flavor: c_int,
    is_allocated: bool,
}

/// `MPI_Win_create`.
pub fn create(
    base: Memory,
    size: Number,
    unit: Number,
    info: MPI_Info,
    on: MPI_Comm,
    win: Out<MPI_Win>,
) -> Outcome {
    make(info, on, win, || {
        let size = bytes(size)?;
        if size > 0 && base.address() == MPI_BOTTOM {
            return Err(Fault::new(MPI_ERR_ARG, "the memory of a window is at a null pointer"));
        }
        let flavor = MPI_WIN_FLAVOR_CREATE;
        let unit = displacement_unit(unit)?;
        Ok(Exposed { memory: base, size: Some(size), unit, flavor, is_allocated: false })
    })
}

/// `MPI_Win_allocate`.
pub fn allocate(
    size: Number,
    unit: Number,
    info: MPI_Info,
    on: MPI_Comm,
    base: Memory,
    win: Out<MPI_Win>,
) -> Outcome {
    make(info, on, win, || allocated(size, unit, base, MPI_WIN_FLAVOR_ALLOCATE))
}

/// `MPI_Win_allocate_shared`: ranks share no memory.
pub fn allocate_shared(
    size: Number,
    unit: Number,
    info: MPI_Info,
    on: MPI_Comm,
    base: Memory,
    win: Out<MPI_Win>,
) -> Outcome {
    make(info, on, win, || {
        let ranks = communicator(on)?.size();
        if ranks > 1 {
            let why = format!("{ranks} ranks run on a computer each and share no memory");
            return Err(Fault::new(MPI_ERR_RMA_SHARED, why));
        }
        allocated(size, unit, base, MPI_WIN_FLAVOR_SHARED)
    })
}

/// `MPI_Win_create_dynamic`.
pub fn create_dynamic(info: MPI_Info, on: MPI_Comm, win: Out<MPI_Win>) -> Outcome {
    make(info, on, win, || {
        let (memory, flavor) = (Memory::from(std::ptr::null_mut::<c_void>()), MPI_WIN_FLAVOR_DYNAMIC);
        Ok(Exposed { memory, size: None, unit: 1, flavor, is_allocated: false })
    })
}

fn allocated(size: Number, unit: Number, base: Memory, flavor: c_int) -> Outcome<Exposed> {
    let (size, unit) = (bytes(size)?, displacement_unit(unit)?);
    let memory = Memory::allocate_zeroed(size);
    let memory =
        memory.ok_or_else(|| Fault::new(MPI_ERR_NO_MEM, format!("there is no memory of {size} bytes")))?;
    base.set_word(memory.address()).inspect_err(|_| memory.free())?;
    Ok(Exposed { memory, size: Some(size), unit, flavor, is_allocated: true })
}

fn bytes(size: Number) -> Outcome<usize> {
    usize::try_from(size.0)
        .map_err(|_| Fault::new(MPI_ERR_SIZE, format!("a size of {} bytes is below zero", size.0)))
}

fn displacement_unit(unit: Number) -> Outcome<c_int> {
    let fits = c_int::try_from(unit.0).ok().filter(|unit| *unit > 0);
    fits.ok_or_else(|| Fault::new(MPI_ERR_DISP, format!("{} is no unit of displacements", unit.0)))
}

/// Makes a window, with all ranks of the communicator.
fn make(
    info: MPI_Info,
    on: MPI_Comm,
    win: Out<MPI_Win>,
    exposed: impl FnOnce() -> Outcome<Exposed>,
) -> Outcome {
    let own = communicator(on)?;
    let make = || {
        let hints = info::entries(info)?;
        let Exposed { memory, size, unit, flavor, is_allocated } = exposed()?;
        let call = WindowCall::Create {
            communicator: own.number,
            size: size.map(|size| size as u64),
            unit: unit as u64,
            is_allocated,
        };
        let made = link::ask_with(Call::Window(call), Named::address(Some(at(memory))));
        let number = match made {
            Ok(Answer::Window(number)) => number,
            failed => {
                if is_allocated {
                    memory.free();
                }
                return Err(failed.map_or_else(|fault| fault, link::other));
            }
        };
        let size = size.unwrap_or(0) as MPI_Aint;
        let values = Box::new(WindowValues { size, unit, flavor, model: MPI_WIN_UNIFIED });
        let window = Window {
            number,
            processes: own.processes.clone(),
            rank: own.rank,
            base: memory,
            is_allocated,
            values,
            name: String::new(),
            handler: MPI_ERRORS_ARE_FATAL,
            hints,
            attributes: Attributes::default(),
            destinations: BTreeMap::new(),
            requests: Vec::new(),
            next_destination: 0,
        };
        win.set(within(|objects| Ok(objects.windows.add(window)))?)
    };
    make().map_err(|fault: Fault| fault.on(on))
}

/// An address in this process.
pub(super) fn at(memory: Memory) -> MemoryAddress {
    MemoryAddress { process: std::process::id(), address: memory.address() as u64 }
}

/// `MPI_Win_free`.
pub fn free(win: Out<MPI_Win>) -> Outcome {
    let freed = win.get()?;
    let number = read(freed, |window| window.number)?;
    let free = || {
        link::ask(Call::Window(WindowCall::CheckFree(number)))?;
        attribute::forget_all(freed)?;
        super::synchronize::land(freed, link::ask(Call::Window(WindowCall::Free(number)))?)
    };
    free().map_err(|fault: Fault| fault.on(freed))?;
    let window = within(|objects| objects.windows.free(freed))?;
    if let Some(window) = window.filter(|window| window.is_allocated) {
        window.base.free();
    }
    win.set(MPI_WIN_NULL)
}

/// `MPI_Win_attach`.
pub fn attach(win: MPI_Win, base: Memory, size: Number) -> Outcome {
    let number = read(win, |window| window.number)?;
    let attach = || {
        let size = bytes(size)?;
        if size > 0 && base.address() == MPI_BOTTOM {
            return Err(Fault::new(MPI_ERR_ARG, "memory to attach is at a null pointer"));
        }
        local(WindowCall::Attach { window: number, size: size as u64 }, base)
    };
    attach().map_err(|fault: Fault| fault.on(win))
}

/// `MPI_Win_detach`.
pub fn detach(win: MPI_Win, base: Memory) -> Outcome {
    let number = read(win, |window| window.number)?;
    local(WindowCall::Detach(number), base).map_err(|fault| fault.on(win))
}

fn local(call: WindowCall, memory: Memory) -> Outcome {
    match link::ask_with(Call::Window(call), Named::address(Some(at(memory))))? {
        Answer::Done => Ok(()),
        answer => Err(link::other(answer)),
    }
}
