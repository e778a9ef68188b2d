"""Commands of `memonet` and their reports.

Each function runs the program `memonet` with `--json` in a process of its own, so a report is the
same document that the command line prints, and a failure inside cannot end the interpreter.
"""

from __future__ import annotations

import json as _json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

from . import _arguments as arguments
from .errors import CommandFailed, Error, InvalidArgument


class Report(Mapping[str, Any]):
    """A report: the documented JSON of a command, read like a dict.

    `docs/json.md` describes the keys; names that end in `_ps` and `_us` are picoseconds and microseconds.
    """

    def __init__(
        self,
        document: Dict[str, Any],
        text: str = "",
        svg: Optional[str] = None,
        drawings: Optional[Dict[str, str]] = None,
    ) -> None:
        #: The document as Python values.
        self.json = document
        #: Output of the command beside the document, such as that of MPI programs.
        self.text = text
        #: Drawing of the command, if it has one; a notebook shows it.
        self.svg = svg
        #: Drawings of `figures` by the number of the figure, as SVG.
        self.drawings = drawings or {}

    def _repr_svg_(self) -> Optional[str]:
        return self.svg

    def __getitem__(self, key: str) -> Any:
        arguments.one_of("key", key, self.json)
        return self.json[key]

    def __iter__(self) -> Any:
        return iter(self.json)

    def __len__(self) -> int:
        return len(self.json)

    def __repr__(self) -> str:
        return f"<memonet.Report {self.json.get('report')} with {', '.join(self.json)}>"

    def to_pandas(self, key: Optional[str] = None) -> Any:
        """A data frame of a list of the report; needs pandas.

        :param key: the list; without one, the only list, or the first of `runs`, `rows` and `stages`.
        """
        import pandas

        return pandas.json_normalize(self._rows(key))

    def _rows(self, key: Optional[str]) -> List[Dict[str, Any]]:
        lists = [name for name, value in self.json.items() if _is_table(value)]
        if key is None:
            usual = [name for name in ("runs", "rows", "stages") if name in lists]
            first = usual or lists
            if not first:
                return [self.json]
            key = first[0]
        rows: List[Dict[str, Any]] = self.json[arguments.one_of("list", key, lists)]
        return rows


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def program() -> str:
    """Path of the program `memonet`: that of the variable MEMONET, of the package, or of PATH."""
    named = os.environ.get("MEMONET")
    if named:
        return named
    packaged = Path(__file__).with_name("bin") / "memonet"
    found = str(packaged) if packaged.is_file() else shutil.which("memonet")
    if not found:
        raise Error("the program memonet is not in PATH; install it with `make install`, or set MEMONET to its path")
    return found


def command(name: str, *words: str, timeout: Optional[float] = None, **options: Any) -> Report:
    """Runs a command of `memonet` with `--json`.

    Options become those of the command line: `seed=1` is `--seed 1`, `leave_one_out=True` is
    `--leave-one-out`, a list is joined by commas, `None` and `False` are left out.

    :param timeout: seconds of this computer after which the run ends.
    :raises InvalidArgument: the command refuses its arguments.
    :raises CommandFailed: the run failed.
    """
    line = [arguments.text("command", name), *(arguments.text("argument", word) for word in words)]
    return _report([*line, *_options(options), "--json"], timeout)


def run(**options: Any) -> Report:
    """`memonet run`: the main job of a machine, stage by stage. Options: `memonet run --help`."""
    return command("run", **options)


def cluster(**options: Any) -> Report:
    """`memonet cluster`: a workload on many nodes. Options: `memonet cluster --help`.

    The report shows as latency over load.
    """
    return _drawn("cluster", [], options)


def explain(path: str, **options: Any) -> Report:
    """`memonet explain PATH`: the stages of one message. The report shows as bars on a time axis.

    :param path: path of the data, such as `botf`; an unknown one lists those of the machine.
    """
    return _drawn("explain", [path], options)


