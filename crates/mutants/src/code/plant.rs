//! Writes faults into a text.

use std::cmp::Reverse;
use std::ops::Range;

use super::site::{Form, Site};

/// The text of a file with faults in it; none is active until its number is selected.
#[derive(Clone, Debug)]
pub struct Planting {
    /// Complete text.
    pub text: String,
    regions: Vec<Region>,
}

/// A part of the text that belongs to faults.
#[derive(Clone, Debug)]
struct Region {
    range: Range<usize>,
    faults: Vec<u32>,
}

impl Planting {
    /// Numbers of the faults that a compiler's error at this byte range is about: those of the smallest part
    /// that contains it.
    pub fn faults_at(&self, error: Range<usize>) -> &[u32] {
        let around = |region: &&Region| region.range.start <= error.start && error.end <= region.range.end;
        let smallest = self.regions.iter().filter(around).min_by_key(|region| region.range.len());
        smallest.map_or(&[], |region| &region.faults)
    }
}

/// Writes faults with their numbers into the text of a file.
pub fn plant(text: &str, faults: &[(u32, &Site)]) -> Planting {
    let mut faults = faults.to_vec();
    faults.sort_by_key(|(number, site)| (site.range.start, Reverse(site.range.end), site.form, *number));
    let mut writer = Writer { original: text, planting: Planting { text: String::new(), regions: vec![] } };
    writer.write(0..text.len(), &faults);
    writer.planting
}

struct Writer<'a> {
    original: &'a str,
    planting: Planting,
}

impl Writer<'_> {
    /// Writes a part of the original with the faults inside it, outer faults first.
    fn write(&mut self, part: Range<usize>, mut faults: &[(u32, &Site)]) {
        let mut at = part.start;
        while let Some((_, first)) = faults.first() {
            let range = first.range.clone();
            let same = |(_, site): &(u32, &Site)| site.range == range && site.form == first.form;
            let (alternatives, rest) = faults.split_at(faults.iter().take_while(|fault| same(fault)).count());
            let inside =
                rest.iter().take_while(|(_, site)| site.range.end <= range.end && !range.is_empty()).count();
            let (inside, behind) = rest.split_at(inside);
            self.planting.text += &self.original[at..range.start];
            self.choose(range.clone(), first.form, alternatives, inside);
            at = range.end;
            faults = behind;
        }
        self.planting.text += &self.original[at..part.end];
    }

    /// Writes a choice between faults and the original. Code ends with a line end, since its last line may
    /// have a comment.
    fn choose(&mut self, range: Range<usize>, form: Form, faults: &[(u32, &Site)], inside: &[(u32, &Site)]) {
        let begin = self.planting.text.len();
        let (open, close, all) = match form {
            Form::Expression => ("{ (", "\n) }", true),
            Form::Statements => ("{ ", "\n}", false),
            Form::Guard => {
                for (number, _) in faults {
                    self.planting.text += &format!(" if !crate::mutated::active({number})");
                }
                return self.region(begin, faults);
            }
        };
        self.planting.text += if all { "(" } else { "" };
        for (number, site) in faults {
            let from = self.planting.text.len();
            self.planting.text +=
                &format!("if crate::mutated::active({number}) {open}{}{close} else ", site.mutated);
            self.region(from, &[(*number, site)]);
        }
        self.planting.text += open;
        self.write(range, inside);
        self.planting.text += close;
        self.planting.text += if all { ")" } else { "" };
        self.region(begin, faults);
    }

    fn region(&mut self, begin: usize, faults: &[(u32, &Site)]) {
        let faults = faults.iter().map(|(number, _)| *number).collect();
        self.planting.regions.push(Region { range: begin..self.planting.text.len(), faults });
    }
}
