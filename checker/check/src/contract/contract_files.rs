//! Reads the files of a contract: `sitegate.toml`, the bases that it `extends`, and the baseline that it names.
//!
//! Each contract file starts at its own offset, as if all files were concatenated. So one byte range identifies both a
//! file and a location in it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::access::{Access, Permissions, read_limited};
use super::error::{ContractError, ErrorSource, Fault, key_before_value, line_and_column, readable_message};
use super::raw_contract::KEYS;
use super::rule_entries::LEVEL;
use sitegate_base::atomic_file::OutputKind;
use sitegate_base::nearest::{nearest, nearest_entry};

/// The contract's file name in the working directory.
pub const CONTRACT_FILE: &str = "sitegate.toml";

/// The key that lists a contract's bases.
const EXTENDS: &str = "extends";

/// Maximum number of files of a contract. Each is parsed after as much white space as all files before it are long.
const MAX_FILES: usize = 100;

/// One file of a contract.
#[derive(Clone, Debug)]
pub struct ContractFile {
    /// The path, as given or resolved.
    pub file: PathBuf,
    /// The text.
    pub source: String,
    /// The offset of the first byte.
    start: usize,
    /// Whether the file is known to be a contract, so that errors can show its lines.
    is_contract: bool,
}

impl ContractFile {
    /// Returns the file's name for messages.
    pub fn name(&self) -> String {
        self.file.display().to_string()
    }
}

/// The files of a contract. The contract itself is the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    files: Vec<ContractFile>,
    /// Each file's text after white space that shifts its spans by its offset.
    padded: Vec<String>,
    /// The files in order of precedence: a base before the file that extends it.
    order: Vec<usize>,
    /// The files and variables that the contract can use.
    pub access: Access,
}

impl Documents {
    /// Reads a contract and its bases.
    pub fn read(file: &Path, permissions: &Permissions) -> Result<Documents, ContractError> {
        let access = Access::new(file, permissions);
        let mut documents = Documents { access, ..Documents::default() };
        // A shell passes the output of a command as a file of `/dev`.
        let read = if file.starts_with("/dev") { read_limited(file) } else { documents.access.read(file) };
        // The link of a pull request can point to any file.
        let is_link = fs::symlink_metadata(file).is_ok_and(|found| found.is_symlink());
        documents.add(file, read, !is_link, &[])?;
        Ok(documents)
    }

    /// Parses a contract with this text, and reads its bases.
    pub fn with_text(
        file: &Path,
        source: String,
        permissions: &Permissions,
    ) -> Result<Documents, ContractError> {
        let mut documents = Documents { access: Access::new(file, permissions), ..Documents::default() };
        documents.add_text(file, source, true, &[])?;
        Ok(documents)
    }

    fn add(
        &mut self,
        file: &Path,
        read: io::Result<Vec<u8>>,
        is_contract: bool,
        chain: &[PathBuf],
    ) -> Result<(), ContractError> {
        let text = read.and_then(|bytes| {
            String::from_utf8(bytes)
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
        });
        let source = text.map_err(|error| match unreadable_contract(file, &error) {
            Some(message) if chain.is_empty() => ContractError::about(file, message),
            _ => ContractError::about(file, error),
        })?;
        self.add_text(file, source, is_contract, chain)
    }

    fn add_text(
        &mut self,
        file: &Path,
        source: String,
        is_contract: bool,
        chain: &[PathBuf],
    ) -> Result<(), ContractError> {
        let start = self.files.last().map_or(0, |last| last.start + last.source.len() + 1);
        let index = self.files.len();
        // A byte order mark is only allowed at the very start, so white space replaces it.
        let text = source.strip_prefix('\u{feff}');
        let mark = source.len() - text.unwrap_or(&source).len();
        let padded = [" ".repeat(start + mark).as_str(), text.unwrap_or(&source)].concat();
        self.files.push(ContractFile { file: file.to_path_buf(), source, start, is_contract });
        let named = {
            let table = DeTable::parse(&padded).map_err(|error| self.toml_error(&error))?;
            let unknown = table.get_ref().keys().find(|key| !is_known(key.get_ref()));
            match unknown {
                Some(key) if !is_contract => {
                    let near = nearest(key.get_ref(), KEYS.iter().map(String::as_str))
                        .map(|near| format!("; did you mean `{near}`?"));
                    let message = format!("unknown key{}", near.unwrap_or_default());
                    return Err(self.error(key.span(), message));
                }
                _ => self.files[index].is_contract = true,
            }
            bases(table.get_ref()).map_err(|fault| self.fault(fault))?
        };
        self.padded.push(padded);
        let real = |path: &Path| fs::canonicalize(path);
        let chain: Vec<PathBuf> = chain.iter().cloned().chain(real(file).ok()).collect();
        for (name, span) in named {
            let base = file.parent().unwrap_or(Path::new("")).join(name);
            let found = self
                .access
                .real_path(&base)
                .map_err(|e| self.error(span.clone(), format!("`extends`: {}: {e}", base.display())))?;
            if chain.contains(&found) {
                let message = format!("`extends` is circular: {} was already read", base.display());
                return Err(self.error(span, message));
            }
            if self.files.len() == MAX_FILES {
                let message = format!("`extends`: a contract has at most {MAX_FILES} files");
                return Err(self.error(span, message));
            }
            // A base that two files share is read once.
            if !self.files.iter().any(|known| real(&known.file).is_ok_and(|known| known == found)) {
                let read = self.access.read(&base);
                self.add(&base, read, false, &chain)?;
            }
        }
        self.order.push(index);
        Ok(())
    }

