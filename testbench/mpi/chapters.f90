! With `use mpi`: attributes of datatypes, external32, graphs and their weights, persistent collectives, generalized
! requests.
module callbacks
  use mpi
  implicit none
  integer :: queries = 0, frees = 0

contains

  subroutine query(extra, status, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierr
    queries = queries + int(extra)
    call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierr)
    call MPI_Status_set_cancelled(status, .false., ierr)
    status(MPI_TAG) = 8
    ierr = MPI_SUCCESS
  end subroutine

  subroutine release(extra, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: ierr
    frees = frees + int(extra)
    ierr = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra, complete, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierr
    if (complete .or. extra == 0) ierr = MPI_ERR_OTHER
    ierr = MPI_SUCCESS
  end subroutine
end module

program chapters
  use mpi
  use callbacks
  implicit none
  integer :: rank, ranks, next, previous, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  call types
  call graphs
  call requests
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a, i0)', 'chapters: right on ', ranks

contains

  subroutine types
    integer :: key, kind, code, length
    integer(kind=MPI_ADDRESS_KIND) :: extra, value, bytes, position
    logical :: flag
    double precision :: out(2), in(2)
    character(len=32) :: packed
    character(len=MPI_MAX_ERROR_STRING) :: text
    extra = 0
    value = 77
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, key, extra, ierr)
    call MPI_Type_contiguous(2, MPI_INTEGER, kind, ierr)
    call MPI_Type_set_attr(kind, key, value, ierr)
    value = 0
    call MPI_Type_get_attr(kind, key, value, flag, ierr)
    call check(flag .and. value == 77, 'attribute')
    call MPI_Type_free(kind, ierr)
    out = [1.5d0, -2.5d0]
    call MPI_Pack_external_size('external32', 2, MPI_DOUBLE_PRECISION, bytes, ierr)
    position = 0
    call MPI_Pack_external('external32', out, 2, MPI_DOUBLE_PRECISION, packed, bytes, position, ierr)
    position = 0
    call MPI_Unpack_external('external32', packed, bytes, position, in, 2, MPI_DOUBLE_PRECISION, ierr)
    call check(bytes == 16 .and. position == 16 .and. iachar(packed(1:1)) == 63 .and. in(2) < -2.4d0, 'external32')
    call MPI_Type_create_f90_real(precision(1d0), range(1d0), kind, ierr)
    call MPI_Allreduce(out, in, 2, kind, MPI_MAX, MPI_COMM_WORLD, ierr)
    call check(in(1) > 1.4d0 .and. in(1) < 1.6d0, 'reduction of a chosen kind')
    call MPI_Add_error_code(MPI_ERR_ARG, code, ierr)
    call MPI_Add_error_string(code, 'out of paper  ', ierr)
    call MPI_Error_string(code, text, length, ierr)
    call check(length == 12 .and. text(1:length) == 'out of paper', 'text of an error')
    call MPI_Remove_error_code(code, ierr)
  end subroutine

  subroutine graphs
    integer :: graph, ring, in_degree, out_degree, in(1), out(1), index(64), edges(64), i, weights(1)
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [previous], MPI_UNWEIGHTED, 1, [next], MPI_UNWEIGHTED, &
      MPI_INFO_NULL, .false., graph, ierr)
    call MPI_Dist_graph_neighbors_count(graph, in_degree, out_degree, weighted, ierr)
    call check(in_degree == 1 .and. out_degree == 1 .and. .not. weighted, 'degrees')
    call MPI_Dist_graph_neighbors(graph, 1, in, MPI_UNWEIGHTED, 1, out, MPI_UNWEIGHTED, ierr)
    call check(in(1) == previous .and. out(1) == next, 'neighbours')
    call MPI_Neighbor_allgather([rank], 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph, ierr)
    call check(in(1) == previous, 'gather of neighbours')
    call MPI_Comm_free(graph, ierr)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [next], [rank + 2], MPI_INFO_NULL, .false., graph, ierr)
    call MPI_Dist_graph_neighbors(graph, 1, in, weights, 1, out, MPI_UNWEIGHTED, ierr)
    call check(in(1) == previous .and. weights(1) == previous + 2, 'weight')
    call MPI_Comm_free(graph, ierr)
    do i = 1, ranks
      index(i) = i
      edges(i) = mod(i, ranks)
    end do
    call MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, .false., ring, ierr)
    call MPI_Graph_neighbors(ring, rank, 1, out, ierr)
    call check(out(1) == next, 'graph')
    call MPI_Comm_free(ring, ierr)
  end subroutine

  subroutine requests
    integer :: request, count, turn, status(MPI_STATUS_SIZE)
    ! The reduction changes it outside of the call that names it.
    integer, volatile :: total
    integer(kind=MPI_ADDRESS_KIND) :: extra
    logical :: flag
    call MPI_Allreduce_init(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    do turn = 1, 2
      total = -1
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call check(total == ranks * (ranks - 1) / 2, 'persistent reduction')
    end do
    call MPI_Request_free(request, ierr)
    extra = 2
    call MPI_Grequest_start(query, release, cancel, extra, request, ierr)
    call MPI_Test(request, flag, status, ierr)
    call check(.not. flag, 'incomplete request')
    call MPI_Grequest_complete(request, ierr)
    call MPI_Wait(request, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call check(count == 3 .and. status(MPI_TAG) == 8 .and. queries == 2 .and. frees == 2, 'generalized request')
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (0, *) 'chapters.f90: not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 99, ierr)
  end subroutine
end program
