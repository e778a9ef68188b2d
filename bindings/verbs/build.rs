//! Gives the library the name and the symbol versions of rdma-core, by which programs find it.
//!
//! rustc passes the linker a version script without versions, and GNU ld accepts one script only. So the compiler driver
//! is told to use `ld.bfd` and to search this folder first. There it finds a shell script that replaces the version
//! script and calls `ld`. With a driver that does not search the folder the library has no versions: programs run, and
//! the loader prints a warning.

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
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("the file was written just now");
    for word in ["-Wl,-soname,libibverbs.so.1", "-fuse-ld=bfd", &format!("-B{out}")] {
        println!("cargo:rustc-cdylib-link-arg={word}");
    }
}
