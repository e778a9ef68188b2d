//! Tools on which the number of instructions depends.

/// Profile, compilers and Verilator of this build, and its processor architecture.
pub fn of_this_build() -> String {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let architecture = std::env::consts::ARCH;
    let rtl = verilated_with().unwrap_or("no RTL");
    format!("{profile} build, {}, {rtl}, {architecture}", env!("RUSTC_VERSION"))
}

/// Compiler of the Verilated RTL, and Verilator.
fn verilated_with() -> Option<&'static str> {
    #[cfg(feature = "rtl")]
    return rtl::TOOLS;
    #[cfg(not(feature = "rtl"))]
    None
}
