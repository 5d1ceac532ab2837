//! Lists the texts that still equal an old path or address after the edits of a move: in code, in comments, and in
//! syntaxes that are never edited, such as wiki links. People decide about them.

use std::collections::HashMap;

use sitegate_address::SitePath;
use sitegate_sources::{Manner, SourceScan};

use super::plan::{MovePlan, TextNote};
use super::rewriting::Rewriter;
use crate::source_map::{Needle, Needles, Occurrence, Roots, page_form, target_form};
use crate::walk::{FileId, Tree};
use sitegate_sources::edits::Edit;

/// Syntaxes that name a page by a plain word: wiki links, `post_url` of Jekyll, `AsciiDoc`.
const WORD_SYNTAXES: [&str; 5] = ["[[", "post_url ", "xref:", "link:", "include::"];

/// The old paths and addresses of moved files.
pub(super) struct RemainingNames<'p> {
    rewriter: &'p Rewriter<'p>,
    sources: Needles,
    addresses: Needles,
}

impl<'p> RemainingNames<'p> {
    pub fn new(
        plan: &MovePlan,
        rewriter: &'p Rewriter<'p>,
        new_pages: &HashMap<FileId, String>,
        tree: &Tree,
    ) -> RemainingNames<'p> {
        let (mut sources, mut addresses) = (Needles::default(), Needles::default());
        let needle = |path: &str| Needle::Reference {
            raw: page_form(path).to_owned(),
            target: Some(target_form(path, "")),
        };
        for (old, _) in &plan.renames {
            sources.add(&needle(old));
            let raw = SitePath::new(&**old).stem().to_owned();
            sources.add(&Needle::Reference { raw, target: None });
        }
        // A folder of sources may be named without any page of it.
        if plan.renames.iter().any(|(old, _)| *old != plan.from) {
            sources.add(&needle(&plan.from));
        }
        for page in new_pages.keys() {
            addresses.add(&needle(&tree.display(*page)));
        }
        RemainingNames { rewriter, sources, addresses }
    }

    /// Returns a note for each line of a text that names a moved file, apart from the references that are edited, and
    /// those that resolve to another file. `folder` is the folder of its page.
    pub fn find(
        &self,
        (path, text): (&str, &str),
        scan: &SourceScan<'_>,
        edits: &[Edit],
        folder: Option<&str>,
    ) -> Vec<TextNote> {
        let own_folder = SitePath::new(path).folder();
        let mut found = Vec::new();
        let folders = std::iter::once(own_folder).chain(self.rewriter.roots().iter().map(String::as_str));
        for source_folder in folders {
            let roots = Roots { folder: Some(source_folder), base_path: "/", languages: &[], is_path: true };
            self.sources.find(text.as_bytes(), roots, &mut found);
        }
        let roots = Roots { folder, base_path: self.rewriter.base_path(), languages: &[], is_path: true };
        self.addresses.find(text.as_bytes(), roots, &mut found);
        found.retain(|found| self.is_name((path, text), scan, edits, found));
        let note = |Occurrence { start, end, .. }: Occurrence| TextNote {
            offset: start,
            message: format!(
                "`{}` is not in a link that is edited{}",
                &text[start..end],
                consequence((path, text), start, end)
            ),
        };
        let mut notes: Vec<TextNote> = found.into_iter().map(note).collect();
        let known = notes.iter().map(|known| known.offset).collect::<Vec<_>>();
        let relative = self.broken_paths((path, text), scan, edits).into_iter();
        notes.extend(relative.filter(|broken| !known.contains(&broken.offset)));
        notes
    }

    /// Returns a note for each path in a moved file that names a file in its old folder, in a syntax that is not edited: it
    /// begins with `./` or `../`, or is in quotes.
    fn broken_paths(
        &self,
        (path, text): (&str, &str),
        scan: &SourceScan<'_>,
        edits: &[Edit],
    ) -> Vec<TextNote> {
        if self.rewriter.moved(path).is_none() {
            return Vec::new();
        }
        let is_end = |c: char| {
            c.is_whitespace()
                || matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '=' | ',')
        };
        let is_quote = |c: Option<char>| matches!(c, Some('"' | '\''));
        let mut notes = Vec::new();
        let mut offset = 0;
        for word in text.split(is_end) {
            let start = offset;
            let end = start + word.len();
            offset = end + text[end..].chars().next().map_or(0, char::len_utf8);
            let is_dotted = word.starts_with("./") || word.starts_with("../");
            let is_quoted = word.contains('.')
                && is_quote(text[..start].chars().next_back())
                && is_quote(text[end..].chars().next());
            let next = edits.partition_point(|edit| edit.start < end);
            let is_edited = edits[..next].last().is_some_and(|edit| start <= edit.end);
            let is_read = scan.reference_at(start).is_some_and(|found| found.manner != Manner::Text);
            if (is_dotted || is_quoted)
                && !is_edited
                && !is_read
                && self.rewriter.changes_path(path, word) == Some(true)
            {
                notes.push(TextNote {
                    offset: start,
                    message: format!("`{word}` is relative to the old folder, and is not edited"),
                });
            }
        }
        notes
    }

    fn is_name(
        &self,
        (path, text): (&str, &str),
        scan: &SourceScan<'_>,
        edits: &[Edit],
        found: &Occurrence,
    ) -> bool {
        let next = edits.partition_point(|edit| edit.start <= found.end);
        if edits[..next].last().is_some_and(|edit| found.start <= edit.end) {
            return false;
        }
        if let Some(reference) = scan.reference_at(found.start)
            && reference.uses > 0
            && reference.manner != Manner::Text
            && self.rewriter.is_resolved(path, &text[reference.range.clone()], reference.manner)
        {
            return false;
        }
        let written = &text[found.start..found.end];
        if self.rewriter.moved(path).is_some() && self.rewriter.changes_path(path, written) == Some(false) {
            return false;
        }
        let before = &text[..found.start];
        // The end tag of an element with the name of a page: `</a>`. In reStructuredText, it is a URL.
        let is_end_tag =
            before.ends_with('<') && text[found.end..].starts_with('>') && !path.ends_with(".rst");
        if is_end_tag && written.strip_prefix('/').is_some_and(|name| !name.contains(['/', '.'])) {
            return false;
        }
        // A word of running text is no name; `setup.html` and `setup/` are.
        written.contains(['.', '/']) && !page_form(written).is_empty()
            || WORD_SYNTAXES.iter().any(|syntax| before.ends_with(syntax))
    }
}

/// Returns what a generator does if people do not change a name, as the end of a note; empty if it is not known.
fn consequence((path, text): (&str, &str), start: usize, end: usize) -> &'static str {
    let before = text[..start].rsplit('\n').next().unwrap_or_default();
    let mut after = text[end..].lines().next().unwrap_or_default().splitn(2, '=');
    let is_key =
        after.next().is_some_and(|rest| rest.trim_end().ends_with(['"', '\''])) && after.next().is_some();
    if before.contains("--8<--") {
        "; MkDocs leaves out a snippet without its file, and does not fail"
    } else if is_key && SitePath::new(path).name() == "book.toml" {
        "; mdBook does not build with a key that names no chapter"
    } else {
        ""
    }
}
