# Arguments: runs that compared nothing, wrong arguments, names and sizes of files, captures.
# Sourced by ci/first-use.

refused() { # refused WORDS COMMAND...: exit code 2, nothing on standard output, and WORDS in the message
  local words=$1 code=0
  shift
  "$@" >"$work/refused.out" 2>"$work/refused.err" </dev/null || code=$?
  [ "$code" = 2 ] && [ ! -s "$work/refused.out" ] && grep -qF -e "$words" "$work/refused.err" && return
  echo "exit code $code, or no '$words': $*"
  cat "$work/refused.out" "$work/refused.err"
  return 1
}

failed_without_fingerprint() { # failed_without_fingerprint WORDS COMMAND...: exit code 1 and WORDS, no fingerprint
  local words=$1
  shift
  exits 1 "$@" >"$work/failed" 2>&1 && grep -qF -e "$words" "$work/failed" && ! grep -q '^fingerprint' "$work/failed"
}

nothing_ran() {
  failed_without_fingerprint 'no rank called MPI_Init' "$memonet" mpirun -np 2 /bin/true &&
    failed_without_fingerprint 'no rank called MPI_Init' "$memonet" mpirun -np 2 --machine hca /bin/true &&
    failed_without_fingerprint 'no program opened its adapter' "$memonet" verbs -- true : true &&
    failed_without_fingerprint 'ended with exit code 127 before' "$memonet" verbs -- sh -c 'exit 127'
}

settings_refused() {
  local setting
  for setting in "nif old" "bus pci-66" "copy off" "buffering serial" "progress 1s"; do
    # shellcheck disable=SC2086
    refused "--${setting% *}" "$memonet" mpirun -np 2 --machine gigae_pm --$setting true || return 1
  done
  refused "--nif" "$memonet" mpirun -np 2 --machine hca --nif old true &&
    refused "--per-node" "$memonet" mpirun -np 2 --machine hca --per-node 2 true &&
    refused "DIMMnet-2 has 1, 2" "$memonet" mpirun -np 2 --machine dimmnet2 --per-node 3 true
}

blamed() {
  local cluster=("$memonet" cluster --workload uniform)
  refused "'0' for '--load <LOAD>'" "${cluster[@]}" --load 0 &&
    refused "'--workload <WORKLOAD>'" "$memonet" cluster --workload '' &&
    refused "--machine cenju3 has stages" "${cluster[@]}" --topology multistage &&
    refused "the number of nodes is 2 to 16" "$memonet" tap --nodes 99999 &&
    refused "'--nodes <NODES>'" "$memonet" bench --nodes 1
}

named_files() {
  local machine
  for machine in dimmnet2 gigae_pm cenju3 hca; do
    "$memonet" wave --machine $machine --nic model --folder "$work/named" >/dev/null || return 1
    ls "$work/named/$machine"_*.fst >/dev/null || return 1
  done
  [ "$(find "$work/named" -type f | wc -l)" = 16 ]
}

window_of_waves() {
  "$memonet" lockstep --alone model --cycles 1e5 --waves "$work/window" --waves-from 1000 --waves-cycles 100 \
    --waves-format fst >/dev/null 2>"$work/said" &&
    grep -q 'waveforms of 100 cycles take about .* of FST' "$work/said" &&
    [ "$(find "$work/window" -type f | wc -l)" = 2 ] && grep -q '^\*-.* 10700000$' "$work/window/dimmnet2_lockstep.fst.gtkw"
}

captured_once() {
  "$memonet" run --machine gigae_pm --nic model --pcapng "$work/once.pcapng" >/dev/null &&
    python3 - "$work/once.pcapng" <<'PYTHON'
import struct, sys
data, at, interfaces, frames = open(sys.argv[1], "rb").read(), 0, 0, []
while at < len(data):
    kind, length = struct.unpack_from("<II", data, at)
    if kind == 1:
        interfaces += 1
    if kind == 6:
        captured, = struct.unpack_from("<I", data, at + 20)
        frames.append(data[at + 28 : at + 28 + captured])
    at += length
# 40 round trips: 80 messages, which differ by number or sender, and their ACKs.
sys.exit(not (interfaces == 2 and len(frames) == 160))
PYTHON
}

case_of 34 "a run that ran nothing fails without a fingerprint" nothing_ran
case_of 35 "settings of other machines are refused before any output" settings_refused
case_of 36 "an error names the option that is wrong" blamed
case_of 37 "waveforms of different machines have different names" named_files
case_of 38 "lockstep foresees the size of waveforms and records a window" window_of_waves
case_of 39 "a capture has each frame once" captured_once
