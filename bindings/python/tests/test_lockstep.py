"""Lockstep: a difference between model and RTL is an exception with its parts."""

import pytest

import memonet

pytestmark = pytest.mark.skipif(not memonet.HAS_RTL, reason="this build has no RTL")


def divergence(register):
    """What a flipped bit of this register in the RTL of node 1 causes."""
    with memonet.Cluster("dimmnet2", 2, nic="lockstep") as opened:
        name = opened[1].registers[register].name
        opened[1].line(f"flip {name} 0")
        with pytest.raises(memonet.Divergence) as raised:
            opened.step(10)
    return name, raised.value


def test_a_flipped_bit_is_a_divergence_with_its_parts():
    name, error = divergence("read_source")
    assert error.node == 1 and error.cycle > 0 and error.time_ps > 0 and error.clock and error.assertion is None
    first = error.differences[0]
    assert f"{first.block}.{first.name}" == name and first.model != first.rtl
    assert error.block == first.block
    assert error.registers[0] == (first.name, first.model, first.model, first.rtl)
    assert f"cycle {error.cycle}: {name}: model {first.model}, RTL {first.rtl}" in str(error)
    assert error.states and error.pins and error.sources
    assert error.waves.endswith(".fst")


def test_a_failed_assertion_is_a_divergence():
    name, error = divergence("request_acceptor.state")
    assert "assertion failed" in error.assertion and ".sv:" in error.assertion
    first = error.differences[0]
    assert f"{first.block}.{first.name}" == name


def test_implementations_have_the_same_fingerprint():
    with memonet.Cluster("dimmnet2", 2) as opened:
        opened[0].line("botf 1 8")
        fingerprint = opened.fingerprint()
        opened.nic = "lockstep"
        assert (opened.nic, opened.fingerprint()) == ("lockstep", fingerprint)
        opened.check()
