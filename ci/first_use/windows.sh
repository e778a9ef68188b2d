# One-sided communication, walked state by state. Sourced by ci/first-use.

walked_windows() {
  "$memonet" check windows --json |
    json 'len(report["worlds"]) == 35 and all(bool(world["findings"]) != world["should_hold"] for world in report["worlds"])' &&
    "$memonet" check windows --hazard w12 --rules defective >"$work/windows" &&
    grep -q '^After [0-9]* events: two ranks hold locks' "$work/windows" &&
    "$memonet" check windows --list | grep -q '^W15 ' && exits 2 "$memonet" check windows --hazard W99
}

case_of 58 "one-sided communication holds in all worlds, and each hazard has a trace" walked_windows
