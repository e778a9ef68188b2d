"""Programs of hosts: async functions whose accesses take virtual time."""

from __future__ import annotations

import types
from typing import Any, Awaitable, Callable, Coroutine, Generator, NamedTuple, Optional, Tuple, Union

from . import _arguments as arguments
from ._memonet import STEPS, Ended, Native
from .errors import Error, InvalidArgument, ProgramFailed, UnknownName

LIMIT_US = 100_000.0
"""Microseconds of virtual time after which `Cluster.run` gives up."""

_MOST_PS = 10**18
_WORD = (1 << 64) - 1
_ADDRESS = (1 << 32) - 1
_MOST_BYTES = 1 << 20

# Codes of steps; numbers are read faster than names.
_COMPUTE = STEPS.index("compute")
_LOAD = STEPS.index("load")
_LOAD_BYTES = STEPS.index("load_bytes")
_STORE = STEPS.index("store")
_STORE_BYTES = STEPS.index("store_bytes")
_POLL = STEPS.index("poll")
_FENCE = STEPS.index("fence")
_READ_MEMORY = STEPS.index("read_memory")
_OPEN = STEPS.index("open")
_SEND = STEPS.index("send")
_RECEIVE = STEPS.index("receive")

Place = Union[str, int]
"""Name of a register of `Node.host_registers`, or an address of the network interface."""


class Message(NamedTuple):
    """A message that a host has received."""

    sender: int
    """Node that sent it."""
    data: bytes
    """Its bytes."""


@types.coroutine
def _step(*request: Any) -> Generator[Tuple[Any, ...], Any, Any]:
    """Hands a step to the simulator, and returns its answer."""
    answer = yield request
    return answer


class Host:
    """The host of a node, as its program sees it. Every awaited call takes the virtual time of the access.

    Costs are those of the machine's host model. A step that the host or the device refuses raises
    `Refused`; the program may catch it.
    """

    def __init__(self, native: Native, node: int) -> None:
        self._native = native
        self._now_ps = 0
        self._places: dict[str, int] = {}
        #: Number of the node.
        self.node = node

    @property
    def now_ps(self) -> int:
        """Virtual time in picoseconds."""
        return self._now_ps

    @property
    def now_us(self) -> float:
        """Virtual time in microseconds."""
        return self._now_ps / 1e6

    async def compute(self, us: float) -> None:
        """Computes for `us` microseconds, 0 to 1,000,000,000,000; exact to the picosecond."""
        await _step(_COMPUTE, _picoseconds("us", us))

    async def load(self, place: Place, size: Optional[int] = None) -> Any:
        """Reads a register or a word of the network interface.

        :param place: name of a register, or an address: on DIMMnet-2 an offset from the base of the board,
            on the other machines the address of a register.
        :param size: bytes to read instead of a word; DIMMnet-2 alone.
        :returns: an int, or bytes if `size` is given.
        """
        address = self._address(place)
        if size is None:
            return await _step(_LOAD, address)
        return await _step(_LOAD_BYTES, address, arguments.integer("size", size, 1, _MOST_BYTES))

    async def store(self, place: Place, value: Union[int, bytes]) -> None:
        """Writes a register or a word, or bytes on DIMMnet-2.

        Bytes for a Write Window go through the write-combining buffers, as a processor writes them; `fence`
        waits until they have left.
        """
        address = self._address(place)
        if isinstance(value, (bytes, bytearray, memoryview)):
            data = bytes(value)
            arguments.integer("number of bytes", len(data), 1, _MOST_BYTES)
            await _step(_STORE_BYTES, address, data)
        else:
            await _step(_STORE, address, arguments.integer("value", value, 0, _WORD))

    async def poll(
        self,
        place: Place,
        until: Optional[Callable[[int], object]] = None,
        *,
        equals: Optional[int] = None,
        differs: Optional[int] = None,
        mask: int = _WORD,
    ) -> int:
        """Reads a register or a word in a loop until its value is accepted, and returns the value.

        One condition is given: a function of the value, the value of the bits in `mask`, or a value from
        which they differ. The last two do not return to Python at each read.
        """
        address = self._address(place)
        if [until, equals, differs].count(None) != 2:
            raise InvalidArgument("poll has one condition: until, equals or differs")
        if until is not None:
            if not callable(until):
                raise TypeError(f"until is a function of the value, not {type(until).__name__}")
            while True:
                value: int = await _step(_POLL, address, 0, 0, True)
                if until(value):
                    return value
        bits = arguments.integer("mask", mask, 0, _WORD)
        wanted = arguments.integer("value", differs if equals is None else equals, 0, _WORD)
        if wanted & ~bits:
            raise InvalidArgument(f"value is within mask {bits:#x}, not {wanted:#x}")
        found: int = await _step(_POLL, address, bits, wanted, equals is not None)
        return found

    async def fence(self) -> None:
        """Waits until all stores before have left the processor."""
        await _step(_FENCE)

    async def read_memory(self, address: int, size: int) -> bytes:
        """Reads memory that the command `mem_read` of the shell reads; not on DIMMnet-2."""
        first = arguments.integer("address", address, 0, _ADDRESS)
        data: bytes = await _step(_READ_MEMORY, first, arguments.integer("size", size, 0, _MOST_BYTES))
        return data

    async def open(self) -> None:
        """Sets the network interface up, as its driver does; for clusters with `driver=False`. Not on DIMMnet-2."""
        await _step(_OPEN)

    async def send(self, node: int, data: bytes) -> None:
        """Sends a message to a node through the machine's library; not on DIMMnet-2."""
        to = arguments.integer("node", node, 0, 65535)
        await _step(_SEND, to, bytes(memoryview(data).cast("B")))

    async def receive(self) -> Message:
        """Polls until a message has arrived, and takes it; not on DIMMnet-2."""
        return Message(*await _step(_RECEIVE))

    def _address(self, place: Place) -> int:
        if not isinstance(place, str):
            if type(place) is int and 0 <= place <= _ADDRESS:
                return place
            return arguments.integer("address", place, 0, _ADDRESS)
        address = self._places.get(place)
        if address is None:
            raise UnknownName(arguments.unknown("register", place, self._places))
        return address

    def __repr__(self) -> str:
        return f"<memonet.Host of node {self.node} at {self.now_us} us>"


