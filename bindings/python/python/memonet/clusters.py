"""Clusters driven by hand."""

from __future__ import annotations

from typing import Callable, Iterator, Optional, Tuple, Union

from . import _arguments as arguments
from ._memonet import HAS_RTL, MACHINES, Native
from .errors import InvalidArgument, NeverTrue
from .nodes import Node

UNTIL = 1_000_000
"""Cycles after which `Cluster.run_until` gives up."""

_NICS = ["model", "rtl", "lockstep"] if HAS_RTL else ["model"]
_MOST_NODES = 1 << 20


class Snapshot:
    """A point of a run to which its cluster can return."""

    def __init__(self, native: Native, number: int, time_ps: int, fingerprint: str) -> None:
        self._native = native
        self._number = number
        #: Virtual time of the point in picoseconds.
        self.time_ps = time_ps
        #: Fingerprint of the run up to the point, 32 hexadecimal digits.
        self.fingerprint = fingerprint

    def __repr__(self) -> str:
        return f"<memonet.Snapshot at {self.time_ps / 1e6} us, {self.fingerprint}>"

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native is not None:
            native.forget(self._number)


class Cluster:
    """A cluster of `nodes` computers with network interfaces of `machine`.

    Virtual time passes only during calls, and a call never depends on the time of this computer: the
    same calls give the same `fingerprint()`. The network interfaces are set up by their drivers.

    :param machine: a name of `memonet.MACHINES`.
    :param nodes: number of computers.
    :param nic: `model`, `rtl` or `lockstep`; the last two need a build with RTL (`memonet.HAS_RTL`).
    """

    def __init__(self, machine: str = MACHINES[0][0], nodes: int = 2, *, nic: str = "model") -> None:
        name = machine.replace("-", "_") if isinstance(machine, str) else machine
        self._machine = arguments.one_of("machine", name, [known for known, _ in MACHINES])
        number = arguments.integer("nodes", nodes, 1, _MOST_NODES)
        kind = arguments.one_of("nic", nic, _NICS)
        self._native = Native(self._machine, number, kind)
        self._nodes = tuple(Node(self._native, index) for index in range(number))

    def __repr__(self) -> str:
        if self._native.closed:
            return f"<memonet.Cluster of {self._machine}, closed>"
        return f"<memonet.Cluster of {len(self._nodes)} {self._machine}, {self.nic}, at {self.time_us} us>"

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the cluster and frees its memory; every later call raises `ClusterClosed`."""
        self._native.close()

    # Nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def __getitem__(self, index: int) -> Node:
        last = len(self._nodes) - 1
        try:
            return self._nodes[arguments.integer("node", index, 0, last)]
        except InvalidArgument:
            raise IndexError(f"node is 0 to {last}") from None

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes)

    @property
    def nodes(self) -> Tuple[Node, ...]:
        """The nodes, in the order of their numbers."""
        return self._nodes

    # Facts

    @property
    def machine(self) -> str:
        """Name of the machine."""
        return self._machine

    @property
    def title(self) -> str:
        """Title of the machine, such as `DIMMnet-2`."""
        return self._native.title

    @property
    def nic(self) -> str:
        """Implementation of the network interfaces; assignment repeats the run with another one."""
        return self._native.now()[1]

    @nic.setter
    def nic(self, kind: str) -> None:
        self._native.change(arguments.one_of("nic", kind, self._native.kinds()))

    @property
    def cycle_ps(self) -> int:
        """Period of the first clock in picoseconds."""
        return self._native.cycle_ps

    # Time

    @property
    def time_ps(self) -> int:
        """Virtual time in picoseconds."""
        return self._native.now()[0]

    @property
    def time_us(self) -> float:
        """Virtual time in microseconds."""
        return self.time_ps / 1e6

    def step(self, cycles: int = 1) -> Optional[str]:
        """Lets cycles of the first clock pass.

        :returns: `None`, or the break point that ended the step early.
        """
        return self._native.run(arguments.integer("cycles", cycles, 0, arguments.MOST_CYCLES))

    def run_until(self, condition: Union[str, Callable[[Cluster], object]], *, limit: int = UNTIL) -> None:
        """Lets time pass until a condition is true.

        :param condition: a comparison of a register, such as `"node1.botf.state == Prim"`, an arc of a
            state machine, such as `"botf Prim->Wait"`, or a function that takes the cluster and is
            called before each cycle. Registers without a node are those of node 0.
        :param limit: most cycles for a function; a text has 1,000,000.
        :raises NeverTrue: the condition did not become true.
        """
        most = arguments.integer("limit", limit, 0, arguments.MOST_CYCLES)
        if not callable(condition):
            if most != UNTIL:
                raise InvalidArgument(f"limit is for functions; a text has {UNTIL}")
            self._native.line(0, f"run until {self._one_line('condition', condition)}")
            return
        for _ in range(most):
            if condition(self):
                return
            self._native.run(1)
        if not condition(self):
            raise NeverTrue(f"the function did not become true in {most} cycles")

    def back(self, cycles: int = 1) -> None:
        """Goes back by cycles of the first clock: the run is repeated up to there, exact to the register.

        :raises InvalidArgument: fewer cycles have passed since the cluster was set up.
        """
        self._native.back(arguments.integer("cycles", cycles, 0, arguments.MOST_CYCLES))

    def snapshot(self) -> Snapshot:
        """The present point, for `restore`."""
        return Snapshot(self._native, *self._native.save())

    def restore(self, snapshot: Snapshot) -> None:
        """Returns to a point of this cluster, and compares its fingerprint."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"snapshot is a memonet.Snapshot, not {type(snapshot).__name__}")
        if snapshot._native is not self._native:
            raise InvalidArgument("the snapshot belongs to another cluster")
        self._native.restore(snapshot._number)

    # Break points and files

    def breakpoint(self, condition: str) -> None:
        """Ends later steps when a condition becomes true; the syntax is that of `run_until`."""
        self._native.line(0, f"break {self._one_line('condition', condition)}")

    def clear_breakpoints(self) -> None:
        """Removes all break points."""
        self._native.line(0, "delete")

    def trace_on(self, path: str) -> None:
        """Begins a waveform file of all devices, VCD or FST by the end of its name."""
        self._native.line(0, f"trace on {self._one_line('path', path)}")

    def trace_off(self) -> str:
        """Ends the waveform file; returns its numbers of variables and changes."""
        return self._native.line(0, "trace off").strip()

    # Checks

    def fingerprint(self) -> str:
        """Fingerprint of the run so far, 32 hexadecimal digits; equal runs have equal ones."""
        return self._native.fingerprint()

    def check(self) -> None:
        """Compares memories of model and RTL, which are not compared at every edge.

        :raises Divergence: they differ.
        """
        self._native.check()

    @staticmethod
    def _one_line(what: str, value: object) -> str:
        line = arguments.text(what, value)
        if "\n" in line or "\r" in line or not line.strip():
            raise InvalidArgument(f"{what} is one line, not {line!r:.80}")
        return line
