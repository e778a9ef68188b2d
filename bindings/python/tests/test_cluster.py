"""Clusters driven from Python: time, registers, memory, snapshots."""

import subprocess
import sys
import threading

import pytest

import memonet


@pytest.fixture
def cluster():
    with memonet.Cluster("dimmnet2", 2) as opened:
        yield opened


def test_a_message_moves_registers_and_memory(cluster):
    before = cluster.fingerprint()
    cluster[0].line("botf 1 24")
    assert cluster.fingerprint() != before
    assert cluster[0].line("dump packet") != ""


def test_equal_calls_give_equal_fingerprints():
    def run():
        with memonet.Cluster("dimmnet2", 3) as opened:
            opened[0].line("botf 2 8")
            opened.step(1000)
            return opened.time_ps, opened.fingerprint()

    assert run() == run()


def test_time_goes_back_and_forth(cluster):
    start = cluster.time_ps
    point = cluster.snapshot()
    cluster[0].line("botf 1 8")
    there = cluster.time_ps, cluster.fingerprint()
    assert cluster.step(100) is None
    assert cluster.time_ps == there[0] + 100 * cluster.cycle_ps
    cluster.back(100)
    assert (cluster.time_ps, cluster.fingerprint()) == there
    cluster.restore(point)
    assert cluster.time_ps == point.time_ps == start
    assert cluster.fingerprint() == point.fingerprint


def test_run_until_takes_conditions_arcs_and_functions(cluster):
    cluster.breakpoint("botf.state == Botf1")
    cluster[0].line("botf 1 8")
    assert cluster[0].registers["botf.state"].text == "Botf1"
    cluster.clear_breakpoints()
    cluster.run_until("botf.state == Prim")
    assert cluster[0].registers["botf.state"].text == "Prim"
    begin = cluster.time_ps
    cluster.run_until(lambda at: at.time_ps >= begin + 5 * at.cycle_ps)
    assert cluster.time_ps == begin + 5 * cluster.cycle_ps
    with pytest.raises(memonet.NeverTrue):
        cluster.run_until(lambda _: False, limit=10)
    with pytest.raises(ZeroDivisionError):
        cluster.run_until(lambda _: 1 / 0)


def test_registers_have_names_values_and_meanings(cluster):
    registers = cluster[0].registers
    assert len(registers) == len(list(registers)) > 100
    state = registers["botf.state"]
    assert state.name.endswith(".botf.state")
    assert state.states[state.value] == state.text == "Prim"
    assert any(register.doc for register in registers.values())
    assert "botf.state" in registers and "no_such_thing" not in registers
    assert "<table>" in registers._repr_html_()


@pytest.mark.parametrize("machine, name, value", [("hca", "Lid", 7), ("cenju3", None, 0), ("dimmnet2", "Mtu", 8)])
def test_host_writes_registers_that_it_reaches(machine, name, value):
    with memonet.Cluster(machine, 2) as opened:
        writable = [register for register in opened[0].host_registers if register.access != "read"]
        assert writable
        if name is None:
            return
        before = opened.time_ps
        opened[0].registers[name] = value
        assert opened.time_ps > before
        if machine == "hca":
            assert f"Lid = {value:#x}" in opened[0].line("reg Lid")
        register = next(register for register in writable if register.name == name)
        with pytest.raises(ValueError, match=f"{name} is 0 to {2**register.width - 1}"):
            opened[0].registers[name] = 1 << register.width


def test_registers_inside_the_device_are_not_written(cluster):
    with pytest.raises(memonet.Error, match="no host access writes it"):
        cluster[0].registers["botf.state"] = 1
    with pytest.raises(memonet.Error, match="can only be read"):
        cluster[0].registers["ControllerStatus"] = 1
    with pytest.raises(KeyError, match="did you mean"):
        cluster[0].registers["botf.stat"] = 1