    /// Merges all files into one table.
    pub fn table(&self) -> Result<Spanned<DeTable<'_>>, ContractError> {
        let mut merged = DeTable::new();
        for &index in &self.order {
            let table = DeTable::parse(&self.padded[index]).map_err(|error| self.toml_error(&error))?;
            merge(&mut merged, table.into_inner(), 0);
        }
        Ok(Spanned::new(0..0, merged))
    }

    /// Returns the contract and its bases.
    pub fn split(mut self) -> (Option<ContractFile>, Vec<ContractFile>) {
        let bases = self.files.split_off(self.files.len().min(1));
        (self.files.pop(), bases)
    }

    /// Returns an error at a span in one of the files.
    pub fn error(&self, span: Range<usize>, reason: impl Into<ErrorSource>) -> ContractError {
        let Some((_, document)) = document_at(&self.files, span.start) else {
            return ContractError::about(Path::new(""), reason);
        };
        let span = relative_offset(document, span.start)..relative_offset(document, span.end.max(span.start));
        if document.is_contract {
            return ContractError::at(&document.file, &document.source, span, reason);
        }
        let (line, ..) = line_and_column(&document.source, span.start);
        ContractError::about(&document.file, format!("line {line}: {}", reason.into()))
    }

    /// Converts a fault to an error.
    pub fn fault(&self, (span, reason): Fault) -> ContractError {
        self.error(span, reason)
    }

    /// Converts a TOML error to an error with file, line and key.
    pub fn toml_error(&self, error: &toml::de::Error) -> ContractError {
        let span = error.span().unwrap_or(0..0);
        let line = document_at(&self.files, span.start).map(|(_, document)| {
            let (_, column, line) = line_and_column(&document.source, relative_offset(document, span.start));
            line.chars().take(column - 1).collect::<String>()
        });
        self.error(span, readable_message(error.message(), line.as_deref().and_then(key_before_value)))
    }

    /// Returns the files that values come from: `{ file = …, pointer = … }` at any depth.
    pub fn referenced_files(&self, table: &DeTable<'_>) -> Vec<PathBuf> {
        let named = if is_setting(table) { table.get("file") } else { None };
        let named =
            named.and_then(|file| Some(self.folder(file.span().start).join(file.get_ref().as_str()?)));
        let below = table.values().flat_map(|value| match value.get_ref() {
            DeValue::Table(inner) => self.referenced_files(inner),
            DeValue::Array(entries) => entries
                .iter()
                .filter_map(|one| one.get_ref().as_table())
                .flat_map(|one| self.referenced_files(one))
                .collect(),
            _ => Vec::new(),
        });
        named.into_iter().chain(below).collect()
    }

    /// Returns the folder that paths at this offset are relative to.
    pub fn folder(&self, offset: usize) -> &Path {
        document_at(&self.files, offset)
            .and_then(|(_, document)| document.file.parent())
            .unwrap_or(Path::new(""))
    }
}

/// Explains why a contract cannot be read, if its path is wrong.
fn unreadable_contract(file: &Path, error: &io::Error) -> Option<String> {
    let inside = file.join(CONTRACT_FILE);
    match error.kind() {
        io::ErrorKind::NotFound => Some(match nearest_entry(file) {
            Some(near) => format!("there is no such file; did you mean `{}`?", near.display()),
            None => {
                format!("there is no such file; `sitegate init --config {}` writes one", file.display())
            }
        }),
        _ if inside.is_file() => Some(format!("this is a folder; did you mean `{}`?", inside.display())),
        _ if file.is_dir() => Some("this is a folder; name a contract file".to_owned()),
        _ => None,
    }
}

/// The kind of contracts: TOML with no other keys at the top than those of contracts.
pub const OUTPUT_KIND: OutputKind = OutputKind {
    refusal: "is not a contract",
    replaces: |text| {
        let keys =
            DeTable::parse(text).map(|table| table.get_ref().keys().all(|key| is_known(key.get_ref())));
        keys.unwrap_or_default()
    },
};

