# README, completions, waveforms and figures.
# Sourced by ci/first-use.

# Checks the syntax of the commands in README's tables and examples with a shell, and runs one of them.
readme_in() {
  local name=$1
  { grep -o '^| `memonet [^`]*`' README.md | sed 's/^| `//; s/`$//'; sed -n 's/^\$ \(memonet .*\)/\1/p' README.md; } >"$work/commands"
  [ "$(wc -l <"$work/commands")" -ge 8 ] && $name -n "$work/commands" &&
    PATH="$(dirname "$memonet"):$PATH" $name -c "$(grep -- '--nic model' "$work/commands" | head -1)"
}

readme() {
  local name
  for name in bash zsh fish; do
    if command -v $name >/dev/null; then readme_in $name || return 1; else echo "$name is not installed"; fi
  done
}

completions() {
  local shell
  for shell in bash zsh fish; do "$memonet" completions $shell | grep -q lockstep || return 1; done
  "$memonet" man run | grep -q '.SH'
}

rows_that_differ() {
  "$memonet" wave --folder "$work/differs" &&
    python3 - "$work/differs" <<'PYTHON'
import re, sys
from pathlib import Path
folder = Path(sys.argv[1])
layout = (folder / "dimmnet2_botf.vcd.gtkw").read_text()
rows = re.findall(r"^\+\{(.*?)\}", layout, re.M)
at = rows.index("botf/state/model")
together = rows[at + 1 : at + 3] == ["botf/state/rtl", "botf/differs"]
dump = (folder / "dimmnet2_botf.vcd").read_text()
header, _, changes = dump.partition("$enddefinitions $end")
codes = re.findall(r"^\s*\$var \w+ 1 (\S+) differs \$end", header, re.M)
rises = {line[1:] for line in changes.splitlines() if line.startswith("1")}
sys.exit(not (together and len(codes) > 50 and rises.isdisjoint(codes)))
PYTHON
}

drawn() {
  "$memonet" explain rvs --nic model --svg "$work/rvs.svg" && python3 - "$work/rvs.svg" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
texts = [text.text for text in tree.parse(sys.argv[1]).iter() if text.tag.endswith("}text")]
title = next(text for text in texts if "bytes" in text)
sys.exit(not (title.startswith("DIMMnet-2, rvs, 8 bytes") and "0.2" in texts and any(text.startswith("switch ") and text.endswith(" ns") for text in texts)))
PYTHON
}

figure() {
  grep -q 'published level' docs/figures/dimmnet2_figure_6.11.svg && ! grep -q '200\.0<' docs/figures/dimmnet2_figure_6.3.svg
}

cited() { grep -q Keio README.md && grep -q Sumimoto README.md && [ -s CITATION.cff ]; }

all_rtl_in_one_list() {
  local device
  for device in dimmnet2 gigae_pm; do verilator --lint-only -Wall -f rtl/$device/generated/files.f --top-module $device || return 1; done
}

case_of 10 "README's commands work in bash, zsh and fish" readme
case_of 14 "completions and manual pages" completions
case_of 18 "layouts show model, RTL and their difference together" rows_that_differ
case_of 19 "time lines and figures have titles, units and legends" eval 'drawn && figure'
case_of 24 "one file list contains all RTL of a device" all_rtl_in_one_list
case_of 25 "the published works are cited" cited
