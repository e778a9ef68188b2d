use super::*;

/// Words of NIC memory that the block uses.
const WORDS: usize = SEND_RECORDS as usize + 0x80;

/// Send buffers with NIC memory.
struct Bench {
    block: SendBuffer,
    memory: Vec<u32>,
}

impl Bench {
    fn new() -> Self {
        Self { block: SendBuffer::default(), memory: vec![0; WORDS] }
    }

    /// The result at the end of an operation, and the cycles that it took.
    fn run(&mut self, request: BufferRequest) -> (Out, u32) {
        let (mut rdata, mut cycles) = (0, 0);
        loop {
            let out = self.block.outputs();
            if out.done {
                self.block.tick(&In::default());
                assert!(!self.block.outputs().done, "it is high for one cycle");
                return (out, cycles);
            }
            self.block.tick(&In { request, start: cycles == 0, memory_rdata: rdata });
            if out.memory.read {
                rdata = self.memory[out.memory.address as usize];
            }
            if out.memory.write {
                self.memory[out.memory.address as usize] = out.memory.wdata;
            }
            cycles += 1;
            assert!(cycles < 200, "the operation ends");
        }
    }

    fn flag(&self, channel: u8, slot: u8) -> u32 {
        self.memory[send_descriptor(channel, slot) as usize + 3]
    }
}

fn request(operation: Operation, channel: u8, node: u16, number: u32) -> BufferRequest {
    BufferRequest { operation: operation.code(), channel, node, number, ..BufferRequest::default() }
}

fn keep(channel: u8, node: u16, number: u32, slot: u8, size: u16) -> BufferRequest {
    BufferRequest { slot, size, ..request(Operation::Keep, channel, node, number) }
}

fn free(channel: u8, node: u16, number: u32, count: u32) -> BufferRequest {
    BufferRequest { count, ..request(Operation::Free, channel, node, number) }
}

#[test]
fn kept_message_is_found_with_slot_size_and_descriptor_flag() {
    let mut bench = Bench::new();
    let (_, cycles) = bench.run(keep(3, 0x3fe, 0x1_ffff, 13, 0x5aa));
    assert_eq!(cycles, 4, "Idle, Keep, Size, Mark");
    assert_eq!(bench.flag(3, 13), Flag::Kept.code().into());
    let record = SEND_RECORDS as usize + 32 * 3 + 2 * 13;
    assert_eq!(bench.memory[record..record + 2], [1 << 31 | 0x3fe << 16 | 0xffff, 0x5aa]);
    assert!(bench.block.outputs().outstanding);
    // Two cycles for each record before it; Idle, Search, Compare, Fetch, Take.
    let (out, cycles) = bench.run(request(Operation::Find, 3, 0x3fe, 0x1_ffff));
    assert_eq!((out.found, out.slot, out.size, cycles), (true, 13, 0x5aa, 1 + 2 * 13 + 4));
}

#[test]
fn other_channels_peers_and_numbers_are_not_found() {
    let mut bench = Bench::new();
    bench.run(keep(1, 5, 8, 0, 64));
    for (channel, node, number) in [(0, 5, 8), (1, 4, 8), (1, 0x205, 8), (1, 5, 9), (1, 5, 0x8008)] {
        let (out, cycles) = bench.run(request(Operation::Find, channel, node, number));
        assert!(!out.found, "{channel} {node} {number}");
        assert_eq!(cycles, 1 + 2 * 16);
    }
    assert!(bench.run(request(Operation::Find, 1, 5, 8)).0.found);
    // A buffer that was never kept is no record, whatever its other words contain.
    bench.memory[SEND_RECORDS as usize + 2] = 5 << 16 | 9;
    bench.memory[SEND_RECORDS as usize + 64] = 0;
    assert!(!bench.run(request(Operation::Find, 0, 5, 9)).0.found);
}

#[test]
fn freeing_clears_count_messages_of_the_peer_only() {
    let mut bench = Bench::new();
    // Numbers that wrap in their lower half, slots in no order, and the same numbers of another peer.
    for (slot, number) in [(9, 0xffff), (2, 0x1_0000), (15, 0x1_0001), (0, 0x1_0002)] {
        bench.run(keep(2, 7, number, slot, 64));
    }
    bench.run(keep(2, 6, 0xffff, 4, 64));
    let (out, _) = bench.run(free(2, 7, 0xffff, 3));
    assert!(!out.found && out.outstanding);
    let flags: Vec<_> = (0..16).map(|slot| bench.flag(2, slot)).collect();
    let kept = u32::from(Flag::Kept.code());
    assert_eq!((flags[9], flags[2], flags[15]), (0, 0, 0));
    assert_eq!((flags[0], flags[4]), (kept, kept));
    assert!(!bench.run(request(Operation::Find, 2, 7, 0x1_0001)).0.found);
    assert!(bench.run(request(Operation::Find, 2, 7, 0x1_0002)).0.found);
    assert!(bench.run(request(Operation::Find, 2, 6, 0xffff)).0.found);
    // The last ones: no message is outstanding.
    bench.run(free(2, 7, 0x1_0002, 1));
    assert!(bench.block.outputs().outstanding);
    bench.run(free(2, 6, 0xffff, 1));
    assert!(!bench.block.outputs().outstanding);
}

#[test]
fn all_buffers_of_all_channels_may_be_in_use() {
    let mut bench = Bench::new();
    for channel in 0..4 {
        for slot in 0..16 {
            bench.run(keep(channel, 1, slot.into(), slot, 64));
        }
    }
    assert_eq!(bench.block.used, 64);
    for channel in 0..4 {
        assert!(bench.block.outputs().outstanding);
        bench.run(free(channel, 1, 0, 16));
    }
    assert_eq!((bench.block.used, bench.block.outputs().outstanding), (0, false));
}
