"""Exceptions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

if TYPE_CHECKING:
    from .programs import Program


class Error(Exception):
    """A call failed. All exceptions of the package derive from it."""


class InvalidArgument(Error, ValueError):
    """An argument is out of range or malformed; the message has the range."""


class UnknownName(InvalidArgument, KeyError):
    """A name is unknown; the message suggests similar ones."""

    def __str__(self) -> str:
        return Exception.__str__(self)


class Refused(InvalidArgument):
    """The host or the device refuses a step of a program; the message has the reason."""


class ProgramFailed(Error):
    """A program of a host raised. The exception is the cause, with its traceback.

    `program` is the name of the function, `node` its node, `time_ps` the virtual time in picoseconds.
    """

    def __init__(self, program: str, node: int, time_ps: int, error: BaseException) -> None:
        super().__init__(
            f"program `{program}` of node {node} failed at {time_ps / 1e6} us: {type(error).__name__}: {error}"
        )
        self.program = program
        self.node = node
        self.time_ps = time_ps


class ClusterClosed(Error):
    """The cluster was closed before the call."""


class NeverTrue(Error):
    """A condition did not become true within the limit of cycles."""


class BreakPoint(Error):
    """A break point ended `Cluster.run` or `Cluster.finish`; the message has its time and condition.

    `programs` are those of the call; `Cluster.finish` goes on with them.
    """

    programs: Tuple[Program, ...] = ()


class InternalError(Error):
    """The simulator failed inside. The cluster is lost, the interpreter is not."""


class CommandFailed(Error):
    """A command of `memonet` failed.

    `exit_code` is its exit code: 1 for a failure, 2 for wrong arguments. `json` is its error report,
    if it printed one.
    """

    def __init__(self, message: str, exit_code: int = 1, json: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.json = json


class Difference(NamedTuple):
    """A register or pin with both values after the edge."""

    block: str
    name: str
    model: str
    rtl: str


class RegisterAround(NamedTuple):
    """A register of the block that failed: before the edge, and on both sides after it."""

    name: str
    before: str
    model: str
    rtl: str


class Divergence(Error):
    """Model and RTL differ after a clock edge, or an assertion of the RTL failed.

    The text of the exception is the report of `memonet`; the attributes are its parts.
    """

    def __init__(
        self,
        report: str,
        *,
        node: int = 0,
        time_ps: int = 0,
        clock: str = "",
        cycle: int = 0,
        block: str = "",
        differences: List[Tuple[str, str, str, str]] = [],
        registers: List[Tuple[str, str, str, str]] = [],
        states: List[Tuple[str, str]] = [],
        pins: List[Tuple[str, str]] = [],
        sources: List[str] = [],
        waves: Optional[str] = None,
        assertion: Optional[str] = None,
    ) -> None:
        super().__init__(report)
        #: Node of the device.
        self.node = node
        #: Virtual time in picoseconds.
        self.time_ps = time_ps
        #: Name of the first clock of the device.
        self.clock = clock
        #: Edges of the first clock since reset.
        self.cycle = cycle
        #: Path of the block of the first difference; empty for the device itself.
        self.block = block
        #: All differences, registers first.
        self.differences = [Difference(*row) for row in differences]
        #: Registers of the block; those that differ come first.
        self.registers = [RegisterAround(*row) for row in registers]
        #: State of every state machine before the edge.
        self.states = dict(states)
        #: Input pins at the edge, except those that were 0.
        self.pins = dict(pins)
        #: Places in the sources that decide the first difference.
        self.sources = list(sources)
        #: Path of the waveform of the last cycles, if one was written.
        self.waves = waves
        #: Message of the assertion that stopped the RTL.
        self.assertion = assertion
