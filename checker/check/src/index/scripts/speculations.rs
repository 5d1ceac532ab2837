//! Finds URLs and patterns of speculation rules that no page matches.

use std::cell::LazyCell;
use std::collections::HashMap;

use regex::Regex;

use super::UnmatchedSpeculation;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::resolve::{Base, Target};

/// The distinct URLs and patterns of speculation rules, each with the first page that contains it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Speculations {
    named: HashMap<(String, bool), (UnmatchedSpeculation, Base)>,
}

impl Speculations {
    /// Adds the speculation rules of one page.
    pub fn add(&mut self, view: &FileView<'_>) {
        for speculation in &view.facts.speculations {
            let text = view.text(speculation.text);
            let Some(url) = view.base.join(text) else { continue };
            let unmatched = UnmatchedSpeculation {
                file: view.file,
                span: speculation.span.clone(),
                text: text.into(),
                is_pattern: speculation.is_pattern,
            };
            self.insert((url.into(), speculation.is_pattern), unmatched, view.base.clone());
        }
    }

    fn insert(&mut self, key: (String, bool), unmatched: UnmatchedSpeculation, base: Base) {
        let first = self.named.entry(key).or_insert_with(|| (unmatched.clone(), base.clone()));
        if (unmatched.file, unmatched.span.start) < (first.0.file, first.0.span.start) {
            *first = (unmatched, base);
        }
    }

    pub fn merge(&mut self, other: Speculations) {
        for (key, (unmatched, base)) in other.named {
            self.insert(key, unmatched, base);
        }
    }

    /// Returns those that no page matches, in the order of locations. Adds a message to `unreadable` if there are too
    /// many patterns and pages to compare.
    pub fn unmatched(self, site: &Site<'_>, unreadable: &mut Vec<String>) -> Vec<UnmatchedSpeculation> {
        let addresses = LazyCell::new(|| {
            let mut addresses: Vec<String> =
                site.pages().map(|page| site.resolver.address(&site.tree.display(page))).collect();
            addresses.sort_unstable();
            addresses
        });
        let mut remaining = MAX_COMPARISONS;
        let mut unmatched: Vec<UnmatchedSpeculation> = Vec::new();
        for (named, base) in self.named.into_values() {
            let is_unmatched = if named.is_pattern {
                pattern(&named.text).is_some_and(|pattern| {
                    !matches_a_page(&addresses, literal_start(&named.text), &pattern, &mut remaining)
                })
            } else {
                let target = site.resolver.resolve(&base, &named.text, &mut Vec::new());
                matches!(target, Target::Missing(_))
            };
            if is_unmatched {
                unmatched.push(named);
            }
        }
        if remaining == 0 {
            unreadable
                .push("speculation rules have too many patterns to compare them with all pages".to_owned());
        }
        unmatched.sort_by_key(|named| (named.file, named.span.start));
        unmatched
    }
}

/// Maximum number of comparisons of patterns with pages.
const MAX_COMPARISONS: usize = 5_000_000;

/// Parses a URL pattern (WHATWG) of one path: `*` matches anything, `:name` one segment.
/// Returns `None` for patterns with groups, modifiers or a query, which are not checked.
fn pattern(text: &str) -> Option<Regex> {
    if !text.starts_with('/') || text.contains(['(', '{', '+', '?', '#', '\\']) {
        return None;
    }
    let mut regex = String::from("^");
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '*' => regex.push_str(".*"),
            ':' => {
                while rest.next_if(|next| next.is_alphanumeric() || *next == '_').is_some() {}
                regex.push_str("[^/]+");
            }
            _ => regex.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    regex.push('$');
    Regex::new(&regex).ok()
}

/// Returns the literal start of a pattern.
fn literal_start(pattern: &str) -> &str {
    &pattern[..pattern.find(['*', ':']).unwrap_or(pattern.len())]
}

/// Whether any of the sorted URLs matches a pattern with this literal start, or the limit is reached.
fn matches_a_page(addresses: &[String], start: &str, pattern: &Regex, remaining: &mut usize) -> bool {
    let first = addresses.partition_point(|address| &**address < start);
    let mut candidates = addresses[first..].iter().take_while(|address| address.starts_with(start));
    candidates.any(|address| {
        *remaining = remaining.saturating_sub(1);
        *remaining == 0 || pattern.is_match(address)
    })
}
