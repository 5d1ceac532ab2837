//! Finds the file that gets the redirects of a site: one that its host reads, or else the contract. Reads and writes its
//! entries: the lines of `_redirects`, and the `[[redirects]]` of a contract and of `netlify.toml`.
//!
//! A configuration file of the host is not edited, because its other settings are those of people: they add the
//! entries.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use sitegate_address::UrlReference;
use sitegate_address::percent::{decode, escape_path};
use sitegate_address::relative::join_segments;
use sitegate_host::redirects::{
    Redirect, RedirectOrigin, Redirects, TomlRedirect, redirect_key, toml_redirects,
};
use sitegate_host::{Host, REDIRECTS_FILE, RedirectLimits, redirect_limits};
use thiserror::Error;

use super::site::{RedirectSite, RedirectsFile};
use crate::contract::{Contract, is_redirectable};
use crate::deployment::host_of_domain;
use crate::redirect_proposals::RedirectProposal;
use crate::source_map::authored_export;

/// A file that gets redirects, and a similar one that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The file.
    pub file: RedirectsFile,
    /// Whether the export has a `_redirects` file that the host does not read.
    pub has_unread_lines: bool,
}

/// Why no file can get redirects.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NoRedirectsFile {
    /// The `_redirects` file of the export has no source.
    #[error(
        "the export has a `_redirects` file, and no single source with the same content was found; build the site \
         again, or add the redirects by hand"
    )]
    NoSource,
    /// There is no file at all.
    #[error("there is no `_redirects` file and no contract; write one: sitegate init DIR")]
    NoContract,
    /// The origin is on the domain of a host that does not read the export's `_redirects`.
    #[error("the origin is on the domain of {0}, which does not read `_redirects`; set `host` of [site]")]
    UnclearHost(&'static str),
}

impl RedirectsFile {
    /// Finds the file of a site.
    ///
    /// # Errors
    /// If there is none, or it cannot be determined.
    pub fn find(site: &RedirectSite, contract: &Contract) -> Result<FoundFile, NoRedirectsFile> {
        let host = site.host();
        let exported = site.export.find(REDIRECTS_FILE.as_bytes()).map(|file| site.export.disk_path(file));
        let is_read = exported.is_some() && redirect_limits(host).is_some();
        let has_unread_lines = exported.is_some() && !is_read;
        let found = |file| Ok(FoundFile { file, has_unread_lines });
        let of_contract = contract.file.clone().filter(|file| file.is_file()).map(RedirectsFile::Contract);
        if let Some(exported) = exported.filter(|_| is_read) {
            let domain = site.settings.origin.as_ref().and_then(host_of_domain);
            if let Some(owner) =
                domain.filter(|owner| host.is_none() && redirect_limits(Some(*owner)).is_none())
            {
                return Err(NoRedirectsFile::UnclearHost(owner.name()));
            }
            let is_authored =
                authored_export(&contract.source_files, site.export.root()).is_some_and(|folder| {
                    contract.source_files.contain(&join_segments(&[&folder, REDIRECTS_FILE]))
                });
            if is_authored {
                return found(RedirectsFile::Lines(exported));
            }
            let folder = contract.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
            return match (redirects_source(site.export.root(), folder), of_contract) {
                (Some(source), _) => found(RedirectsFile::Lines(source)),
                // `sitegate host-config` has written it.
                (None, Some(file)) if is_of_contract(&exported, host, contract) => found(file),
                (None, _) => Err(NoRedirectsFile::NoSource),
            };
        }
        if let Some((path, owner)) = config_file(site, contract) {
            let is_editable = owner == Host::Netlify && contract.host_config.is_some();
            if is_editable {
                return found(RedirectsFile::Netlify(path));
            }
            return found(RedirectsFile::ReadOnly(path, owner));
        }
        of_contract.map_or(Err(NoRedirectsFile::NoContract), found)
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        match self {
            RedirectsFile::Lines(path)
            | RedirectsFile::Contract(path)
            | RedirectsFile::Netlify(path)
            | RedirectsFile::ReadOnly(path, _) => path,
        }
    }