@pytest.mark.parametrize("machine", list(memonet.MACHINES))
def test_memory_is_bytes(machine):
    with memonet.Cluster(machine, 2) as opened:
        memory = opened[1].memory
        memory[0x400:0x408] = b"\x01\x02\x03\x04\x05\x06\x07\x08"
        assert memory[0x400:0x408] == memory.read(0x400, 8) == bytes(range(1, 9))
        assert memory[0x401] == 2
        point = opened.fingerprint()
        opened.step(10)
        opened.back(10)
        assert opened.fingerprint() == point
        assert memory[0x400:0x408] == bytes(range(1, 9))
        assert len(memory.read(len(memory) - 4, 4)) == 4
        for wrong in (lambda: memory[len(memory)], lambda: memory[-1], lambda: memory[0:], lambda: memory.read(0, 1 << 40)):
            with pytest.raises(ValueError):
                wrong()


def test_memory_is_a_numpy_array(cluster):
    numpy = pytest.importorskip("numpy")
    cluster[0].memory[0:16] = (1).to_bytes(8, "little") + (2).to_bytes(8, "little")
    array = cluster[0].memory.array(0, 2)
    assert array.dtype == numpy.dtype("<u8") and array.tolist() == [1, 2]
    cluster[0].memory[0:8] = bytes(8)
    array[1] = 9
    assert array.tolist() == [1, 9] and cluster[0].memory.array(0, 2).tolist() == [0, 2]


@pytest.mark.parametrize("machine", list(memonet.MACHINES))
def test_views_are_the_memory(machine):
    numpy = pytest.importorskip("numpy")
    with memonet.Cluster(machine, 2) as opened:
        memory = opened[1].memory
        memory[0x400:0x420] = bytes(range(32))
        view = memory.view(0x401, 8, ">u2")
        assert len(view) == 8 and view.nbytes == 16 and view[0] == 0x0102 and view[-1] == 0x0F10
        time = opened.time_ps
        view[1] = 0xABCD
        assert memory[0x400:0x406] == b"\x00\x01\x02\xab\xcd\x05"
        memory[0x401:0x403] = b"\x00\x05"
        assert view[0] == 5 and numpy.asarray(view)[0] == 5
        view[2:6:2] = [7, 8]
        view[view[:] == 8] = 9
        view += 1
        assert view[:3].tolist() == [6, 0xABCE, 8] and view[4] == 10 and (view[:2] * 2).tolist() == [12, 0x1579C & 0xFFFF]
        assert numpy.sum(view) == sum(int(element) for element in view)
        assert memory[0x400] == 0 and memory[0x411:0x420] == bytes(range(17, 32))
        assert opened.time_ps == time
        opened.step(10)
        before = view[:].tolist()
        opened.back(10)
        assert view[:].tolist() == before


@pytest.mark.parametrize("wrong, kind, message", [
    (lambda m: m.view(0, 4, "u1").__setitem__(0, 256), ValueError, "an element is 0 to 255, not 256"),
    (lambda m: m.view(0, 4, "i1").__setitem__(slice(None), [0, 0, 0, -129]), ValueError, "-128 to 127, not -129"),
    (lambda m: m.view(0, 4).__setitem__(slice(None), 1 << 64), ValueError, "not 18446744073709551616"),
    (lambda m: m.view(0, 4).__setitem__(0, 1.5), TypeError, "integers"),
    (lambda m: m.view(0, 4).__setitem__(0, "1"), TypeError, "integers"),
    (lambda m: m.view(0, 4).__setitem__(slice(0, 3), [1, 2]), ValueError, "broadcast"),
    (lambda m: m.view(0, 4).__setitem__(4, 1), IndexError, "out of bounds"),
    (lambda m: m.view(0, 4)[4], IndexError, "out of range"),
    (lambda m: m.view(len(m) - 8, 2), ValueError, "count is 0 to 1, not 2"),
    (lambda m: m.view(-1, 2), ValueError, "address is 0 to"),
    (lambda m: m.view(0, 2, object), ValueError, "dtype"),
    (lambda m: m.view(0, 2, "no type"), TypeError, "data type"),
    (lambda m: m.array(0, 1 << 60), ValueError, "count is 0 to"),
])
def test_views_refuse_what_does_not_fit(cluster, wrong, kind, message):
    pytest.importorskip("numpy")
    before = cluster[0].memory[0:32]
    with pytest.raises(kind, match=message):
        wrong(cluster[0].memory)
    assert cluster[0].memory[0:32] == before


