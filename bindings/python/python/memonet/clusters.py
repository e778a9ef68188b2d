"""Clusters driven by hand."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _arguments as arguments
from . import programs as _programs
from ._functions import BreakFunctions, Function
from ._memonet import HAS_RTL, HOSTS, MACHINES, Native
from .errors import BreakPoint, InvalidArgument, NeverTrue
from .nodes import Node

UNTIL = 1_000_000
"""Cycles after which `Cluster.run_until` gives up."""

_NICS = ["model", "rtl", "lockstep"] if HAS_RTL else ["model"]
_MOST_NODES = 1 << 20


_TOPOLOGIES = ["one-switch", "back-to-back", "multistage"]


class Faults(NamedTuple):
    """Random faults on the links from all nodes, as shares of frames between 0 and 1.

    The links do not send a faulty frame again: devices and programs see what is left of it. A share is
    rounded to millionths. The same seed strikes the same frames.
    """

    loss: float = 0.0
    """Frames that are lost."""
    duplication: float = 0.0
    """Frames that arrive twice."""
    reordering: float = 0.0
    """Frames that arrive after their successor."""
    damage: float = 0.0
    """Frames with one inverted bit."""
    cut: float = 0.0
    """Frames that end early."""
    burst: float = 0.0
    """Frames that begin a burst of lost frames."""
    burst_length: int = 4
    """Frames of a burst, 1 to 1,000,000."""
    seed: int = 1
    """Seed, 0 to 2**47 - 1."""

    def _rates(self) -> Tuple[List[int], int]:
        rates = []
        for name, share in zip(self._fields[:6], self[:6]):
            if isinstance(share, bool) or not isinstance(share, (int, float)):
                raise TypeError(f"{name} is a number, not {type(share).__name__}")
            if not 0 <= share <= 1:
                raise InvalidArgument(f"{name} is 0 to 1, not {share}")
            rates.append(round(share * 1_000_000))
        if sum(rates) > 1_000_000:
            raise InvalidArgument("the shares of all faults are at most 1 together")
        rates.append(arguments.integer("burst_length", self.burst_length, 1, 1_000_000))
        return rates, arguments.integer("seed", self.seed, 0, (1 << 47) - 1)


class _Opening(NamedTuple):
    nodes: int
    nic: str
    topology: Optional[str]
    rates: Optional[List[int]]
    seed: int
    host: Optional[str]
    set_up: bool


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
    :param topology: `one-switch`, `back-to-back`, `multistage`, or a topology file; without one the
        machine's own network.
    :param faults: random faults on the links, a `Faults` or a dict of its fields.
    :param host: computer whose costs the hosts have: a name of `memonet.HOSTS`, or a file that ends in
        .toml with `name`, `processor_mhz` and `bus_mhz`; without one that of the publication.
    :param driver: drivers set the network interfaces up; otherwise they are as after reset, for programs
        that do it themselves.
    """

    def __init__(
        self,
        machine: str = MACHINES[0][0],
        nodes: int = 2,
        *,
        nic: str = "model",
        topology: Union[str, os.PathLike[str], None] = None,
        faults: Union[Faults, Mapping[str, Any], None] = None,
        host: Union[str, os.PathLike[str], None] = None,
        driver: bool = True,
    ) -> None:
        name = machine.replace("-", "_") if isinstance(machine, str) else machine
        self._machine = arguments.one_of("machine", name, [known for known, _ in MACHINES])
        number = arguments.integer("nodes", nodes, 1, _MOST_NODES)
        kind = arguments.one_of("nic", nic, _NICS)
        network = None if topology is None else arguments.path("topology", topology, _TOPOLOGIES)
        computer = None if host is None else arguments.path("host", host, HOSTS)
        rates, seed = (None, 0) if faults is None else _faults(faults)._rates()
        if not isinstance(driver, bool):
            raise TypeError(f"driver is a bool, not {type(driver).__name__}")
        self._native = Native(self._machine, _Opening(number, kind, network, rates, seed, computer, driver))
        self._nodes = tuple(Node(self._native, index, self._machine) for index in range(number))
        self._functions = BreakFunctions(self)

    def __repr__(self) -> str:
        if self._native.closed:
            return f"<memonet.Cluster of {self._machine}, closed>"
        return f"<memonet.Cluster of {len(self._nodes)} {self._machine}, {self.nic}, at {self.time_us} us>"

    def _repr_html_(self) -> str:
        from .display import cluster

        return repr(self)[1:-1] if self._native.closed else cluster(self)

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

        :returns: `None`, or the break point that ended the step early, such as `break at 6.480 us: ...`.
        """
        return self._native.run(arguments.integer("cycles", cycles, 0, arguments.MOST_CYCLES))

    def run_until(self, condition: Union[str, Function], *, limit: int = UNTIL) -> Optional[str]:
        """Lets time pass until a condition is true.

        A text is looked at after every clock edge, a function after every cycle of the first clock, and both before
        the first one. Registers without a node are those of node 0.

        :param condition: a comparison of a register, such as `"node1.botf.state == Prim"`, an arc of a
            state machine, such as `"botf Prim->Wait"`, or a function that takes the cluster. See `breakpoint`
            for what a function may do.
        :param limit: most cycles of the first clock.
        :returns: `None`, or the break point that ended the run before.
        :raises NeverTrue: the condition did not become true.
        """
        most = arguments.integer("limit", limit, 0, arguments.MOST_CYCLES)
        if not callable(condition):
            return self._native.run_until(self._one_line("condition", condition), most)
        with self._functions.during(self, condition) as point:
            if point.is_true:
                return None
            hit = self._native.run(most)
        if hit is None:
            raise NeverTrue(f"the function did not become true in {most} cycles")
        return None if point.is_true else hit

    def back(self, cycles: int = 1) -> None:
        """Goes back by cycles of the first clock: the run is repeated up to there, exact to the register.

        :raises InvalidArgument: fewer cycles have passed since the cluster was set up.
        """
        self._native.back(arguments.integer("cycles", cycles, 0, arguments.MOST_CYCLES))

    # Programs

    def start(self, program: _programs.Function, node: int = 0) -> _programs.Program:
        """Starts a program on the host of a node, at the present time.

        :param program: an async function that takes its `Host` and awaits the host's operations alone.
        """
        last = len(self._nodes) - 1
        return _programs.start(self._native, arguments.integer("node", node, 0, last), program)

    def finish(self, *programs: _programs.Program, limit_us: float = _programs.LIMIT_US) -> List[Any]:
        """Lets time pass until programs have ended, and returns their values.

        :param limit_us: most microseconds of virtual time.
        :raises ProgramFailed: a program raised; the others are closed.
        :raises NeverTrue: the limit has come; the message says what each program waits for.
        :raises BreakPoint: a break point ended the call; programs that have not ended go on at the next one.
        """
        for program in programs:
            if not isinstance(program, _programs.Program):
                raise TypeError(f"finish takes programs of `start`, not {type(program).__name__}")
            if program._native is not self._native:
                raise InvalidArgument("the program belongs to another cluster")
        limit = _programs.limit_ps(limit_us)
        try:
            self._native.finish([program._number for program in programs], limit)
        except BreakPoint as error:
            error.programs = programs
            raise
        states = [program.state for program in programs]
        for program, state in zip(programs, states):
            if state not in ("running", "ended"):
                for other in programs:
                    other.close()
                program.result()
        return [program.result() for program in programs]

    def run(
        self,
        programs: Union[Mapping[int, _programs.Function], Sequence[_programs.Function]],
        *,
        limit_us: float = _programs.LIMIT_US,
    ) -> Any:
        """Runs programs to their ends: one for each node of a dict, or for the first nodes of a list.

        :returns: the values of the functions, a dict or a list as `programs`.
        :raises ProgramFailed: a program raised; the others are closed.
        :raises NeverTrue: the limit of virtual time has come; all programs are closed.
        :raises BreakPoint: a break point ended the call; `finish(*error.programs)` goes on.
        """
        if isinstance(programs, Mapping):
            pairs = list(programs.items())
        elif isinstance(programs, Sequence) and not isinstance(programs, (str, bytes)):
            pairs = list(enumerate(programs))
        else:
            raise TypeError("programs is a dict of functions by node, or a list of functions")
        started: List[_programs.Program] = []
        try:
            for node, program in pairs:
                started.append(self.start(program, node))
            values = self.finish(*started, limit_us=limit_us)
        except BreakPoint:
            raise
        except BaseException:
            for begun in started:
                begun.close()
            raise
        if isinstance(programs, Mapping):
            named: Dict[int, Any] = dict(zip(programs, values))
            return named
        return values

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

    def breakpoint(self, condition: Union[str, Function]) -> None:
        """Ends later calls that let time pass when a condition becomes true.

        `step` and `run_until` return the break point, `run` and `finish` raise `BreakPoint`, and the output of
        `Node.line` ends with it. Time stands at the edge or at the end of the cycle at which the condition became
        true, and work that was cut off goes on when time passes again. `back`, `restore` and `nic` repeat the past
        without break points.

        A function runs on the thread of the cluster and reads time, registers, memory and states of programs; other
        calls of its cluster raise `Error`. An exception of the function ends the call that lets time pass.

        :param condition: a text as for `run_until`, or a function that takes the cluster and is called after each
            cycle of the first clock.
        """
        if callable(condition):
            self._functions.add(self, condition)
            return
        self._native.line(0, f"break {self._one_line('condition', condition)}")

    def clear_breakpoints(self) -> None:
        """Removes all break points."""
        self._functions.clear(self)
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


def _faults(faults: Union[Faults, Mapping[str, Any]]) -> Faults:
    if isinstance(faults, Faults):
        return faults
    if not isinstance(faults, Mapping):
        raise TypeError(f"faults is a memonet.Faults or a dict, not {type(faults).__name__}")
    for name in faults:
        arguments.one_of("fault", name, Faults._fields)
    return Faults(**faults)