    /// Returns the redirects that its format can express instead of this one.
    pub(super) fn expressible<'r>(&self, redirect: &'r RedirectProposal) -> &'r [RedirectProposal] {
        let has_patterns = matches!(self, RedirectsFile::Lines(_) | RedirectsFile::Netlify(_));
        if has_patterns && !has_placeholder(redirect.from.trim_end_matches('*')) {
            return std::slice::from_ref(redirect);
        }
        redirect.singles()
    }

    /// Returns why nothing can be added to its text.
    pub(super) fn fault(&self, text: &str) -> Option<&'static str> {
        let has_tables = matches!(self, RedirectsFile::Contract(_) | RedirectsFile::Netlify(_));
        (has_tables && has_inline_list(text))
            .then_some("`redirects` is a list in one value; write each entry as a table `[[redirects]]`")
    }

    /// Returns why its format cannot have a redirect.
    pub(super) fn objection(&self, redirect: &RedirectProposal, site: &RedirectSite) -> Option<String> {
        let path = site.below_root(&redirect.from);
        let path = if redirect.is_pattern() { path.trim_end_matches('*') } else { &path };
        if path.contains("//") {
            return Some("hosts merge repeated slashes".to_owned());
        }
        if has_placeholder(path) {
            return Some("`*` and `/:` make a pattern for other addresses, too".to_owned());
        }
        match self {
            RedirectsFile::Contract(_) if redirect_key(path).is_empty() => {
                Some("`[[redirects]]` cannot redirect the home page".to_owned())
            }
            RedirectsFile::Contract(_) if !is_redirectable(path.trim_end_matches('/')) => {
                Some("`from` of `[[redirects]]` cannot have spaces, quotes, `%`, `;` and the like".to_owned())
            }
            RedirectsFile::ReadOnly(file, owner) => Some(objection_to_entry(file, *owner)),
            RedirectsFile::Lines(_)
                if redirect_limits(site.host()).is_some_and(|limits| {
                    limits.line < escape_path(path).len() + redirect.destination.len() + 7
                }) =>
            {
                Some("the host does not read lines of this length".to_owned())
            }
            _ => None,
        }
    }

    /// Returns the limits of the file; none for the contract, which `sitegate host-config` compares.
    pub(super) fn limits(&self, host: Option<Host>) -> Option<RedirectLimits> {
        if matches!(self, RedirectsFile::Lines(_)) { redirect_limits(host) } else { None }
    }
}

/// Whether a path would be read as a pattern.
fn has_placeholder(path: &str) -> bool {
    path.contains('*') || path.contains("/:")
}

/// Returns the configuration file of the host with redirects: that of the contract, or one in the export.
fn config_file(site: &RedirectSite, contract: &Contract) -> Option<(PathBuf, Host)> {
    let is_host = |owner: &Host| site.host().is_none_or(|host| host == *owner);
    if let Some(named) = contract.host_config.as_ref().filter(|named| is_host(&named.host)) {
        return Some((named.path.clone(), named.host));
    }
    Host::ALL.into_iter().filter(is_host).find_map(|owner| {
        let file = site.export.find(owner.config_file()?.as_bytes())?;
        Some((site.export.disk_path(file), owner))
    })
}

/// Whether a `_redirects` file has the redirects of the contract, and no others.
fn is_of_contract(file: &Path, host: Option<Host>, contract: &Contract) -> bool {
    let Ok(text) = fs::read_to_string(file) else { return false };
    let read = Redirects::parse(&text, host);
    let written = contract.redirects.iter().map(|moved| (moved.from.as_str(), moved.to.as_str()));
    read.malformed.is_empty()
        && !text.contains('#')
        && read.all.iter().map(|line| (line.from.as_str(), line.to.as_str())).eq(written)
}

/// Maximum depth of the file below the folder.
const MAX_DEPTH: usize = 6;

/// Names of folders with files for tests and examples, which belong to other sites.
const OTHER_SITES: [&str; 16] = [
    "node_modules",
    ".git",
    "test",
    "tests",
    "__tests__",
    "testdata",
    "test-data",
    "fixture",
    "fixtures",
    "__fixtures__",
    "spec",
    "specs",
    "e2e",
    "example",
    "examples",
    "samples",
];

