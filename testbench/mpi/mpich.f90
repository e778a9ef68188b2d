! A program as compiled with the mpif.h of MPICH: its values and COMMON blocks are written out, so that no MPICH is
! needed to compile it. It also runs with MPICH itself.
program mpich
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  integer, parameter :: world = 1140850688, null_request = 738197504, errors_return = 1409286145
  integer, parameter :: kind_integer = 1275069467, kind_character = 1275068698, upper_bound = 1275068433
  integer, parameter :: sum_of = 1476395011, tag_ub = 1681915906, words = 5
  ! Fields of a status.
  integer, parameter :: source = 3, tag = 4
  integer :: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE(words)
  integer :: MPI_STATUSES_IGNORE(words, 1), MPI_ERRCODES_IGNORE(1)
  common /MPIPRIV1/ MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
  common /MPIPRIV2/ MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE
  external :: MPI_DUP_FN, MPI_NULL_DELETE_FN, MPI_ISEND, MPI_RECV, MPI_ALLREDUCE, MPI_BCAST
  double precision, external :: MPI_WTIME
  interface
    subroutine barrier_twice(comm, ierror) bind(c, name='mpi_barrier__')
      import :: c_int
      integer(c_int) :: comm, ierror
    end subroutine
    subroutine barrier_upper(comm, ierror) bind(c, name='PMPI_BARRIER')
      import :: c_int
      integer(c_int) :: comm, ierror
    end subroutine
    subroutine barrier_plain(comm, ierror) bind(c, name='mpi_barrier')
      import :: c_int
      integer(c_int) :: comm, ierror
    end subroutine
  end interface
  integer :: rank, ranks, ierr

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(world, rank, ierr)
  call MPI_COMM_SIZE(world, ranks, ierr)
  call messages
  call addresses
  call attributes
  call strings
  call bounds
  call barrier_twice(world, ierr)
  call barrier_upper(world, ierr)
  call barrier_plain(world, ierr)
  call check(MPI_WTIME() > 0, 'time')
  call MPI_FINALIZE(ierr)
  if (rank == 0) print '(a, i0)', 'mpich.f90: right on ', ranks

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what

    if (holds) return
    print '(a, i0, 2a)', 'rank ', rank, ' is wrong: ', what
    call MPI_ABORT(world, 99, ierr)
  end subroutine

  ! A message around the ring, with its status in five words.
  subroutine messages
    integer :: next, before, request, out(2), in(2), status(words), length
    logical :: flag

    next = mod(rank + 1, ranks)
    before = mod(rank + ranks - 1, ranks)
    out = [rank, 7]
    call MPI_ISEND(out, 2, kind_integer, next, 3, world, request, ierr)
    call MPI_RECV(in, 2, kind_integer, before, 3, world, status, ierr)
    call MPI_GET_COUNT(status, kind_integer, length, ierr)
    call check(all(in == [before, 7]) .and. length == 2, 'data')
    call check(status(source) == before .and. status(tag) == 3, 'status')
    call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
    call check(request == null_request, 'request')
    call MPI_TEST(request, flag, MPI_STATUS_IGNORE, ierr)
    call check(flag .and. all(MPI_STATUS_IGNORE == 0), 'ignored status')
    call MPI_WAITALL(1, request, MPI_STATUSES_IGNORE, ierr)
    call check(all(MPI_STATUSES_IGNORE == 0), 'ignored statuses')
  end subroutine

  ! Variables that stand for addresses.
  subroutine addresses
    integer :: total, kind, number
    integer(kind=8) :: place(1)

    total = rank + 1
    call MPI_ALLREDUCE(MPI_IN_PLACE, total, 1, kind_integer, sum_of, world, ierr)
    call check(total == ranks * (ranks + 1) / 2, 'in place')
    number = merge(5, 0, rank == 0)
    call MPI_GET_ADDRESS(number, place(1), ierr)
    call MPI_TYPE_CREATE_STRUCT(1, [1], place, [kind_integer], kind, ierr)
    call MPI_TYPE_COMMIT(kind, ierr)
    call MPI_BCAST(MPI_BOTTOM, 1, kind, 0, world, ierr)
    call check(number == 5, 'bottom')
    call MPI_TYPE_FREE(kind, ierr)
  end subroutine

  ! Predefined attributes have other keyvals in Fortran than in C.
  subroutine attributes
    integer :: value, copy, keyval
    logical :: flag

    call MPI_ATTR_GET(world, tag_ub, value, flag, ierr)
    call check(flag .and. value >= 32767, 'largest tag')
    call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierr)
    call MPI_ATTR_PUT(world, keyval, rank + 10, ierr)
    call MPI_COMM_DUP(world, copy, ierr)
    call MPI_ATTR_GET(copy, keyval, value, flag, ierr)
    call check(flag .and. value == rank + 10, 'copied attribute')
    call MPI_COMM_FREE(copy, ierr)
  end subroutine

  subroutine strings
    character(len=20) :: name
    integer :: length

    call MPI_COMM_SET_NAME(world, 'all ranks   ', ierr)
    call MPI_COMM_GET_NAME(world, name, length, ierr)
    call check(name == 'all ranks' .and. length == 9, 'name')
    name = merge('a word', '      ', rank == 0)
    call MPI_BCAST(name, 6, kind_character, 0, world, ierr)
    call check(name == 'a word', 'characters')
  end subroutine

  ! Names of MPI 1: a marked bound, below the end of the data.
  subroutine bounds
    integer :: pair, extent, handler

    call MPI_TYPE_STRUCT(2, [2, 1], [0, 4], [kind_integer, upper_bound], pair, ierr)
    call MPI_TYPE_EXTENT(pair, extent, ierr)
    call check(extent == 4, 'extent')
    call MPI_TYPE_FREE(pair, ierr)
    call MPI_ERRHANDLER_SET(world, errors_return, ierr)
    call MPI_ERRHANDLER_GET(world, handler, ierr)
    call check(handler == errors_return, 'error handler')
  end subroutine
end program
