//! Build script: generates the list of machines from devices.toml and links the C++ runtime statically.

mod machines;
mod runtime;

fn main() {
    println!("cargo::rerun-if-changed=build");
    machines::write();
    runtime::link();
    name_compiler();
}

/// Passes the name and version of the Rust compiler to the program: `rustc 1.91.0`.
fn name_compiler() {
    let compiler = std::env::var_os("RUSTC").expect("cargo names the compiler");
    let version = std::process::Command::new(compiler).arg("--version").output();
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = version.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    println!("cargo::rustc-env=RUSTC_VERSION={version}");
}
