"""Programs of hosts in Python: virtual time, fingerprints, failures, interrupts."""

import os
import subprocess
import sys
import threading
import traceback

import pytest

import memonet
from memonet import access_cost

EXAMPLE = os.environ.get("MEMONET_EXAMPLE")

LLCM = 0x20000
OFFSET = 0x1000
IMAGE = (24 | 0x14 << 12 | 2 << 32 | 1 << 62).to_bytes(8, "little") + (OFFSET << 32 | OFFSET).to_bytes(8, "little")


async def set_up(host):
    await host.store("SdimmInit", 1)
    await host.poll("ControllerStatus", differs=0, mask=1 << 1)
    lid = await host.poll("SmaLid", lambda value: value >> 16 & 3 == 3)
    await host.store("Lid", lid & 0xFFFF)
    await host.store("Pgid0", 9)


async def send(host):
    await set_up(host)
    await host.compute(5)
    await host.store(0, IMAGE + b"memonet!")
    await host.fence()
    await host.store("Command0Lower", 1 | 24 << 32)
    await host.poll("PrimitiveCounter", differs=0)
    return host.now_ps


async def receive(host):
    await set_up(host)
    value = await host.poll(LLCM + OFFSET, differs=0)
    return value.to_bytes(8, "little")


def end_and_fingerprint(nic="model"):
    with memonet.Cluster("dimmnet2", 2, nic=nic, driver=False) as cluster:
        _, data = cluster.run([send, receive])
        return cluster.time_ps, data, cluster.fingerprint()


@pytest.mark.skipif(not EXAMPLE, reason="ci/python builds the Rust program")
def test_a_program_has_the_time_and_the_fingerprint_of_the_same_one_in_rust():
    printed = subprocess.run([EXAMPLE], capture_output=True, text=True, check=True, timeout=60).stdout.split()
    end, data, fingerprint = end_and_fingerprint()
    assert [str(end), data.decode(), fingerprint] == printed


def test_programs_repeat_exactly():
    assert end_and_fingerprint() == end_and_fingerprint()


def test_registers_of_the_second_process_have_names():
    async def second(host):
        assert host._places["process1.PrimitiveCounter"] != host._places["PrimitiveCounter"]
        return await host.load("process1.PrimitiveCounter"), await host.load("PrimitiveCounter")

    with memonet.Cluster("dimmnet2", 2) as cluster:
        assert cluster.run([second]) == [(0, 0)]

    async def wrong(host):
        await host.load("process1.PrimitiveCunter")

    with memonet.Cluster("dimmnet2", 2) as cluster, pytest.raises(memonet.ProgramFailed) as caught:
        cluster.run([wrong])
    assert "did you mean" in str(caught.value.__cause__)


@pytest.mark.skipif(not memonet.HAS_RTL, reason="this build has no RTL")
def test_programs_run_on_the_rtl():
    assert end_and_fingerprint("lockstep") == end_and_fingerprint()


@pytest.mark.parametrize("machine", ["gigae_pm", "cenju3", "hca"])
def test_messages_go_between_programs(machine):
    async def sender(host):
        await host.send(1, b"to the other one")
        return host.now_ps

    async def receiver(host):
        return await host.receive(), host.now_ps

    with memonet.Cluster(machine, 2) as cluster:
        begin = cluster.time_ps
        sent, (message, received) = cluster.run([sender, receiver])
    assert message == memonet.Message(0, b"to the other one")
    assert begin < sent < received


def test_accesses_take_the_time_of_the_host_model():
    async def program(host):
        times = [host.now_ps]
        await host.compute(1.5)
        times.append(host.now_ps)
        await host.load("SmaLid")
        times.append(host.now_ps)
        return times

    with memonet.Cluster("dimmnet2", 2) as cluster:
        begin = cluster.time_ps
        (times,) = cluster.run([program])
    assert times[:2] == [begin, begin + 1_500_000]
    assert 100_000 < times[2] - times[1] < 1_000_000


def test_another_computer_has_other_costs():
    async def program(host):
        begin = host.now_ps
        await host.store(0, bytes(64))
        await host.load(LLCM)
        return host.now_ps - begin

    def cost(**options):
        with memonet.Cluster("dimmnet2", 2, **options) as cluster:
            return cluster.run([program])[0]

    assert cost(host="pentium4-2600") == cost() != cost(host="pentium2-400")


