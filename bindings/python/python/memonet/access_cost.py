"""Processor time of accesses of programs in Python, next to that of the same accesses in Rust.

    python -m memonet.access_cost [SLICES]

A program runs once from Python. Then the cluster returns to the end of that run and repeats it: the same steps in
the same virtual time, from the record and without Python. Times are processor time of the whole process, so that
other processes do not count; what a cluster costs without the program is subtracted from both.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any, Callable, Coroutine, Dict, List, NamedTuple

from .clusters import Cluster
from .programs import Host

STEPS = 2_000
"""Accesses of a run."""

_LLCM = 0x20000

Access = Callable[[Host], Coroutine[Any, Any, Any]]

ACCESSES: Dict[str, Access] = {
    "compute(0.01)": lambda host: host.compute(0.01),
    "load(register)": lambda host: host.load("PrimitiveCounter"),
    "load(address)": lambda host: host.load(_LLCM),
    "store(address, value)": lambda host: host.store(_LLCM, 7),
    "poll(address, equals=)": lambda host: host.poll(_LLCM, equals=0, mask=0),
}
"""What is measured: accesses of a board of the default machine by name."""


class Cost(NamedTuple):
    """Processor time of an access in microseconds: medians over the slices."""

    access: str
    """Name in `ACCESSES`."""
    python_us: float
    """Called from Python."""
    rust_us: float
    """Repeated in Rust."""
    difference_us: float
    """Median of the differences of a slice."""


def measure(slices: int = 7, steps: int = STEPS) -> List[Cost]:
    """Measures each access in as many slices; each has a run in Python and one in Rust."""
    costs = []
    for name, access in ACCESSES.items():
        runs = [_slice(access, steps) for _ in range(slices)]
        costs.append(Cost(name, statistics.median(python for python, _ in runs), statistics.median(rust for _, rust in runs),
                          statistics.median(python - rust for python, rust in runs)))
    return costs


def _slice(access: Access, steps: int) -> List[float]:
    """Microseconds of an access in Python and in Rust."""
    with_steps, without = _run(access, steps), _run(access, 0)
    return [(one - none) / steps * 1e6 for one, none in zip(with_steps, without)]


def _run(access: Access, steps: int) -> List[float]:
    """Seconds of a program in Python, and of its repetition in Rust."""

    async def program(host: Host) -> None:
        for _ in range(steps):
            await access(host)

    def seconds(work: Callable[[], Any]) -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    with Cluster(nodes=1) as cluster:
        python = seconds(lambda: cluster.run([program]))
        end = cluster.snapshot()
        return [python, seconds(lambda: cluster.restore(end))]


def table(costs: List[Cost]) -> str:
    """The costs as text."""
    lines = [f"{'access':24}{'Python':>12}{'Rust':>12}{'difference':>12}{'ratio':>9}"]
    for cost in costs:
        ratio = cost.python_us / cost.rust_us
        lines.append(f"{cost.access:24}{cost.python_us:>9.2f} us{cost.rust_us:>9.2f} us{cost.difference_us:>9.2f} us{ratio:>9.1f}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 7)))
