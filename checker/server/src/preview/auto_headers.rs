//! Keeps the headers of the contract, with the hashes of the current export instead of `'auto'`.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use sitegate_base::lock::lock;
use sitegate_check::{Contract, Format, HeaderRule, Tree, has_auto_hashes, headers_for, resolve_auto_hashes};

use super::export_files::OpenFile;

/// The headers of a contract that has policies with `'auto'`.
pub(super) struct AutoHeaders(Mutex<ResolvedHeaders>);

struct ResolvedHeaders {
    rules: Vec<HeaderRule>,
    /// The identities of the pages when they were hashed, by path. Very large pages have none.
    pages: HashMap<String, Option<String>>,
}

impl ResolvedHeaders {
    fn new(contract: &Contract, root: &Path) -> io::Result<ResolvedHeaders> {
        // A page that changes meanwhile has another identity afterwards, so that it is hashed again.
        let tree = Tree::walk(root)?;
        let pages = tree.ids().filter(|file| is_page(tree.path(*file)));
        let identity = |file| -> io::Result<_> {
            let opened = OpenFile::open(&tree.disk_path(file))?;
            let identity = opened.content().map(|(_, identity)| identity.to_owned());
            Ok((tree.display(file).into_owned(), identity))
        };
        let pages = pages.map(identity).collect::<io::Result<_>>()?;
        Ok(ResolvedHeaders { rules: resolve_auto_hashes(contract, root)?, pages })
    }
}

impl AutoHeaders {
    /// Computes the hashes; `None` if the contract needs none.
    ///
    /// # Errors
    /// When a page cannot be read.
    pub fn new(contract: &Contract, root: &Path) -> io::Result<Option<AutoHeaders>> {
        if !has_auto_hashes(contract) {
            return Ok(None);
        }
        Ok(Some(AutoHeaders(Mutex::new(ResolvedHeaders::new(contract, root)?))))
    }

    /// Returns the headers for a file, whose identity changes with its content. If a page has changed, all are hashed
    /// again: a reload must show a rebuilt export.
    pub fn of_file(
        &self,
        contract: &Contract,
        root: &Path,
        path: &str,
        identity: Option<&str>,
    ) -> Vec<(String, String)> {
        let mut resolved = lock(&self.0);
        let is_known = || resolved.pages.get(path).is_some_and(|known| known.as_deref() == identity);
        // While the export is being built, the last hashes stay.
        if is_page(path.as_bytes())
            && !is_known()
            && let Ok(current) = ResolvedHeaders::new(contract, root)
        {
            *resolved = current;
        }
        let headers = headers_for(&resolved.rules, &format!("/{path}"));
        headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}

/// Whether a file may have inline code: a page, or an SVG file that a page shows as a document.
fn is_page(path: &[u8]) -> bool {
    matches!(Format::of(path), Format::Html | Format::Svg)
}
