"""Checks of arguments: types, ranges, names."""

from __future__ import annotations

import operator
import os
from typing import Any, Iterable

from ._memonet import suggest
from .errors import InvalidArgument, UnknownName

MOST_CYCLES = 10**12
"""Most cycles of one call."""


def integer(what: str, value: Any, least: int, most: int) -> int:
    """The integer, if it lies within `least` and `most`."""
    if type(value) is int and least <= value <= most:
        return value
    if isinstance(value, bool):
        raise TypeError(f"{what} is an integer, not {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is an integer, not {type(value).__name__}") from None
    if not least <= number <= most:
        shown = number if abs(number) < 1 << 128 else "this number"
        raise InvalidArgument(f"{what} is {least} to {most}, not {shown}")
    return number


def text(what: str, value: Any) -> str:
    """The text, if it is one that can be encoded."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidArgument(f"{what} is not valid Unicode: {value!r:.80}") from None
    return value


def one_of(what: str, value: Any, known: Iterable[str]) -> str:
    """The name, if it is known; otherwise the error suggests similar ones."""
    names = list(known)
    name = text(what, value)
    if name in names:
        return name
    raise UnknownName(unknown(what, name, names))


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Message about an unknown name, with similar ones."""
    names = list(known)
    there_are = suggest(text(what, name), names, f"there are {', '.join(names)}")
    return f"there is no {what} `{name:.80}`{there_are}"


def path(what: str, value: Any, known: Iterable[str]) -> str:
    """A known name, or the path of a file."""
    given = value if isinstance(value, str) else os.fspath(value)
    name = text(what, given)
    if "\0" in name:
        raise InvalidArgument(f"{what} has no NUL characters")
    if os.sep not in name and not name.endswith(".toml") and not os.path.exists(name):
        return one_of(what, name, known)
    return name
