"""The programs of docs/python.md print what the page says."""

import pathlib
import re
import subprocess
import sys

import pytest

import memonet
from memonet import reports

PAGE = pathlib.Path(__file__).with_name("python.md")


@pytest.mark.skipif(not PAGE.exists(), reason="ci/python puts the page here")
def test_the_page_is_right():
    try:
        reports.program()
    except memonet.Error as error:
        pytest.skip(str(error))
    examples = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", PAGE.read_text(), re.S)
    assert len(examples) == 3
    for program, output in examples:
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        assert ran.stdout == output, ran.stderr
