"""Reports of commands."""

import json
import os
import shutil
import subprocess

import pytest

import memonet
from memonet import reports

try:
    reports.program()
except memonet.Error:
    pytest.skip("there is no program memonet", allow_module_level=True)


def test_run_is_the_report_of_the_command_line():
    report = memonet.run(nic="model", bytes=8)
    printed = subprocess.run([reports.program(), "run", "--nic", "model", "--bytes", "8", "--json"],
                             capture_output=True, text=True, check=True)
    assert report.json == json.loads(printed.stdout)
    assert report["report"] == "run" and report["total_ps"] == sum(stage["duration_ps"] for stage in report["stages"])


def test_cluster_has_a_row_for_each_load():
    report = memonet.cluster(nodes=4, nic="model", workload="uniform", load=[0.001, 0.01], messages=8)
    assert len(report._rows(None)) == 2


def test_figures_are_drawn():
    report = memonet.figures(only="6.3")
    assert list(report.drawings) == ["6.3"] and report.drawings["6.3"] == report._repr_svg_()
    assert "throughput [MB/s]" in report.svg and {row["figure"] for row in report["rows"]} == {"6.3"}
    # A table has no drawing.
    report = memonet.figures(only="table 6.2")
    assert report["rows"] and not report.drawings and report.svg is None


def test_reports_are_data_frames():
    pandas = pytest.importorskip("pandas")
    frame = memonet.run(nic="model").to_pandas("stages")
    assert isinstance(frame, pandas.DataFrame) and {"name", "duration_ps"} <= set(frame.columns)
    with memonet.Cluster() as opened:
        registers = opened[0].registers.to_pandas()
    assert list(registers.columns) == list(memonet.Register._fields)


def test_wrong_options_are_refused_with_a_suggestion():
    with pytest.raises(ValueError, match="--sede"):
        memonet.run(sede=1)
    with pytest.raises(ValueError, match="did you mean|similar"):
        memonet.command("clutser")
    with pytest.raises(KeyError, match="did you mean `stages`"):
        memonet.run(nic="model")["stage"]


def test_checks_find_hazards():
    report = memonet.check("cenju3", hazard="H12")
    assert report["report"] == "check_cenju3"


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_mpi_programs_run(tmp_path):
    source = tmp_path / "rank.c"
    source.write_text(
        "#include <mpi.h>\n#include <stdio.h>\n"
        "int main(int c, char **v) { int r; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
        'printf("rank %d\\n", r); MPI_Finalize(); return 0; }\n')
    compiled = subprocess.run([reports.program(), "mpicc", str(source), "-o", str(tmp_path / "rank")],
                              capture_output=True, text=True)
    if compiled.returncode:
        pytest.skip(f"mpicc: {compiled.stderr}")
    report = memonet.mpirun([tmp_path / "rank"], ranks=2, nic="model")
    assert sorted(report.text.split("\n")) == ["", "rank 0", "rank 1"]
    assert report["report"] == "mpirun"
    with pytest.raises(memonet.Error, match="no such file"):
        memonet.mpirun([tmp_path / "absent"], ranks=2)


def test_timeouts_end_the_command():
    with pytest.raises(subprocess.TimeoutExpired):
        memonet.command("cluster", nodes=16, nic="model", workload="uniform", messages=100000, timeout=0.5)


def test_a_missing_program_is_an_error(monkeypatch):
    monkeypatch.setenv("MEMONET", os.devnull + "/absent")
    with pytest.raises((memonet.Error, OSError)):
        memonet.run()
