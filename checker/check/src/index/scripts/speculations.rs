//! What speculation rules name, and whether any page has it.

use std::cell::LazyCell;
use std::collections::HashMap;

use regex::Regex;

use super::UnmetSpeculation;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::resolve::{Base, Target};

/// What speculation rules name, each address and pattern once, with the first page that does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Speculations {
    named: HashMap<(String, bool), (UnmetSpeculation, Base)>,
}

impl Speculations {
    /// Takes in what one page's rules name.
    pub fn add(&mut self, view: &FileView<'_>) {
        for speculation in &view.facts.speculations {
            let text = view.text(speculation.text);
            let Some(url) = view.base.join(text) else { continue };
            let idle = UnmetSpeculation {
                file: view.file,
                span: speculation.span.clone(),
                text: text.into(),
                is_pattern: speculation.is_pattern,
            };
            self.put((url.into(), speculation.is_pattern), idle, view.base.clone());
        }
    }

    fn put(&mut self, key: (String, bool), idle: UnmetSpeculation, base: Base) {
        let first = self.named.entry(key).or_insert_with(|| (idle.clone(), base.clone()));
        if (idle.file, idle.span.start) < (first.0.file, first.0.span.start) {
            *first = (idle, base);
        }
    }

    pub fn merge(&mut self, other: Speculations) {
        for (key, (idle, base)) in other.named {
            self.put(key, idle, base);
        }
    }

    /// Those that no page has, in the order of places. What cannot be compared with all pages, since there are too many of both, is
    /// added to `unread`.
    pub fn idle(self, site: &Site<'_>, unreadable: &mut Vec<String>) -> Vec<UnmetSpeculation> {
        let addresses = LazyCell::new(|| {
            let mut addresses: Vec<String> =
                site.pages().map(|page| site.resolver.address(&site.tree.display(page))).collect();
            addresses.sort_unstable();
            addresses
        });
        let mut left = MOST_COMPARED;
        let mut idle: Vec<UnmetSpeculation> = Vec::new();
        for (named, base) in self.named.into_values() {
            let is_idle = if named.is_pattern {
                pattern(&named.text).is_some_and(|pattern| {
                    !matches_a_page(&addresses, literal_start(&named.text), &pattern, &mut left)
                })
            } else {
                let target = site.resolver.resolve(&base, &named.text, &mut Vec::new());
                matches!(target, Target::Missing(_))
            };
            if is_idle {
                idle.push(named);
            }
        }
        if left == 0 {
            unreadable
                .push("speculation rules have too many patterns to compare them with all pages".to_owned());
        }
        idle.sort_by_key(|named| (named.file, named.span.start));
        idle
    }
}

/// Pages that patterns are compared with, at the most, all patterns taken together.
const MOST_COMPARED: usize = 5_000_000;

/// A URL pattern (WHATWG) of one path: `*` stands for anything, `:name` for a part. With groups, modifiers or a query it
/// is not judged.
fn pattern(text: &str) -> Option<Regex> {
    if !text.starts_with('/') || text.contains(['(', '{', '+', '?', '#', '\\']) {
        return None;
    }
    let mut regex = String::from("^");
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '*' => regex.push_str(".*"),
            ':' => {
                while rest.next_if(|c| c.is_alphanumeric() || *c == '_').is_some() {}
                regex.push_str("[^/]+");
            }
            _ => regex.push_str(&regex::escape(letter.encode_utf8(&mut [0; 4]))),
        }
    }
    regex.push('$');
    Regex::new(&regex).ok()
}

/// What a pattern begins with that stands for itself.
fn literal_start(pattern: &str) -> &str {
    &pattern[..pattern.find(['*', ':']).unwrap_or(pattern.len())]
}

/// Whether any of some sorted addresses matches a pattern that begins like this, or there are too many to tell.
fn matches_a_page(addresses: &[String], start: &str, pattern: &Regex, left: &mut usize) -> bool {
    let first = addresses.partition_point(|address| &**address < start);
    let mut like_it = addresses[first..].iter().take_while(|address| address.starts_with(start));
    like_it.any(|address| {
        *left = left.saturating_sub(1);
        *left == 0 || pattern.is_match(address)
    })
}