def test_programs_go_on_while_time_passes_and_time_goes_back():
    with memonet.Cluster("dimmnet2", 2, driver=False) as cluster:
        programs = [cluster.start(send), cluster.start(receive, 1)]
        cluster.step(300)
        assert [program.state for program in programs] == ["running", "running"]
        with pytest.raises(memonet.Error, match="has not ended"):
            programs[0].result()
        cluster.back(200)
        cluster.nic = cluster.nic
        assert cluster.finish(*programs)[1] == b"memonet!"
        end = cluster.time_ps, cluster.fingerprint()
        assert programs[1].end_ps <= end[0]
        cluster.back(500)
        cluster.step(600)
        cluster.back((cluster.time_ps - end[0]) // cluster.cycle_ps)
        assert programs[0].state == "ended" and [program.result() for program in programs][1] == b"memonet!"
    assert end == end_and_fingerprint()[::2]


def test_an_exception_ends_the_run_with_its_traceback_and_the_virtual_time():
    async def wrong(host):
        await host.compute(2)
        return {}["absent"]

    async def waits(host):
        await host.poll(LLCM, equals=1)

    with memonet.Cluster("dimmnet2", 2) as cluster:
        begin = cluster.time_ps
        with pytest.raises(memonet.ProgramFailed, match="program `wrong` of node 0 failed at .* us: KeyError") as raised:
            cluster.run([wrong, waits])
        error = raised.value
        assert (error.program, error.node, error.time_ps) == ("wrong", 0, begin + 2_000_000)
        assert cluster.time_ps == error.time_ps
        assert isinstance(error.__cause__, KeyError)
        assert 'return {}["absent"]' in "".join(traceback.format_exception(None, error, error.__traceback__))
        cluster.step(1000)


def test_refused_steps_are_exceptions_of_the_program():
    async def program(host):
        refused = []
        for step in (lambda: host.load(3), lambda: host.store(0x10000, b"x" * 64), lambda: host.receive(),
                     lambda: host.load("SmaLib"), lambda: host.compute(-1), lambda: host.store(LLCM, 1 << 64),
                     lambda: host.poll(LLCM), lambda: host.load(1 << 32)):
            try:
                await step()
            except ValueError as error:
                refused.append(f"{type(error).__name__}: {error}")
        return refused

    with memonet.Cluster("dimmnet2", 2) as cluster:
        (refused,) = cluster.run([program])
    expected = ["Refused: 0x3 is not in an Uncachable", "Refused: Prefetch Windows", "Refused: DIMMnet-2 has no messages",
                "did you mean `SmaLid`", "us is 0 to", "value is 0 to", "one condition", "address is 0 to"]
    assert len(refused) == len(expected)
    assert all(part in text for part, text in zip(expected, refused)), refused


def test_limits_say_what_programs_wait_for():
    async def forever(host):
        await host.poll(LLCM, equals=1)

    with memonet.Cluster("dimmnet2", 2) as cluster:
        with pytest.raises(memonet.NeverTrue, match="node 0 waits for a value, polling 0x20000"):
            cluster.run([forever], limit_us=20)


def test_programs_await_their_host_alone():
    class Foreign:
        def __await__(self):
            yield "foreign"

    async def program(host):
        await Foreign()

    async def calls_its_cluster(host):
        cluster.step(1)

    async def endless(host):
        while True:
            await host.compute(0)

    with memonet.Cluster("dimmnet2", 2) as cluster:
        for function, cause, text in ((program, TypeError, "operations of its host alone"),
                                      (calls_its_cluster, memonet.Error, "other calls are made outside"),
                                      (endless, memonet.Error, "steps without time")):
            with pytest.raises(memonet.ProgramFailed) as raised:
                cluster.run([function])
            assert isinstance(raised.value.__cause__, cause) and text in str(raised.value.__cause__)


def test_wrong_programs(cluster_of_two):
    async def program(host):
        pass

    for wrong, kind in ((lambda c: c.run([None]), TypeError), (lambda c: c.run([len]), TypeError),
                        (lambda c: c.run(7), TypeError), (lambda c: c.run({5: program}), ValueError),
                        (lambda c: c.run([lambda host: 1]), TypeError), (lambda c: c.finish(7), TypeError),
                        (lambda c: c.run([program], limit_us=-1), ValueError),
                        (lambda c: c.run([program], limit_us="1"), TypeError)):
        with pytest.raises(kind):
            wrong(cluster_of_two)
    assert cluster_of_two.run({1: program}) == {1: None}


@pytest.fixture
def cluster_of_two():
    with memonet.Cluster("dimmnet2", 2) as opened:
        yield opened


@pytest.mark.parametrize("loop", ["await host.poll(0x20000, equals=1)", "while True: pass"])
def test_interrupts_end_programs(loop):
    program = f"""
import os, signal, threading, memonet
# Jobs in the background inherit that interrupts are ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
async def endless(host):
    {loop}
with memonet.Cluster("dimmnet2", 2) as cluster:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        cluster.run([endless], limit_us=1e9)
    except KeyboardInterrupt:
        cluster.step(1)
        print("interrupted")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "interrupted\n", ran.stderr


def test_other_threads_run_while_a_program_is_simulated(cluster_of_two):
    async def polls(host):
        await host.poll(LLCM, equals=1)

    def run():
        begun.set()
        with pytest.raises(memonet.NeverTrue):
            cluster_of_two.run([polls], limit_us=2000)
        done.set()

    begun, done = threading.Event(), threading.Event()
    runner = threading.Thread(target=run)
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


def test_an_access_calls_few_functions_of_python(cluster_of_two):
    counts = {}

    async def program(host):
        for name, access in access_cost.ACCESSES.items():
            calls = []
            sys.setprofile(lambda frame, event, argument: calls.append(event) if event.endswith("call") else None)
            await access(host)
            sys.setprofile(None)
            counts[name] = len(calls)

    cluster_of_two.run([program])
    assert list(counts) == list(access_cost.ACCESSES)
    assert all(0 < count <= 20 for count in counts.values()), counts


def test_the_cost_of_accesses_is_a_table():
    costs = access_cost.measure(slices=1, steps=100)
    assert [cost.access for cost in costs] == list(access_cost.ACCESSES)
    assert len(access_cost.table(costs).splitlines()) == 1 + len(costs)


def test_networks_and_faults():
    async def sender(host):
        for number in range(10):
            await host.send(1, bytes([number]))
            await host.compute(100)

    async def receiver(host):
        while True:
            received.append((await host.receive()).data[0])

    def run(**options):
        received.clear()
        with memonet.Cluster("hca", 2, **options) as cluster:
            listens = cluster.start(receiver, 1)
            cluster.run([sender])
            listens.close()
            return list(received), cluster.time_ps, cluster.fingerprint()

    received = []
    assert run()[0] == list(range(10))
    direct = run(topology="back-to-back")
    assert direct[0] == list(range(10)) and direct[2] != run()[2]
    lossy = run(faults={"loss": 0.1, "seed": 3})
    assert lossy == run(faults=memonet.Faults(loss=0.1, seed=3))
    assert lossy[2] != run(faults=memonet.Faults(loss=0.1, seed=4))[2]


def test_multistage_networks_are_the_machines_own():
    with memonet.Cluster("cenju3", 4) as own, memonet.Cluster("cenju3", 4, topology="multistage") as named:
        for opened in (own, named):
            opened[0].line("send 3 8")
        assert own.fingerprint() == named.fingerprint()


def test_topologies_come_from_files(tmp_path):
    path = tmp_path / "two-level.toml"
    path.write_text('[[switch]]\nname = "leaf"\ncount = 2\nports = 8\nnodes = "all"\n\n'
                    '[[switch]]\nname = "spine"\nports = 8\n\n[[cable]]\nends = ["leaf", "spine"]\n')

    async def sender(host):
        await host.send(3, b"far")

    async def receiver(host):
        return await host.receive(), host.now_ps

    def run(**options):
        with memonet.Cluster("hca", 4, **options) as cluster:
            return cluster.run({0: sender, 3: receiver})[3]

    (message, over_three), (_, over_one) = run(topology=path), run()
    assert message.data == b"far" and over_three > over_one
    path.write_text("[[switch]]\nname = 7\n")
    with pytest.raises(ValueError, match="two-level.toml"):
        run(topology=path)


@pytest.mark.parametrize("options, message", [
    ({"topology": "one-swich"}, "did you mean `one-switch`"),
    ({"topology": "multistage"}, "DIMMnet-2 has one switch"),
    ({"topology": "absent.toml"}, "absent.toml"),
    ({"topology": "back-to-back", "nodes": 3}, "back-to-back is for 2 nodes, not 3"),
    ({"host": "pentium"}, "did you mean|there are"),
    ({"host": "absent.toml"}, "absent.toml"),
    ({"faults": {"los": 0.1}}, "did you mean `loss`"),
    ({"faults": {"loss": 1.5}}, "loss is 0 to 1, not 1.5"),
    ({"faults": {"loss": float("nan")}}, "loss is 0 to 1"),
    ({"faults": {"loss": 0.7, "cut": 0.7}}, "at most 1 together"),
    ({"faults": {"loss": 0.1, "seed": -1}}, "seed is 0 to"),
])
def test_conditions_that_cannot_be(options, message):
    with pytest.raises(ValueError, match=message):
        memonet.Cluster("dimmnet2", **options)
