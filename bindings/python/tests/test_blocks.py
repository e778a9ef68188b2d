"""Single blocks by their pins, and divergences that hypothesis shrinks."""

import threading

import pytest

import memonet

rtl = pytest.mark.skipif(not memonet.HAS_RTL, reason="this build has no RTL")
faulty = pytest.mark.skipif(not memonet.block_faults(), reason="this build has no deliberate faults")


def test_a_block_steps_by_its_pins():
    block = memonet.Block("botf")
    assert block.machine == "dimmnet2" and block.registers["state"].text == "Prim"
    assert block.inputs["size"].width == 10 and block.inputs["size"].doc
    outputs = block.step(start=1, size=24, pgid0=0x5A)
    assert outputs == block.outputs and set(outputs) == set(block.output_pins)
    assert (block.registers["state"].text, block.cycle) == ("Botf1", 1)
    assert block.registers["transfer_counter"].value == 4
    for _ in range(3):
        before = block.outputs
        block.step(pgid0=0x5A)
    assert before["line.data"] == 0x5A00018
    block.reset()
    assert block.registers["state"].text == "Prim"


@rtl
@pytest.mark.parametrize("nic", ["rtl", "lockstep"])
def test_implementations_of_a_block_agree(nic):
    model, other = memonet.Block("botf"), memonet.Block("botf", nic=nic)
    for pins in ({"start": 1, "size": 100}, {}, {}, {"start": 1}):
        assert model.step(pins) == other.step(pins)
        assert [r.text for r in model.registers.values()] == [r.text for r in other.registers.values()]
    model.reset()
    other.reset()
    assert model.outputs == other.outputs
    other.check()


@pytest.mark.parametrize("machine", list(memonet.MACHINES))
def test_every_block_opens_and_steps(machine):
    names = memonet.blocks(machine)
    assert len(names) > 5
    for name in names:
        paired = memonet.HAS_RTL and name != "core_logic"
        block = memonet.Block(name, machine=machine, nic="lockstep" if paired else "model")
        block.step(cycles=20)
        assert block.cycle == 20 and len(block.registers) == len(list(block.registers)) > 0
        assert "<table>" in block._repr_html_()


@rtl
@pytest.mark.parametrize("name", ["host_port", "link_receive", "link_transmit"])
def test_blocks_of_one_name_are_those_of_their_machines(name):
    machines = [machine for machine in memonet.MACHINES if name in memonet.blocks(machine)]
    assert len(machines) > 1 and "hca" in machines
    for machine in machines:
        block = memonet.Block(name, machine=machine, nic="lockstep")
        block.step(cycles=50)
        block.check()


@rtl
@faulty
def test_a_wrong_constant_is_found_and_shrunk():
    testing = pytest.importorskip("memonet.testing")

    def faulty():
        return memonet.Block("botf", nic="lockstep", fault="counter_starts_at_lines")

    found = testing.find_divergence(faulty)
    # The fewest cycles and pins: a BOTF of the smallest size.
    assert found.inputs == [{"start": 1, "size": 1}]
    error = found.divergence
    assert error.cycle == 1 and error.states == {"state": "Prim"}
    assert [(one.name, one.model, one.rtl) for one in error.differences][0] == ("transfer_counter", "0x2", "0x1")
    assert any(row.name == "transfer_counter" for row in error.registers)
    assert any("botf" in source for source in error.sources)
    # The same inputs do not diverge on the right RTL.
    assert testing.divergence(lambda: memonet.Block("botf", nic="lockstep"), found.inputs) is None


@rtl
def test_the_right_rtl_is_not_found_wrong():
    testing = pytest.importorskip("memonet.testing")
    assert testing.find_divergence(lambda: memonet.Block("botf", nic="lockstep"), examples=100) is None


@rtl
def test_expectations_of_ones_own_are_shrunk_too():
    hypothesis = pytest.importorskip("hypothesis")
    testing = pytest.importorskip("memonet.testing")

    def wrong(pins):
        block = memonet.Block("botf", nic="lockstep")
        # The expectation that the block is always idle is wrong.
        return any(not block.step(values)["idle"] for values in pins)

    options = hypothesis.settings(database=None, derandomize=True, deadline=None)
    shortest = hypothesis.find(testing.inputs(memonet.Block("botf"), cycles=8), wrong, settings=options)
    assert shortest == [{"start": 1, "size": 1}]


@pytest.mark.parametrize("wrong, message", [
    (lambda: memonet.Block("bofd"), "did you mean `botf`"),
    (lambda: memonet.Block("botf", machine="hca"), "no machine of this block `hca`"),
    (lambda: memonet.Block("host_port"), "gigae_pm and hca have a block host_port"),
    (lambda: memonet.Block("botf", nic="modle"), "did you mean `model`"),
    (lambda: memonet.Block("botf", fault="absent"), "no fault `absent`"),
    (lambda: memonet.Block("botf").step(strat=1), "did you mean `start`"),
    (lambda: memonet.Block("botf").step(size=1024), "size is 0 to 1023, not 1024"),
    (lambda: memonet.Block("botf").step(cycles=-1), "cycles is 0 to"),
    (lambda: memonet.Block("botf").registers["stat"], "did you mean `state`"),
    (lambda: memonet.Block("botf").diagram("line"), "is no state machine"),
    (lambda: memonet.blocks("hcb"), "did you mean `hca`"),
])
def test_wrong_values(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_wrong_kinds():
    block = memonet.Block("botf")
    for wrong in (lambda: block.step(7), lambda: block.step(start="1"), lambda: block.step(start=1.5),
                  lambda: block.step(start=None), lambda: memonet.Block(7)):
        with pytest.raises((TypeError, ValueError)):
            wrong()


def test_a_block_belongs_to_its_thread():
    block, errors = memonet.Block("botf"), []

    def other():
        try:
            block.step()
        except memonet.Error as error:
            errors.append(str(error))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert errors == ["a block belongs to the thread that opened it; open another one here"]


def test_diagrams_show_the_present_state():
    block = memonet.Block("botf")
    block.step(start=1, size=24)
    drawing = block.diagram()
    svg = drawing._repr_svg_()
    assert svg.startswith("<svg") and drawing.state == "Botf1"
    filled = svg[:svg.index("#ffd166")]
    assert filled.rindex("<title>Botf1</title>") > filled.rindex("<title>Prim</title>") and svg.count("#ffd166") == 1
    with memonet.Cluster("dimmnet2", 2) as cluster:
        assert cluster[1].diagram("botf.state").state == "Prim"
        assert "Prim" in cluster[1]._repr_html_() and "at rest" in cluster._repr_html_()
    assert "closed" in cluster._repr_html_()
