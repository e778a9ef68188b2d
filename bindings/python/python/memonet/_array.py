"""Memory of a node as an array of numpy that is always up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional, Tuple

import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from .errors import InvalidArgument

if TYPE_CHECKING:
    from .nodes import Memory


class MemoryView(NDArrayOperatorsMixin):
    """A range of memory as a one-dimensional array: every read sees the present bytes, every write goes to the node.

    Indices are those of numpy: numbers, slices, masks, lists. Results of reads and of arithmetic are arrays of their
    own. A write takes no virtual time, goes the way of `memory[a:b] = data`, and belongs to the run: it is repeated by
    `Cluster.back` and `restore`. Values that the type cannot hold are refused.
    """

    def __init__(self, memory: Memory, address: int, count: int, dtype: numpy.dtype[Any]) -> None:
        self._memory = memory
        self._count = count
        #: Address of the first element.
        self.address = address
        #: Type of the elements.
        self.dtype = dtype

    @property
    def shape(self) -> Tuple[int]:
        """Number of elements, as a tuple."""
        return (self._count,)

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._count

    @property
    def nbytes(self) -> int:
        """Number of bytes."""
        return self._count * self.dtype.itemsize

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        return iter(self._read(0, self._count))

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> numpy.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("memory of a node is in the simulator; an array of it is a copy")
        present = self._read(0, self._count)
        return present if dtype is None else present.astype(dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        targets = options.pop("out", ())
        arrays = [numpy.asarray(one) if isinstance(one, MemoryView) else one for one in inputs]
        if not targets:
            return getattr(ufunc, method)(*arrays, **options)
        # A view as the target, as in `view += 1`, is written as a whole.
        copies = tuple(numpy.asarray(one) if isinstance(one, MemoryView) else one for one in targets)
        result = getattr(ufunc, method)(*arrays, out=copies, **options)
        for target, copied in zip(targets, copies):
            if isinstance(target, MemoryView):
                target[:] = copied
        return targets[0] if len(targets) == 1 else result

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._count)
            if step == 1:
                return self._read(start, max(stop - start, 0))
        elif isinstance(index, (int, numpy.integer)) and not isinstance(index, bool):
            return self._read(range(self._count)[index], 1)[0]
        return self._read(0, self._count)[index]

    def __setitem__(self, index: Any, values: Any) -> None:
        places = numpy.arange(self._count)[index]
        written = numpy.broadcast_to(self._values(values), places.shape).ravel()
        flat = places.ravel()
        if not flat.size:
            return
        # Runs of neighbours are one write each.
        ends = numpy.flatnonzero(numpy.diff(flat) != 1) + 1
        for at, run in zip(numpy.split(flat, ends), numpy.split(written, ends)):
            self._memory.write(self.address + int(at[0]) * self.dtype.itemsize, run.tobytes())

    def _read(self, first: int, count: int) -> numpy.ndarray[Any, Any]:
        size = self.dtype.itemsize
        data = self._memory.read(self.address + first * size, count * size) if count else b""
        return numpy.frombuffer(bytearray(data), dtype=self.dtype)

    def _values(self, values: Any) -> numpy.ndarray[Any, Any]:
        """Values in the type of the elements."""
        given = numpy.asarray(values)
        if self.dtype.kind in "iu" and given.size:
            if given.dtype.kind not in "iuO" or not all(isinstance(one, (int, numpy.integer)) for one in given.flat[:1]):
                raise TypeError(f"elements are integers, not {given.dtype}")
            limits = numpy.iinfo(self.dtype)
            least, most = int(given.min()), int(given.max())
            if least < limits.min or most > limits.max:
                wrong = least if least < limits.min else most
                raise InvalidArgument(f"an element is {limits.min} to {limits.max}, not {wrong}")
        return given.astype(self.dtype)

    def __repr__(self) -> str:
        return f"<memonet.MemoryView of {self._count} {self.dtype} at {self.address:#x}: {numpy.asarray(self)}>"
