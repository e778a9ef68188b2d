"""The notebooks of docs/notebooks print and draw what they contain."""

import json
import pathlib

import notebooks
import pytest

import memonet
from memonet import reports

FILES = sorted((pathlib.Path(__file__).parent / "notebooks").glob("*.ipynb"))

try:
    reports.program()
except memonet.Error:
    pytest.skip("there is no program memonet", allow_module_level=True)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_notebook_has_the_outputs_of_its_cells(path):
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert notebooks.run(path)["cells"] == stored["cells"], f"make python NOTEBOOKS=write stores the outputs of {path.name}"


def test_a_wrong_output_is_noticed(tmp_path):
    path = tmp_path / "wrong.ipynb"
    cell = {"cell_type": "code", "metadata": {}, "source": ["1 + 1"], "outputs": [], "execution_count": 1}
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert notebooks.run(path)["cells"][0]["outputs"][0]["data"] == {"text/plain": ["2"]}