def test_waveforms_go_into_files(cluster, tmp_path):
    path = tmp_path / "run.vcd"
    cluster.trace_on(str(path))
    cluster[0].line("botf 1 8")
    assert "changes" in cluster.trace_off()
    assert "$enddefinitions" in path.read_text()


def test_a_closed_cluster_refuses_calls():
    opened = memonet.Cluster("dimmnet2", 2)
    point = opened.snapshot()
    opened.close()
    opened.close()
    node = opened[0]
    for call in (opened.step, opened.fingerprint, opened.check, opened.snapshot, lambda: opened.restore(point),
                 lambda: node.line("h"), lambda: node.registers["botf.state"], lambda: node.memory[0:8],
                 lambda: opened.time_ps, lambda: opened.nic):
        with pytest.raises(memonet.ClusterClosed, match="open another one"):
            call()
    assert "closed" in repr(opened)


def test_clusters_run_in_threads_of_their_own():
    ends = {}

    def run(name):
        with memonet.Cluster("dimmnet2", 2) as opened:
            opened[0].line("botf 1 64")
            opened.step(20_000)
            ends[name] = opened.fingerprint()

    threads = [threading.Thread(target=run, args=(name,)) for name in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends[0] == ends[1]


def long_past(opened, messages):
    """A past that takes a while to repeat, as `back` does."""
    for _ in range(messages):
        opened[0].line("botf 1 64")


def test_other_threads_go_on_during_a_run(cluster):
    long_past(cluster, 10_000)
    begun, done = threading.Event(), threading.Event()
    runner = threading.Thread(target=lambda: (begun.set(), cluster.back(1), done.set()))
    interval = sys.getswitchinterval()
    # No thread is preempted: this one goes on only when the other one gives up the interpreter lock.
    sys.setswitchinterval(1000)
    try:
        runner.start()
        begun.wait()
        assert not done.is_set()
    finally:
        sys.setswitchinterval(interval)
    runner.join()
    assert done.is_set()


def test_interrupts_end_runs():
    program = """
import os, signal, threading, memonet
# Jobs in the background inherit that interrupts are ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
cluster = memonet.Cluster("dimmnet2", 2)
for _ in range(10_000):
    cluster[0].line("botf 1 64")
there = cluster.time_ps, cluster.fingerprint()
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        cluster.back(0)
except KeyboardInterrupt:
    assert (cluster.time_ps, cluster.fingerprint()) == there
    cluster.step(1)
    print("interrupted")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert ran.stdout == "interrupted\n", ran.stderr


def test_virtual_time_has_an_end(cluster):
    cluster.step(10**12)
    with pytest.raises(ValueError, match="only .* cycles are left"):
        for _ in range(200):
            cluster.step(10**12)
    assert cluster.time_ps <= 10**18


def test_import_is_quick_to_load():
    # The package loads nothing heavy: neither numpy, pandas nor asyncio.
    program = "import sys, memonet; print([m for m in ('numpy', 'pandas', 'asyncio') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "[]\n", ran.stderr


def test_functions_are_break_points():
    def in_prim(cluster):
        return cluster[0].registers["botf.state"].text == "Prim"

    with memonet.Cluster("dimmnet2", 2) as cluster:
        cluster.breakpoint("botf.state == Botf1")
        cluster[0].line("botf 1 24")
        cluster.clear_breakpoints()
        cluster.breakpoint(in_prim)
        hit = cluster.step(200)
        assert hit == f"break at {cluster.time_us:.6f} us: in_prim" and in_prim(cluster)
        # It is true already, so the next step goes on.
        assert cluster.step(5) is None
        time = cluster.time_ps
        with pytest.raises(ZeroDivisionError):
            cluster.breakpoint(lambda _: 1 / 0)
        assert cluster.time_ps == time
        cluster.clear_breakpoints()
        assert cluster.step(5) is None
