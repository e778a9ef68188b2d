//! Compiles generated C headers with a C and a C++ compiler. Tests of devices include this file by its path.

use std::path::Path;
use std::process::Command;

/// Compiles a program that includes a header, as C and as C++ without warnings, and runs it. The program
/// compares C expressions with their expected values.
pub fn says(header: &str, values: &[(&str, u64)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let checks: String =
        values.iter().map(|(said, is)| format!("  CHECK({said}, UINT64_C({is}));\n")).collect();
    let program = format!(
        "#include \"{header}\"\n#include <stdio.h>\n\
         #define CHECK(said, is) if ((said) != (is)) {{ puts(#said); wrong = 1; }}\n\
         int main(void) {{\n  int wrong = 0;\n{checks}  return wrong;\n}}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    for (compiler, ending, standard) in [("cc", "c", "-std=c99"), ("c++", "cpp", "-std=c++11")] {
        let source = folder.path().join("program").with_extension(ending);
        let binary = folder.path().join(ending.to_owned() + "_program");
        std::fs::write(&source, &program).unwrap();
        let mut command = Command::new(compiler);
        command.args(["-Wall", "-Wextra", "-Werror", "-pedantic", standard, "-I"]).arg(&root);
        let compiled = command.arg(&source).arg("-o").arg(&binary).output().unwrap();
        assert!(compiled.status.success(), "{compiler}: {}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(&binary).output().unwrap();
        assert!(ran.status.success(), "{header}, {compiler}: {}", String::from_utf8_lossy(&ran.stdout));
    }
}
