//! A PE driven by hand: registers, local memory, messages between PEs.

mod command;
mod segment;

use std::convert::Infallible;

use cenju3::memory_map::SLOT_BYTES;
use cenju3::registers::Register;
use cluster::{Duration, Event, Observation, Watch};
use hdl::RegisterInfo;
use machine_api::console::{Access, Answer, Command, Console};
use machine_api::{BackDoor, Examples, FrameKinds, OwnCommand};

use crate::layout::MEMORY;
use crate::{Cenju3, Port, Ring, Side, paths};

impl Console for Cenju3 {
    type Service = ();
    type Extra = Infallible;
    type Seat = ();

    const COMMANDS: &'static [OwnCommand<Command<(), Infallible>>] = command::COMMANDS;
    const VERSION: &'static str = concat!("Cenju-3 in memonet ", env!("CARGO_PKG_VERSION"), "\n");
    /// A segment of 256 bytes leaves in 8 us and passes four stages of switches.
    const QUIET: Duration = Duration::from_us(30);

    const BACK_DOOR: BackDoor = BackDoor {
        titles: ["Local Memory Peek", "Local Memory Poke"],
        about: [
            "Looks at local memory by the back door: it takes no time. What the cache holds of it is not there.",
            "Writes 4 bytes to local memory by the back door, as the NIF does behind the cache.",
        ],
        examples: [&["peek 0x102000 64"], &["poke 0x200000 0x01234567"]],
        most: MEMORY as u64 - 4,
        word: 4,
    };

    const FRAME_KINDS: FrameKinds<Self> = FrameKinds { units: 1, names: segment::kinds, of: segment::kind };

    const EXAMPLES: Examples = Examples {
        until: &["run until node1.receive_ring_0.state == Move"],
        forward: &["forward until node1.receive_ring_0.state == Move"],
        show: &["show send_dma", "show node1.receive_ring_0"],
        stop: &["break send_dma.state == Begin", "break send_dma Idle->Room", "break"],
        frame: &["break frame Message0", "break frame lost from node0", "break frame to node1"],
        flip: &["flip send_dma.state 0"],
        watch: &["watch node1.receive_ring_0.state", "watch"],
    };

    const REGISTERS: &'static [RegisterInfo] = Register::TABLE.registers;
    const MEMORY_BYTES: u32 = MEMORY;
    const LONGEST: usize = SLOT_BYTES as usize;
    const SERVICE: () = ();
    const NODE: &'static str = "PE ";

    async fn carry_out(port: &mut Port, _seat: &(), access: &Access<(), Infallible>) -> Answer {
        let host = port.host();
        match access {
            Access::Read(place) => Answer::Word(host.read_register(Register::ALL[*place]).await),
            Access::Write(place, value) => {
                host.write_register(Register::ALL[*place], *value).await;
                Answer::Done
            }
            Access::ReadMemory(address, bytes) => {
                Answer::Bytes(host.read_uncached(*address, *bytes as usize).await)
            }
            Access::Open => {
                // No interrupt is enabled, so that bits of Status stay set until a command reads them.
                port.deen().set_up(host, 0).await;
                Answer::Done
            }
            Access::Send(pe, (), data) => {
                host.processor().mark("send");
                match port.send_message(*pe as u8, [0; 4], data).await {
                    Ok(_) => Answer::Done,
                    Err(error) => Answer::Refused(error.to_string()),
                }
            }
            Access::Receive => {
                let message = port.look(Ring::Messages).await;
                Answer::Message(message.map(|message| (message.from as u16, message.data)))
            }
            Access::Extra(extra) => match *extra {},
        }
    }

    fn peek(side: &Side, address: u64, size: usize) -> Vec<u8> {
        let size = size.min((u64::from(MEMORY) - address) as usize);
        side.peek_memory(address as u32, size)
    }

    fn poke(side: &mut Side, address: u64, bytes: &[u8]) {
        side.poke_memory(address as u32, bytes);
    }

    fn last_packet(side: &Side) -> Option<String> {
        let segment = side.last_packet();
        (!segment.is_empty()).then(|| segment::text(segment))
    }

    fn watches() -> Vec<Watch> {
        paths::watches().into()
    }

    fn hands_over(event: Event) -> bool {
        event == Event::Beat { address: Register::QueueWrite1.info().offset.into(), write: true }
    }

    fn name(observation: &Observation) -> &'static str {
        match observation.event {
            Event::Mark("send") => "message is written",
            Event::Mark("header") => "header is read",
            Event::Mark(name) | Event::Watch(name) => name,
            Event::Beat { .. } => "NIF is told of the entry",
            Event::TransmitFirst => "packet begins to leave",
            Event::TransmitLast => "packet has left",
            Event::TransmitAgain => "packet leaves again",
            Event::ReceiveFirst => "packet begins to arrive",
            Event::ReceiveLast => "packet has arrived",
            Event::SwitchFirstIn => "packet comes into a switch",
            Event::SwitchFirstOut => "packet gets its output",
            Event::SwitchLastOut => "packet goes out whole",
        }
    }
}
