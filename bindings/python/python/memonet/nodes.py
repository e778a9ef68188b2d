"""Nodes of a cluster: registers, memory, commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterator, NamedTuple, Optional, Tuple, Union

from . import _arguments as arguments
from ._memonet import HostRegister, Native, RegisterRow
from .errors import Error, InvalidArgument, UnknownName

if TYPE_CHECKING:
    from ._array import MemoryView
    from .display import Diagram

_MOST_BYTES = 256 << 20


class Register(NamedTuple):
    """A register of a device, or a field of one, as it was when it was read."""

    name: str
    """Path below the device."""
    value: int
    """Value as a number."""
    text: str
    """State of a state machine, otherwise the value in hexadecimal."""
    width: int
    """Number of bits."""
    doc: str
    """Meaning; empty where none is declared."""
    states: Tuple[str, ...]
    """Names of states by code; empty for numbers."""
    machine: Optional[str] = None
    """Name of the state machine, if the register is one."""


def register_of(row: RegisterRow) -> Register:
    """A register from its row."""
    value = row.value if row.width <= 64 else int(row.text, 16)
    return Register(row.name, value, row.text, row.width, row.doc, tuple(row.states), row.machine)


class Registers(Mapping[str, Register]):
    """The registers of a device by name, with their present values.

    `registers["window_controller.botf.state"]` is a `Register`; a unique end of the name, such as
    `botf.state`, is enough. Registers that the host writes, those of `Node.host_registers`, are
    written by assignment: `registers["Interrupt"] = 1`. It is an access of the host and takes virtual
    time. Others cannot be written.
    """

    def __init__(self, native: Native, node: int) -> None:
        self._native = native
        self._node = node
        # All but values and texts stays the same.
        self._known: Dict[str, Register] = {}

    def __getitem__(self, name: str) -> Register:
        known = self._known.get(name) if isinstance(name, str) else None
        if known is None:
            known = register_of(self._native.register(self._node, arguments.text("register", name)))
            self._known[name] = known
            return known
        value, text = self._native.value(self._node, name)
        if known.width > 64:
            value = int(text, 16)
        return Register(known.name, value, text, known.width, known.doc, known.states, known.machine)

    def __iter__(self) -> Iterator[str]:
        return iter([row.name for row in self._native.registers(self._node)])

    def __len__(self) -> int:
        return len(self._native.registers(self._node))

    def values(self) -> Any:
        """All registers; one sample."""
        return [register_of(row) for row in self._native.registers(self._node)]

    def items(self) -> Any:
        """Names and registers; one sample."""
        return [(row.name, register_of(row)) for row in self._native.registers(self._node)]

    def __setitem__(self, name: str, value: int) -> None:
        host = {register.name: register for register in self._native.host_registers()}
        if arguments.text("register", name) not in host:
            self[name]  # An unknown name has a better error.
            raise Error(f"{name} is inside the device: no host access writes it; "
                        "Node.host_registers has those that are written")
        register = host[name]
        number = arguments.integer(name, value, 0, (1 << register.width) - 1)
        if register.access == "read":
            raise Error(f"{name} can only be read")
        self._native.write(self._node, name, number)

    def __repr__(self) -> str:
        return f"<memonet.Registers of node {self._node}>"

    def _repr_html_(self) -> str:
        from .display import register_table

        return register_table(self.values())

    def to_pandas(self) -> Any:
        """A data frame with a row for each register; needs pandas."""
        import pandas

        return pandas.DataFrame(self.values(), columns=Register._fields)


class Memory:
    """Memory of a node, read and written without virtual time.

    `memory[0x400:0x440]` are the present bytes; assignment of bytes writes them. `view` is an array of numpy that does
    the same, `array` a copy.
    """

    def __init__(self, native: Native, node: int) -> None:
        self._native = native
        self._node = node

    def __len__(self) -> int:
        """Number of bytes."""
        return self._native.memory_bytes

    def __getitem__(self, index: Union[int, slice]) -> Union[int, bytes]:
        if isinstance(index, slice):
            start, size = self._range(index)
            return self.read(start, size)
        return self.read(index, 1)[0]

    def __setitem__(self, index: slice, data: bytes) -> None:
        if not isinstance(index, slice):
            raise TypeError("bytes are written to a range: memory[0x400:0x408] = data")
        start, size = self._range(index)
        written = bytes(memoryview(data).cast("B"))
        if len(written) != size:
            raise InvalidArgument(f"the range has {size} bytes, the data {len(written)}")
        self.write(start, written)

    def read(self, address: int, size: int) -> bytes:
        """Bytes from `address` on."""
        first = arguments.integer("address", address, 0, len(self) - 1)
        most = min(_MOST_BYTES, len(self) - first)
        return self._native.peek(self._node, first, arguments.integer("size in bytes", size, 0, most))

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes from `address` on."""
        first = arguments.integer("address", address, 0, len(self) - 1)
        written = bytes(memoryview(data).cast("B"))
        arguments.integer("size in bytes", len(written), 0, min(_MOST_BYTES, len(self) - first))
        self._native.poke(self._node, first, written)

    def view(self, address: int, count: int, dtype: Any = "<u8") -> MemoryView:
        """`count` elements of memory as an array of numpy: reads see the present memory, writes change it.

        `view[3]`, `view[2:5] = 7` and `view += 1` work; `numpy.asarray(view)` is a copy. Needs numpy.
        """
        from ._array import MemoryView

        return MemoryView(self, *self._elements(address, count, dtype))

    def array(self, address: int, count: int, dtype: Any = "<u8") -> Any:
        """A copy of `count` elements of memory as a numpy array: later changes do not show in it; needs numpy."""
        import numpy

        first, elements, kind = self._elements(address, count, dtype)
        return numpy.frombuffer(bytearray(self.read(first, elements * kind.itemsize)), dtype=kind)

    def _elements(self, address: int, count: int, dtype: Any) -> Tuple[int, int, Any]:
        """Address, number and type of elements that lie within memory."""
        import numpy

        kind = numpy.dtype(dtype)
        if kind.hasobject or not kind.itemsize:
            raise InvalidArgument(f"dtype is a type of numbers such as '<u8', not {kind}")
        first = arguments.integer("address", address, 0, len(self) - 1)
        most = min(_MOST_BYTES, len(self) - first) // kind.itemsize
        return first, arguments.integer("count", count, 0, most), kind

    def _range(self, index: slice) -> Tuple[int, int]:
        if index.start is None or index.stop is None or index.step is not None:
            raise InvalidArgument("a range of memory has two addresses: memory[0x400:0x440]")
        start = arguments.integer("address", index.start, 0, len(self) - 1)
        stop = arguments.integer("end", index.stop, start, len(self))
        return start, stop - start

    def __repr__(self) -> str:
        return f"<memonet.Memory of node {self._node}, {len(self)} bytes>"


