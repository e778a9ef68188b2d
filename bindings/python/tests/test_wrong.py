"""Wrong arguments: exceptions with the range or a suggestion, and a living interpreter."""

import random
import sys

import pytest

import memonet


@pytest.fixture(scope="module")
def cluster():
    with memonet.Cluster("dimmnet2", 2) as opened:
        yield opened


@pytest.mark.parametrize("wrong, message", [
    (lambda: memonet.Cluster("dimnet2"), "did you mean `dimmnet2`"),
    (lambda: memonet.Cluster(nic="modle"), "did you mean `model`"),
    (lambda: memonet.Cluster(nodes=0), "nodes is 1 to"),
    (lambda: memonet.Cluster(nodes=2**70), "nodes is 1 to"),
    (lambda: memonet.Cluster(nodes=17), "1 to 16 processes, not 17"),
])
def test_clusters_that_cannot_open(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


@pytest.mark.parametrize("wrong, message", [
    (lambda c: c.step(-1), "cycles is 0 to"),
    (lambda c: c.back(10**9), "only .* cycles have passed"),
    (lambda c: c[0].line("bofd 1 8"), "did you mean `botf`"),
    (lambda c: c[0].line("botf 1\n8"), "one line"),
    (lambda c: c[0].line("\ud800"), "Unicode"),
    (lambda c: c.run_until("botf.stat == Idle"), "did you mean `botf.state`"),
    (lambda c: c.run_until("botf.state == Nowhere"), "has no state `Nowhere`, only Prim, "),
    (lambda c: c.breakpoint("botf Prim->Idel"), "no state `Idel`"),
    (lambda c: c.breakpoint("frame from node9"), "node9|node 9|the last"),
    (lambda c: c.run_until("frame from node9"), "node9|node 9|the last"),
    (lambda c: c[0].registers["nothing_like_it"], "no register"),
    (lambda c: c[0].memory.write(0, bytes(0)) or c[0].memory.write(2**64, b"1"), "address is 0 to"),
])
def test_wrong_values(cluster, wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong(cluster)


def test_wrong_kinds(cluster):
    for wrong in (lambda: cluster.step("1"), lambda: cluster.step(1.5), lambda: cluster.step(True),
                  lambda: cluster.run_until(None), lambda: cluster.restore(None), lambda: memonet.Cluster(7),
                  lambda: cluster[0].memory.write(0, "text"), lambda: cluster["0"], lambda: cluster[0].line(b"h")):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(IndexError):
        cluster[2]


def test_points_of_other_clusters_are_refused(cluster):
    with memonet.Cluster("dimmnet2", 2) as other:
        with pytest.raises(ValueError, match="another cluster"):
            cluster.restore(other.snapshot())


WORDS = [
    None, True, -1, 0, 1, 2, 3, 2**31, 2**63, 2**64, 2**200, 1.5, float("nan"), "", "0", "h", "botf 1 8", "node 9", "\0",
    "\ud800", "é" * 1000, "x" * 100_000, b"", b"bytes", [], {}, object(), len, "botf.state", "node1.botf.state == Prim",
    "node99.botf.state == 1", "botf Prim->Wait", "peek 0 99999999999", "poke 0xffffffffffffffff 1", slice(0, 8), slice(None),
    slice(5, 2), slice(0, 8, 2), "back 3", "save a", "restore a", "restore b", "fault link drop 70000", "dump packet", "nic rtl",
]


@pytest.mark.parametrize("machine", list(memonet.MACHINES))
def test_random_arguments_never_end_the_interpreter(machine):
    draw = random.Random(1)
    with memonet.Cluster(machine, 2) as opened:
        node = opened[1]
        calls = [
            lambda a, b: opened.step(min(a, 1000) if type(a) is int else a),
            lambda a, b: opened.back(a),
            lambda a, b: opened.breakpoint(a),
            lambda a, b: opened.restore(a),
            lambda a, b: opened.run_until(a, limit=b) if isinstance(a, (int, bytes)) else None,
            lambda a, b: opened[a],
            lambda a, b: node.line(a),
            lambda a, b: node.registers[a],
            lambda a, b: node.registers.__setitem__(a, b),
            lambda a, b: node.memory[a],
            lambda a, b: node.memory.read(a, b if type(b) is not int else min(b, 1 << 16)),
            lambda a, b: node.memory.__setitem__(a, b),
            lambda a, b: node.memory.write(a, b),
            lambda a, b: setattr(opened, "nic", a),
            lambda a, b: memonet.Cluster(a, b if type(b) is not int or b > 64 else 0),
        ]
        for _ in range(400):
            call, one, two = draw.choice(calls), draw.choice(WORDS), draw.choice(WORDS)
            try:
                call(one, two)
            except memonet.InternalError as error:
                pytest.fail(f"the simulator failed at {one!r:.80}, {two!r:.80}: {error}")
            except (memonet.Error, TypeError, IndexError, ValueError, OverflowError):
                pass
        opened.clear_breakpoints()
        assert opened.step(1) is None


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_forked_processes_open_their_own(cluster):
    import os

    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            cluster.step(1)
        except memonet.Error as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        assert b"open another one after a fork" in answer.read()
    os.waitpid(child, 0)


def test_a_failure_inside_is_an_exception_and_loses_its_cluster_alone(cluster):
    other = memonet.Cluster("dimmnet2", 2)
    # The package checks node numbers; its native part does not.
    with pytest.raises(memonet.InternalError, match="index out of bounds"):
        other._native.registers(99)
    with pytest.raises(memonet.InternalError, match="the cluster is lost"):
        other.step(1)
    assert cluster.step(1) is None
