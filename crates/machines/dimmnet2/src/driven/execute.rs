//! The commands of the manual as accesses of the host (thesis appendix C).

use dimmnet2::address::{Area, WINDOW_BYTES, clid_to_lid};
use dimmnet2::registers::{
    AmtAddressTableInterface, ControllerStatus, PrimitiveCounter, SystemRegister, UserRegister,
};
use dimmnet2::{BotfLower, FirstLine, Lower, Primitive, SecondLine, Upper};
use machine_api::{Refusal, Target, TargetError};
use thiserror::Error;

use super::access::Access;
use super::command::{Command, Request, Series};
use super::options::Named;
use super::{dump, module_state, options};
use crate::Dimmnet2;

/// Why a command fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExecuteError {
    /// The bytes are not wholly in the area.
    #[error("{bytes} bytes from {offset:#x} on are outside {place}, which has {length:#x} bytes")]
    Outside {
        /// The area, or window.
        place: &'static str,
        /// Byte offset.
        offset: u64,
        /// Number of bytes asked for.
        bytes: u64,
        /// Bytes of the area.
        length: u32,
    },
    /// An access would cross a boundary.
    #[error("{name} {value:#x} is not a multiple of {of}")]
    Alignment {
        /// Name of the parameter.
        name: &'static str,
        /// The refused value.
        value: u32,
        /// The required divisor.
        of: u32,
    },
    /// The value has more bits than the register.
    #[error("the value does not fit, {option} has {width} bits")]
    Width {
        /// Name of the option.
        option: &'static str,
        /// Bits of the register.
        width: u32,
    },
    /// A second command would be lost.
    #[error("the command register still holds a request that the controller has not taken")]
    Waiting,
    /// The board cannot be reached.
    #[error(transparent)]
    Target(#[from] TargetError),
}

impl From<ExecuteError> for Refusal {
    fn from(error: ExecuteError) -> Self {
        match error {
            ExecuteError::Target(error) => Refusal::Target(error),
            error => Refusal::Wrong(error.to_string()),
        }
    }
}

/// Window for the packet image of `rllcm_write`: the last one, which no example of the manual uses.
const RLLCM_WINDOW: u8 = 3;

/// Carries out a command as the process of slot `wid`, and returns its output.
pub fn execute(
    command: &Command,
    wid: bool,
    target: &mut dyn Target<Dimmnet2>,
) -> Result<String, ExecuteError> {
    let mut board = Board { wid, target };
    match *command {
        Command::EvpbufRead { offset, size } => board.read_lines(Area::LhBuffer.part(wid), offset, size, {
            Extent { place: "LH Buffer", length: Area::LhBuffer.part_bytes() }
        }),
        Command::PwRead { window, size } => {
            let window = Area::PrefetchWindow.window(wid, window);
            board.read_lines(window, 0, size, Extent { place: "the window", length: WINDOW_BYTES })
        }
        Command::LlcmRead { offset, size } => board.read_llcm(offset, size),
        Command::LlcmWrite(series) => board.write_llcm(series),
        Command::WwWrite { window, series } => board.write_window(window, series),
        Command::Prim(request) => board.issue(&request),
        Command::RllcmWrite { dclid, offset, value } => board.write_remote(dclid, offset, value),
        Command::SregRead(option) => board.read_register(system(option.register), option.title),
        Command::SregWrite(option, value) => {
            check_width(option, option.register.info(), value)?;
            board.access(&[Access::Store(system(option.register), value)])?;
            Ok(String::new())
        }
        Command::Amt { address, wid, lid } => {
            let entry = AmtAddressTableInterface { value: address, wid, lid };
            let register = system(SystemRegister::AmtAddressTableInterface);
            board.access(&[Access::Store(register, entry.bits())])?;
            Ok(String::new())
        }
        Command::UregRead(option) => board.read_user(option),
        Command::UregWrite(option, value) => {
            check_width(option, option.register.info(), value)?;
            board.access(&[Access::Store(user(wid, option.register), value)])?;
            Ok(dump::title(option.title))
        }
        Command::Botf { window, size } => {
            let lower = BotfLower::new(window, size).bits();
            board.check_free()?;
            board.access(&[Access::Store(user(wid, UserRegister::Command0Lower), lower)])?;
            Ok(format!("cmd:{lower:x}\n"))
        }
    }
}

