# Reports: fingerprints, documents, exit codes and names.
# Sourced by ci/first-use.

compared() {
  exits 2 "$memonet" lockstep --nic model --cycles 1000 &&
    "$memonet" lockstep --alone model --cycles 1000 --json | json 'report["divergences"] is None and report["registers"] is None' &&
    "$memonet" run --nic model --json | json 'report["divergences"] is None'
}

one_document() {
  # These commands fail on purpose; only their documents count.
  { "$memonet" figures --json --output /proc/nowhere || true; } | json '"error" in report' &&
    { "$memonet" run --bytes many --json || true; } | json '"error" in report'
}

one_latency() {
  local run explain
  run=$("$memonet" run --nic model --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["one_way"])')
  explain=$("$memonet" explain botf --nic model --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["one_way"])')
  [ "$run" = "$explain" ]
}

exit_codes() {
  exits 2 "$memonet" run --machine cenju3 --pcapng x && exits 2 "$memonet" run --machine gigae_pm --program transpose &&
    exits 2 "$memonet" lockstep --from 100 --cycles 50 --waves "$work/x" && exits 2 "$memonet" explain botf --bytes 497 &&
    exits 2 "$memonet" figures --only 99 && exits 2 "$memonet" shell 0 &&
    { "$memonet" run --bytes many --json || true; } | json 'report["exit_code"] == 2'
}

names() {
  "$memonet" lockstep --machine gigae-pm --cycles 1e3 && "$memonet" figures --paper gigae-pm --only 'table 1' &&
    exits 2 "$memonet" run --machine gigae_pm --seed 5
}

one_shape() {
  local machine command keys
  local head='["version", "report", "machine", "nic", "seed", "cycles", "simulated_ps", "fingerprint", "divergences"]'
  for machine in dimmnet2 gigae_pm; do
    for command in "run --nic model" "wave --nic model --folder $work/one_shape" "lockstep --alone model --cycles 1000"; do
      "$memonet" $command --machine $machine --json >"$work/report" &&
        json "list(report)[:9] == $head and report['machine'] == '$machine' and type(report['simulated_ps']) is int and report['fingerprint']" \
          <"$work/report" || return 1
      keys=$(python3 -c 'import json,sys; print("\n".join(json.load(sys.stdin)))' <"$work/report")
      while read -r key; do grep -q "^| \`$key\` |" docs/json.md || { echo "docs/json.md has no $key"; return 1; }; done <<<"$keys"
    done
  done
}

short_lines() {
  "$memonet" lockstep --cycles 1000 >"$work/arcs" && grep -q 'not walked:$' "$work/arcs" &&
    [ "$(wc -L <"$work/arcs")" -le 160 ]
}

progress() { # progress bars appear on terminals only
  script -qec "$memonet check gigae_pm --hazard H3 --rules repaired,-F9 --timers premature --network loss" "$work/terminal" >/dev/null
  grep -q 'check .* states, ' "$work/terminal" && script -qec "$memonet lockstep --cycles 3e5 --alone model" "$work/terminal" >/dev/null &&
    grep -q 'lockstep .* of 300,000 cycles' "$work/terminal"
}

every_path() {
  local machine path
  while read -r machine path _; do
    "$memonet" explain "$path" --machine "$machine" --nic model || return 1
  done < <("$memonet" explain --help | sed -n '/^Paths:/,/^$/p' | tail -n +2 | grep .)
}

case_of 3 "divergences are reported only after a comparison" compared
case_of 4 "errors are JSON documents too, before any measurement" one_document
case_of 5 "run and explain report the same latency" one_latency
case_of 12 "explain works for every path with its defaults" every_path
case_of 13 "wrong arguments exit with 2" exit_codes
case_of 15 "names with hyphens and numbers with exponents" names
case_of 16 "reports have the same first keys, and a page documents all" one_shape
case_of 20 "missing transitions are grouped by state" short_lines
case_of 21 "long commands show their progress" progress