fn is_known(key: &str) -> bool {
    KEYS.iter().any(|known| known == key)
}

/// Returns the document that contains an offset.
pub(super) fn document_at(documents: &[ContractFile], offset: usize) -> Option<(usize, &ContractFile)> {
    documents.iter().enumerate().rev().find(|(_, document)| document.start <= offset)
}

/// Returns an offset relative to its document.
pub(super) fn relative_offset(document: &ContractFile, offset: usize) -> usize {
    offset - document.start
}

/// Returns the span of the last key on a path such as `["rules", "broken-link", "ignore"]`.
pub(crate) fn key_span(table: &DeTable<'_>, path: &[&str]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.get_key_value(*first)?;
    match rest {
        [] => Some(key.span()),
        rest => key_span(value.get_ref().as_table()?, rest),
    }
}

/// Returns the bases of a contract, in order.
fn bases(table: &DeTable<'_>) -> Result<Vec<(String, Range<usize>)>, Fault> {
    let Some(value) = table.get(EXTENDS) else { return Ok(Vec::new()) };
    let entries = match value.get_ref() {
        DeValue::Array(entries) => entries.iter().collect(),
        _ => vec![value],
    };
    let path = |entry: &Spanned<DeValue<'_>>| match entry.get_ref().as_str() {
        Some(path) => Ok((path.to_owned(), entry.span())),
        None => Err((entry.span(), "`extends` is the path of a file, or a list of paths".into())),
    };
    entries.into_iter().map(path).collect()
}

/// Merges the keys of the extending file into its base. Sections merge, and so do rules and groups. Lists of tables are
/// joined, the extending file's last. Any other value is replaced.
fn merge<'t>(base: &mut DeTable<'t>, nearer: DeTable<'t>, depth: usize) {
    for (key, value) in nearer {
        let Some((old_key, mut old)) = base.remove_entry(&key) else {
            base.insert(key, value);
            continue;
        };
        let (old_span, span) = (old.span(), value.span());
        let joined = match (old.get_mut(), value.into_inner()) {
            (DeValue::Table(old), DeValue::Table(new)) if depth < 2 && !is_setting(&new) => {
                merge(old, new, depth + 1);
                None
            }
            // `broken-link = "warn"` is short for a table with a level.
            (DeValue::Table(old), DeValue::String(level)) if depth == 1 && !is_setting(old) => {
                let level = Spanned::new(span.clone(), DeValue::String(level));
                old.insert(Spanned::new(span.clone(), LEVEL.into()), level);
                None
            }
            (DeValue::String(level), DeValue::Table(mut new)) if depth == 1 && !is_setting(&new) => {
                if !new.contains_key(LEVEL) {
                    let level = Spanned::new(old_span.clone(), DeValue::String(std::mem::take(level)));
                    new.insert(Spanned::new(old_span, LEVEL.into()), level);
                }
                Some(DeValue::Table(new))
            }
            (DeValue::Array(old), DeValue::Array(new)) if all_tables(old) && all_tables(&new) => {
                new.into_iter().for_each(|entry| old.push(entry));
                None
            }
            (_, new) => Some(new),
        };
        match joined {
            None => base.insert(old_key, old),
            Some(new) => base.insert(key, Spanned::new(span, new)),
        };
    }
}

/// Returns whether a table is a value from another file: `{ file = …, pointer = … }`.
fn is_setting(table: &DeTable<'_>) -> bool {
    table.contains_key("pointer")
}

fn all_tables(array: &toml::de::DeArray<'_>) -> bool {
    array.iter().all(|entry| entry.get_ref().is_table())
}

/// A baseline file. It is read once, so that the seal covers exactly the applied content.
#[derive(Debug)]
pub struct BaselineFile {
    path: PathBuf,
    content: io::Result<Vec<u8>>,
}

impl BaselineFile {
    /// Reads a baseline. A read error is reported when the content is needed.
    pub fn read(path: &Path) -> BaselineFile {
        BaselineFile { path: path.to_path_buf(), content: fs::read(path) }
    }

    /// Creates a baseline from the result of reading it.
    pub(super) fn of(path: PathBuf, content: io::Result<Vec<u8>>) -> BaselineFile {
        BaselineFile { path, content }
    }

    /// Returns the file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the content; `None` if the file could not be read.
    pub fn bytes(&self) -> &[u8] {
        self.content.as_deref().unwrap_or_default()
    }

    /// Returns the content.
    ///
    /// # Errors
    /// When the file could not be read.
    pub fn content(&self) -> Result<&[u8], &io::Error> {
        self.content.as_deref()
    }
}
