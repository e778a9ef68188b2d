! Heat equation on a grid of ranks with `use mpi`: neighbours, datatypes of rows and columns, strings,
! attributes and error handlers.
! Callbacks: the copy function of an attribute, and an error handler.
module called
  use mpi
  implicit none
  integer :: heard = MPI_SUCCESS

contains

  subroutine twice(comm, keyval, extra, old, new, flag, ierror)
    integer :: comm, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, old, new
    logical :: flag
    new = 2 * old + extra
    flag = comm /= MPI_COMM_NULL .and. keyval /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
  end subroutine

  subroutine hears(comm, code)
    integer :: comm, code
    if (comm /= MPI_COMM_NULL) heard = code
  end subroutine
end module

program grid
  use mpi
  use called
  implicit none
  integer, parameter :: n = 6
  integer :: world, rank, ranks, ierr, dims(2), coords(2)
  integer :: west, east, south, north, row
  logical :: periods(2)
  real(8) :: heat(0:n + 1, 0:n + 1)

  call MPI_Init_thread(MPI_THREAD_FUNNELED, row, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  dims = 0
  call MPI_Dims_create(ranks, 2, dims, ierr)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., world, ierr)
  call MPI_Comm_rank(world, rank, ierr)
  call MPI_Cart_get(world, 2, dims, periods, coords, ierr)
  call check(periods(1) .and. .not. periods(2), 'periods')
  call MPI_Cart_shift(world, 0, 1, west, east, ierr)
  call MPI_Cart_shift(world, 1, 1, south, north, ierr)
  call edges
  call heats
  call texts
  call attributes
  call errors
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a, i0)', 'grid: right on ', ranks

contains

  ! Elements of a row are n + 2 numbers apart; columns are contiguous.
  subroutine edges
    call MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE_PRECISION, row, ierr)
    call MPI_Type_commit(row, ierr)
    heat = -1
    heat(1:n, 1:n) = rank
    call exchange
    call check(all(heat(0, 1:n) == west) .and. all(heat(n + 1, 1:n) == east), 'rows')
    if (north /= MPI_PROC_NULL) call check(all(heat(1:n, n + 1) == north), 'north')
    if (south /= MPI_PROC_NULL) call check(all(heat(1:n, 0) == south), 'south')
    if (south == MPI_PROC_NULL) call check(all(heat(1:n, 0) == -1), 'nothing is south')
  end subroutine

  subroutine exchange
    integer :: requests(4)
    call MPI_Sendrecv(heat(n, 1), 1, row, east, 1, heat(0, 1), 1, row, west, 1, world, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(heat(1, 1), 1, row, west, 2, heat(n + 1, 1), 1, row, east, 2, world, MPI_STATUS_IGNORE, ierr)
    call MPI_Irecv(heat(1, 0), n, MPI_REAL8, south, 3, world, requests(1), ierr)
    call MPI_Irecv(heat(1, n + 1), n, MPI_REAL8, north, 4, world, requests(2), ierr)
    call MPI_Isend(heat(1, n), n, MPI_REAL8, north, 3, world, requests(3), ierr)
    call MPI_Isend(heat(1, 1), n, MPI_REAL8, south, 4, world, requests(4), ierr)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
  end subroutine

  ! Heat that flows between ranks does not change the sum.
  subroutine heats
    real(8) :: before, after, flow(n, n)
    integer :: step
    heat = 0
    if (rank == 0) heat(1, 1) = 1024
    before = sum_of()
    do step = 1, 10
      call exchange
      if (south == MPI_PROC_NULL) heat(1:n, 0) = heat(1:n, 1)
      if (north == MPI_PROC_NULL) heat(1:n, n + 1) = heat(1:n, n)
      flow = heat(0:n - 1, 1:n) + heat(2:n + 1, 1:n) + heat(1:n, 0:n - 1) + heat(1:n, 2:n + 1) - 4 * heat(1:n, 1:n)
      heat(1:n, 1:n) = heat(1:n, 1:n) + flow / 8
    end do
    after = sum_of()
    call check(before == 1024 .and. abs(after - before) < 1d-9, 'heat is lost')
  end subroutine

  real(8) function sum_of()
    sum_of = sum(heat(1:n, 1:n))
    call MPI_Allreduce(MPI_IN_PLACE, sum_of, 1, MPI_DOUBLE_PRECISION, MPI_SUM, world, ierr)
  end function

  subroutine texts
    character(MPI_MAX_OBJECT_NAME) :: name
    character(MPI_MAX_ERROR_STRING) :: words
    character(MPI_MAX_LIBRARY_VERSION_STRING) :: version
    character(3) :: short
    integer :: length, info
    logical :: flag
    call MPI_Comm_set_name(world, 'a grid   ', ierr)
    call MPI_Comm_get_name(world, name, length, ierr)
    call check(length == 6 .and. name == 'a grid', 'name')
    call MPI_Error_string(MPI_ERR_TRUNCATE, words, length, ierr)
    call check(words(:length) == 'MPI_ERR_TRUNCATE' .and. words(length + 1:) == ' ', 'error string')
    call MPI_Get_library_version(version, length, ierr)
    call check(version(:7) == 'Memonet' .and. len_trim(version) == length, 'version')
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, '  key ', ' value ', ierr)
    call MPI_Info_get(info, 'key', 3, short, flag, ierr)
    call check(flag .and. short == 'val', 'info')
    call MPI_Info_get_valuelen(info, 'key', length, flag, ierr)
    call check(flag .and. length == 5, 'length of a value')
    length = len(name)
    call MPI_Info_get_string(info, 'key', length, name, flag, ierr)
    call check(flag .and. length == 5 .and. name == 'value', 'string')
    call MPI_Info_free(info, ierr)
    call check(info == MPI_INFO_NULL, 'freed')
  end subroutine

  subroutine attributes
    integer :: key, copied
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_get_attr(world, MPI_TAG_UB, value, flag, ierr)
    call check(flag .and. value >= 32767, 'tags')
    call MPI_Comm_create_keyval(twice, MPI_COMM_NULL_DELETE_FN, key, 3_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(world, key, 2_MPI_ADDRESS_KIND**40, ierr)
    call MPI_Comm_dup(world, copied, ierr)
    call MPI_Comm_get_attr(copied, key, value, flag, ierr)
    call check(flag .and. value == 2_MPI_ADDRESS_KIND**41 + 3, 'copied')
    call MPI_Comm_free(copied, ierr)
  end subroutine

  ! An error that is returned, and one passed to an error handler.
  subroutine errors
    integer :: handler
    call MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN, ierr)
    call MPI_Send(rank, 1, MPI_INTEGER, ranks, 0, world, ierr)
    call check(ierr == MPI_ERR_RANK, 'returned')
    call MPI_Comm_create_errhandler(hears, handler, ierr)
    call MPI_Comm_set_errhandler(world, handler, ierr)
    call MPI_Send(rank, -1, MPI_INTEGER, 0, 0, world, ierr)
    call check(ierr == MPI_ERR_COUNT .and. heard == MPI_ERR_COUNT, 'heard')
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (0, *) 'grid.f90: not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 99, ierr)
  end subroutine
end program
