//! Names of states in an FST file.
//!
//! FST can attach an enumeration table to a variable; GTKWave and wellen show its names instead of codes.
//! fst-writer cannot write such tables, so they are added when the file is finished: the hierarchy block is
//! read back and rewritten with each table before its first variable, and the rest of the file moves up.
//! Appending the new block and marking the old one as skipped would be cheaper, but GTKWave stops reading
//! values at a skipped block. Assumptions on the format: the hierarchy block follows the header block, which
//! has a fixed length; a block is a type byte, its length and its contents; the file contains no absolute
//! positions.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};

use hdl::StateMachineTable;

/// End of the header block, including its type byte.
const HEADER_END: u64 = 330;
const BLOCK_HIERARCHY_LZ4: u8 = 6;
/// Bytes moved at a time.
const MOVE: u64 = 1 << 20;

const SCOPE: u8 = 254;
const UP_SCOPE: u8 = 255;
const LAST_VARIABLE_TYPE: u8 = 29;
/// Beginning of an attribute of the miscellaneous kind, enumeration table.
const ENUMERATION: [u8; 3] = [252, 0, 7];

/// Adds the state names of state machines to a finished file. `machines` has an entry for each variable in
/// the order of the hierarchy.
pub(crate) fn add_states(
    file: &mut File,
    machines: &[Option<(&'static StateMachineTable, u32)>],
) -> Result<()> {
    if machines.iter().all(Option::is_none) {
        return Ok(());
    }
    let mut head = [0; 17];
    file.seek(SeekFrom::Start(HEADER_END))?;
    file.read_exact(&mut head)?;
    if head[0] != BLOCK_HIERARCHY_LZ4 {
        return Err(bad("the hierarchy does not follow the header"));
    }
    let word = |at: usize| u64::from_be_bytes(head[at..at + 8].try_into().expect("eight bytes"));
    let (block, plain) = (word(1), word(9));
    let mut packed =
        vec![0; (block as usize).checked_sub(16).ok_or_else(|| bad("the hierarchy is cut off"))?];
    file.read_exact(&mut packed)?;
    let hierarchy = lz4_flex::block::decompress(&packed, plain as usize)
        .map_err(|error| bad(&format!("the hierarchy cannot be unpacked: {error}")))?;

    let hierarchy =
        with_tables(&hierarchy, machines).ok_or_else(|| bad("the hierarchy has an unknown entry"))?;
    let packed = lz4_flex::block::compress(&hierarchy);
    let mut entry = vec![BLOCK_HIERARCHY_LZ4];
    entry.extend((packed.len() as u64 + 16).to_be_bytes());
    entry.extend((hierarchy.len() as u64).to_be_bytes());
    entry.extend(packed);
    let rest = HEADER_END + 1 + block;
    let more = (entry.len() as u64).checked_sub(1 + block).ok_or_else(|| bad("the hierarchy shrinks"))?;
    move_up(file, rest, more)?;
    file.seek(SeekFrom::Start(HEADER_END))?;
    file.write_all(&entry)
}

/// Moves the file's contents from `start` on by `by` bytes towards the end, last piece first.
fn move_up(file: &mut File, start: u64, by: u64) -> Result<()> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut piece = vec![0; MOVE as usize];
    while end > start {
        let from = end.saturating_sub(MOVE).max(start);
        let piece = &mut piece[..(end - from) as usize];
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(piece)?;
        file.seek(SeekFrom::Start(from + by))?;
        file.write_all(piece)?;
        end = from;
    }
    Ok(())
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

/// Copies a hierarchy and inserts a reference to its table before every state variable, and the table itself
/// before the first one. `None` if the hierarchy contains anything but scopes and as many variables as there
/// are entries.
fn with_tables(hierarchy: &[u8], machines: &[Option<(&'static StateMachineTable, u32)>]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(hierarchy.len() * 2);
    let mut tables: Vec<(*const StateMachineTable, u32)> = Vec::new();
    let mut machines = machines.iter();
    let mut rest = hierarchy;
    while let Some(&tag) = rest.first() {
        let length = match tag {
            SCOPE => {
                let name = 2 + text(rest.get(2..)?)?;
                name + text(rest.get(name..)?)?
            }
            UP_SCOPE => 1,
            0..=LAST_VARIABLE_TYPE => {
                if let Some((table, width)) = *machines.next()? {
                    let key = (std::ptr::from_ref(table), width);
                    let known = tables.iter().position(|&known| known == key);
                    let handle = known.unwrap_or(tables.len()) + 1;
                    if known.is_none() {
                        tables.push(key);
                        attribute(&mut out, &enumeration(table, width), handle as u64);
                    }
                    attribute(&mut out, "", handle as u64);
                }
                let name = 2 + text(rest.get(2..)?)?;
                let width = name + number(rest.get(name..)?)?;
                width + number(rest.get(width..)?)?
            }
            _ => return None,
        };
        out.extend_from_slice(rest.get(..length)?);
        rest = &rest[length..];
    }
    machines.next().is_none().then_some(out)
}

/// Text of a table: name, number of states, names of states, codes of states in binary.
fn enumeration(table: &StateMachineTable, width: u32) -> String {
    let names = table.states.iter().map(|state| state.name.to_string());
    let codes = (0..table.states.len()).map(|code| format!("{code:0width$b}", width = width as usize));
    let head = [format!("{}::{}", table.package, table.name), table.states.len().to_string()];
    head.into_iter().chain(names).chain(codes).collect::<Vec<_>>().join(" ")
}

fn attribute(out: &mut Vec<u8>, name: &str, mut argument: u64) {
    out.extend(ENUMERATION);
    out.extend(name.as_bytes());
    out.push(0);
    while argument >= 0x80 {
        out.push(argument as u8 | 0x80);
        argument >>= 7;
    }
    out.push(argument as u8);
}

/// Length of a zero-terminated string.
fn text(bytes: &[u8]) -> Option<usize> {
    Some(bytes.iter().position(|&byte| byte == 0)? + 1)
}

/// Length of a number with seven bits per byte.
fn number(bytes: &[u8]) -> Option<usize> {
    Some(bytes.iter().position(|&byte| byte < 0x80)? + 1)
}
