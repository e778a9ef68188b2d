//! Fields of the packed structures in generated packages.

/// A field of a packed structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name, with the names of the fields that hold it.
    pub name: String,
    /// Lowest bit.
    pub low: u32,
    /// Number of bits.
    pub width: u32,
}

/// Text of a module or package by its name.
type Texts<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The fields of a signal of a module, bit 0 first, if the type of the signal is a structure of a package.
pub fn fields_of(module: &str, signal: &str, texts: Texts) -> Option<Vec<Field>> {
    let text = texts(module)?;
    let mut declarations = text.lines().filter_map(|line| {
        let mut words =
            line.split("//").next()?.split_whitespace().map(|word| word.trim_end_matches([',', ';']));
        let kind = words.find(|word| word.contains("::"))?;
        (words.next() == Some(signal)).then(|| kind.to_string())
    });
    let (package, name) =
        declarations.next()?.split_once("::").map(|(a, b)| (a.to_string(), b.to_string()))?;
    structure(&package, &name, texts)
}

/// The fields of a type of a package, bit 0 first.
fn structure(package: &str, name: &str, texts: Texts) -> Option<Vec<Field>> {
    let text = texts(package)?;
    let lines: Vec<_> = text.lines().map(|line| line.split("//").next().unwrap_or(line).trim()).collect();
    let end = lines.iter().position(|line| *line == format!("}} {name};"))?;
    let begin = lines[..end].iter().rposition(|line| line.starts_with("typedef "))?;
    if !lines[begin].starts_with("typedef struct packed") {
        return None;
    }
    // The last field of the text is at bit 0.
    let (mut fields, mut path, mut low) = (Vec::new(), Vec::new(), 0);
    for line in lines[begin + 1..end].iter().rev().filter(|line| !line.is_empty()) {
        if line.starts_with("struct packed") {
            path.pop();
            continue;
        }
        let code = line.strip_suffix(';')?;
        if let Some(name) = code.strip_prefix("} ") {
            path.push(name);
            continue;
        }
        let (kind, name) = code.rsplit_once(' ')?;
        let width = width(package, kind, texts)?;
        let name = path.iter().copied().chain([name]).collect::<Vec<_>>().join(".");
        fields.push(Field { name, low, width });
        low += width;
    }
    Some(fields)
}

/// Bits of a type as a package writes it: `logic`, `logic [7:0]`, or a type of this or another package.
fn width(package: &str, kind: &str, texts: Texts) -> Option<u32> {
    if let Some(range) = kind.strip_prefix("logic") {
        let high = range.trim().strip_prefix('[').and_then(|range| range.strip_suffix(":0]"));
        return high.map_or(Some(1), |high| Some(high.parse::<u32>().ok()? + 1));
    }
    let (package, name) = kind.split_once("::").unwrap_or((package, kind));
    if let Some(fields) = structure(package, name, texts) {
        return Some(fields.iter().map(|field| field.width).sum());
    }
    let text = texts(package)?;
    let (before, _) = text.split_once(&format!("}} {name};"))?;
    let (_, enumeration) = before.rsplit_once("typedef enum ")?;
    width(package, enumeration.split_once(" {")?.0, texts)
}
