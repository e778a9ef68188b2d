"""Property-based tests of blocks with hypothesis, which shrinks what it finds.

`pip install hypothesis` is needed; the rest of the package does without.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from . import _arguments as arguments
from .blocks import Block, Pin
from .errors import Divergence

Pins = Dict[str, int]
"""Values of the pins that are not 0, for one cycle."""


def pin_values(pin: Pin) -> st.SearchStrategy[int]:
    """Values of one pin, often 0; shrinks towards 0."""
    most = len(pin.states) - 1 if pin.states else (1 << pin.width) - 1
    return st.one_of(st.just(0), st.integers(0, most))


def cycle(block: Block) -> st.SearchStrategy[Pins]:
    """Input pins of a block for one cycle; shrinks towards few pins and low values."""
    pins = {name: pin_values(pin) for name, pin in block.inputs.items()}
    return st.fixed_dictionaries(pins).map(_not_zero)


def _not_zero(pins: Pins) -> Pins:
    return {name: value for name, value in pins.items() if value}


def inputs(block: Block, *, cycles: int = 20) -> st.SearchStrategy[List[Pins]]:
    """Input pins of a block for up to `cycles` cycles; shrinks towards the fewest cycles and pins."""
    return st.lists(cycle(block), max_size=arguments.integer("cycles", cycles, 1, 10_000))


class Found(NamedTuple):
    """The shortest inputs that were found for a divergence."""

    inputs: List[Pins]
    """Pins of each cycle, those of 0 left out."""
    divergence: Divergence
    """The divergence that they cause."""


def divergence(open_block: Callable[[], Block], pins: List[Pins]) -> Optional[Divergence]:
    """The divergence of a freshly opened block on these inputs, or `None`."""
    block = open_block()
    try:
        for values in pins:
            block.step(values)
    except Divergence as error:
        return error
    return None


def find_divergence(
    open_block: Callable[[], Block], *, cycles: int = 20, examples: int = 2000
) -> Optional[Found]:
    """Looks for inputs on which model and RTL differ, and shrinks them to the fewest cycles and pins.

    The search is the same each time. `None` means that no example diverged, not that none does.

    :param open_block: opens the block in lockstep: `lambda: memonet.Block("botf", nic="lockstep")`.
    :param cycles: most cycles of an example.
    :param examples: most examples before the first divergence.
    """
    options = settings(
        max_examples=arguments.integer("examples", examples, 1, 10**7),
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    candidates = inputs(open_block(), cycles=cycles)

    def diverges(pins: List[Pins]) -> Any:
        return divergence(open_block, pins) is not None

    try:
        shortest = find(candidates, diverges, settings=options)
    except NoSuchExample:
        return None
    found = divergence(open_block, shortest)
    assert found is not None, "a run is the same each time"
    return Found(shortest, found)
