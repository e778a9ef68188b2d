//! Words that cannot name a block, because the name is an identifier in Rust, SystemVerilog and C++.

use crate::machines;

/// A list of words, and the reason why none of them can be a name.
struct Reserved {
    /// End of the sentence `NAME is ...`.
    reason: &'static str,
    /// The words, separated by blanks.
    words: &'static str,
}

const PACKAGE: &str = "the name of a package or module that a block uses, or of another one in Memonet";

const RESERVED: [Reserved; 7] = [
    // The Rust Reference, section "Keywords": strict and reserved keywords of editions up to 2024, and the weak ones
    // `macro_rules` and `union`.
    Reserved {
        reason: "a keyword of Rust",
        words: "abstract as async await become box break const continue crate do dyn else enum extern false final fn \
                for gen if impl in let loop macro macro_rules match mod move mut override priv pub ref return self static struct \
                super trait true try type typeof union unsafe unsized use virtual where while yield",
    },
    // IEEE 1800-2017, annex B, table B.1.
    Reserved {
        reason: "a keyword of SystemVerilog",
        words: "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before \
                begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class \
                clocking cmos config const constraint context continue cover covergroup coverpoint cross deassign \
                default defparam design disable dist do edge else end endcase endchecker endclass endclocking \
                endconfig endfunction endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram \
                endproperty endsequence endspecify endtable endtask enum event eventually expect export extends \
                extern final first_match for force foreach forever fork forkjoin function generate genvar global \
                highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include \
                initial inout input inside instance int integer interconnect interface intersect join join_any \
                join_none large let liblist library local localparam logic longint macromodule matches medium \
                modport module nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or \
                output package packed parameter pmos posedge primitive priority program property protected pull0 \
                pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence \
                rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 \
                rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal \
                showcancelled signed small soft solve specify specparam static string strong strong0 strong1 struct \
                super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time \
                timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union \
                unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait wait_order \
                wand weak weak0 weak1 while wildcard wire with within wor xnor xor",
    },
    // ISO/IEC 14882:2020, tables 5 and 6 (keywords, alternative representations) and table 4 (identifiers with
    // special meaning).
    Reserved {
        reason: "a keyword of C++",
        words: "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t \
                class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit \
                continue decltype default delete do double dynamic_cast else enum explicit export extern false final \
                float for friend goto if import inline int long module mutable namespace new noexcept not not_eq \
                nullptr operator or or_eq override private protected public register reinterpret_cast requires \
                return short signed sizeof static static_assert static_cast struct switch template this thread_local \
                throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor \
                xor_eq",
    },
    // ISO/IEC 9899:2018 and 9899:2024, section 6.4.1, without those that begin with `_`.
    Reserved {
        reason: "a keyword of C",
        words: "alignas alignof auto bool break case char const constexpr continue default do double else enum extern \
                false float for goto if inline int long nullptr register restrict return short signed sizeof static \
                static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned void \
                volatile while",
    },
    Reserved {
        reason: "a crate of the Rust distribution, or a name that Cargo keeps for itself",
        words: "alloc bench build core deps examples incremental lib libc main proc_macro rustc rustdoc src std target \
                test tests",
    },
    // Packages of the workspace that belong to no machine, modules of rtl/common and of testbench/formal/common, and names within a new block.
    Reserved {
        reason: PACKAGE,
        words: "async_fifo bank byte_swap checker cluster common cosim cxx diagram dsh dual_bank ethernet evaluation \
                fagus fast_ethernet_machine fifo files formal fuzz hdl libfuzzer_sys lockstep machine machine_api \
                memonet memonet_python mpi mpi_abi mpi_de mpich mutants npb pins pins_i pins_o plots pm pm_protocol \
                prefetch processes ram real_verbs rtl sha2 slots sram state studio suci suci_c suci_capture \
                suci_tokio synchroniser threads testbench verbs verilate verilated verilator waveform workload clk_i \
                rst_ni",
    },
    // Win32 documentation, "Naming Files, Paths, and Namespaces".
    Reserved {
        reason: "the name of a device on Windows, where a file cannot have it",
        words: "aux com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 nul prn",
    },
];

