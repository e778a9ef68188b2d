"""Cycle-accurate models of published cluster network interfaces.

`Cluster` drives the network interfaces of a machine by hand: registers by name, memory, virtual time
in both directions, snapshots, and programs of hosts in Python. `run`, `cluster`, `figures`, `mpirun` and `check` run the commands of
the same names and return their JSON reports.
"""

from ._memonet import HAS_RTL, HOSTS as _HOSTS, HostRegister, MACHINES as _MACHINES, VERSION as __version__
from .blocks import Block, Pin, block_faults, blocks
from .clusters import Cluster, Faults, Snapshot
from .errors import (
    BreakPoint,
    ClusterClosed,
    CommandFailed,
    Divergence,
    Error,
    InternalError,
    InvalidArgument,
    NeverTrue,
    ProgramFailed,
    Refused,
    UnknownName,
)
from .nodes import Memory, Node, Register, Registers
from .programs import Host, Message, Program
from .reports import Report, check, cluster, command, explain, figures, mpirun, run

MACHINES = dict(_MACHINES)
"""Machines of this build, with one sentence about each."""

HOSTS = tuple(_HOSTS)
"""Computers whose costs `Cluster(host=)` takes by name."""

__all__ = [
    "HAS_RTL",
    "HOSTS",
    "MACHINES",
    "Block",
    "BreakPoint",
    "Cluster",
    "ClusterClosed",
    "CommandFailed",
    "Divergence",
    "Error",
    "Faults",
    "Host",
    "HostRegister",
    "InternalError",
    "InvalidArgument",
    "Memory",
    "Message",
    "NeverTrue",
    "Node",
    "Pin",
    "Program",
    "ProgramFailed",
    "Refused",
    "Register",
    "Registers",
    "Report",
    "Snapshot",
    "UnknownName",
    "block_faults",
    "blocks",
    "check",
    "cluster",
    "command",
    "explain",
    "figures",
    "mpirun",
    "run",
]