class Node:
    """A computer of a cluster with its network interface."""

    def __init__(self, native: Native, index: int, machine: str) -> None:
        self._native = native
        self._machine = machine
        #: Number of the node.
        self.index = index
        #: Registers of the device.
        self.registers = Registers(native, index)
        #: Memory of the node.
        self.memory = Memory(native, index)

    @property
    def host_registers(self) -> Tuple[HostRegister, ...]:
        """Registers that the host reaches: name, page, offset, access, width, reset value, fields."""
        return tuple(self._native.host_registers())

    def line(self, text: str) -> str:
        """Executes a line of the shell `memonet shell` as this node's process, and returns its output.

        All commands of the machine are there; `line("h")` lists them.
        """
        from .clusters import Cluster

        line = Cluster._one_line("line", text)
        return self._native.line(self.index, line)

    def diagram(self, register: str) -> Diagram:
        """The diagram of a state machine with its present state, such as `diagram("botf.state")`; SVG."""
        from .display import diagram

        found = self.registers[register]
        drawing = diagram(self._machine, found)
        if drawing is None:
            raise InvalidArgument(f"{found.name} is no state machine; its value is {found.text}")
        return drawing

    def __repr__(self) -> str:
        return f"<memonet.Node {self.index}>"

    def _repr_html_(self) -> str:
        from .display import node

        return node(self)
