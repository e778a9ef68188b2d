"""The BOTF module, alone: a packet of n lines takes n + 2 cycles from BOTF1 to END1 (thesis figure 5.11)."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from dimmnet2_pins import BUNDLES
from pins import Pins

IN = Pins(BUNDLES, "botf_pkg.In")
OUT = Pins(BUNDLES, "botf_pkg.Out")

# Two lines of a Write Window: 16 bytes that are told apart.
ROW = 0x1111_2222_3333_4444_5555_6666_7777_8888


async def start(dut):
    """Resets the block."""
    dut.rst_ni.value = 0
    dut.pins_i.value = 0
    cocotb.start_soon(Clock(dut.clk_i, 10, units="ns").start())
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await FallingEdge(dut.clk_i)


async def send(dut, size, **pins):
    """Sends `size` bytes of window 0; returns the outputs of each cycle until it is done."""
    dut.pins_i.value = IN.pack(start=1, size=size, write_window_rdata=ROW, pgid0=0xA5, **pins)
    cycles = []
    for _ in range(200):
        await FallingEdge(dut.clk_i)
        out = OUT.unpack(dut.pins_o.value)
        cycles.append(out)
        dut.pins_i.value = IN.pack(write_window_rdata=ROW, pgid0=0xA5, **pins)
        if out["done"]:
            # It takes the next command in the cycle after this one.
            await FallingEdge(dut.clk_i)
            return cycles
    raise AssertionError("it is not done after 200 cycles")


@cocotb.test()
async def lines_of_a_packet_leave_one_in_each_cycle(dut):
    await start(dut)
    for size in (24, 128, 512):
        cycles = await send(dut, size)
        sent = [place for place, out in enumerate(cycles) if out["line_enable"]]
        lines = size // 8
        assert len(sent) == lines, f"{size} bytes are {lines} lines, not {len(sent)}"
        assert len(cycles) == lines + 2 + 1, "BOTF1 to END1, and END2, which says that it is done"
        assert sent == list(range(sent[0], sent[0] + len(sent))), "without a gap"
        assert cycles[sent[0]]["line.id"] != cycles[sent[1]]["line.id"], "the first line is marked"


@cocotb.test()
async def nothing_leaves_while_swif_has_no_room(dut):
    await start(dut)
    dut.pins_i.value = IN.pack(start=1, size=24, swif_fifo_almost_full=1)
    for _ in range(50):
        await FallingEdge(dut.clk_i)
        dut.pins_i.value = IN.pack(swif_fifo_almost_full=1)
        out = OUT.unpack(dut.pins_o.value)
        assert not out["line_enable"] and not out["done"]
