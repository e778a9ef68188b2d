//! Compiles and runs a C program, with both orders of arguments.

use std::path::Path;
use std::process::Command;

/// Folder of `libsuci_c.so`, which Cargo builds next to this test.
fn library() -> std::path::PathBuf {
    // Reference to the library, so that Cargo builds it.
    let _ = suci_c::header;
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_path_buf()
}

#[test]
fn c_program_works_with_all_rules_and_gets_errors() {
    let (root, library) = (Path::new(env!("CARGO_MANIFEST_DIR")), library());
    for (order, defined) in [("sample", "-DDATAGRAM_SAMPLE"), ("table", "-DDATAGRAM_TABLE_1")] {
        let program = std::env::temp_dir().join(format!("suci-{}-{order}", std::process::id()));
        let output = Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", defined, "-I"])
            .args([&root.join("include"), &root.join("tests/exchange.c")])
            .arg("-o")
            .args([&program, &library.join("libsuci_c.so")])
            .arg(format!("-Wl,-rpath,{}", library.display()))
            .output()
            .expect("cc runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = Command::new(&program).output().unwrap();
        let _ = std::fs::remove_file(&program);
        assert!(output.status.success(), "{order}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.stdout, b"talked\n");
    }
}
