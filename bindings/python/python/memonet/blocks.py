"""Single blocks of a device, stepped by their pins."""

from __future__ import annotations

import threading
from collections.abc import Mapping as _Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _arguments as arguments
from ._memonet import BLOCK_FAULTS, BLOCKS, HAS_RTL, NativeBlock
from .errors import Error, InvalidArgument, UnknownName
from .nodes import Register, register_of

if TYPE_CHECKING:
    from .display import Diagram

_NICS = ["model", "rtl", "lockstep"] if HAS_RTL else ["model"]

PinValue = Union[int, bool, str]
"""Value of a pin: a number, or the name of a state."""


class Pin(NamedTuple):
    """A pin of a block."""

    name: str
    """Name; a pin of a bundle has a dot."""
    width: int
    """Number of bits."""
    doc: str
    """Meaning."""
    states: Tuple[str, ...]
    """Names of states by code; empty for numbers."""


class _Pins:
    """The pins of one direction, packed into a number."""

    def __init__(self, what: str, rows: List[Tuple[str, int, int, str, List[str]]]) -> None:
        self._what = what
        self._low = {row[0]: row[1] for row in rows}
        self.pins = {name: Pin(name, width, doc, tuple(states)) for name, _, width, doc, states in rows}

    def pack(self, values: Mapping[str, PinValue]) -> bytes:
        word = 0
        for name, value in values.items():
            if name not in self.pins:
                raise UnknownName(arguments.unknown(self._what, name, self.pins))
            word |= self._number(self.pins[name], value) << self._low[name]
        return word.to_bytes((word.bit_length() + 7) // 8, "little")

    def unpack(self, packed: bytes) -> Dict[str, int]:
        word = int.from_bytes(packed, "little")
        return {name: word >> self._low[name] & ((1 << pin.width) - 1) for name, pin in self.pins.items()}

    @staticmethod
    def _number(pin: Pin, value: PinValue) -> int:
        if isinstance(value, str):
            return pin.states.index(arguments.one_of(f"state of {pin.name}", value, pin.states))
        most = len(pin.states) - 1 if pin.states else (1 << pin.width) - 1
        return arguments.integer(pin.name, int(value) if isinstance(value, bool) else value, 0, most)


class BlockRegisters(_Mapping[str, Register]):
    """The registers of a block by name, or by a unique end of it, with their present values."""

    def __init__(self, block: Block) -> None:
        self._block = block

    def __getitem__(self, name: str) -> Register:
        known = {row.name: row for row in self._block._call().registers()}
        wanted = arguments.text("register", name)
        ends = [row for row in known.values() if row.name.endswith(f".{wanted}")]
        if wanted not in known and len(ends) != 1:
            raise UnknownName(arguments.unknown("register", wanted, known))
        return register_of(known.get(wanted) or ends[0])

    def __iter__(self) -> Iterator[str]:
        return iter([row.name for row in self._block._call().registers()])

    def __len__(self) -> int:
        return len(self._block._call().registers())

    def values(self) -> Any:
        """All registers; one sample."""
        return [register_of(row) for row in self._block._call().registers()]

    def _repr_html_(self) -> str:
        from .display import register_table

        return register_table(self.values())


class Block:
    """One block of a device after reset: its model, its RTL, or both in lockstep.

    A block belongs to the thread that opened it.

    :param name: a name of `memonet.blocks()`, such as `botf`.
    :param machine: the machine of the block; needed only if several machines have one of this name.
    :param nic: `model`, `rtl` or `lockstep`; the last two need a build with RTL (`memonet.HAS_RTL`).
    :param fault: a deliberate fault in the RTL, one of `memonet.block_faults()`, to see it found.
    """

    def __init__(
        self, name: str, *, machine: Optional[str] = None, nic: str = "model", fault: Optional[str] = None
    ) -> None:
        kind = arguments.one_of("nic", nic, _NICS)
        machines = [of for of, block in BLOCKS if block == arguments.text("block", name)]
        if not machines:
            raise UnknownName(arguments.unknown("block", name, dict.fromkeys(block for _, block in BLOCKS)))
        if machine is None and len(machines) > 1:
            raise InvalidArgument(f"{' and '.join(machines)} have a block {name}; name one with machine=")
        self._machine = machines[0] if machine is None else arguments.one_of("machine of this block", machine, machines)
        self._name = name
        rtl = name
        if fault is not None:
            rtl = arguments.one_of("fault", fault, block_faults(self._machine))
            if kind == "model":
                raise InvalidArgument("a fault is in the RTL; take nic=\"rtl\" or nic=\"lockstep\"")
        self._thread = threading.get_ident()
        self._native = NativeBlock(self._machine, name, kind, rtl)
        self._nic = kind
        inputs, outputs = self._native.pins()
        self._inputs, self._outputs = _Pins("input pin", inputs), _Pins("output pin", outputs)
        self._cycle = 0

    def _call(self) -> NativeBlock:
        if threading.get_ident() != self._thread:
            raise Error("a block belongs to the thread that opened it; open another one here")
        return self._native

    @property
    def name(self) -> str:
        """Name of the block."""
        return self._name

    @property
    def machine(self) -> str:
        """Name of its machine."""
        return self._machine

    @property
    def nic(self) -> str:
        """Its implementation."""
        return self._nic

    @property
    def inputs(self) -> Dict[str, Pin]:
        """Input pins by name: width, meaning, states."""
        return dict(self._inputs.pins)

    @property
    def output_pins(self) -> Dict[str, Pin]:
        """Output pins by name: width, meaning, states."""
        return dict(self._outputs.pins)

    @property
    def outputs(self) -> Dict[str, int]:
        """Present values of the output pins."""
        return self._outputs.unpack(self._call().outputs())

    @property
    def registers(self) -> BlockRegisters:
        """Registers by name, such as `registers["state"]`."""
        return BlockRegisters(self)

    @property
    def cycle(self) -> int:
        """Clock edges since the block was opened, those under reset left out."""
        return self._cycle

    def step(self, pins: Optional[Mapping[str, PinValue]] = None, cycles: int = 1, **named: PinValue) -> Dict[str, int]:
        """Clock edges with these input pins; pins that are not named are 0.

        :param pins: values by name, for names with a dot; others may be keyword arguments.
        :param cycles: number of edges, 0 to 1,000,000,000.
        :returns: the output pins afterwards.
        :raises Divergence: model and RTL differ after an edge.
        """
        number = arguments.integer("cycles", cycles, 0, 10**9)
        if pins is not None and not isinstance(pins, _Mapping):
            raise TypeError(f"pins is a dict of values by name, not {type(pins).__name__}")
        packed = self._inputs.pack({**(pins or {}), **named})
        native = self._call()
        # Short pieces, so that Ctrl-C is noticed.
        while True:
            piece = min(number, 100_000)
            native.tick(packed, piece)
            self._cycle += piece
            number -= piece
            if not number:
                return self.outputs

    def reset(self) -> None:
        """A clock edge under reset: registers take their reset values, memories keep their contents."""
        self._call().reset()

    def diagram(self, register: str = "state") -> Diagram:
        """The diagram of a state machine with its present state; SVG."""
        from .display import diagram

        found = self.registers[register]
        drawing = diagram(self._machine, found)
        if drawing is None:
            raise InvalidArgument(f"{found.name} is no state machine; its value is {found.text}")
        return drawing

    def check(self) -> None:
        """Compares memories of model and RTL, which are not compared at every edge.

        :raises Divergence: they differ.
        """
        self._call().check()

    def __repr__(self) -> str:
        return f"<memonet.Block {self._name} of {self._machine}, {self._nic}, cycle {self._cycle}>"

    def _repr_html_(self) -> str:
        from .display import block

        return block(self)


def blocks(machine: Optional[str] = None) -> List[str]:
    """Names of all blocks, or of those of a machine."""
    if machine is not None:
        arguments.one_of("machine", machine, dict.fromkeys(of for of, _ in BLOCKS))
    return list(dict.fromkeys(name for of, name in BLOCKS if machine in (None, of)))


def block_faults(machine: Optional[str] = None) -> List[str]:
    """Deliberate faults of `Block(fault=)` in this build, of all machines or of one; often none."""
    if machine is not None:
        arguments.one_of("machine", machine, dict.fromkeys(of for of, _ in BLOCKS))
    return [name for of, name in BLOCK_FAULTS if machine in (None, of)]
