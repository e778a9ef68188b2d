! Collective operations with `use mpi`: in place, on all types of Fortran, with a user-defined operation.
module operations
  use mpi
  implicit none

contains

  subroutine larger(first, second, length, datatype)
    integer :: length, datatype
    integer :: first(length), second(length)
    if (datatype == MPI_INTEGER) second = max(first, second)
  end subroutine
end module

program sums
  use mpi
  use operations
  implicit none
  integer :: rank, ranks, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call in_place
  call types
  call own_operation
  call own_types
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a, i0)', 'sums: right on ', ranks

contains

  subroutine in_place
    integer :: number, i
    integer :: list(ranks), counts(ranks), places(ranks), kinds(ranks), sent(ranks)
    real(8) :: x(2, 3)

    number = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, number, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(number == ranks * (ranks + 1) / 2, 'allreduce')
    x = rank
    if (rank == 0) then
      call MPI_Reduce(MPI_IN_PLACE, x, size(x), MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
      call check(all(x == ranks - 1), 'reduce')
    else
      call MPI_Reduce(x, x, size(x), MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
    end if
    list = -1
    list(rank + 1) = rank
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, list, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(all(list == [(i, i = 0, ranks - 1)]), 'allgather')
    counts = 1
    places = [(i, i = 0, ranks - 1)]
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, list, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(list(ranks) == ranks - 1, 'allgatherv')
    ! A different datatype for each rank: an array of handles.
    kinds = MPI_INTEGER
    places = 4 * places
    sent = list + 100 * rank
    call MPI_Alltoallw(sent, counts, places, kinds, list, counts, places, kinds, MPI_COMM_WORLD, ierr)
    call check(all(list == [(rank + 100 * i, i = 0, ranks - 1)]), 'alltoallw')
    if (rank == 0) number = 42
    call MPI_Bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call check(number == 42, 'bcast')
  end subroutine

  subroutine types
    complex(8) :: z
    complex :: c
    logical :: yes
    integer :: best(2), found(2)
    real(8) :: pair(2), largest(2)
    character(5) :: word
    integer(8) :: long

    z = (1d0, -2d0)
    call MPI_Allreduce(MPI_IN_PLACE, z, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(z == (1d0, -2d0) * ranks, 'double complex')
    c = (0., 1.)
    call MPI_Allreduce(MPI_IN_PLACE, c, 1, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(c == (0., 1.) * ranks, 'complex')
    yes = rank == 0
    call MPI_Allreduce(MPI_IN_PLACE, yes, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
    call check(yes, 'logical')
    best = [10 - rank, rank]
    call MPI_Allreduce(best, found, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, ierr)
    call check(found(1) == 11 - ranks .and. found(2) == ranks - 1, '2integer')
    pair = [real(rank, 8), real(rank, 8)]
    call MPI_Allreduce(pair, largest, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
    call check(all(largest == ranks - 1), '2double precision')
    word = 'abcde'
    if (rank > 0) word = ' '
    call MPI_Bcast(word, 5, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
    call check(word == 'abcde', 'character')
    long = 2_8**40
    call MPI_Allreduce(MPI_IN_PLACE, long, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(long == ranks * 2_8**40, 'integer8')
  end subroutine

  subroutine own_operation
    integer :: op, numbers(3)
    logical :: commutes

    call MPI_Op_create(larger, .true., op, ierr)
    call MPI_Op_commutative(op, commutes, ierr)
    call check(commutes, 'commutes')
    numbers = [rank, -rank, 5]
    call MPI_Allreduce(MPI_IN_PLACE, numbers, 3, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
    call check(all(numbers == [ranks - 1, 0, 5]), 'operation')
    call MPI_Op_free(op, ierr)
    call check(op == MPI_OP_NULL, 'freed')
  end subroutine

  ! A structure by absolute addresses, sent from MPI_BOTTOM.
  subroutine own_types
    integer, target :: number(2)
    real(8), target :: x
    integer :: kind, count, status(MPI_STATUS_SIZE), to, from
    integer(MPI_ADDRESS_KIND) :: places(2), lower, extent

    number = [rank, 7]
    x = rank / 2d0
    call MPI_Get_address(number, places(1), ierr)
    call MPI_Get_address(x, places(2), ierr)
    call MPI_Type_create_struct(2, [2, 1], places, [MPI_INTEGER, MPI_DOUBLE_PRECISION], kind, ierr)
    call MPI_Type_commit(kind, ierr)
    to = mod(rank + 1, ranks)
    from = mod(rank + ranks - 1, ranks)
    call MPI_Sendrecv_replace(MPI_BOTTOM, 1, kind, to, 1, from, 1, MPI_COMM_WORLD, status, ierr)
    call check(number(1) == from .and. number(2) == 7 .and. x == from / 2d0, 'structure')
    call MPI_Get_elements(status, kind, count, ierr)
    call check(count == 3, 'elements')
    call MPI_Type_free(kind, ierr)
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 32_MPI_ADDRESS_KIND, kind, ierr)
    call MPI_Type_get_extent(kind, lower, extent, ierr)
    call check(lower == 0 .and. extent == 32, 'resized')
    call MPI_Type_free(kind, ierr)
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (0, *) 'sums.f90: not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 99, ierr)
  end subroutine
end program
