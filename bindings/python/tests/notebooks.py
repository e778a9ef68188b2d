"""Runs the code cells of notebooks and compares their outputs; without Jupyter.

    python notebooks.py --write NOTEBOOK...     stores the outputs of this run in the notebooks
"""

import ast
import contextlib
import io
import json
import pathlib
import sys


def outputs(source, names):
    """Outputs of a cell: what it prints, and its last expression as Jupyter shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    shown = []
    if printed.getvalue():
        shown.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        shown.append({"output_type": "execute_result", "metadata": {}, "data": data(value)})
    return shown


def data(value):
    """Representations of a value by their types."""
    found = {"text/plain": repr(value).splitlines(True)}
    for kind, method in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
        text = getattr(value, method, lambda: None)()
        if text is not None:
            found[kind] = text.splitlines(True)
    return found


def run(path):
    """The notebook with the outputs of this run."""
    notebook = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    names, count = {"__name__": "__main__"}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            shown = outputs("".join(cell["source"]), names)
            for one in shown:
                if one["output_type"] == "execute_result":
                    one["execution_count"] = count
            cell["outputs"], cell["execution_count"] = shown, count
    return notebook


def text(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"] or len(sys.argv) < 3:
        sys.exit(__doc__)
    for name in sys.argv[2:]:
        pathlib.Path(name).write_text(text(run(name)), encoding="utf-8")
