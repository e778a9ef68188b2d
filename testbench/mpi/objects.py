"""What Python programs do with mpi4py: objects of any kind, buffers, requests, communicators, errors."""

from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size

# Objects of unknown size are transferred as bytes.
received = world.bcast({"words": {"of", "a", "set"}, "numbers": list(range(1000))} if rank == 0 else None)
assert received["words"] == {"a", "of", "set"} and sum(received["numbers"]) == 499500
assert world.gather({"rank": rank}, root=1) == ([{"rank": of} for of in range(size)] if rank == 1 else None)
assert world.scatter([f"part {of}" for of in range(size)] if rank == 0 else None) == f"part {rank}"
assert world.allgather((rank, "x" * rank)) == [(of, "x" * of) for of in range(size)]
assert world.alltoall([(rank, to) for to in range(size)]) == [(of, rank) for of in range(size)]
assert world.allreduce([rank]) == list(range(size))
assert world.sendrecv("to my right", (rank + 1) % size, source=(rank - 1) % size) == "to my right"

# Requests, and messages received after a probe.
request = world.isend({"from": rank}, (rank + 1) % size, tag=5)
status = MPI.Status()
message = world.mprobe(MPI.ANY_SOURCE, 5, status)
assert status.source == (rank - 1) % size and status.count > 0
assert message.recv() == {"from": status.source}
request.wait()

# C buffers, MPI_IN_PLACE and a user-defined operation.
total = array("d", [rank, 1.0])
world.Allreduce(MPI.IN_PLACE, [total, MPI.DOUBLE], MPI.SUM)
assert list(total) == [size * (size - 1) / 2, float(size)]


def larger(first, second, datatype):
    """Leaves the larger of two numbers in the second place."""
    assert datatype == MPI.INT
    second.cast("i")[0] = max(first.cast("i")[0], second.cast("i")[0])


def memory(function):
    """An operation gets memory without a type; memoryviews of one can be had."""
    return lambda first, second, datatype: function(memoryview(first).cast("B"), memoryview(second).cast("B"), datatype)


operation = MPI.Op.Create(memory(larger), commute=True)
largest = array("i", [-1])
world.Allreduce(array("i", [rank]), largest, operation)
assert largest[0] == size - 1
operation.Free()

# A column of a matrix.
column = MPI.DOUBLE.Create_vector(3, 1, 4).Commit()
matrix = array("d", range(12))
got = array("d", [0.0] * 3)
world.Sendrecv([matrix, 1, column], rank, 1, got, rank, 1)
assert list(got) == [0.0, 4.0, 8.0]
assert column.Get_envelope()[-1] == MPI.COMBINER_VECTOR and column.Get_contents()[0] == [3, 1, 4]
column.Free()

# Communicators derived from the world.
half = world.Split(rank % 2, -rank)
assert half.allgather(rank) == sorted(half.allgather(rank), reverse=True)
half.Free()
grid = world.Create_cart([2, size // 2], [True, False])
assert grid.Get_cart_rank(grid.coords) == grid.rank
grid.Free()
group = world.group.Excl([0])
assert group.size == size - 1
group.Free()

# Errors are exceptions with the error class of the standard.
try:
    world.Send([array("i", [1]), MPI.INT], dest=size)
except MPI.Exception as error:
    assert error.Get_error_class() == MPI.ERR_RANK, error
else:
    raise AssertionError("there is no such rank")

# Clocks show virtual time, which advances.
begun = MPI.Wtime()
world.Barrier()
assert 0 < MPI.Wtime() - begun < 0.1

world.Barrier()
if rank == 0:
    print(f"objects: right on {size}")
