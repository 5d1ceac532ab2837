//! Adds redirects where a site has them: its `_redirects` file, or else the contract.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_check::internal::contract::{Contract, Permissions};
use sitegate_check::internal::redirect_proposals::{RedirectProposal, redirects_source};
use sitegate_check::internal::resolve::path::escape_path;

use crate::error::Error;

/// The file to change is known, so that it may have any content.
const EDITED: OutputKind = OutputKind { name: "a text", is_own: |_| true };

/// The file that gets redirects.
pub enum RedirectsFile {
    /// The source of the `_redirects` file of the export. It supports patterns.
    Redirects(PathBuf),
    /// The contract, with `[[redirects]]`.
    Contract(PathBuf),
}

impl RedirectsFile {
    /// Finds the file of a site.
    ///
    /// # Errors
    /// If there is none, or it cannot be determined.
    pub fn find(contract: &Contract, export: &Path) -> Result<RedirectsFile, Error> {
        let folder = contract.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        if export.join("_redirects").is_file() {
            let found = redirects_source(export, folder);
            return found.map(RedirectsFile::Redirects).ok_or_else(|| {
                Error::usage(
                    "--write: the export has a `_redirects` file, and no single source with the same content was \
                     found; add the redirects by hand",
                )
            });
        }
        match &contract.file {
            Some(file) if file.is_file() => Ok(RedirectsFile::Contract(file.clone())),
            _ => Err(Error::usage(
                "--write: there is no `_redirects` file and no contract; write one: sitegate init DIR",
            )),
        }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        match self {
            RedirectsFile::Redirects(path) | RedirectsFile::Contract(path) => path,
        }
    }

    /// Appends redirects, and keeps all else as it is. `base_path` is that of the site. Returns their number.
    ///
    /// # Errors
    /// If the file cannot be read or written, or a redirect cannot be written in its format. Then it is not changed.
    pub fn append(&self, redirects: &[&RedirectProposal], base_path: &str) -> Result<usize, Error> {
        let path = self.path();
        let old = fs::read_to_string(path).map_err(Error::file(path))?;
        let newline = if old.contains("\r\n") { "\r\n" } else { "\n" };
        // Addresses in both files begin at the root of the export.
        let below = |address: &str| match address.strip_prefix(base_path) {
            Some(rest) => format!("/{}", escape_path(rest)),
            None => escape_path(address),
        };
        let mut lines: Vec<String> = Vec::new();
        let mut written = 0;
        for redirect in redirects {
            match self {
                RedirectsFile::Redirects(_) => {
                    lines.push(format!("{}  {}  301", below(&redirect.from), below(&redirect.to)));
                    written += 1;
                }
                RedirectsFile::Contract(_) if redirect.replaces.is_empty() => {
                    lines.extend(table(&below(&redirect.from), &below(&redirect.to)));
                    written += 1;
                }
                RedirectsFile::Contract(_) => {
                    for single in &redirect.replaces {
                        lines.extend(table(&below(&single.from), &below(&single.to)));
                        written += 1;
                    }
                }
            }
        }
        let mut text = old.clone();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(newline);
        }
        for line in lines {
            text.push_str(&line);
            text.push_str(newline);
        }
        if let RedirectsFile::Contract(_) = self {
            Contract::from_text(path, text.clone(), &Permissions::default())?;
        }
        atomic_file::write(path, EDITED, |mut out| out.write_all(text.as_bytes()))
            .map_err(Error::file(path))?;
        Ok(written)
    }
}

/// Returns the lines of `[[redirects]]`. Escaped addresses have no character that a string of TOML must escape.
fn table(from: &str, to: &str) -> [String; 4] {
    [String::new(), "[[redirects]]".to_owned(), format!("from = \"{from}\""), format!("to = \"{to}\"")]
}
