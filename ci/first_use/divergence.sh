# Reports of a block of one's own: divergence, undeclared arc, unused pin.
# Sourced by ci/first-use.

# Tests the block with what memonet was built from; a failure is expected.
own_test() {
  (cd "$work/own_timer" && exits 101 env CARGO_TARGET_DIR="$(dirname "$(dirname "$memonet")")" \
    cargo test --test lockstep) >"$work/own" 2>&1
}

edit() { # edit FILE FROM TO: replaces text that must occur
  python3 - "$work/own_timer/$1" "$2" "$3" <<'PYTHON'
import sys
path, old, new = sys.argv[1:]
text = open(path).read()
assert old in text, old
open(path, "w").write(text.replace(old, new, 1))
PYTHON
}

# A wrong constant: the report names the lines, and every register before the edge.
wrong_constant() {
  "$memonet" new-block own_timer --in "$work" --memonet . &&
    edit rtl/own_timer/own_timer.sv "if (left_q <= 8'd1)" "if (left_q <= 8'd2)" && own_test &&
    grep -q '^core cycle 6: state: model Count, RTL Done$' "$work/own" &&
    grep -q '^    left   0x2     0x1    0x1$' "$work/own" &&
    grep -q '^    src/own_timer.rs:[0-9]*: state Count$' "$work/own" &&
    grep -qF "rtl/own_timer/own_timer.sv:31: if (left_q <= 8'd2)" "$work/own"
}

# The waveform of the report and its layout.
waves_of_divergence() {
  local path
  path=$(sed -n 's/^  waves of the last 200 cycles: //p' "$work/own")
  [ -s "$path" ] && grep -q '^+{differs}' "$path.gtkw" && grep -q '^+{state/rtl}' "$path.gtkw"
}

# A pin that only the model uses, then an arc that only the table lacks.
unused_pin_and_arc() {
  edit rtl/own_timer/own_timer.sv "8'd2" "8'd1" &&
    edit src/own_timer.rs "        cycles: u8," "        cycles: u8,
        /// Ends counting.
        stop: bool," &&
    edit src/own_timer.rs "            State::Done => d" "            State::Done if pins.stop => d.state = State::Count,
            State::Done => d" && own_test &&
    grep -q 'not used: pins_i.stop (UNUSEDSIGNAL)$' "$work/own" && ! grep -q 'rerun-if' "$work/own" &&
    edit rtl/own_timer/own_timer.sv "Done: state_d = own_timer_pkg::Idle" \
      "Done: state_d = pins_i.stop ? own_timer_pkg::Count : own_timer_pkg::Idle" && own_test &&
    grep -q '^  state: Done -> Count, first in core cycle [0-9]*$' "$work/own" &&
    grep -q 'pins, without zeros: .*stop = 0x1' "$work/own" && grep -q 'seed 1; replay: cargo test' "$work/own" &&
    grep -q 'arcs from Done are declared in src/own_timer.rs:[0-9]*$' "$work/own"
}

case_of 45 "a wrong constant is reported with the lines of both sources" wrong_constant
case_of 46 "the report of a divergence has waves and their layout" waves_of_divergence
case_of 47 "an unused pin and an undeclared arc are named" unused_pin_and_arc
