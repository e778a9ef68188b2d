# `memonet shell` and `memonet serve`.
# Sourced by ci/first-use.

no_script() {
  mkfifo "$work/fifo"
  for script in "$work/fifo" /dev/zero /tmp; do
    exits 1 timeout 10 "$memonet" shell --script "$script" && exits 1 timeout 10 "$memonet" shell <<<"source $script" || return 1
  done
  exits 1 timeout 10 "$memonet" shell </dev/zero && python3 ci/first_use/server.py pipe "$memonet"
}

measured() { python3 ci/first_use/server.py measure "$memonet" && python3 ci/first_use/server.py private "$memonet"; }

student() {
  python3 ci/first_use/server.py terminal "$memonet" || return 1
  # These commands fail on purpose; only their messages count.
  says() { { "$memonet" shell <<<"$1" || true; } 2>&1 | grep -F -- "$2"; }
  says '?' 'llcm_read' && says botff 'did you mean `botf`?' && says 'sreg_read pgid0' 'show shows' &&
    says 'sreg_write pgid0 99999' 'does not fit, pgid0 has 8 bits' && says 'pw_read 99999 64' '99999 is out of range, the most is 3;'
}

case_of 7 "scripts must be regular files, and Ctrl-C ends a server" no_script
case_of 8 "a server limits its clients, and its socket is private" measured
case_of 9 "a shell attaches to the boards of a server" python3 ci/first_use/server.py attach "$memonet"
case_of 23 "dsh prints a greeting, help and hints" student
