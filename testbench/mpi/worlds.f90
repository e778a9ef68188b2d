! Two worlds find each other, and start two processes, with strings of Fortran.
program worlds
  use mpi
  implicit none
  integer :: rank, size, ierr, comm, parent, n, codes(2), own, between, v
  character(len=MPI_MAX_PORT_NAME) :: port
  character(len=20) :: args(3)
  character(len=64) :: got, me
  call MPI_Init(ierr)
  call MPI_Comm_get_parent(parent, ierr)
  if (parent /= MPI_COMM_NULL) then
    call get_command_argument(2, got)
    if (trim(got) /= 'two words') stop 3
    call MPI_Comm_disconnect(parent, ierr)
    call MPI_Finalize(ierr)
    stop
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, own, ierr)
  call MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank, 3, between, ierr)
  v = rank + 10
  if (rank == 0) call MPI_Bcast(v, 1, MPI_INTEGER, MPI_ROOT, between, ierr)
  if (rank == 1) call MPI_Bcast(v, 1, MPI_INTEGER, 0, between, ierr)
  if (v /= 10) stop 4
  if (rank == 0) then
    call MPI_Open_port(MPI_INFO_NULL, port, ierr)
    call MPI_Publish_name('fortran ', MPI_INFO_NULL, port, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, comm, ierr)
    call MPI_Unpublish_name('fortran', MPI_INFO_NULL, port, ierr)
    call MPI_Close_port(port, ierr)
  else
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Lookup_name('fortran', MPI_INFO_NULL, port, ierr)
    call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, comm, ierr)
  end if
  call MPI_Comm_remote_size(comm, n, ierr)
  if (n /= 1) stop 5
  call MPI_Comm_disconnect(comm, ierr)
  args(1) = 'first'
  args(2) = 'two words'
  args(3) = ' '
  call get_command_argument(0, me)
  call MPI_Comm_spawn(me, args, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, comm, codes, ierr)
  if (rank == 0 .and. any(codes /= MPI_SUCCESS)) stop 6
  call MPI_Comm_disconnect(comm, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a, i0)', 'worlds: right on ', size
end program
