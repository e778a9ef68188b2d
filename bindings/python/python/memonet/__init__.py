"""Cycle-accurate models of published cluster network interfaces.

`Cluster` drives the network interfaces of a machine by hand: registers by name, memory, virtual time
in both directions, snapshots. `run`, `cluster`, `figures`, `mpirun` and `check` run the commands of
the same names and return their JSON reports.
"""

from ._memonet import HAS_RTL, HostRegister, MACHINES as _MACHINES, VERSION as __version__
from .clusters import Cluster, Snapshot
from .errors import (
    ClusterClosed,
    CommandFailed,
    Divergence,
    Error,
    InternalError,
    InvalidArgument,
    NeverTrue,
    UnknownName,
)
from .nodes import Memory, Node, Register, Registers
from .reports import Report, check, cluster, command, figures, mpirun, run

MACHINES = dict(_MACHINES)
"""Machines of this build, with one sentence about each."""

__all__ = [
    "HAS_RTL",
    "MACHINES",
    "Cluster",
    "ClusterClosed",
    "CommandFailed",
    "Divergence",
    "Error",
    "HostRegister",
    "InternalError",
    "InvalidArgument",
    "Memory",
    "NeverTrue",
    "Node",
    "Register",
    "Registers",
    "Report",
    "Snapshot",
    "UnknownName",
    "check",
    "cluster",
    "command",
    "figures",
    "mpirun",
    "run",
]
