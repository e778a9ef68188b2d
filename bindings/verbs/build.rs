//! The name and the versions of symbols by which programs find the library: those of rdma-core.
//!
//! rustc hands the linker a list of symbols without versions, and GNU ld takes no second one. So the compiler driver is told to use a linker `ld.bfd`, and to look for it
//! here first: it finds a script that exchanges the list for ours, and calls `ld`. Where a driver does not look here the library has no versions:
//! programs run, and the loader says so on standard error.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=versions.map");
    let out = std::env::var("OUT_DIR").expect("cargo says where");
    let map = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where")).join("versions.map");
    let script = format!(
        "#!/bin/sh
for word do
  shift
  case $word in --version-script=*) word='--version-script={}' ;; esac
  set -- \"$@\" \"$word\"
done
exec ld \"$@\"
",
        map.display()
    );
    let file = Path::new(&out).join("ld.bfd");
    std::fs::write(&file, script).expect("cargo has made the folder");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("the file is ours");
    for word in ["-Wl,-soname,libibverbs.so.1", "-fuse-ld=bfd", &format!("-B{out}")] {
        println!("cargo:rustc-cdylib-link-arg={word}");
    }
}
