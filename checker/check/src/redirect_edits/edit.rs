//! Edits the text of a file with redirects: adds entries, points present ones to new destinations, and removes those of
//! addresses that have pages again. All other bytes stay.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::proof::Proof;
use super::redirects_file::{RedirectEntry, destination_key, line, line_entries, table, table_entries};
use super::site::{ChangedRedirect, RedirectEdit, RedirectSite, RedirectsFile};
use crate::redirect_proposals::RedirectProposal;
use sitegate_address::UrlReference;
use sitegate_address::percent::escape_path;

/// Returns the text of a file with these redirects. `present` is the site with the present text. The destinations of all
/// redirects are pages again, those of refused ones, too: with a redirect left, such a page would redirect to itself.
pub(super) fn edited(
    file: &RedirectsFile,
    present: &Proof<'_>,
    text: &str,
    (wanted, all): (&[RedirectProposal], &[&RedirectProposal]),
) -> RedirectEdit {
    let site = present.site;
    let mut entries = match file {
        RedirectsFile::Lines(_) => line_entries(text, site.host()),
        RedirectsFile::Contract(_) | RedirectsFile::Netlify(_) => table_entries(text),
        RedirectsFile::ReadOnly(..) => Vec::new(),
    };
    entries.sort_by_key(|entry| entry.block.start);
    let mut edit = Editor { site, present, text, changes: Vec::new(), changed: Vec::new(), added: 0 };
    let replaced = edit.change_entries(&entries, wanted, all);
    edit.add(file, &entries, wanted, &replaced);
    edit.finish()
}

/// The edits of a text.
struct Editor<'e> {
    site: &'e RedirectSite,
    /// The site with the present text.
    present: &'e Proof<'e>,
    text: &'e str,
    /// The ranges to replace, with their new texts.
    changes: Vec<(Range<usize>, String)>,
    changed: Vec<ChangedRedirect>,
    added: usize,
}

impl Editor<'_> {
    /// Changes and removes entries. Returns the keys of the addresses that these redirect now.
    fn change_entries(
        &mut self,
        entries: &[RedirectEntry],
        wanted: &[RedirectProposal],
        all: &[&RedirectProposal],
    ) -> HashSet<String> {
        let base_path = self.site.base_path();
        let singles = || wanted.iter().flat_map(RedirectProposal::singles);
        let by_source: HashMap<String, &RedirectProposal> =
            singles().rev().map(|redirect| (self.site.key(&redirect.from), redirect)).collect();
        // A destination that is redirected to another page keeps that redirect.
        let pages: HashSet<String> = all
            .iter()
            .flat_map(|redirect| redirect.singles())
            .filter(|redirect| self.site.has_file(&redirect.destination))
            .filter(|redirect| !self.present.is_redirected(&redirect.destination))
            .filter_map(|redirect| destination_key(&redirect.destination, base_path))
            .collect();
        let in_patterns: HashSet<&str> = wanted
            .iter()
            .filter(|redirect| redirect.is_pattern())
            .flat_map(|pattern| pattern.replaces.iter().map(|single| single.from.as_str()))
            .collect();
        let mut replaced = HashSet::new();
        for entry in entries.iter().filter(|entry| entry.is_editable()) {
            let key = entry.key();
            if pages.contains(&key) {
                self.changes.push((entry.block.clone(), String::new()));
                self.record(entry, None);
                continue;
            }
            let own = by_source.get(&key).filter(|redirect| !in_patterns.contains(redirect.from.as_str()));
            let next = entry.destination(base_path);
            let next = next.and_then(|(path, end)| Some((by_source.get(&path)?.destination.as_str(), end)));
            let new = match (own, next) {
                (Some(redirect), _) => {
                    replaced.insert(key);
                    redirect.destination.clone()
                }
                (None, Some((to, end)))
                    if end.is_empty() || UrlReference::new(to).query_and_fragment().is_empty() =>
                {
                    format!("{to}{end}")
                }
                _ => continue,
            };
            if new != entry.redirect.to {
                self.changes.push((entry.to.clone(), new.clone()));
                self.record(entry, Some(new));
            }
        }
        replaced
    }

    fn record(&mut self, entry: &RedirectEntry, to: Option<String>) {
        let (from, was) = (entry.redirect.from.clone(), entry.redirect.to.clone());
        self.changed.push(ChangedRedirect { from, was, to });
    }

    /// Adds entries: each before the first one that has precedence for its addresses, or at the end.
    fn add(
        &mut self,
        file: &RedirectsFile,
        entries: &[RedirectEntry],
        wanted: &[RedirectProposal],
        replaced: &HashSet<String>,
    ) {
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut known = replaced.clone();
        let mut blocks: Vec<(usize, String)> = Vec::new();
        for redirect in wanted {
            let key = self.site.key(&redirect.from);
            let is_stale =
                destination_key(&redirect.destination, self.site.base_path()).as_ref() == Some(&key);
            if is_stale || !known.insert(key) {
                continue;
            }
            let from = escape_path(&self.site.below_root(&redirect.from));
            let block = match file {
                RedirectsFile::Lines(_) => line(&from, &redirect.destination),
                _ => table(&from, &redirect.destination, newline),
            };
            blocks.push((self.position(entries, redirect), block));
            self.added += 1;
        }
        blocks.sort_by_key(|(position, _)| *position);
        for (position, block) in blocks {
            let is_end = position == self.text.len();
            let has_newline = self.text.is_empty() || self.text.ends_with('\n');
            // A file without a last newline has none afterwards, either.
            let text = if is_end && !has_newline {
                format!("{newline}{block}")
            } else {
                format!("{block}{newline}")
            };
            self.changes.push((position..position, text));
        }
    }

    /// Returns where a new entry has precedence.
    fn position(&self, entries: &[RedirectEntry], redirect: &RedirectProposal) -> usize {
        let paths: Vec<String> =
            redirect.singles().iter().map(|single| self.site.below_root(&single.from)).collect();
        let mut earlier = entries.iter().filter(|entry| entry.is_plain || entry.redirect.is_pattern());
        let first = earlier.find(|entry| paths.iter().any(|path| entry.redirect.matches(path)));
        first.map_or(self.text.len(), |entry| entry.block.start)
    }

    /// Returns the text with all changes.
    fn finish(mut self) -> RedirectEdit {
        // Insertions at one position keep their order.
        self.changes.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (range, new) in &self.changes {
            text.push_str(&self.text[copied..range.start.max(copied)]);
            text.push_str(new);
            copied = copied.max(range.end);
        }
        text.push_str(&self.text[copied..]);
        RedirectEdit { text, added: self.added, changed: self.changed, refused: Vec::new() }
    }
}
