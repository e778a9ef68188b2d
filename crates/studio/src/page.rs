//! Files of the page, compiled into the program.

use std::fmt::Write;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// The page itself.
pub const INDEX: &str = include_str!("../page/index.html");

/// Level of compression of a recording.
const LEVEL: u8 = 6;

macro_rules! files {
    ($($kind:literal: $($name:literal),*;)*) => {
        &[$($(($name, $kind, include_str!(concat!("../page/", $name)))),*),*]
    };
}

/// Name, type and content of each file.
const FILES: &[(&str, &str, &str)] = files! {
    "text/css; charset=utf-8": "style.css";
    "text/javascript; charset=utf-8":
        "main.js", "connection.js", "recording.js", "stops.js", "run.js", "dom.js", "picture.js",
        "views/cluster.js", "views/groups.js", "views/device.js", "views/wires.js", "views/route.js", "views/block.js", "views/time.js", "views/ruler.js", "views/console.js",
        "views/tour.js";
};

/// Folder with the drawings of the state machines, in the clone in which this program was built.
const FIGURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diagrams");

/// The drawing with a name such as `hca_command.svg`; `None` if there is no such file.
pub fn figure(name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.strip_suffix(".svg").filter(|name| name.chars().all(is_plain))?;
    std::fs::read_to_string(Path::new(FIGURES).join(name)).ok()
}

/// The page as one file that contains a recording, without any other file or server.
pub fn alone(recording: &str) -> String {
    let modules = FILES.iter().filter(|(name, ..)| name.ends_with(".js"));
    let imports: Vec<_> = modules
        .map(|(name, _, content)| {
            let address = format!("data:text/javascript,{}", encoded(&with_plain_imports(content)));
            format!("\"studio/{}\": \"{address}\"", base(name))
        })
        .collect();
    let style = FILES.iter().find(|(name, ..)| *name == "style.css").map_or("", |(.., content)| content);
    let recording =
        BASE64_STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(recording.as_bytes(), LEVEL));
    INDEX
        .replace("<link rel=\"stylesheet\" href=\"page/style.css\">", &format!("<style>\n{style}</style>"))
        .replace(
            "<script type=\"module\" src=\"page/main.js\"></script>",
            &format!(
                "<script type=\"importmap\">{{\"imports\": {{{}}}}}</script>\n\
                 <script type=\"text/plain\" id=\"recording\">{recording}</script>\n\
                 <script type=\"module\">import \"studio/main.js\";</script>",
                imports.join(", ")
            ),
        )
}

/// Name of a file without its folder. Modules of the page have different names.
fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Imports by name instead of by place: `from "studio/dom.js"`.
fn with_plain_imports(content: &str) -> String {
    let plain = |line: &str| match line.split_once(" from \"") {
        Some((what, module)) if line.starts_with("import ") => {
            format!("{what} from \"studio/{}", base(module))
        }
        _ => line.to_string(),
    };
    content.lines().map(|line| plain(line) + "\n").collect()
}

/// Text for an address.
fn encoded(text: &str) -> String {
    let mut address = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' => address.push(byte.into()),
            _ => write!(address, "%{byte:02x}").expect("text has room"),
        }
    }
    address
}

/// Type and content of a file.
#[cfg(feature = "serve")]
pub fn file(name: &str) -> Option<(&'static str, &'static str)> {
    FILES.iter().find(|(known, ..)| *known == name).map(|(_, kind, content)| (*kind, *content))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest size of the page in bytes.
    const MOST: usize = 250_000;

    #[test]
    fn page_is_small_and_asks_no_other_host() {
        let all = FILES.iter().map(|(.., content)| *content).chain([INDEX]);
        assert!(all.clone().map(str::len).sum::<usize>() <= MOST);
        for content in all {
            let others = content.replace("http://www.w3.org/2000/svg", "");
            assert!(!others.contains("http://") && !others.contains("https://"), "{content}");
        }
    }

    #[test]
    fn page_alone_imports_by_name_and_needs_no_file() {
        let page = alone("{\"a\": \"</script>\"}");
        assert!(!page.contains("</script>\"}"));
        assert_eq!(
            [&b""[..], b"f", b"fo", b"foo", b"foob"].map(|bytes| BASE64_STANDARD.encode(bytes)),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
        assert!(!page.contains("page/style.css") && !page.contains("src=\"page"));
        let text = with_plain_imports("import { el } from \"../dom.js\";\nconst a = 1;\n");
        assert_eq!(text, "import { el } from \"studio/dom.js\";\nconst a = 1;\n");
        assert_eq!(encoded("a \"%"), "a%20%22%25");
    }

    #[test]
    fn every_module_of_the_folder_is_served() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut there = Vec::new();
        for (folder, prefix) in [(root.clone(), ""), (root.join("views"), "views/")] {
            for file in std::fs::read_dir(folder).unwrap() {
                let name = file.unwrap().file_name().into_string().unwrap();
                if name.ends_with(".js") || name.ends_with(".css") {
                    there.push(format!("{prefix}{name}"));
                }
            }
        }
        there.sort();
        let mut served: Vec<_> = FILES.iter().map(|(name, ..)| name.to_string()).collect();
        served.sort();
        assert_eq!(served, there);
    }
}
