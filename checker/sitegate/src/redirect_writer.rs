//! Adds redirects where a site has them: its `_redirects` file, or else the contract.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use sitegate_check::internal::contract::{Contract, Permissions, is_redirectable};
use sitegate_check::internal::redirect_proposals::{RedirectProposal, redirects_source};
use sitegate_check::internal::resolve::path::escape_path;

use sitegate_sources::edits::{ApplyMode, ApplyOptions, NewContent, SourceChanges, apply};

use crate::deferred_signals::without_interruption;
use crate::error::Error;
use crate::refusals::{reason, shown};

/// The file that gets redirects.
pub enum RedirectsFile {
    /// The source of the `_redirects` file of the export. It supports patterns.
    Redirects(PathBuf),
    /// The contract, with `[[redirects]]`.
    Contract(PathBuf),
}

/// The result of adding redirects.
#[derive(Debug, Default)]
pub struct Added {
    /// Number of redirects in the file's format.
    pub count: usize,
    /// Addresses that the format does not allow.
    pub refused: Vec<String>,
}

impl RedirectsFile {
    /// Finds the file of a site. `purpose` begins the error message.
    ///
    /// # Errors
    /// If there is none, or it cannot be determined.
    pub fn find(contract: &Contract, export: &Path, purpose: &str) -> Result<RedirectsFile, Error> {
        let folder = contract.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        if export.join("_redirects").is_file() {
            let found = redirects_source(export, folder);
            return found.map(RedirectsFile::Redirects).ok_or_else(|| {
                Error::usage(format!(
                    "{purpose}: the export has a `_redirects` file, and no single source with the same content was \
                     found; build the site again, or add the redirects by hand",
                ))
            });
        }
        match &contract.file {
            Some(file) if file.is_file() => Ok(RedirectsFile::Contract(file.clone())),
            _ => Err(Error::usage(format!(
                "{purpose}: there is no `_redirects` file and no contract; write one: sitegate init DIR",
            ))),
        }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        match self {
            RedirectsFile::Redirects(path) | RedirectsFile::Contract(path) => path,
        }
    }

    /// Adds redirects, and keeps all else as it is. `base_path` is that of the site.
    ///
    /// # Errors
    /// If the file cannot be read or written, must not be changed, or would not be valid. Then it is not changed.
    pub fn add(
        &self,
        redirects: &[&RedirectProposal],
        base_path: &str,
        permissions: &Permissions,
        options: &ApplyOptions,
    ) -> Result<Added, Error> {
        let path = self.path();
        let old = fs::read_to_string(path).map_err(Error::file(path))?;
        let (text, added) = self.edit(&old, redirects, base_path, permissions)?;
        if added.count > 0 {
            write(path, old, text, options)?;
        }
        Ok(added)
    }

    /// Returns the text of the file with more redirects. `base_path` is that of the site.
    ///
    /// # Errors
    /// If the text would not be valid.
    pub fn edit(
        &self,
        old: &str,
        redirects: &[&RedirectProposal],
        base_path: &str,
        permissions: &Permissions,
    ) -> Result<(String, Added), Error> {
        // Redirected addresses begin at the root of the export. Destinations are for browsers, and have the base path.
        let below = |address: &str| match address.strip_prefix(base_path) {
            Some(rest) => format!("/{}", escape_path(rest)),
            None => escape_path(address),
        };
        match self {
            RedirectsFile::Redirects(_) => {
                let lines =
                    redirects.iter().map(|redirect| (below(&redirect.from), escape_path(&redirect.to)));
                Ok(with_lines(old, lines))
            }
            RedirectsFile::Contract(path) => {
                let redirects = redirects.iter().flat_map(|redirect| redirect.singles());
                let edited =
                    with_tables(old, redirects.map(|single| (below(&single.from), escape_path(&single.to))));
                Contract::from_text(path, edited.0.clone(), permissions)?;
                Ok(edited)
            }
        }
    }
}

