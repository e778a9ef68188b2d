# Numbers of dsh, lines and paths of any bytes, names of new blocks, versions of tools.
# Sourced by ci/first-use.

dsh_says() { # dsh_says LINES WORDS: prints the output of a shell of its own, in which WORDS occur
  { printf '%b' "$1" | "$memonet" shell --alone || true; } 2>&1 | tee "$work/dsh" | grep -F -- "$2"
}

numbers_of_dsh() {
  for run in 1e3 1_000 0x3e8 01000 1.0e3; do
    dsh_says "run $run\ntime\n" "core cycle $(($(cycle_after 'run 1') + 999))" || return 1
  done
  for line in 'run 24x' 'run 1.5' 'botf 0 24x' 'node 1x' 'break botf.state == 1x'; do
    dsh_says "$line\n" 'this is not a' || return 1
  done
  dsh_says 'llcm_write from=0 it=1 val=55ff inc=0\nllcm_read 0 8\n' 'warning: val: `55ff` is read as 55; its tail `ff` is dropped' &&
    grep -F 0000000000000037 "$work/dsh" || return 1
  for machine in gigae_pm cenju3 hca; do
    "$memonet" shell --alone --machine "$machine" <<<'send 1 1_0' && exits 1 "$memonet" shell --alone --machine "$machine" <<<'send 1 4x' || return 1
  done
  "$memonet" cluster --nodes 0x4 --workload neighbour --messages 1e0 && exits 2 "$memonet" cluster --nodes 4x --workload neighbour
}

cycle_after() { printf '%s\ntime\n' "$1" | "$memonet" shell --alone | sed -n 's/.*core cycle //p'; }

bytes_of_lines() {
  printf 'time\nrun \xff5\ntime\n' >"$work/bytes.dsh"
  exits 1 "$memonet" shell --alone --script "$work/bytes.dsh" >"$work/typed" 2>&1 || return 1
  grep -c 'core cycle' "$work/typed" | grep -x 1 && grep -F 'line 2: byte 5 of the line, 0xff, is not UTF-8' "$work/typed" &&
    dsh_says 'time\nrun 5\xff\n' 'line 2: byte 6 of the line, 0xff, is not UTF-8 text; type the line again' &&
    python3 ci/first_use/server.py bytes_on_a_terminal "$memonet" &&
    python3 ci/first_use/server.py bytes_at_a_server "$memonet"
}

bytes_of_paths() {
  local folder
  folder=$work/$(printf 'caf\xe9')
  mkdir -p "$folder"
  "$memonet" cluster --nodes 4 --workload neighbour --csv "$folder/$(printf 'x\xff.csv')" && [ -s "$folder/$(printf 'x\xff.csv')" ] || return 1
  printf 'from,to,bytes\n0,1,8\n' >"$folder/load.csv"
  "$memonet" cluster --nodes 2 --workload "$folder/load.csv" --json >"$work/cluster.json"
  json "report['workload'].endswith(r\"caf\\351/load.csv'\") and report['workload'].startswith(\"\$'\")" <"$work/cluster.json" || return 1
  printf 'abc' >"$folder/data"
  "$memonet" run --input "$folder/data" --json | json "report['same'] and r'caf\\351' in report['input']" || return 1
  (cd "$folder" && "$memonet" new-block my_timer --json | json "report['folder'].endswith('my_timer')") && [ -d "$folder/my_timer" ] || return 1
  cp "$(command -v cc)" "$folder/cc" 2>/dev/null || ln -s "$(command -v cc)" "$folder/cc"
  CC="$folder/cc" "$memonet" mpicc --show x.c | grep -F "caf\\351/cc'" || return 1
  exits 2 "$memonet" mpirun -np 2 "$folder/none" 2>&1 | grep -F 'there is no such file'
}

names_of_blocks() {
  mkdir -p "$work/blocks"
  for word in always_comb interface endmodule checker class enum union type reg tri self super crate match async \
    namespace template core std main build test hdl cosim typeof constinit co_await gen; do
    exits 2 "$memonet" new-block "$word" --in "$work/blocks" 2>"$work/refused" || return 1
    grep -F "\`$word\` is " "$work/refused" || return 1
  done
  "$memonet" new-block uart --in "$work/blocks" && [ "$(ls "$work/blocks")" = uart ]
}

versions_of_tools() {
  mkdir -p "$work/tools"
  printf '#!/bin/sh\necho "Usage: gtkwave [OPTION]..."\necho\necho "  -n, --nocli=DIRPATH  use file requester"\n' >"$work/tools/gtkwave"
  printf '#!/bin/sh\necho "HYDRA build details:"\necho "    Version:        4.0.2"\n' >"$work/tools/mpirun"
  chmod +x "$work/tools/"*
  { PATH="$work/tools:/usr/bin:/bin" "$memonet" doctor || true; } >"$work/doctor"
  grep -E '^gtkwave +installed; `gtkwave --version` prints no version$' "$work/doctor" &&
    grep -E '^mpirun +HYDRA build details: Version: 4.0.2$' "$work/doctor"
}

case_of 30 "dsh reads numbers as the command line does, and as the manual says" numbers_of_dsh
case_of 30 "a line with a byte that is not UTF-8 is one bad line" bytes_of_lines
case_of 31 "names of files may be any bytes" bytes_of_paths
case_of 32 "new-block refuses names that a language or Cargo reserves" names_of_blocks
case_of 33 "doctor shows versions, not usage" versions_of_tools
