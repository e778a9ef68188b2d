# MPI programs as they are installed: launchers' command lines, wrappers under their usual names, MPICH's ABI.
# Sourced by ci/first-use.

installed=$work/installed
mkdir -p "$installed/bin" "$installed/folder"
for name in mpirun mpiexec mpicc mpicxx mpifort; do ln -s "$memonet" "$installed/bin/$name"; done
cat >"$installed/part.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *value(const char *name)
{
    return getenv(name) ? getenv(name) : "-";
}

int main(int argc, char **argv)
{
    int rank, *program, is_set, local;
    void *places[3] = {&local, malloc(9), (void *)main}, *got[3];
    char folder[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &program, &is_set);
    /* The fingerprint depends on these addresses. */
    MPI_Sendrecv(places, sizeof places, MPI_BYTE, rank, 0, got, sizeof got, MPI_BYTE, rank, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d %s %d %s %s %s %s\n", rank, argv[1], *program, value("A"), value("B"), value("C"),
        basename(getcwd(folder, sizeof folder)));
    MPI_Finalize();
    return 0;
}
C

parts_built() (
  [ -x "$installed/part" ] || "$installed/bin/mpicc" -include libgen.h "$installed/part.c" -o "$installed/part"
)

several_programs() (
  parts_built && cd "$installed" &&
    diff <(bin/mpirun -np 1 -x A=1 -genv C 9 ./part x : -n 2 -env B 2 -wdir folder ../part y : ./part z 2>err) - <<'EXPECTED' &&
0 x 0 1 - 9 installed
1 y 1 - 2 9 folder
2 y 1 - 2 9 folder
3 z 2 - - 9 installed
EXPECTED
    grep -q '4 ranks of ./part, ../part, ./part on' err &&
    [ "$(bin/mpiexec ./part a : ./part b 2>err | wc -l)" = 2 ]
)

wrong_programs() (
  refused "a program is missing behind it" "$memonet" mpirun -np 1 true : &&
    refused "a program is missing before it" "$memonet" mpirun -np 1 : true &&
    refused "there is no such file" "$memonet" mpirun true : ./none &&
    refused "there is no such option" "$memonet" mpirun true : --machine hca true &&
    refused "each program has one rank at least" "$memonet" mpirun true : -np 0 true &&
    refused "each of several programs has its own -np" "$memonet" mpirun --what-if np=1,2 true : true &&
    refused "there is no such folder" "$memonet" mpirun -np 1 -wdir "$installed/none" true &&
    refused "no variable has this name" "$memonet" mpirun -np 1 -env A=B 1 true &&
    refused "there are 1 to 64 ranks" "$memonet" mpirun -np 40 --machine hca true : -np 40 true
)

hosts_ignored() (
  parts_built && echo "node1 slots=4" >"$installed/hosts" && cd "$installed" || return 1
  local option
  for option in "-f hosts" "-hostfile hosts" "--machinefile hosts" "-host a,b" "-hosts a"; do
    # shellcheck disable=SC2086
    bin/mpirun $option -np 1 ./part x >/dev/null 2>err && [ "$(grep -c 'is ignored: ranks are hosts' err)" = 1 ] || return 1
  done
  refused "it cannot be read" "$memonet" mpirun -machinefile none -np 1 true
)

wrappers() (
  cd "$installed" && printf 'part: part.o\npart.o: part.c\n\t$(CC) -include libgen.h -c $<\n' >Makefile && rm -f part part.o &&
    PATH=$installed/bin:$PATH CC=mpicc make -s && PATH=$installed/bin:$PATH mpiexec -n 1 ./part x >/dev/null 2>err &&
    bin/mpicc -show x.c | grep -q -- ' x.c -L.* -lmpi_abi ' && ! bin/mpicc -compile_info | grep -q -- -lmpi_abi &&
    bin/mpicxx -link_info | grep -q -- -lmpi_abi && bin/mpifort -v 2>&1 | grep -q 'gcc version' &&
    bin/mpicc --version >/dev/null && exits 1 bin/mpicc -showme:compile 2>err
)

addresses() (
  parts_built && cd "$installed" || return 1
  local fingerprints
  # The length of a variable of the shell moves the stack of a program, unless the variable is removed.
  fingerprints=$(for _ in 1 2 3 4 5; do OLDPWD=$fingerprints SHLVL=$RANDOM bin/mpirun -np 2 ./part x 2>&1 >/dev/null | tail -1; done)
  ! grep -q 'addresses differ from run to run' <<<"$fingerprints" && [ "$(sort -u <<<"$fingerprints" | wc -l)" = 1 ]
)

debian_names() ( # programs that need libmpich.so.12, one of them by way of another library
  cd "$installed" && cp "$OLDPWD/testbench/mpi/mpich.c" . &&
    { echo 'int *const MPI_UNWEIGHTED; int MPIR_Dup_fn;' &&
      grep -oE '\bMPI_[A-Z][a-z_]+\(' mpich.c | sort -u | sed 's/$/) { return 0; }/; s/^/int /'; } >names.c &&
    echo 'int main(void) { return 0; }' >main.c && echo >empty.c &&
    cc -w -shared -fPIC -Wl,-soname,libmpich.so.12 names.c -o libmpich.so.12 &&
    cc -shared -fPIC empty.c -Wl,--no-as-needed -L. -l:libmpich.so.12 -Wl,-soname,libnear.so -o libnear.so &&
    cc main.c -Wl,--no-as-needed,--allow-shlib-undefined,-rpath,"$installed" -L. -lnear -o far &&
    cc -w mpich.c -L. -l:libmpich.so.12 -o near && rm libmpich.so.12 &&
    refused "it is linked to libmpich.so.12: type --abi mpich" "$memonet" mpirun -np 3 ./far &&
    refused "it is linked to libmpich.so.12: type --abi mpich" "$memonet" mpirun -np 3 ./near &&
    [ "$("$memonet" mpirun -np 3 --abi mpich ./near 2>err)" = "mpich: right on 3" ]
)

case_of 50 "several programs in one run have their ranks, variables, folders and MPI_APPNUM" several_programs
case_of 51 "wrong lines with several programs are refused" wrong_programs
case_of 52 "files of hosts are read and ignored with a word" hosts_ignored
case_of 53 "mpicc, mpicxx, mpifort and mpiexec are names of the program; CC=mpicc make works" wrappers
case_of 54 "a program whose messages are addresses has one fingerprint" addresses
case_of 55 "a program finds the library under the name of Debian's MPICH" debian_names
