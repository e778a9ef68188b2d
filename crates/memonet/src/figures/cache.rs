//! Cache of products: a run with the binary and the arguments of an earlier one delivers its product.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::Args;
use super::product::Product;
use crate::output;

/// Products kept at most; the oldest are removed first.
const MOST_KEPT: usize = 64;

/// The place of a product in the cache.
pub struct CachedProduct {
    folder: PathBuf,
    file: PathBuf,
}

impl CachedProduct {
    /// The place for these arguments and this binary; `None` where there is no folder for caches.
    pub fn of(args: &Args) -> Option<Self> {
        let caches = cache_folder()?;
        // The file that runs, even if another build has replaced it.
        let binary = fs::read("/proc/self/exe").ok()?;
        Some(Self::below(&caches, &binary, &key(args)))
    }

    fn below(caches: &Path, binary: &[u8], arguments: &[String]) -> Self {
        let mut digest = Sha256::new();
        digest.update(Sha256::digest(binary));
        for argument in arguments {
            digest.update((argument.len() as u64).to_le_bytes());
            digest.update(argument);
        }
        let folder = caches.join("figures");
        let file = folder.join(output::hex(&digest.finalize())).with_extension("json");
        CachedProduct { folder, file }
    }

    /// Where the results are kept; the file may not exist.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The product; `None` if it is missing or damaged.
    pub fn load(&self) -> Option<Product> {
        serde_json::from_slice(&fs::read(&self.file).ok()?).ok()
    }

    /// Keeps a product. A folder that cannot be written disables the cache.
    pub fn store(&self, product: &Product) {
        let written = fs::create_dir_all(&self.folder).is_ok()
            && serde_json::to_vec(product).is_ok_and(|bytes| output::write(&self.file, &bytes).is_ok());
        if written {
            self.remove_oldest();
        }
    }

    fn remove_oldest(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let age = |entry: fs::DirEntry| -> Option<(SystemTime, PathBuf)> {
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        };
        let mut files: Vec<_> = entries.filter_map(age).collect();
        files.sort();
        for (_, file) in files.iter().take(files.len().saturating_sub(MOST_KEPT)) {
            // Another run may have removed it.
            let _ = fs::remove_file(file);
        }
    }
}

/// The folder of Memonet's caches, as for compiled RTL: that of `MEMONET_CACHE`, where `off` disables them, or `memonet`
/// in the user's cache folder.
fn cache_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("MEMONET_CACHE") {
        return Some(PathBuf::from(folder))
            .filter(|folder| folder.as_os_str() != "off" && !folder.as_os_str().is_empty());
    }
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).and_then(absolute);
    let home = || Some(std::env::home_dir().and_then(absolute)?.join(".cache"));
    cache.or_else(home).map(|cache| cache.join("memonet"))
}

/// All arguments that change a product, and the contents of the files that they name.
fn key(args: &Args) -> Vec<String> {
    let Args {
        paper,
        only,
        output,
        bands,
        calibrate,
        leave_one_out,
        foretold,
        host,
        nic,
        one_sided: _,
        // Predictions are computed by further runs of this program, each with a product of its own.
        predict: _,
        fresh: _,
        json: _,
    } = args;
    let contents = |file: Option<&Path>| format!("{:?}", file.map(|file| fs::read(file).ok()));
    vec![
        format!("{paper:?} {bands} {leave_one_out} {}", nic.name()),
        format!("{only:?}"),
        format!("{calibrate:?}"),
        format!("{:?}", output.is_some()),
        format!("{foretold:?}"),
        contents(foretold.as_deref()),
        format!("{host:?}"),
        contents(host.as_deref().map(Path::new)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(text: &str) -> Product {
        let mut product = Product::new(&text, true).unwrap();
        product.add("fidelity/x.md".into(), format!("# {text}\n"));
        product
    }

    #[test]
    fn product_is_kept_for_its_binary_and_arguments_alone() {
        let caches = tempfile::tempdir().unwrap();
        let place = |binary: &str, arguments: &[&str]| {
            let arguments: Vec<_> = arguments.iter().map(ToString::to_string).collect();
            CachedProduct::below(caches.path(), binary.as_bytes(), &arguments)
        };
        let kept = place("build 1", &["a", "bc"]);
        assert_eq!(kept.load(), None);
        kept.store(&product("rows"));
        assert_eq!(place("build 1", &["a", "bc"]).load(), Some(product("rows")));
        for other in
            [place("build 2", &["a", "bc"]), place("build 1", &["ab", "c"]), place("build 1", &["a"])]
        {
            assert_eq!(other.load(), None);
        }
        fs::write(kept.file(), "{\"text\": ").unwrap();
        assert_eq!(kept.load(), None, "a damaged file is no product");
    }

    #[test]
    fn number_of_products_is_bounded() {
        let caches = tempfile::tempdir().unwrap();
        for build in 0..MOST_KEPT + 3 {
            CachedProduct::below(caches.path(), &build.to_le_bytes(), &[]).store(&product("rows"));
        }
        let kept = fs::read_dir(caches.path().join("figures")).unwrap().count();
        assert_eq!(kept, MOST_KEPT);
    }

    #[test]
    fn folder_that_cannot_be_made_disables_the_cache() {
        let place = CachedProduct::below(Path::new("/proc/no/such/folder"), b"", &[]);
        place.store(&product("rows"));
        assert_eq!(place.load(), None);
    }
}
