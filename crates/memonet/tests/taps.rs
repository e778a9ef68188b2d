use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::{memonet, not_tested, stderr};

/// User id of `nobody`, a user without rights.
const NOBODY: u32 = 65534;

fn has_tun() -> bool {
    Path::new("/dev/net/tun").exists()
}

#[test]
fn error_without_root_names_the_commands_to_type() {
    // Another user must be able to read the copied binary.
    let folder = tempfile::tempdir().unwrap();
    let (path, binary) = (folder.path(), folder.path().join("memonet"));
    std::fs::copy(env!("CARGO_BIN_EXE_memonet"), &binary).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(&binary);
    if std::fs::metadata(path).unwrap().uid() == 0 {
        command.uid(NOBODY);
    }
    let output = command.args(["tap", "--name", "mn", "--for", "1"]).output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let says = if has_tun() {
        &["sudo ip tuntap add dev mn0 mode tap", "sudo ip link set dev mn0 address 02:00:47:50:00:00"][..]
    } else {
        &["modprobe tun"]
    };
    assert!(says.iter().all(|line| text.contains(line)), "{text}");
}

#[test]
fn tap_creates_devices_and_runs_pm_traffic() {
    let name = format!("mn{}x", std::process::id());
    let probe = Command::new("ip").args(["tuntap", "add", "dev", &name, "mode", "tap"]).output();
    if !has_tun() || !probe.is_ok_and(|output| output.status.success()) {
        not_tested("TAP devices, because they need root, ip and /dev/net/tun");
        return;
    }
    Command::new("ip").args(["link", "delete", &name]).status().unwrap();
    let output = memonet(&["tap", "--name", &name, "--for", "1", "--nodes", "3", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["pm_messages"].as_u64().unwrap() > 0, "{report}");
    let nodes = report["nodes"].as_array().unwrap();
    let macs: Vec<_> = nodes.iter().map(|node| node["mac"].as_str().unwrap()).collect();
    assert_eq!(macs, ["02:00:47:50:00:00", "02:00:47:50:00:01", "02:00:47:50:00:02"]);
}
