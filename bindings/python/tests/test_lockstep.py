"""Lockstep: a difference between model and RTL is an exception with its parts."""

import pytest

import memonet

pytestmark = pytest.mark.skipif(not memonet.HAS_RTL, reason="this build has no RTL")


def test_a_flipped_bit_is_a_divergence():
    with memonet.Cluster("dimmnet2", 2, nic="lockstep") as opened:
        name = opened[1].registers["request_acceptor.state"].name
        opened[1].line(f"flip {name} 0")
        with pytest.raises(memonet.Divergence) as raised:
            opened.step(10)
    error = raised.value
    assert error.node == 1 and error.cycle > 0 and error.time_ps > 0 and error.clock
    first = error.differences[0]
    assert f"{first.block}.{first.name}".startswith(name) and first.model != first.rtl
    assert error.registers[0].before and f"cycle {error.cycle}" in str(error)
    assert error.states


def test_implementations_have_the_same_fingerprint():
    with memonet.Cluster("dimmnet2", 2) as opened:
        opened[0].line("botf 1 8")
        fingerprint = opened.fingerprint()
        opened.nic = "lockstep"
        assert (opened.nic, opened.fingerprint()) == ("lockstep", fingerprint)
        opened.check()