def figures(**options: Any) -> Report:
    """`memonet figures`: published measurements and ours. Options: `memonet figures --help`.

    `figures(only="6.3")` measures one figure and shows as its diagram; `drawings` has the diagrams by number.
    `calibrate="section 6.2"` fits the costs to these rows first; such a report has no diagrams.
    """
    if any(options.get(name) for name in ("calibrate", "output", "foretold", "predict", "one_sided", "host")):
        return command("figures", **options)
    with tempfile.TemporaryDirectory(prefix="memonet-") as folder:
        report = command("figures", **options, output=folder)
        drawings = {}
        for figure in report.json["figures"]:
            for path in Path(folder, "figures").glob(f"*_figure_{figure['id']}.svg"):
                drawings[figure["id"]] = path.read_text(encoding="utf-8")
        sole = next(iter(drawings.values())) if len(drawings) == 1 else None
        return Report(report.json, svg=sole, drawings=drawings)


def check(world: str, **options: Any) -> Report:
    """`memonet check WORLD`: a search of all states of a protocol. Options: `memonet check --help`."""
    return command("check", world, **options)


def mpirun(program: Sequence[str], *, ranks: int, timeout: Optional[float] = None, **options: Any) -> Report:
    """`memonet mpirun -np RANKS PROGRAM`: an MPI program on modelled hosts.

    :param program: path of the program, and its arguments.
    :returns: the report; its `text` is the output of the ranks.
    """
    if isinstance(program, (str, bytes)):
        raise TypeError("program is a list: the path and the arguments")
    number = arguments.integer("ranks", ranks, 1, 1 << 20)
    words = [arguments.text("program", os.fspath(word)) for word in program]
    with tempfile.TemporaryDirectory(prefix="memonet-") as folder:
        path = os.path.join(folder, "report.json")
        line = ["mpirun", "-np", str(number), *_options(options), "--json", path, *words]
        out = _execute(line, timeout)
        try:
            with open(path, encoding="utf-8") as file:
                return Report(_json.load(file), out)
        except (OSError, ValueError) as error:
            raise CommandFailed(f"memonet mpirun: no report: {error}") from None


def _drawn(name: str, words: List[str], options: Dict[str, Any]) -> Report:
    """A report with the drawing that the command writes with `--svg`."""
    if options.get("svg") is not None:
        report = command(name, *words, **options)
        return Report(report.json, svg=Path(options["svg"]).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="memonet-") as folder:
        path = Path(folder) / "drawing.svg"
        report = command(name, *words, **{**options, "svg": str(path)})
        document = {key: value for key, value in report.json.items() if key != "wrote"}
        return Report(document, svg=path.read_text(encoding="utf-8"))


def _options(options: Dict[str, Any]) -> List[str]:
    line: List[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            line.append(option)
        elif isinstance(value, (list, tuple)):
            line.append(f"{option}={','.join(arguments.text(name, str(one)) for one in value)}")
        else:
            line.append(f"{option}={arguments.text(name, str(value))}")
    return line


def _report(line: List[str], timeout: Optional[float]) -> Report:
    out = _execute(line, timeout)
    try:
        return Report(_json.loads(out))
    except ValueError as error:
        raise CommandFailed(f"memonet {line[0]}: the output is not JSON: {error}") from None


def _execute(line: List[str], timeout: Optional[float]) -> str:
    """Output of the program. Ctrl-C and the timeout interrupt it as Ctrl-C on a terminal does."""
    if any("\0" in word for word in line):
        raise InvalidArgument("arguments of a command have no NUL characters")
    # A process group of its own: Ctrl-C comes to Python alone, which passes it on once.
    process = subprocess.Popen(
        [program(), *line],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
        errors="replace",
    )
    try:
        out, err = process.communicate(timeout=timeout)
    except BaseException:
        _end(process)
        raise
    if process.returncode:
        raise _failed(line[0], process.returncode, out, err)
    return out


def _end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _failed(name: str, exit_code: int, out: str, err: str) -> Exception:
    try:
        document = _json.loads(out)
    except ValueError:
        document = None
    lines = [text.strip() for text in err.splitlines() if text.strip()]
    stated = [text.partition(": ")[2] for text in lines if text.startswith(("error: ", "memonet: "))]
    last = [text for text in lines if not text.startswith(("Usage:", "For more information"))][-1:]
    reason = str((document or {}).get("error") or [*stated, *last, f"exit code {exit_code}"][0])
    if exit_code == 2:
        tips = [text for text in lines if text.startswith(("tip:", "[possible values"))]
        return InvalidArgument(f"memonet {name}: {'; '.join([reason, *tips])}")
    return CommandFailed(f"memonet {name}: {reason}", exit_code, document)