/// A part of the memory map in words.
struct Extent {
    place: &'static str,
    length: u32,
}

impl Extent {
    fn check(&self, offset: u32, bytes: u64) -> Result<(), ExecuteError> {
        let offset = u64::from(offset);
        if offset + bytes > u64::from(self.length) {
            return Err(ExecuteError::Outside { place: self.place, offset, bytes, length: self.length });
        }
        Ok(())
    }
}

const LLCM: Extent = Extent { place: "LLCM", length: Area::Llcm.part_bytes() };

fn aligned(name: &'static str, value: u32, of: u32) -> Result<(), ExecuteError> {
    if value.is_multiple_of(of) { Ok(()) } else { Err(ExecuteError::Alignment { name, value, of }) }
}

fn check_width<R>(option: &Named<R>, info: &hdl::RegisterInfo, value: u64) -> Result<(), ExecuteError> {
    if value > options::most(info) {
        return Err(ExecuteError::Width { option: option.name, width: info.width });
    }
    Ok(())
}

fn user(wid: bool, register: UserRegister) -> u32 {
    Area::UserRegister.part(wid) + u32::from(register.info().offset)
}

fn system(register: SystemRegister) -> u32 {
    Area::SystemRegister.base() + u32::from(register.info().offset)
}

/// The board during a command.
struct Board<'a> {
    wid: bool,
    target: &'a mut dyn Target<Dimmnet2>,
}

