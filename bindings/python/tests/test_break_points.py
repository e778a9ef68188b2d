"""Break points, texts and functions, in all calls that let time pass."""

import gc
import threading
import weakref

import pytest

import memonet

BOTF1 = "botf.state == Botf1"


def in_botf1(cluster):
    return cluster[0].registers["botf.state"].text == "Botf1"


async def sends(host):
    await host.compute(1)
    await host.store(0, bytes(64))
    await host.fence()
    await host.store("Command0Lower", 1 | 24 << 32)
    await host.poll("PrimitiveCounter", differs=0)
    return host.now_ps


def by_step(cluster):
    cluster.start(sends)
    return cluster.step(10_000)


def by_text(cluster):
    cluster.start(sends)
    return cluster.run_until("botf.state == Botf3")


def by_function(cluster):
    cluster.start(sends)
    return cluster.run_until(lambda at: at[0].registers["botf.state"].text == "Botf3")


def by_run(cluster):
    with pytest.raises(memonet.BreakPoint) as raised:
        cluster.run([sends])
    assert [program.state for program in raised.value.programs] == ["running"]
    return str(raised.value)


def by_finish(cluster):
    program = cluster.start(sends)
    with pytest.raises(memonet.BreakPoint) as raised:
        cluster.finish(program)
    assert raised.value.programs == (program,)
    return str(raised.value)


def by_line(cluster):
    return cluster[0].line("botf 1 24").splitlines()[-1]


@pytest.mark.parametrize("call", [by_step, by_text, by_function, by_run, by_finish, by_line])
def test_functions_end_all_calls_where_texts_do(call):
    def end(condition):
        with memonet.Cluster("dimmnet2", 2) as cluster:
            cluster.breakpoint(condition)
            hit = call(cluster)
            assert hit.startswith("break at ") and cluster[0].registers["botf.state"].text == "Botf1"
            cluster.clear_breakpoints()
            stopped = cluster.time_ps
            cluster.run_until("botf.state == Prim")
            cluster.step(500)
            return hit.split(":")[0], stopped, cluster.fingerprint()

    assert end(BOTF1) == end(in_botf1)


def test_a_run_goes_on_after_its_break_point():
    def run(conditions):
        with memonet.Cluster("dimmnet2", 2) as cluster:
            for condition in conditions:
                cluster.breakpoint(condition)
            try:
                values = cluster.run([sends])
            except memonet.BreakPoint as error:
                values = cluster.finish(*error.programs)
            return values, cluster.time_ps, cluster.fingerprint()

    assert run([in_botf1]) == run([]) == run([lambda cluster: False])


def test_lines_and_their_output_do_not_depend_on_functions():
    def lines(condition):
        with memonet.Cluster("hca", 2) as cluster:
            if condition:
                cluster.breakpoint(condition)
            output = [cluster[0].line(line) for line in ("send 1 64", "mem_read 0 8", "reg Lid")]
            return output, cluster.time_ps, cluster.fingerprint()

    assert lines(None) == lines(lambda cluster: False)


def test_the_past_is_repeated_without_break_points():
    with memonet.Cluster("dimmnet2", 2) as cluster:
        cluster.breakpoint(in_botf1)
        assert "in_botf1" in cluster[0].line("botf 1 24")
        point = cluster.snapshot()
        assert cluster.step(100) is None
        end = cluster.time_ps, cluster.fingerprint()
        cluster.back(100)
        assert cluster.time_ps == point.time_ps and in_botf1(cluster)
        # The function is true already, so it does not become true.
        assert cluster.step(100) is None
        assert (cluster.time_ps, cluster.fingerprint()) == end
        cluster.back(101)
        assert not in_botf1(cluster)
        assert "in_botf1" in cluster.step(100)
        assert cluster.time_ps == point.time_ps


def test_run_until_returns_the_other_break_point():
    with memonet.Cluster("dimmnet2", 2) as cluster:
        cluster.breakpoint(BOTF1)
        cluster.start(sends)
        assert BOTF1 in cluster.run_until(lambda at: False)
        assert cluster.run_until("botf.state == Prim") is None
        assert cluster.run_until("botf.state == Prim") is None
        with pytest.raises(memonet.NeverTrue, match="in 10 cycles"):
            cluster.run_until("botf.state == Botf1", limit=10)


def test_functions_read_what_their_cluster_has():
    seen = []

    def condition(cluster):
        seen.append((cluster.time_ps, cluster.nic, program.state, cluster[1].memory[0:8], len(cluster[1].registers)))
        return program.state == "ended"

    with memonet.Cluster("dimmnet2", 2) as cluster:
        program = cluster.start(sends)
        begin = cluster.time_ps
        assert cluster.run_until(condition) is None
        assert program.end_ps <= cluster.time_ps < program.end_ps + cluster.cycle_ps
    assert seen[0][:3] == (begin, "model", "running")
    assert {later[0] - earlier[0] for earlier, later in zip(seen[1:], seen[2:])} == {cluster.cycle_ps}


@pytest.mark.parametrize("call", [
    lambda cluster: cluster.step(1), lambda cluster: cluster.back(1), lambda cluster: cluster[0].line("h"),
    lambda cluster: cluster.fingerprint(), lambda cluster: cluster.breakpoint(BOTF1),
    lambda cluster: cluster[0].memory.write(0, bytes(8)), lambda cluster: cluster.start(sends),
])
def test_functions_do_nothing_else(call):
    with memonet.Cluster("dimmnet2", 2) as cluster:
        before = cluster.time_ps

        def condition(at):
            if at.time_ps > before + 5 * at.cycle_ps:
                call(at)

        cluster.breakpoint(condition)
        with pytest.raises(memonet.Error, match="other calls are made outside"):
            cluster.step(100)
        assert cluster.time_ps == before + 6 * cluster.cycle_ps
        cluster.clear_breakpoints()
        assert cluster.step(100) is None


def test_exceptions_of_functions_end_every_call():
    def wrong(cluster):
        if cluster.time_ps > begin:
            raise ZeroDivisionError("here")

    with memonet.Cluster("dimmnet2", 2) as cluster:
        begin = cluster.time_ps
        cluster.breakpoint(wrong)
        for call in (lambda: cluster.step(5), lambda: cluster.run_until(BOTF1), lambda: cluster[0].line("botf 1 8"),
                     lambda: cluster.run([sends])):
            with pytest.raises(ZeroDivisionError, match="here"):
                call()
        cluster.clear_breakpoints()
        assert cluster.step(5) is None


def test_a_cluster_ends_although_its_condition_knows_it():
    cluster = memonet.Cluster("dimmnet2", 2)
    cluster.breakpoint(lambda _: cluster.time_ps < 0)
    cluster.step(10)
    threads, reference = threading.active_count(), weakref.ref(cluster)
    # The lambda holds the cell of this variable, and the cluster holds the lambda.
    cell = cluster._functions._all[0].function.__closure__[0]
    del cluster, cell
    gc.collect()
    assert reference() is None and threading.active_count() <= threads
