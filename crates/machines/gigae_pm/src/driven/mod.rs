//! A card driven by hand: registers and NIC memory over the PCI bus, messages of PM between nodes.

mod access;
mod command;
mod frame;

use std::fmt::Write;

use cluster::{Duration, Event, Observation, Watch};
use gigae_pm::firmware::send_message;
use gigae_pm::mac::mac_receive;
use gigae_pm::memory_map::{MTU, WORDS};
use gigae_pm::registers::Register;
use hdl::RegisterInfo;
use machine_api::console::{Access, Answer, Command, Console, dump};
use machine_api::{BackDoor, Examples, FrameKinds, OwnCommand, Refusal};

use crate::{Cluster, GigaePm, Port, Side, mac_address, paths};
use access::Seat;
use command::Extra;

/// The watch on frames that a MAC drops.
const DROPPED: &str = "MAC drops a frame";

impl Console for GigaePm {
    type Service = ();
    type Extra = Extra;
    type Seat = Seat;

    const COMMANDS: &'static [OwnCommand<Command<(), Extra>>] = command::COMMANDS;
    const VERSION: &'static str = concat!("GigaE PM in memonet ", env!("CARGO_PKG_VERSION"), "\n");
    /// Of a longest message 368 words go to the MAC in 11 us before the first byte leaves. Timers are not waited for.
    const QUIET: Duration = Duration::from_us(30);

    const BACK_DOOR: BackDoor = BackDoor {
        titles: ["Pinned Memory Peek", "Pinned Memory Poke"],
        about: [
            "Looks at memory of the host that the card reaches, by the back door: it takes no time. mem_read 0x480 10 tells where \
             the send and receive areas of the five rings are.",
            "Writes 4 bytes to memory of the host, by the back door.",
        ],
        examples: [&["peek 0x128000 64"], &["poke 0x128000 0x01234567"]],
        most: u32::MAX as u64 - 3,
        word: 4,
    };

    const FRAME_KINDS: FrameKinds<Self> =
        FrameKinds { units: frame::HEAD, names: frame::kinds, of: frame::kind };

    const EXAMPLES: Examples = Examples {
        until: &["run until node1.firmware.receive_frame.state == Copy"],
        forward: &["forward until node1.firmware.receive_frame.state == Copy"],
        show: &["show firmware.dispatcher", "show node1.pci_dma"],
        stop: &["break send_message.state == Offer", "break firmware.dispatcher Idle->Send", "break"],
        frame: &["break frame Ack", "break frame lost from node0", "break frame to node1"],
        flip: &["flip firmware.dispatcher.state 0"],
        watch: &["watch node1.receive_frame.state", "watch"],
    };

    const REGISTERS: &'static [RegisterInfo] = Register::TABLE.registers;
    const REGISTER_ADDRESS: (u16, usize) = (0x1000, 4);
    const MEMORY_UNIT: u32 = 4;
    const MEMORY_BYTES: u32 = 4 * WORDS as u32;
    const LONGEST: usize = MTU as usize;
    const SERVICE: () = ();
    const NODE: &'static str = "node";
    const PACKETS: &'static str = "frames";
    const NOT_SENT: &'static str = "PM was not called yet";

    async fn carry_out(port: &mut Port, seat: &Seat, access: &Access<(), Extra>) -> Answer {
        access::carry_out(port, seat, access).await
    }

    fn check(extra: &Extra) -> Result<(), Refusal> {
        match extra {
            Extra::Read { address, .. } | Extra::Write { address, .. } if !address.is_multiple_of(4) => {
                Err(Refusal::Wrong(format!("{address:#x} is not a multiple of 4")))
            }
            _ => Ok(()),
        }
    }

    fn show(extra: &Extra, answer: &Answer) -> String {
        match (extra, answer) {
            (Extra::Read { address, .. }, Answer::Word(word)) => {
                dump::rows(u64::from(*address), &word.to_le_bytes())
            }
            _ => String::new(),
        }
    }

    fn who(node: usize) -> String {
        let address = mac_address(node as u16).map(|byte| format!("{byte:02x}"));
        format!("MAC address {}", address.join(":"))
    }

    fn peek(side: &Side, address: u64, size: usize) -> Vec<u8> {
        side.peek_memory(address, size)
    }

    fn poke(side: &mut Side, address: u64, bytes: &[u8]) {
        side.poke_memory(address, bytes);
    }

    fn last_packet(side: &Side) -> Option<String> {
        let frame = side.last_frame();
        (!frame.is_empty()).then(|| frame::text(frame))
    }

    fn watches() -> Vec<Watch> {
        let mut watches: Vec<_> = paths::watches().into();
        let refused = send_message::State::Refuse;
        watches.push(Watch::state("descriptor is refused", "firmware.send_message", refused));
        watches.push(Watch::state(DROPPED, "mac.mac_receive", mac_receive::State::Drop));
        watches
    }

    /// An access that wakes the firmware.
    fn hands_over(event: Event) -> bool {
        paths::flagged(event)
    }

    fn name(observation: &Observation) -> &'static str {
        match observation.event {
            Event::Mark("send") => "PM is called",
            Event::Mark("sc1") => "message is in the send area (sc1)",
            Event::Mark("sc2") => "system is called (sc2)",
            Event::Mark("sc3") => "driver has written the descriptor (sc3)",
            Event::Mark("rc1") => "receiver sees the flag (rc1)",
            Event::Mark("rc2") => "receiver has read the descriptor (rc2)",
            Event::Mark("rc3") => "buffer is given back (rc3)",
            Event::Mark("rc4") => "driver has given it to the card (rc4)",
            // Frames without a message pass this point too.
            Event::Watch(paths::TOLD) => "firmware has done with the frame",
            Event::Mark(name) | Event::Watch(name) => name,
            Event::Beat { .. } => "flag of the descriptor is written",
            Event::TransmitFirst => "frame begins to leave",
            Event::TransmitLast => "frame has left",
            Event::TransmitAgain => "frame leaves again",
            Event::ReceiveFirst => "frame begins to arrive",
            Event::ReceiveLast => "frame has arrived",
            Event::SwitchFirstIn => "frame comes in",
            Event::SwitchFirstOut => "frame gets its output",
            Event::SwitchLastOut => "frame goes out whole",
        }
    }

    /// Dropped and lost frames.
    fn remarks(line: &[Observation], cluster: &Cluster) -> String {
        let total = |event: Event| line.iter().filter(|o| o.event == event).count();
        let (sent, received) = (total(Event::TransmitLast), total(Event::ReceiveLast));
        let mut text = String::new();
        let mut say = |sentence: String| writeln!(text, "{sentence}").expect("text has room");
        let dropped = total(Event::Watch(DROPPED));
        if dropped > 0 {
            say(format!("{dropped} of them dropped by a MAC: damaged, cut, or for another card"));
        }
        if !cluster.is_still() {
            say("cards or links are still at work".to_string());
        } else if received < sent {
            say(format!("{} of them lost on the way", sent - received));
        }
        text
    }
}