impl Board<'_> {
    fn access(&mut self, accesses: &[Access]) -> Result<Vec<Vec<u8>>, ExecuteError> {
        Ok(self.target.access(accesses)?)
    }

    /// Reads lines of a Write Back area.
    fn read_lines(
        &mut self,
        part: u32,
        offset: u32,
        size: u32,
        extent: Extent,
    ) -> Result<String, ExecuteError> {
        aligned("Offset", offset, 8)?;
        extent.check(offset, size.into())?;
        let first = offset & !63;
        let lines = (offset + size).div_ceil(64) - first / 64;
        let bytes = match lines {
            0 => vec![],
            _ => self.access(&[Access::LoadLines { address: part + first, lines }])?.swap_remove(0),
        };
        Ok(dump::rows(part + offset, shown(&bytes, offset - first, size)))
    }

    fn read_llcm(&mut self, offset: u32, size: u32) -> Result<String, ExecuteError> {
        aligned("Offset", offset, 8)?;
        LLCM.check(offset, size.into())?;
        let start = Area::Llcm.part(self.wid) + offset;
        let loads: Vec<_> = (0..size.div_ceil(8)).map(|i| Access::Load(start + 8 * i)).collect();
        Ok(dump::rows(start, &self.access(&loads)?.concat()))
    }

    fn write_llcm(&mut self, series: Series) -> Result<String, ExecuteError> {
        aligned("from", series.from, 4)?;
        LLCM.check(series.from, 4 * u64::from(series.iteration))?;
        let start = Area::Llcm.part(self.wid) + series.from;
        let addresses = (start..).step_by(4);
        let stores: Vec<_> = addresses.zip(series.values()).map(|(at, v)| Access::StoreHalf(at, v)).collect();
        self.access(&stores)?;
        Ok(String::new())
    }

    fn write_window(&mut self, window: u8, series: Series) -> Result<String, ExecuteError> {
        aligned("from", series.from, 4)?;
        let extent = Extent { place: "the window", length: WINDOW_BYTES };
        extent.check(series.from, 4 * u64::from(series.iteration))?;
        let start = Area::WriteWindow.window(self.wid, window) + series.from;
        let bytes: Vec<u8> = series.values().flat_map(u32::to_le_bytes).collect();
        self.access(&[Access::StoreCombining(start, bytes), Access::Fence])?;
        Ok(String::new())
    }

    /// Issues a primitive by Command0; its words are printed Upper first.
    fn issue(&mut self, request: &Request) -> Result<String, ExecuteError> {
        let upper = Upper { srcoff: request.src, dstoff: request.dst }.bits();
        let lower = Lower {
            dtype: request.dtype,
            iteration: request.iteration,
            dwid: request.dwid,
            dclid: request.dclid,
            eflag: request.eflag,
            ..Lower::new(request.primitive, request.size)
        };
        self.check_free()?;
        self.access(&[
            Access::Store(user(self.wid, UserRegister::Command0Upper), upper),
            Access::Store(user(self.wid, UserRegister::Command0Lower), lower.bits()),
        ])?;
        Ok(format!("cmd:{upper:x}_{:x}\n", lower.bits()))
    }

    /// A BOTF of an RVS for LLCM (thesis section 4.6.2), to the process of WID 0.
    fn write_remote(&mut self, dclid: u16, offset: u32, value: u64) -> Result<String, ExecuteError> {
        aligned("Offset", offset, 8)?;
        LLCM.check(offset, 8)?;
        let lines = [
            FirstLine {
                otype: Primitive::Rvs.code(),
                dlid: clid_to_lid(dclid),
                swid: self.wid,
                lflag: true,
                ..FirstLine::default()
            }
            .bits(),
            SecondLine::writing(offset, offset).bits(),
            value,
        ];
        let image: Vec<u8> = lines.into_iter().flat_map(u64::to_le_bytes).collect();
        let lower = BotfLower::new(RLLCM_WINDOW, image.len() as u16).bits();
        self.check_free()?;
        self.access(&[
            Access::StoreCombining(Area::WriteWindow.window(self.wid, RLLCM_WINDOW), image),
            Access::Fence,
            Access::Store(user(self.wid, UserRegister::Command0Lower), lower),
        ])?;
        Ok(String::new())
    }

    fn read_user(&mut self, option: &Named<UserRegister>) -> Result<String, ExecuteError> {
        let (address, register) = (user(self.wid, option.register), option.register);
        let word = self.load(address)?;
        let mut text = dump::title(option.title) + &dump::register(address, word);
        match register {
            UserRegister::ModuleState => text += &module_state::describe(word),
            UserRegister::PrimitiveCounter => text += &counters(PrimitiveCounter::from_bits(word)),
            _ => {}
        }
        Ok(text)
    }

    fn read_register(&mut self, address: u32, title: &str) -> Result<String, ExecuteError> {
        let word = self.load(address)?;
        Ok(dump::title(title) + &dump::register(address, word))
    }

    fn load(&mut self, address: u32) -> Result<u64, ExecuteError> {
        let bytes = self.access(&[Access::Load(address)])?.swap_remove(0);
        Ok(u64::from_le_bytes(bytes.try_into().expect("a load brings 8 bytes")))
    }

    /// Refuses a Lower while the flag is up: the board would lose it silently.
    fn check_free(&mut self) -> Result<(), ExecuteError> {
        let status = self.load(user(self.wid, UserRegister::ControllerStatus))?;
        if ControllerStatus::from_bits(status).request_waiting {
            return Err(ExecuteError::Waiting);
        }
        Ok(())
    }
}

/// The requested bytes, up to the end of their last word.
fn shown(bytes: &[u8], from: u32, size: u32) -> &[u8] {
    let from = from as usize;
    &bytes[from..(from + size.next_multiple_of(8) as usize).min(bytes.len())]
}

fn counters(counter: PrimitiveCounter) -> String {
    let PrimitiveCounter { botf, vl, vs, rvl, rvs, ipush } = counter;
    [("BOTF", botf), ("VL", vl), ("VS", vs), ("RVL", rvl), ("RVS", rvs), ("IPUSH", ipush)]
        .map(|(name, count)| format!("{name:<5} : {count}\n"))
        .concat()
}

#[cfg(test)]
mod tests;
