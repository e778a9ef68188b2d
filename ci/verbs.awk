# Makes the page of verbs programs from lines `RESULT|VIRTUAL TIME|COMMAND`, and of the number of rdma-core's tests.
BEGIN {
    print "# Verbs programs as installed\n"
    print "Programs of Debian's packages that use verbs, unmodified, on two or four hosts with the channel adapter. Each"
    print "runs on the model and in lockstep, with equal fingerprints. `launched` is `testbench/verbs/launched.c`, a"
    print "program of MPI. `make verbs` writes this page.\n"
    print "| Arguments of `memonet verbs` | Virtual time | Result |\n|---|--:|---|"
}
{
    printf "| `%s` | %s | %s |\n", $3, $2 == "" ? "" : $2 " us", $1
    if ($1 == "passed") passed++
}
END {
    printf "\n%d of %d programs passed.\n", passed, NR
    print "\n## Tests of rdma-core\n"
    if (tests == "") print "Not run."
    else if (tests == "failed") print "They failed."
    else printf "Of %d tests of rdma-core 44 (Debian package `python3-pyverbs`), %d run in lockstep and none fails. The others\nask first whether the adapter has what they need, and skip themselves.\n", tests, tests - skipped
}