/// The reason why a word is no name, as the end of the sentence `NAME is ...`; several reasons are joined.
pub fn reason(name: &str) -> Option<String> {
    let lists = RESERVED.iter().filter(|list| list.words.split(' ').any(|word| word == name));
    let mut reasons: Vec<_> = lists.map(|list| list.reason).collect();
    if is_package_of_a_machine(name) {
        reasons.push(PACKAGE);
    }
    (!reasons.is_empty()).then(|| reasons.join(" and "))
}

/// Whether a package of any machine of devices.toml has this name.
fn is_package_of_a_machine(name: &str) -> bool {
    let name = name.strip_prefix("testbench_").unwrap_or(name);
    machines::KNOWN
        .iter()
        .filter_map(|(machine, _)| name.strip_prefix(machine))
        .any(|rest| ENDS.contains(&rest))
}

/// Ends of the names of packages that begin with the name of a machine.
const ENDS: [&str; 4] = ["", "_machine", "_rtl", "_semantics"];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn lists_have_as_many_words_as_the_standards() {
        let counts: Vec<_> = RESERVED
            .iter()
            .map(|list| {
                let mut words: Vec<_> = list.words.split(' ').collect();
                assert!(!words.contains(&""), "{}", list.reason);
                words.sort_unstable();
                words.dedup();
                (list.reason, words.len())
            })
            .take(4)
            .collect();
        // Rust: 34 strict ones and 3 of edition 2018, 12 reserved ones, try, gen, macro_rules and union. C++: 81
        // keywords, 11 alternatives and 4 identifiers. C: 34 of 2018, 11 of 2024.
        let expected = [
            ("a keyword of Rust", 53),
            ("a keyword of SystemVerilog", 248),
            ("a keyword of C++", 96),
            ("a keyword of C", 45),
        ];
        assert_eq!(counts, expected);
    }

    #[test]
    fn reasons_of_all_languages_are_told() {
        assert_eq!(reason("tri").as_deref(), Some("a keyword of SystemVerilog"));
        assert_eq!(reason("self").as_deref(), Some("a keyword of Rust"));
        assert_eq!(reason("class").as_deref(), Some("a keyword of SystemVerilog and a keyword of C++"));
        assert_eq!(reason("timer"), None);
    }

    /// Names of the packages below a folder.
    fn packages(folder: &Path) -> Vec<String> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.ends_with("Cargo.toml") {
                let manifest: toml::Table = fs::read_to_string(entry).unwrap().parse().unwrap();
                names.extend(
                    manifest.get("package").map(|package| package["name"].as_str().unwrap().to_string()),
                );
            } else if entry.is_dir() && !entry.ends_with("template") {
                names.extend(packages(&entry));
            }
        }
        names
    }

    #[test]
    fn packages_and_shared_modules_of_memonet_are_reserved() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut names: Vec<_> = ["crates", "bindings", "testbench"]
            .iter()
            .flat_map(|folder| packages(&root.join(folder)))
            .collect();
        for folder in ["rtl/common", "testbench/formal/common"] {
            let files = fs::read_dir(root.join(folder)).unwrap();
            let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_string();
            names.extend(files.map(|entry| stem(entry.unwrap().path())));
        }
        assert!(names.len() > 50, "{names:?}");
        for name in names.iter().filter(|name| !name.contains('-')) {
            assert!(reason(name).is_some(), "{name} is not listed");
        }
    }

    #[test]
    fn dependencies_of_a_new_block_are_reserved() {
        for manifest in [include_str!("template/Cargo.toml"), include_str!("template/fuzz/Cargo.toml")] {
            let manifest: toml::Table = manifest.parse().unwrap();
            for table in ["dependencies", "build-dependencies"] {
                let names = manifest.get(table).and_then(|table| table.as_table()).into_iter().flatten();
                for name in names.map(|(name, _)| name.replace('-', "_")).filter(|name| name != "my_block") {
                    assert!(reason(&name).is_some(), "{name} is not listed");
                }
            }
        }
    }
}
