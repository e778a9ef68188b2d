"""Nothing that is passed ends the interpreter: hypothesis over the public calls."""

import pytest

import memonet

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

OPTIONS = settings(max_examples=60, deadline=None, database=None, derandomize=True,
                   suppress_health_check=list(HealthCheck))
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-2, 70), st.floats(), st.text(max_size=20), st.binary(max_size=20),
    st.lists(st.integers(), max_size=3), st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
    st.sampled_from(["botf", "state", "model", "lockstep", "SmaLid", "dimmnet2", "hca", "one-switch", "/", "\0", object(), len]),
)
EXPECTED = (memonet.Error, TypeError, ValueError, IndexError, OverflowError, OSError, AttributeError)


def tried(call):
    """Calls; an expected exception is fine, a failure inside the simulator is none."""
    try:
        return call()
    except memonet.InternalError:
        raise
    except EXPECTED:
        return None


@OPTIONS
@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING)
def test_clusters_open_or_refuse(one, two, three, four):
    tried(lambda: memonet.Cluster(one).close())
    tried(lambda: memonet.Cluster("dimmnet2", two if isinstance(two, int) and two > 16 else 2, topology=one).close())
    tried(lambda: memonet.Cluster("dimmnet2", host=one, faults=two).close())
    tried(lambda: memonet.Cluster("dimmnet2", faults={"loss": one, "seed": two}, nic=three, driver=four).close())


STEPS = ["load", "store", "poll", "compute", "fence", "read_memory", "open", "send", "receive"]


@pytest.mark.parametrize("machine", list(memonet.MACHINES))
@OPTIONS
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.one_of(ANYTHING, st.integers(0, 0x60000)), ANYTHING), max_size=8))
def test_programs_end_or_are_refused(machine, steps):
    async def program(host):
        for name, one, two in steps:
            if name == "compute" and isinstance(one, (int, float)) and one > 1e6:
                one = -1
            call = getattr(host, name)
            chosen = {"fence": (), "open": (), "receive": (), "load": (one,), "compute": (one,)}.get(name, (one, two))
            try:
                await call(*chosen)
            except EXPECTED:
                pass

    with memonet.Cluster(machine, 2) as cluster:
        tried(lambda: cluster.run([program], limit_us=30))
        cluster.step(1)


@OPTIONS
@given(ANYTHING, ANYTHING, st.dictionaries(st.sampled_from(["start", "size", "wid", "pgid0", "x"]), ANYTHING, max_size=3))
def test_blocks_step_or_refuse(one, two, pins):
    tried(lambda: memonet.Block(one, nic=two))
    block = memonet.Block("botf", nic="lockstep" if memonet.HAS_RTL else "model")
    tried(lambda: block.step(pins))
    tried(lambda: block.step(one))
    tried(lambda: block.step(cycles=two if not isinstance(two, int) else min(two, 1000)))
    tried(lambda: block.registers[one])
    tried(lambda: block.diagram(one))
    block.step()


@pytest.mark.parametrize("name", memonet.blocks("dimmnet2") + memonet.blocks("cenju3"))
@settings(OPTIONS, max_examples=5)
@given(data=st.data())
def test_random_pins_are_inputs_of_every_block(name, data):
    testing = pytest.importorskip("memonet.testing")
    block = memonet.Block(name, machine="dimmnet2" if name in memonet.blocks("dimmnet2") else "cenju3")
    for pins in data.draw(testing.inputs(block, cycles=5)):
        block.step(pins)
