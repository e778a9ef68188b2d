# Files and output: complete after Ctrl-C, a full disk or simultaneous runs.
# Sourced by ci/first-use.

at_once() {
  local run runs=()
  for run in 1 2 3 4; do
    "$memonet" wave --nic model --folder "$work/at_once" & runs+=($!)
  done
  for run in "${runs[@]}"; do wait "$run" || return 1; done
  [ "$(ls -A "$work/at_once" | wc -l)" = 4 ]
}

interrupted() {
  "$memonet" lockstep --cycles 1e9 --waves "$work/interrupted" --json >"$work/report" &
  local run=$!
  sleep 1
  kill -INT $run
  exits 130 wait $run && json 'report["interrupted"] and report["divergences"] == 0 and report["fingerprint"]' <"$work/report" &&
    [ -s "$work/interrupted/dimmnet2_lockstep.fst" ]
}

traced() {
  printf 'trace on %s\nrun 200\nnothing\n' "$work/failed.fst" | exits 1 "$memonet" shell && [ -s "$work/failed.fst" ] || return 1
  { printf 'trace on %s\nrun 200\n' "$work/stopped.fst"; sleep 5; } | "$memonet" shell &
  local run=$!
  sleep 2
  kill -INT $run
  exits 130 wait $run && [ -s "$work/stopped.fst" ]
}

full_output() {
  # Exit code 101 would be a panic; the output cannot be read.
  exits 1 "$memonet" shell <<<v >/dev/full && "$memonet" shell <<<v | true && [ "${PIPESTATUS[0]}" = 0 ]
}

told_once() {
  { "$memonet" lockstep --alone model --cycles 1000 2>&1 >/dev/full || true; } >"$work/once"
  [ "$(grep -o 'No space left' "$work/once" | wc -l)" = 1 ] && grep -q 'writing the report' "$work/once" &&
    exits 2 "$memonet" lockstep --from 100 --cycles 50 --waves "$work/wv" --json && [ "$(ls "$work" | grep -ac '^wv')" = 0 ]
}

case_of 1 "simultaneous runs in one folder leave complete waveforms" at_once
case_of 2 "Ctrl-C completes the FST file and prints a report" interrupted
case_of 2 "traces are complete after a failed command and after Ctrl-C" traced
case_of 6 "a full disk and a closed pipe cause no panic" full_output
case_of 22 "errors are reported once, before any file is written" told_once