/// Returns the only file below a folder with the name and the content of the export's `_redirects`. Files that git ignores
/// do not count, and neither do the export and fixtures of tests.
fn redirects_source(export: &Path, folder: &Path) -> Option<PathBuf> {
    let exported = fs::read(export.join(REDIRECTS_FILE)).ok()?;
    let export = fs::canonicalize(export).ok()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut builder = WalkBuilder::new(folder);
    builder.hidden(false).require_git(false).git_global(false).max_depth(Some(MAX_DEPTH));
    builder.filter_entry(move |entry| {
        let is_skipped =
            entry.depth() > 0 && entry.file_name().to_str().is_some_and(|name| OTHER_SITES.contains(&name));
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        !is_folder || !is_skipped && !fs::canonicalize(entry.path()).is_ok_and(|path| path == export)
    });
    let files = builder.build().filter_map(Result::ok).filter(|entry| entry.file_name() == REDIRECTS_FILE);
    let mut same = files.filter(|entry| fs::read(entry.path()).is_ok_and(|content| content == exported));
    let found = same.next()?.into_path();
    same.next().is_none().then_some(found)
}

/// Returns why such a file does not get a redirect.
fn objection_to_entry(path: &Path, owner: Host) -> String {
    let name = owner.config_file().unwrap_or_default();
    match path.file_name() {
        Some(own) if own == name => format!("{name} is only read: add it there"),
        _ => format!("`{}` reads its redirects from {name}: add it there", owner.name()),
    }
}

/// Returns the entries for redirects, each with the addresses that it is for, in the syntax of the host's file. Leaves out
/// those that its patterns would change.
pub fn entries_to_add(site: &RedirectSite, owner: Host, redirects: &[RedirectProposal]) -> Vec<String> {
    let singles = redirects.iter().flat_map(RedirectProposal::singles);
    singles.filter_map(|redirect| entry_to_add(site, owner, redirect)).collect()
}

fn entry_to_add(site: &RedirectSite, owner: Host, redirect: &RedirectProposal) -> Option<String> {
    let from = escape_path(&site.below_root(&redirect.from));
    let (source, to) = (quoted(&from), quoted(&redirect.destination));
    let (text, document) = match owner {
        Host::Netlify => {
            let text = table(&from, &redirect.destination, "\n").trim_start().to_owned();
            (text.clone(), text)
        }
        Host::Vercel => {
            let text = format!("{{ \"source\": {source}, \"destination\": {to}, \"permanent\": true }}");
            (text.clone(), format!("{{\"redirects\":[{text}]}}"))
        }
        Host::Firebase => {
            let text = format!("{{ \"source\": {source}, \"destination\": {to}, \"type\": 301 }}");
            (text.clone(), format!("{{\"hosting\":{{\"redirects\":[{text}]}}}}"))
        }
        Host::AzureStaticWebApps => {
            let text = format!("{{ \"route\": {source}, \"redirect\": {to}, \"statusCode\": 301 }}");
            (text.clone(), format!("{{\"routes\":[{text}]}}"))
        }
        _ => return None,
    };
    is_read_as(owner, &document, redirect, &site.below_root(&redirect.from)).then_some(text)
}

/// Whether the host's file redirects this address, and no other.
fn is_read_as(owner: Host, document: &str, redirect: &RedirectProposal, from: &str) -> bool {
    let read = |name: &str| (owner.config_file() == Some(name)).then(|| Ok(document.into()));
    Redirects::of_files(read, Some(owner), None, &[]).is_ok_and(|redirects| {
        matches!(&*redirects.all, [one] if !one.is_pattern() && one.from == from && one.to == redirect.destination)
    })
}

/// Returns a string of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A redirect in a text.
#[derive(Debug)]
pub(super) struct RedirectEntry {
    /// The redirect.
    pub redirect: Redirect,
    /// The whole entry, with its last newline.
    pub block: Range<usize>,
    /// The destination, without quotes.
    pub to: Range<usize>,
    /// Whether it has only a source, a destination and a status.
    pub is_plain: bool,
}

