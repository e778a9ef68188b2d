//! Installed programs of perftest and libfabric find the device and use it.

use super::{is_installed, memonet, pair, stderr, stdout};

/// Output of a run that ends with exit code 0; without the program it prints NOT TESTED and returns none.
fn ran(program: &str, line: &str) -> Option<String> {
    if !is_installed(program) {
        eprintln!("NOT TESTED: there is no {program} (ci/install verbs)");
        return None;
    }
    let output = memonet(line);
    assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    Some(stdout(&output))
}

/// A program of perftest on both hosts.
fn perftest(program: &str, options: &str) -> Option<String> {
    ran(program, &format!("--limit 20s {}", pair(program, options)))
}

/// The last number of the line that begins with the message size.
fn row<'a>(printed: &'a str, bytes: &str) -> Vec<&'a str> {
    let line = printed.lines().find(|line| line.split_whitespace().next() == Some(bytes));
    line.unwrap_or_else(|| panic!("a row of {bytes} bytes: {printed}")).split_whitespace().collect()
}

#[test]
fn latency_of_perftest_is_that_of_the_adapter() {
    let Some(printed) = perftest("ib_send_lat", "-n 20") else { return };
    // Typical half of a round trip. perftest divides the counter by its own estimate of the processor's clock,
    // so the last digit depends on the computer.
    let us: f64 = row(&printed, "2")[4].parse().unwrap();
    assert!((10.0..10.05).contains(&us), "{printed}");
}

#[test]
fn bandwidth_of_perftest_is_that_of_the_adapter() {
    let Some(printed) = perftest("ib_send_bw", "-n 20") else { return };
    // The peer prints a rate, too, in which the first message is missing.
    let rates = printed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut rates = rates.filter(|row| row.first() == Some(&"65536")).filter_map(|row| row[3].parse().ok());
    assert!(rates.any(|mb_per_s: f64| (620.0..640.0).contains(&mb_per_s)), "{printed}");
}

#[test]
fn device_is_listed_by_libfabric() {
    if let Some(printed) = ran("fi_info", "--limit 100s -- fi_info -p verbs") {
        assert!(printed.contains("domain: memonet0-dgram"), "{printed}");
    }
}
