"""Pictures and tables for notebooks."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Iterable, Optional

from ._memonet import diagram as _drawing
from .nodes import Register

if TYPE_CHECKING:
    from .blocks import Block
    from .clusters import Cluster
    from .nodes import Node

_PRESENT = "#ffd166"


class Diagram:
    """A state machine with its present state: boxes for states, arcs with their conditions.

    The drawing is that of `docs/diagrams`. A notebook shows it; `svg` is its text.
    """

    def __init__(self, machine: str, state: str, svg: str) -> None:
        #: Name of the state machine.
        self.machine = machine
        #: The present state, which is filled yellow.
        self.state = state
        #: The drawing.
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<memonet.Diagram of {self.machine} in {self.state}>"


def diagram(device: str, register: Register) -> Optional[Diagram]:
    """The diagram of a register that is a state machine; `None` for others."""
    if register.machine is None:
        return None
    svg = _drawing(f"{device}_{register.machine}")
    if svg is None:
        return None
    # The drawing without the header of its file.
    svg = svg[svg.index("<svg"):]
    node = re.compile(rf"(<title>{re.escape(register.text)}</title>.*?fill=\")[^\"]*(\")", re.S)
    svg = node.sub(rf"\g<1>{_PRESENT}\g<2>", svg, count=1)
    return Diagram(register.machine, register.text, svg)


def register_table(registers: Iterable[Register]) -> str:
    """Registers as a table: value, width, meaning."""
    rows = "".join(
        f"<tr><td>{escape(register.name)}</td><td>{escape(register.text)}</td>"
        f"<td>{register.width}</td><td>{escape(register.doc)}</td></tr>"
        for register in registers
    )
    return f"<table><tr><th>register</th><th>value</th><th>bits</th><th>meaning</th></tr>{rows}</table>"


def _states(registers: Iterable[Register]) -> str:
    rows = "".join(
        f"<tr><td>{escape(register.name)}</td><td><b>{escape(register.text)}</b></td></tr>"
        for register in registers
        if register.machine is not None
    )
    return f"<table><tr><th>state machine</th><th>state</th></tr>{rows}</table>"


def node(shown: Node) -> str:
    """The state machines of a node with their present states."""
    return f"<p>node {shown.index}</p>{_states(shown.registers.values())}"


def cluster(shown: Cluster) -> str:
    """The nodes of a cluster, and the state machines that are not in their reset state."""
    rows = ""
    for one in shown:
        busy = [
            f"{escape(register.name)} = {escape(register.text)}"
            for register in one.registers.values()
            if register.machine is not None and register.value != 0
        ]
        rows += f"<tr><td>{one.index}</td><td>{'<br>'.join(busy) or 'at rest'}</td></tr>"
    about = f"{len(shown)} nodes of {shown.title}, {shown.nic}, at {shown.time_us} us"
    return f"<p>{escape(about)}</p><table><tr><th>node</th><th>states</th></tr>{rows}</table>"


def block(shown: Block) -> str:
    """The diagrams of a block, its registers and its output pins."""
    registers = shown.registers.values()
    drawings = [diagram(shown.machine, register) for register in registers]
    pictures = "".join(drawing.svg for drawing in drawings if drawing is not None)
    pins = "".join(
        f"<tr><td>{escape(name)}</td><td>{value:#x}</td></tr>" for name, value in shown.outputs.items()
    )
    outputs = f"<table><tr><th>output pin</th><th>value</th></tr>{pins}</table>"
    return f"<p>{escape(repr(shown)[1:-1])}</p>{pictures}{register_table(registers)}{outputs}"
