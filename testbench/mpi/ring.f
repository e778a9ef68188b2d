C     Messages in a ring, in FORTRAN 77 with mpif.h.
      program ring
      include 'mpif.h'
      integer rank, size, ierr, next, last, i, n, index, left
      integer list(0:64), status(MPI_STATUS_SIZE)
      integer out(2), in(2), requests(4), places(4)
      integer statuses(MPI_STATUS_SIZE, 4)
      double precision begun, x(3), y(3)
      logical flag
      character*(MPI_MAX_PROCESSOR_NAME) name
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      begun = MPI_WTIME()
      next = mod(rank + 1, size)
      last = mod(rank + size - 1, size)

C     Each rank appends itself to a list that is passed on.
      list(0) = 0
      if (rank .eq. 0) then
        call MPI_SSEND(list, 1, MPI_INTEGER, next, 0, MPI_COMM_WORLD,
     &                 ierr)
        call MPI_RECV(list, 65, MPI_INTEGER, last, size - 1,
     &                MPI_COMM_WORLD, status, ierr)
        call MPI_GET_COUNT(status, MPI_INTEGER, n, ierr)
        call check(n .eq. size .and. ierr .eq. MPI_SUCCESS, 'count')
        do i = 0, size - 1
          call check(list(i) .eq. i, 'list')
        end do
      else
        call MPI_PROBE(last, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
        call MPI_GET_COUNT(status, MPI_INTEGER, n, ierr)
        call check(n .eq. rank .and. status(MPI_TAG) .eq. rank - 1
     &             .and. status(MPI_SOURCE) .eq. last, 'probe')
        call MPI_RECV(list, n, MPI_INTEGER, last, rank - 1,
     &                MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        list(rank) = rank
        call MPI_SEND(list, rank + 1, MPI_INTEGER, next, rank,
     &                MPI_COMM_WORLD, ierr)
      end if

C     The same subroutine with real numbers.
      do i = 1, 3
        x(i) = rank + 0.5d0 * i
      end do
      call MPI_SENDRECV(x, 3, MPI_DOUBLE_PRECISION, next, 5, y, 3,
     &                  MPI_DOUBLE_PRECISION, last, 5, MPI_COMM_WORLD,
     &                  status, ierr)
      call check(y(3) .eq. last + 1.5d0, 'sendrecv')

C     Four requests, completed together and then one by one.
      out(1) = rank
      out(2) = -rank
      call exchange(out, in, next, last, requests)
      call MPI_WAITALL(4, requests, MPI_STATUSES_IGNORE, ierr)
      call check(in(1) .eq. last .and. in(2) .eq. -next, 'waitall')
      call exchange(out, in, next, last, requests)
      call MPI_WAITALL(4, requests, statuses, ierr)
      call check(statuses(MPI_TAG, 2) .eq. 2 .and.
     &           statuses(MPI_SOURCE, 1) .eq. last, 'statuses')
      call exchange(out, in, next, last, requests)
      do left = 4, 1, -1
        call MPI_WAITANY(4, requests, index, status, ierr)
        call check(index .ge. 1 .and. index .le. 4, 'places begin at 1')
        call check(requests(index) .eq. MPI_REQUEST_NULL, 'null')
      end do
      call MPI_WAITANY(4, requests, index, status, ierr)
      call check(index .eq. MPI_UNDEFINED, 'none is left')
      call exchange(out, in, next, last, requests)
      left = 4
   10 call MPI_WAITSOME(4, requests, n, places, statuses, ierr)
      do i = 1, n
        call check(places(i) .ge. 1 .and. places(i) .le. 4, 'places')
      end do
      left = left - n
      if (left .gt. 0) goto 10
      call MPI_TESTALL(4, requests, flag, MPI_STATUSES_IGNORE, ierr)
      call check(flag, 'testall')

      call old(rank)
      call MPI_GET_PROCESSOR_NAME(name, n, ierr)
      call check(n .gt. 0 .and. name(n:n) .ne. ' ' .and.
     &           name(n + 1:) .eq. ' ', 'name')
      call check(MPI_WTIME() .gt. begun .and. MPI_WTICK() .gt. 0d0,
     &           'clock')
      call MPI_FINALIZE(ierr)
      if (rank .eq. 0) then
        print '(A, I0)', 'ring: right on ', size
      end if
      end

      subroutine exchange(out, in, next, last, requests)
      include 'mpif.h'
      integer out(2), in(2), next, last, requests(4), ierr
      call MPI_IRECV(in(1), 1, MPI_INTEGER, last, 1, MPI_COMM_WORLD,
     &               requests(1), ierr)
      call MPI_IRECV(in(2), 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD,
     &               requests(2), ierr)
      call MPI_ISEND(out(1), 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD,
     &               requests(3), ierr)
      call MPI_ISEND(out(2), 1, MPI_INTEGER, last, 2, MPI_COMM_WORLD,
     &               requests(4), ierr)
      end

C     Functions that MPI 3.0 removed, and attributes.
      subroutine old(rank)
      include 'mpif.h'
      integer rank, extent, kind, ierr, bound, key, copy, value
      logical flag
      call MPI_TYPE_HVECTOR(2, 1, 12, MPI_INTEGER, kind, ierr)
      call MPI_TYPE_EXTENT(kind, extent, ierr)
      call check(extent .eq. 16, 'extent')
      call MPI_TYPE_FREE(kind, ierr)
      call check(kind .eq. MPI_DATATYPE_NULL, 'freed')
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, bound, flag, ierr)
      call check(flag .and. bound .ge. 32767, 'tags')
      call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, key, 0,
     &                       ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, key, -7 - rank, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, copy, ierr)
      call MPI_ATTR_GET(copy, key, value, flag, ierr)
      call check(flag .and. value .eq. -7 - rank, 'attribute')
      call MPI_COMM_FREE(copy, ierr)
      end

      subroutine check(holds, what)
      include 'mpif.h'
      logical holds
      character*(*) what
      integer ierr
      if (.not. holds) then
        write (0, *) 'ring.f: not so: ', what
        call MPI_ABORT(MPI_COMM_WORLD, 99, ierr)
      end if
      end
