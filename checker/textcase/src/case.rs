//! A test case: its sections, and what they mean.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A test case: files, and what a test does with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextCase {
    /// The text file with the case.
    pub file: PathBuf,
    /// Line of the name, counted from 1.
    pub line: usize,
    /// The name of the text file, without its extension.
    pub group: String,
    /// The name, unique in the text file.
    pub name: String,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// A part of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Line of the title, counted from 1.
    pub line: usize,
    /// The meaning, by the title.
    pub kind: SectionKind,
    /// The text below the title.
    pub content: String,
    /// The range of the title and the content in the text file, in bytes.
    pub(crate) range: Range<usize>,
}

/// The meaning of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// A file with this path.
    File(String),
    /// A symbolic link.
    SymbolicLink {
        /// The path of the link.
        path: String,
        /// The target, relative to the folder of the link.
        target: String,
    },
    /// A named pipe with this path, which Git cannot store.
    Fifo(String),
    /// A command whose output is the content.
    Command {
        /// The arguments, as a shell reads them.
        command: String,
        /// The exit code.
        exit_code: i32,
    },
    /// The expected content of what the title names.
    Expected(String),
}

/// An error in a text file, or in the files that it describes.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A line that does not match the format.
    #[error("{}:{line}: {problem}", file.display())]
    Format {
        /// The text file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The problem, and how to fix it.
        problem: String,
    },
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::File { path, source }
    }
}

impl TextCase {
    /// Returns the name with the group: `broken-link/utf-16`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.group, self.name)
    }

    /// Returns the text file and the line of the case.
    pub fn location(&self) -> String {
        format!("{}:{}", self.file.display(), self.line)
    }

    /// Returns the folder of the files that are not text.
    pub fn folder(&self) -> PathBuf {
        self.file.with_extension("").join(&self.name)
    }

    /// Returns all text files, with their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sections.iter().filter_map(|section| match &section.kind {
            SectionKind::File(path) => Some((path.as_str(), section.content.as_str())),
            _ => None,
        })
    }

    /// Returns the content of a text file.
    pub fn content(&self, path: &str) -> Option<&str> {
        self.files().find(|(name, _)| *name == path).map(|(_, content)| content)
    }

    /// Returns the expected content of `subject`: nothing, if no section names it.
    pub fn expected(&self, subject: &str) -> &str {
        let expected = self.sections.iter().find(|section| section.is_expected(subject));
        expected.map_or("", |section| &section.content)
    }
}

impl Section {
    /// Returns the path of a file, a link or a named pipe.
    pub fn path(&self) -> Option<&str> {
        match &self.kind {
            SectionKind::File(path) | SectionKind::SymbolicLink { path, .. } | SectionKind::Fifo(path) => {
                Some(path)
            }
            SectionKind::Command { .. } | SectionKind::Expected(_) => None,
        }
    }

    /// Returns whether the section has the expected content of `subject`.
    pub(crate) fn is_expected(&self, subject: &str) -> bool {
        matches!(&self.kind, SectionKind::Expected(name) if name == subject)
    }
}
