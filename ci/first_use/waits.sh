# Long waits: progress on a terminal, silent ranks, sleeping boards, installed programs, kept results.
# Sourced by ci/first-use.

long_run() { # a lockstep run of more than 2 s shows on a terminal that it runs, and removes the line
  script -qec "$memonet check fagus --hazard H16 --nodes 3 --replay --nic model" "$work/long" >/dev/null &&
    grep -q 'check.* states, ' "$work/long" &&
    exits 124 script -qec "timeout -s INT 4 $memonet mpirun -np 2 --quiet-after 60 sleep 60 >/dev/null" "$work/long" >/dev/null &&
    grep -q 'mpirun, 0 calls, virtual time .* [23]s' "$work/long"
}

silent_rank() {
  printf '#include <mpi.h>\n#include <unistd.h>\nint main(void) { MPI_Init(0, 0); sleep(1); return MPI_Finalize(); }\n' >"$work/silent.c"
  "$memonet" mpicc "$work/silent.c" -o "$work/silent" &&
    "$memonet" mpirun -np 2 --quiet-after 0.3 --json "$work/with" "$work/silent" 2>"$work/told" &&
    [ "$(grep -c '^memonet mpirun: rank [01] (pid [0-9]*, .*/silent) has made no call of MPI for 0.[345]' "$work/told")" = 2 ] &&
    "$memonet" mpirun -np 2 --json "$work/without" "$work/silent" 2>"$work/told" && ! grep 'has made no call' "$work/told" &&
    cmp "$work/with" "$work/without" && exits 2 "$memonet" mpirun -np 2 --quiet-after 0 true
}

interrupted_ranks() {
  exits 130 env -C "$work" "$memonet" mpirun -np 2 sh -c 'kill -INT $(ps -o ppid= $$); sleep 9' 2>"$work/stopped_ranks" &&
    grep -q '^  rank 0 computes, before its first call$' "$work/stopped_ranks"
}

sleeping_boards() {
  local model lockstep
  model=$("$memonet" run --machine hca --nic model --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["fingerprint"])')
  lockstep=$("$memonet" run --machine hca --json)
  json "report['fingerprint'] == '$model' and report['divergences'] == 0" <<<"$lockstep" &&
    json 'report["cycles_skipped"] > report["cycles_compared"] > 1000' <<<"$lockstep"
}

installed_bench() {
  mkdir -p "$work/prefix/bin" && cp "$memonet" "$work/prefix/bin" &&
    exits 1 "$work/prefix/bin/memonet" suci bench 2>"$work/bench" && grep -q 'cargo install' "$work/bench" &&
    [ "$(find "$work/prefix" -type f | wc -l)" = 1 ]
}

kept_figures() {
  local figures=("$memonet" figures --only "table 6.2")
  export XDG_CACHE_HOME=$work/cache
  unset MEMONET_CACHE
  "${figures[@]}" >"$work/first" 2>"$work/first.aside" && [ ! -s "$work/first.aside" ] &&
    "${figures[@]}" >"$work/second" 2>"$work/second.aside" && cmp "$work/first" "$work/second" &&
    grep -q 'measured before by this build' "$work/second.aside" &&
    "${figures[@]}" --fresh 2>&1 >"$work/third" | cmp - /dev/null && cmp "$work/first" "$work/third" &&
    # A binary with other bytes is another build.
    cp "$memonet" "$work/other" && echo >>"$work/other" &&
    "$work/other" figures --only "table 6.2" 2>&1 >"$work/fourth" | cmp - /dev/null && cmp "$work/first" "$work/fourth"
}

case_of 40 "long runs show on a terminal that they run" long_run
case_of 41 "silent ranks are named, without a change of the run" eval 'silent_rank && interrupted_ranks'
case_of 42 "idle boards in lockstep sleep, with the same fingerprint" sleeping_boards
case_of 43 "an installed suci bench says what it needs and writes nothing" installed_bench
case_of 44 "figures of the same build are kept" eval '(kept_figures)'
