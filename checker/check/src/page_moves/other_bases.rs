//! Lists the names of moved files that are relative to another folder than that of their own file, and patterns that no
//! longer match. Their folders are those of a setting, of another page or of an old address, so that they are not edited.

use std::collections::{BTreeMap, HashMap};

use globset::{GlobBuilder, GlobMatcher};
use sitegate_address::extension::is_document_extension;
use sitegate_address::relative::join;
use sitegate_address::{SitePath, UrlReference};
use sitegate_sources::edits::Edit;
use sitegate_sources::{Manner, SourceOptions, SourceScan, scan};

use super::plan::{MovePlan, TextNote, moved};
use super::rewriting::Rewriter;
use crate::source_map::SourceFiles;
use crate::walk::{FileId, Tree};

/// Settings in Python of Sphinx and Pelican.
const SETTINGS: [&str; 3] = ["conf.py", "pelicanconf.py", "publishconf.py"];

/// Extensions of documents that settings may leave out.
const DOCUMENTS: [&str; 4] = ["rst", "md", "ipynb", "txt"];

/// Maximum length of a string in settings in bytes.
const MAX_STRING: usize = 500;

/// Finds names with other folders.
pub(super) struct OtherBases<'p> {
    pub plan: &'p MovePlan,
    pub rewriter: &'p Rewriter<'p>,
    pub files: &'p SourceFiles,
    pub texts: &'p BTreeMap<String, String>,
    pub tree: &'p Tree,
    /// The new paths of moved pages in the export.
    pub new_pages: &'p HashMap<FileId, String>,
}

impl OtherBases<'_> {
    /// Returns a note for each such name in a text, apart from edited ones and those that other notes are about.
    pub fn find(
        &self,
        (path, text): (&str, &str),
        scan: &SourceScan<'_>,
        edits: &[Edit],
        others: &[TextNote],
    ) -> Vec<TextNote> {
        let name = SitePath::new(path).name();
        let mut notes = self.patterns(path, text);
        if SETTINGS.contains(&name) {
            notes.extend(self.settings(path, text));
        }
        if name == "book.toml" {
            notes.extend(self.redirects(text));
        }
        notes.retain(|note| {
            let is_edited = edits.iter().any(|edit| (edit.start..=edit.end).contains(&note.offset));
            !is_edited && others.iter().all(|other| other.offset != note.offset)
        });
        notes.extend(self.inclusions((path, text), scan));
        notes
    }

    fn moved(&self, path: &str) -> Option<String> {
        moved(path, &self.plan.from, &self.plan.to)
    }

    /// Finds the strings of settings that name a moved file or folder below a folder that the settings name, such as
    /// `html_css_files` below `html_static_path`, and patterns such as `exclude_patterns`.
    fn settings(&self, path: &str, text: &str) -> Vec<TextNote> {
        if self.moved(path).is_some() {
            return Vec::new();
        }
        let own = SitePath::new(path).folder();
        let strings = strings(text);
        let is_kept =
            |folder: &String| self.plan.folder.join(folder).is_dir() && self.moved(folder).is_none();
        let named = strings.iter().filter_map(|(_, string)| join(own, string).within_root());
        let bases: Vec<String> = std::iter::once(own.to_owned()).chain(named.filter(is_kept)).collect();
        let note = |(offset, string): (usize, &str)| {
            if string.contains('*') {
                return self.lost_match(path, string).map(|lost| lost_note(offset, string, &lost));
            }
            let is_named = bases.iter().any(|base| self.names_moved(base, string));
            let message = format!("`{string}` names a moved file or folder; change it by hand");
            is_named.then_some(TextNote { offset, message })
        };
        strings.iter().copied().filter_map(note).collect()
    }

    /// Whether a path below a folder is that of a moved file or folder, or of a document without its extension.
    fn names_moved(&self, base: &str, name: &str) -> bool {
        let Some(whole) = join(base, name).within_root() else { return false };
        let is_moved = |path: &str| self.moved(path).is_some() && self.plan.folder.join(path).exists();
        is_moved(&whole) || DOCUMENTS.iter().any(|end| is_moved(&format!("{whole}.{end}")))
    }

    /// Finds the patterns of tables of contents: with `:glob:` in those of Sphinx, and `glob` in `_toc.yml`.
    fn patterns(&self, path: &str, text: &str) -> Vec<TextNote> {
        let is_contents = SitePath::new(path).name().starts_with("_toc.");
        let mut notes = Vec::new();
        let mut toctree: Option<Toctree> = None;
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let start = offset;
            offset += line.len();
            toctree = Toctree::after(toctree, line);
            let entry = if is_contents {
                glob_value(line.trim())
            } else {
                toctree.as_ref().filter(|toctree| toctree.has_glob).map(|_| line.trim())
            };
            let Some(pattern) = entry.filter(|entry| entry.contains(['*', '?', '['])) else { continue };
            if let Some(lost) = self.lost_match(path, pattern) {
                notes.push(lost_note(start + line.find(pattern).unwrap_or_default(), pattern, &lost));
            }
        }
        notes
    }

    /// Returns the new path of a document that a pattern matches before the move, and not after it.
    fn lost_match(&self, path: &str, pattern: &str) -> Option<String> {
        let own = self.plan.moved(path);
        let folders = match pattern.strip_prefix('/') {
            Some(_) => self.rewriter.roots().iter().map(|root| (root.as_str(), root.as_str())).collect(),
            None => vec![(SitePath::new(path).folder(), SitePath::new(&*own).folder())],
        };
        folders.into_iter().find_map(|(before, after)| {
            let (before, after) = (matcher(before, pattern)?, matcher(after, pattern)?);
            let matches = |matcher: &GlobMatcher, document: &str| {
                matcher.is_match(document) || matcher.is_match(SitePath::new(document).without_extension())
            };
            let documents = self.files.paths.iter().map(|old| (old, self.plan.moved(old)));
            let mut lost = documents.filter(|(old, new)| matches(&before, old) && !matches(&after, new));
            lost.next().map(|(_, new)| new)
        })
    }

    /// Finds destinations in `[output.html.redirect]` that are relative to the old address, which is the key.
    fn redirects(&self, text: &str) -> Vec<TextNote> {
        let mut notes = Vec::new();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let start = offset;
            offset += line.len();
            let fields: Vec<&str> = line.split('"').collect();
            let [_, key, equals, value, _] = fields.as_slice() else { continue };
            let Some(key) = key.strip_prefix('/').filter(|_| equals.trim() == "=") else { continue };
            let destination = UrlReference::new(*value).path();
            let is_relative = !value.contains(':') && !value.starts_with('/');
            let target = join(SitePath::new(key).folder(), destination).within_root();
            let page = target.filter(|_| is_relative).and_then(|target| self.tree.find(target.as_bytes()));
            if page.is_some_and(|page| self.new_pages.contains_key(&page)) {
                let message = format!("`{value}` is relative to `/{key}`; change it by hand");
                notes.push(TextNote { offset: start + line.rfind(value).unwrap_or_default(), message });
            }
        }
        notes
    }

    /// Finds the included documents with links that are relative to the page that includes them, if one of both moves.
    fn inclusions(&self, (path, text): (&str, &str), found: &SourceScan<'_>) -> Vec<TextNote> {
        let of_files = found.references.iter().filter(|reference| {
            let line = text[..reference.range.start].rsplit('\n').next().unwrap_or_default();
            // These change the links that they include, or show code.
            let is_other = ["include-markdown", "literalinclude"].iter().any(|other| line.contains(other));
            matches!(reference.manner, Manner::File | Manner::FileBelow)
                && line.contains("include")
                && !is_other
        });
        let breaks = |target: &str, manner: Manner| {
            let included = self.rewriter.source_of(path, target, manner)?;
            let is_page = SitePath::new(&*included).extension().is_some_and(is_document_extension);
            let is_one = self.moved(path).is_some() != self.moved(&included).is_some();
            let content = self.texts.get(&included).filter(|_| is_page && is_one)?;
            let mover = if self.moved(path).is_some() { path } else { &included };
            let is_broken = |link: &str| {
                self.rewriter.changes_path(path, link).is_some()
                    && self.rewriter.changes_path(mover, link) == Some(true)
            };
            let inner = scan(&included, content, SourceOptions::default()).references;
            let mut links = inner.iter().filter(|link| !matches!(link.manner, Manner::Text | Manner::Value));
            Some(links.any(|link| is_broken(&link.target)))
        };
        of_files
            .filter(|reference| breaks(&reference.target, reference.manner) == Some(true))
            .map(|reference| {
                let written = &text[reference.range.clone()];
                let message = format!(
                    "`{written}` has links that are relative to the page that includes it; check both"
                );
                TextNote { offset: reference.range.start, message }
            })
            .collect()
    }
}