/// Writes the file, unless it must not be changed.
fn write(path: &Path, old: String, new: String, options: &ApplyOptions) -> Result<(), Error> {
    let mut changes = SourceChanges::default();
    changes.edit(path, NewContent::Whole { old: old.into_bytes(), new: new.into_bytes() });
    let applied = without_interruption(|| apply(&changes, ApplyMode::WriteEach, options))?;
    let applied = applied.map_err(|error| Error::usage(error.to_string()))?;
    match applied.refused.first() {
        Some(refusal) => Err(Error::usage(format!("{} {}", shown(&refusal.file), reason(refusal)))),
        None => Ok(()),
    }
}

/// Adds lines to the text of a `_redirects` file: before the one for all addresses, since the first that matches applies.
fn with_lines(old: &str, redirects: impl Iterator<Item = (String, String)>) -> (String, Added) {
    let newline = newline(old);
    let lines: Vec<String> = redirects.map(|(from, to)| format!("{from}  {to}  301{newline}")).collect();
    let mut start = 0;
    let is_for_all = |line: &str| line.split_whitespace().next() == Some("/*");
    let position = old.split_inclusive('\n').find_map(|line| {
        start += line.len();
        is_for_all(line).then_some(start - line.len())
    });
    let (before, after) = old.split_at(position.unwrap_or(old.len()));
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { newline };
    let added = Added { count: lines.len(), refused: Vec::new() };
    (format!("{before}{gap}{}{after}", lines.concat()), added)
}

/// Adds `[[redirects]]` to the text of a contract.
fn with_tables(old: &str, redirects: impl Iterator<Item = (String, String)>) -> (String, Added) {
    let newline = newline(old);
    let mut text = old.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(newline);
    }
    let mut added = Added::default();
    let mut known = HashSet::new();
    for (from, to) in redirects {
        // A redirect is for both forms.
        let path = from.trim_end_matches('/');
        if !is_redirectable(path) {
            added.refused.push(from);
        } else if known.insert(path.to_owned()) {
            // Neither path has a character that a string of TOML must escape.
            let lines = ["", "[[redirects]]", &format!("from = \"{from}\""), &format!("to = \"{to}\""), ""];
            text.push_str(&lines.join(newline));
            added.count += 1;
        }
    }
    (text, added)
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use super::{with_lines, with_tables};

    fn redirects(pairs: &[(&str, &str)]) -> impl Iterator<Item = (String, String)> {
        pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
    }

    #[test]
    fn lines_are_before_the_line_for_all_addresses() {
        let lines = |old| with_lines(old, redirects(&[("/a", "/b"), ("/c/*", "/d/:splat")])).0;
        assert_eq!(lines(""), "/a  /b  301\n/c/*  /d/:splat  301\n");
        assert_eq!(lines("# x\r\n/1 /2"), "# x\r\n/1 /2\r\n/a  /b  301\r\n/c/*  /d/:splat  301\r\n");
        assert_eq!(
            lines("/1 /2\n /* /404 404\n#"),
            "/1 /2\n/a  /b  301\n/c/*  /d/:splat  301\n /* /404 404\n#"
        );
        assert_eq!(lines("/* /en/:splat"), "/a  /b  301\n/c/*  /d/:splat  301\n/* /en/:splat");
    }

    #[test]
    fn a_table_is_for_both_forms_of_an_address() {
        let (text, added) = with_tables(
            "# x\r\ny = 1",
            redirects(&[("/a", "/b"), ("/a/", "/b"), ("/gr%C3%B6%C3%9Fe/", "/c")]),
        );
        assert_eq!(text, "# x\r\ny = 1\r\n\r\n[[redirects]]\r\nfrom = \"/a\"\r\nto = \"/b\"\r\n");
        assert_eq!((added.count, added.refused), (1, vec!["/gr%C3%B6%C3%9Fe/".to_owned()]));
    }
}
