//! Points as an lcov trace for `genhtml` and editors.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{PointCount, Position};

/// Writes a record for each file: branches, then lines. Paths are relative to the root of the repository.
pub fn trace(points: &BTreeMap<Position, PointCount>) -> String {
    let mut files = BTreeMap::<&str, Vec<(usize, &PointCount)>>::new();
    for (place, point) in points {
        files.entry(&place.file).or_default().push((place.line, point));
    }
    let mut trace = String::new();
    for (file, points) in files {
        record(&mut trace, file, &points).expect("text has room");
    }
    trace
}

fn record(trace: &mut String, file: &str, points: &[(usize, &PointCount)]) -> std::fmt::Result {
    writeln!(trace, "TN:\nSF:{file}")?;
    let (mut branches, mut lines) = (BTreeMap::<usize, Vec<u64>>::new(), BTreeMap::<usize, u64>::new());
    for &(line, point) in points {
        if point.is_branch {
            branches.entry(line).or_default().push(point.count);
        }
        // If several points share a line, its count is their maximum.
        for line in point.lines.iter().cloned().flatten().chain([line]) {
            let count = lines.entry(line).or_default();
            *count = point.count.max(*count);
        }
    }
    for (line, counts) in &branches {
        let never = counts.iter().all(|count| *count == 0);
        for (branch, count) in counts.iter().enumerate() {
            let count = if never { "-".to_owned() } else { count.to_string() };
            writeln!(trace, "BRDA:{line},0,{branch},{count}")?;
        }
    }
    let all = branches.values().flatten();
    writeln!(trace, "BRF:{}\nBRH:{}", all.clone().count(), all.filter(|count| **count > 0).count())?;
    for (line, count) in &lines {
        writeln!(trace, "DA:{line},{count}")?;
    }
    let reached = lines.values().filter(|count| **count > 0).count();
    writeln!(trace, "LF:{}\nLH:{reached}\nend_of_record", lines.len())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ELSE, IF, read};
    use super::*;

    #[test]
    fn trace_has_lines_and_branches_of_each_file() {
        let block = "C '\x01f\x02rtl/a.sv\x01l\x026\x01n\x023\x01page\x02v_line/t\x01o\x02block\x01S\x026-8,16\x01h\x02.t' 10";
        let other = "C '\x01f\x02rtl/b.sv\x01l\x022\x01n\x021\x01page\x02v_line/t\x01o\x02block\x01S\x022\x01h\x02.t' 0";
        let expected = "\
TN:
SF:rtl/a.sv
BRDA:11,0,0,3
BRDA:11,0,1,0
BRF:2
BRH:1
DA:6,10
DA:7,10
DA:8,10
DA:11,3
DA:12,3
DA:16,10
LF:6
LH:6
end_of_record
TN:
SF:rtl/b.sv
BRF:0
BRH:0
DA:2,0
LF:1
LH:0
end_of_record
";
        assert_eq!(trace(&read(&[IF, ELSE, block, other])), expected);
    }

    #[test]
    fn branches_of_a_line_that_was_never_reached_have_no_count() {
        let never = IF.replace("' 3", "' 0");
        assert!(trace(&read(&[&never, ELSE])).contains("BRDA:11,0,0,-\nBRDA:11,0,1,-\nBRF:2\nBRH:0\n"));
    }
}