Function = Callable[[Host], Coroutine[Any, Any, Any]]
"""A program: an async function of its host."""


class Program:
    """A program that was started with `Cluster.start`. It runs whenever virtual time passes."""

    def __init__(self, native: Native, node: int, number: int, ended: Ended, name: str) -> None:
        self._native = native
        self._number = number
        self._ended = ended
        #: Number of the node.
        self.node = node
        #: Name of the function.
        self.name = name

    @property
    def state(self) -> str:
        """`running`, `ended`, `failed`, `closed`, or `strayed`: its past was changed behind it."""
        return self._native.program(self._number)[0]

    @property
    def end_ps(self) -> Optional[int]:
        """Virtual time of its end in picoseconds; `None` before."""
        return self._native.program(self._number)[1]

    def result(self) -> Any:
        """The value that the function returned.

        :raises ProgramFailed: the function raised; the exception is the cause.
        """
        state, time_ps = self._native.program(self._number)
        if state == "ended":
            return self._ended.result()
        if state == "failed":
            try:
                self._ended.result()
            except BaseException as error:
                raise ProgramFailed(self.name, self.node, time_ps or 0, error) from error
        reasons = {
            "running": "has not ended; let time pass with Cluster.finish",
            "closed": "was closed before its end",
            "strayed": "has seen another past than the one that is repeated now; start it again",
        }
        raise Error(f"program `{self.name}` of node {self.node} {reasons[state]}")

    def close(self) -> None:
        """Ends the program after its present step."""
        self._native.close_program(self._number)

    def __repr__(self) -> str:
        return f"<memonet.Program {self.name} of node {self.node}, {self.state}>"


def start(native: Native, node: int, function: Function) -> Program:
    """Starts a program on a node."""
    if not callable(function):
        raise TypeError(f"a program is an async function of its host, not {type(function).__name__}")
    host = Host(native, node)
    host._places.update(native.register_addresses())
    coroutine = function(host)
    if not hasattr(coroutine, "send") or not hasattr(coroutine, "throw"):
        raise TypeError("a program is an async function: `async def program(host)`")
    name = str(getattr(function, "__name__", "program"))
    number, ended = native.begin(node, coroutine, host)
    return Program(native, node, number, ended, name)


def limit_ps(limit_us: float) -> int:
    """Picoseconds of a limit in microseconds."""
    return _picoseconds("limit_us", limit_us)


def _picoseconds(what: str, us: float) -> int:
    if isinstance(us, bool) or not isinstance(us, (int, float)):
        raise TypeError(f"{what} is a number, not {type(us).__name__}")
    if not 0 <= us <= _MOST_PS / 1e6:
        raise InvalidArgument(f"{what} is 0 to {_MOST_PS // 10**6}, not {us}")
    return round(us * 1_000_000)
