! One-sided communication from Fortran: a put, a get, an accumulate, attributes and the name of a window.
program windows
  use mpi
  implicit none
  integer, parameter :: n = 8
  integer :: rank, size, peer, before, win, ierror, length, i, key
  integer :: memory(n), mine(n), got(n)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place, value
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  peer = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  memory = 0
  mine = [(10 * rank + i, i = 1, n)]
  bytes = 4 * n
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  call MPI_Win_fence(0, win, ierror)
  place = 2
  call MPI_Put(mine, n - 2, MPI_INTEGER, peer, place, n - 2, MPI_INTEGER, win, ierror)
  call MPI_Win_fence(0, win, ierror)
  if (any(memory(3:) /= [(10 * before + i, i = 1, n - 2)])) call MPI_Abort(MPI_COMM_WORLD, 2, ierror)
  call MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win, ierror)
  place = 0
  call MPI_Accumulate(mine, 1, MPI_INTEGER, peer, place, 1, MPI_INTEGER, MPI_SUM, win, ierror)
  call MPI_Win_flush(peer, win, ierror)
  call MPI_Get(got, n, MPI_INTEGER, peer, place, n, MPI_INTEGER, win, ierror)
  call MPI_Win_unlock(peer, win, ierror)
  if (got(1) /= 10 * rank + 1 .or. got(3) /= mine(1)) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierror)
  if (.not. flag .or. value /= bytes) call MPI_Abort(MPI_COMM_WORLD, 4, ierror)
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, place, ierror)
  value = 77
  call MPI_Win_set_attr(win, key, value, ierror)
  value = 0
  call MPI_Win_get_attr(win, key, value, flag, ierror)
  if (.not. flag .or. value /= 77) call MPI_Abort(MPI_COMM_WORLD, 5, ierror)
  call MPI_Win_set_name(win, 'a window', ierror)
  call MPI_Win_get_name(win, name, length, ierror)
  if (length /= 8 .or. name /= 'a window') call MPI_Abort(MPI_COMM_WORLD, 6, ierror)
  call MPI_Win_free(win, ierror)
  if (win /= MPI_WIN_NULL) call MPI_Abort(MPI_COMM_WORLD, 7, ierror)
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a,i0)', 'windows: right on ', size
end program windows