impl RedirectEntry {
    /// Whether it may be changed or removed: a redirect of one address, without conditions.
    pub fn is_editable(&self) -> bool {
        self.is_plain
            && self.redirect.is_http_redirect()
            && !self.redirect.is_pattern()
            && !self.redirect.has_placeholders()
    }

    /// Returns the key of its source.
    pub fn key(&self) -> String {
        redirect_key(&self.redirect.from)
    }

    /// Returns the key of its destination below a base path, if it is on this site, and its query and fragment.
    pub fn destination(&self, base_path: &str) -> Option<(String, &str)> {
        let to = UrlReference::new(self.redirect.to.as_str());
        Some((destination_key(to.path(), base_path)?, to.query_and_fragment()))
    }
}

/// Returns the key of an encoded path below a base path; `None` for a URL.
pub(super) fn destination_key(path: &str, base_path: &str) -> Option<String> {
    let path = UrlReference::new(path).path();
    if !path.starts_with('/') || path.starts_with("//") {
        return None;
    }
    let path = decode(path)?;
    Some(redirect_key(path.strip_prefix(base_path).unwrap_or(&path)))
}

/// The parts of a plain line: source, destination, status.
const LINE_PARTS: usize = 3;

/// Returns the redirects of a `_redirects` file.
pub(super) fn line_entries(text: &str, host: Option<Host>) -> Vec<RedirectEntry> {
    let entry = |redirect: Redirect| {
        let to = redirect.span.start as usize..redirect.span.end as usize;
        let start = text[..to.start].rfind('\n').map_or(0, |at| at + 1);
        let start = if text[start..].starts_with('\u{feff}') { start + '\u{feff}'.len_utf8() } else { start };
        let end = text[to.end..].find('\n').map_or(text.len(), |at| to.end + at + 1);
        let words = text[start..end].split_whitespace().take_while(|word| !word.starts_with('#')).count();
        let is_plain = words <= LINE_PARTS && !redirect.is_conditional();
        RedirectEntry { redirect, block: start..end, to, is_plain }
    };
    Redirects::parse(text, host).all.into_iter().map(entry).collect()
}

/// Returns a new line of a `_redirects` file, without its end.
pub(super) fn line(from: &str, to: &str) -> String {
    format!("{from}  {to}  301")
}

/// The header of a table.
const TABLE_HEADER: &str = "[[redirects]]";

/// Returns the redirects of a contract or of `netlify.toml` that are tables of their own.
pub(super) fn table_entries(text: &str) -> Vec<RedirectEntry> {
    let tables = toml_redirects(text, &RedirectOrigin::Contract).into_iter().flatten().flatten();
    let entry = |TomlRedirect { redirect, values, is_plain }| {
        let to = redirect.span.start as usize..redirect.span.end as usize;
        Some(RedirectEntry { block: table_block(text, &values)?, redirect, to, is_plain })
    };
    tables.filter_map(entry).collect()
}

/// Whether a text has redirects that are no tables of their own: no `[[redirects]]` can be added to them.
pub(super) fn has_inline_list(text: &str) -> bool {
    toml_redirects(text, &RedirectOrigin::Contract)
        .is_some_and(|tables| tables.len() > table_entries(text).len())
}

/// Returns the lines of a table, with its header and an empty line before it; `None` if it has no header of its own.
fn table_block(text: &str, values: &Range<usize>) -> Option<Range<usize>> {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
    let mut start = line_start(values.start);
    loop {
        let line = text[start..values.start].lines().next().unwrap_or_default().trim();
        if line.starts_with(TABLE_HEADER) {
            break;
        }
        if start == 0 || line.starts_with('[') {
            return None;
        }
        start = line_start(start - 1);
    }
    let before = line_start(start.saturating_sub(1));
    if start > 0 && text[before..start].trim().is_empty() {
        start = before;
    }
    let end = text[values.end..].find('\n').map_or(text.len(), |at| values.end + at + 1);
    Some(start..end)
}

/// Returns a new table, without its end. Neither path has a character that a string of TOML must escape.
pub(super) fn table(from: &str, to: &str, newline: &str) -> String {
    ["", TABLE_HEADER, &format!("from = \"{from}\""), &format!("to = \"{to}\"")].join(newline)
}
