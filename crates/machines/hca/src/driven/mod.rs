//! A host driven by hand: registers, memory, messages between hosts.

mod command;
mod packet;

use std::convert::Infallible;

use cluster::{Duration, Event, Observation, Watch};
use hca::registers::Register;
use hdl::RegisterInfo;
use machine_api::console::{Access, Answer, Command, Console};
use machine_api::{BackDoor, Examples, FrameKinds, OwnCommand};

use crate::bus::MEMORY_BYTES;
use crate::layout::LONGEST;
use crate::{Completion, Hca, Port, Service, Side, paths};

impl Console for Hca {
    type Service = Service;
    type Extra = Infallible;
    type Seat = ();

    const COMMANDS: &'static [OwnCommand<Command<Service, Infallible>>] = command::COMMANDS;
    const VERSION: &'static str = concat!("channel adapter in memonet ", env!("CARGO_PKG_VERSION"), "\n");
    /// A doorbell takes longest to reach the adapter; a packet of 2 KB leaves in 2 us.
    const QUIET: Duration = Duration::from_us(20);

    const BACK_DOOR: BackDoor = BackDoor {
        titles: ["Memory Peek", "Memory Poke"],
        about: [
            "Looks at host memory by the back door: it takes no time.",
            "Writes 4 bytes to host memory by the back door.",
        ],
        examples: [&["peek 0x100000 32"], &["poke 0x1010000 0x01234567"]],
        most: MEMORY_BYTES as u64 - 4,
        word: 4,
    };

    const FRAME_KINDS: FrameKinds<Self> =
        FrameKinds { units: packet::HEAD, names: packet::kinds, of: packet::kind };

    const EXAMPLES: Examples = Examples {
        until: &["run until node1.completion.state == Store"],
        forward: &["forward until node1.completion.state == Store"],
        show: &["show send_engine", "show node1.receive_engine"],
        stop: &["break send_engine.state == Fetch", "break send_engine Idle->Load", "break"],
        frame: &["break frame Acknowledge", "break frame lost from node0", "break frame to node1"],
        flip: &["flip send_engine.state 0"],
        watch: &["watch node1.completion.state", "watch"],
    };

    const REGISTERS: &'static [RegisterInfo] = Register::TABLE.registers;
    const MEMORY_BYTES: u32 = MEMORY_BYTES;
    const LONGEST: usize = LONGEST;
    const SERVICE: Service = Service::Connection;
    const NODE: &'static str = "host ";

    async fn carry_out(port: &mut Port, _seat: &(), access: &Access<Service, Infallible>) -> Answer {
        let host = port.host();
        match access {
            Access::Read(place) => Answer::Word(host.read_register(Register::ALL[*place]).await),
            Access::Write(place, value) => {
                host.write_register(Register::ALL[*place], *value).await;
                Answer::Done
            }
            Access::ReadMemory(address, bytes) => Answer::Bytes(host.memory(*address, *bytes as usize)),
            Access::Open => {
                port.open().await;
                Answer::Done
            }
            Access::Send(to, service, data) => {
                host.processor().mark("send");
                match port.send(usize::from(*to), *service, data).await {
                    Ok(()) => Answer::Done,
                    Err(error) => Answer::Refused(error.to_string()),
                }
            }
            Access::Receive => receive(port).await,
            Access::Extra(extra) => match *extra {},
        }
    }

    fn peek(side: &Side, address: u64, size: usize) -> Vec<u8> {
        let size = size.min((u64::from(MEMORY_BYTES) - address) as usize);
        side.peek_memory(address as u32, size)
    }

    fn poke(side: &mut Side, address: u64, bytes: &[u8]) {
        side.poke_memory(address as u32, bytes);
    }

    fn last_packet(side: &Side) -> Option<String> {
        let packet = side.last_packet();
        (!packet.is_empty()).then(|| packet::text(packet))
    }

    fn watches() -> Vec<Watch> {
        paths::watches().into()
    }

    fn hands_over(event: Event) -> bool {
        event == paths::bell()
    }

    fn name(observation: &Observation) -> &'static str {
        match observation.event {
            Event::Mark("send") => "request is posted",
            Event::Mark("completion") => "completion is found",
            Event::Mark(name) | Event::Watch(name) => name,
            Event::Beat { .. } => "doorbell rings",
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

/// Takes completions up to that of the next message.
async fn receive(port: &Port) -> Answer {
    loop {
        match port.poll().await {
            None => return Answer::Message(None),
            Some(Completion::Sent(_)) => {}
            Some(Completion::Received(message)) => {
                return Answer::Message(Some((message.from as u16, message.data)));
            }
            Some(Completion::Failed(pair, status)) => {
                return Answer::Refused(format!("a request of queue pair {pair} has failed: {status:?}"));
            }
        }
    }
}