fn lost_note(offset: usize, pattern: &str, lost: &str) -> TextNote {
    TextNote { offset, message: format!("`{pattern}` does not match {lost}, as it did before the move") }
}

/// Returns what may be strings of a module: the texts between quotes, with their offsets.
fn strings(text: &str) -> Vec<(usize, &str)> {
    let mut offset = 0;
    let mut strings = Vec::new();
    for part in text.split(['"', '\'']) {
        if !part.is_empty() && part.len() <= MAX_STRING && !part.contains('\n') {
            strings.push((offset, part));
        }
        offset += part.len() + 1;
    }
    strings
}

/// Returns the value of an entry `glob: value` in YAML.
fn glob_value(entry: &str) -> Option<&str> {
    let value = entry.trim_start_matches("- ").strip_prefix("glob:")?;
    Some(value.trim().trim_matches(['"', '\'']))
}

/// A directive `toctree`, of which some lines are read.
struct Toctree {
    is_restructured: bool,
    has_glob: bool,
}

impl Toctree {
    /// Returns the directive that a line begins or continues. In `MyST`, a fence ends it, and in reStructuredText, a line that
    /// is not indented.
    fn after(before: Option<Toctree>, line: &str) -> Option<Toctree> {
        let text = line.trim_start();
        if text.starts_with(".. toctree::") || text.contains("{toctree}") {
            return Some(Toctree { is_restructured: text.starts_with(".."), has_glob: false });
        }
        let mut toctree = before?;
        let is_end = if toctree.is_restructured {
            !text.is_empty() && text.len() == line.len()
        } else {
            text.starts_with("```") || text.starts_with(":::")
        };
        toctree.has_glob |= text.trim_start_matches(':').starts_with("glob:");
        (!is_end).then_some(toctree)
    }
}

/// Returns a pattern below a folder, in which `*` stays in a segment.
fn matcher(folder: &str, pattern: &str) -> Option<GlobMatcher> {
    let whole = join(folder, pattern.trim_start_matches('/')).within_root()?;
    Some(GlobBuilder::new(&whole).literal_separator(true).build().ok()?.compile_matcher())
}
