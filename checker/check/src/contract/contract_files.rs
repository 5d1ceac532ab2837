//! Reads the files of a contract: `sitegate.toml`, and the bases that it `extends`.
//!
//! Each file starts at its own offset, as if all files were concatenated. So one byte range identifies both a file and
//! a location in it.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ContractError, ErrorSource, Fault, line_and_column, readable_message};
use super::rule_setting::LEVEL;

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
}

impl Documents {
    /// Reads a contract and its bases.
    pub fn read(file: &Path) -> Result<Documents, ContractError> {
        let mut documents = Documents::default();
        documents.add(file, &[])?;
        Ok(documents)
    }

    /// Parses a contract with this text, and reads its bases.
    pub fn with_text(file: &Path, source: String) -> Result<Documents, ContractError> {
        let mut documents = Documents::default();
        documents.add_text(file, source, &[])?;
        Ok(documents)
    }

    fn add(&mut self, file: &Path, chain: &[PathBuf]) -> Result<(), ContractError> {
        let source = fs::read_to_string(file).map_err(|error| ContractError {
            file: file.to_path_buf(),
            place: None,
            source: error.into(),
        })?;
        self.add_text(file, source, chain)
    }

    fn add_text(&mut self, file: &Path, source: String, chain: &[PathBuf]) -> Result<(), ContractError> {
        let start = self.files.last().map_or(0, |last| last.start + last.source.len() + 1);
        let index = self.files.len();
        // A byte order mark is only allowed at the very start, so white space replaces it.
        let text = source.strip_prefix('\u{feff}');
        let mark = source.len() - text.unwrap_or(&source).len();
        let padded = [" ".repeat(start + mark).as_str(), text.unwrap_or(&source)].concat();
        self.files.push(ContractFile { file: file.to_path_buf(), source, start });
        let named = {
            let table = DeTable::parse(&padded).map_err(|error| self.toml_error(&error))?;
            bases(table.get_ref()).map_err(|fault| self.fault(fault))?
        };
        self.padded.push(padded);
        let real = |path: &Path| fs::canonicalize(path);
        let chain: Vec<PathBuf> = chain.iter().cloned().chain(real(file).ok()).collect();
        for (name, span) in named {
            let base = file.parent().unwrap_or(Path::new("")).join(name);
            let found = real(&base)
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
                self.add(&base, &chain)?;
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
        let document = document_at(&self.files, span.start).map(|(_, document)| document);
        let found =
            document.map(|document| line_and_column(&document.source, relative_offset(document, span.start)));
        let file = document.map(|document| document.file.clone()).unwrap_or_default();
        ContractError { file, place: found, source: reason.into() }
    }

    /// Converts a fault to an error.
    pub fn fault(&self, (span, reason): Fault) -> ContractError {
        self.error(span, reason)
    }

    /// Converts a TOML error to an error with file, line and key.
    pub fn toml_error(&self, error: &toml::de::Error) -> ContractError {
        self.error(error.span().unwrap_or(0..0), readable_message(error.message()))
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
