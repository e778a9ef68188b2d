//! Files of the page, compiled into the program.

/// The page itself.
pub const INDEX: &str = include_str!("../../page/index.html");

macro_rules! files {
    ($($kind:literal: $($name:literal),*;)*) => {
        &[$($(($name, $kind, include_str!(concat!("../../page/", $name)))),*),*]
    };
}

/// Name, type and content of each file.
const FILES: &[(&str, &str, &str)] = files! {
    "text/css; charset=utf-8": "style.css";
    "text/javascript; charset=utf-8":
        "main.js", "connection.js", "run.js", "dom.js",
        "views/cluster.js", "views/device.js", "views/block.js", "views/time.js", "views/console.js", "views/tour.js";
};

/// Type and content of a file.
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
    fn every_module_of_the_folder_is_served() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
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
