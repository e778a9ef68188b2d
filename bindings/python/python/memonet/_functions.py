"""Break points that are functions of a cluster."""

from __future__ import annotations

import contextlib
import weakref
from typing import TYPE_CHECKING, Callable, Iterator, List, Optional

if TYPE_CHECKING:
    from .clusters import Cluster

Function = Callable[["Cluster"], object]
"""A condition: true or false for a cluster at the end of a cycle."""


class BreakFunction:
    """A function, and whether it was true at its last call."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.name = getattr(function, "__name__", repr(function))
        self.is_true = False

    def becomes_true(self, cluster: Cluster) -> bool:
        """Whether the function is true now and was not at its last call."""
        before, self.is_true = self.is_true, bool(self.function(cluster))
        return self.is_true and not before


class BreakFunctions:
    """All break points of a cluster that are functions. The simulator calls them while there are some."""

    def __init__(self, cluster: Cluster) -> None:
        self._all: List[BreakFunction] = []
        # The simulator keeps what it calls, and a cluster ends with its last reference.
        reference = weakref.ref(cluster)

        def look() -> Optional[str]:
            present = reference()
            if present is None:
                return None
            hits = [point.name for point in present._functions._all if point.becomes_true(present)]
            return hits[0] if hits else None

        self._look = look

    def add(self, cluster: Cluster, function: Function) -> BreakFunction:
        """Adds a break point; one that is true already has to become false first."""
        point = BreakFunction(function)
        point.becomes_true(cluster)
        if not self._all:
            cluster._native.break_at(self._look)
        self._all.append(point)
        return point

    def remove(self, cluster: Cluster, *points: BreakFunction) -> None:
        """Removes break points."""
        self._all = [point for point in self._all if point not in points]
        if not self._all and not cluster._native.closed:
            cluster._native.break_at(None)

    def clear(self, cluster: Cluster) -> None:
        """Removes all break points."""
        self.remove(cluster, *self._all)

    @contextlib.contextmanager
    def during(self, cluster: Cluster, function: Function) -> Iterator[BreakFunction]:
        """A break point for the body of a `with` statement."""
        point = self.add(cluster, function)
        try:
            yield point
        finally:
            self.remove(cluster, point)
