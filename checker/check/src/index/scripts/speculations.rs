//! What speculation rules name, and whether any page has it.

use std::collections::HashMap;

use regex::Regex;

use super::UnmetSpeculation;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::resolve::{Base, Target};

/// What speculation rules name, each address and pattern once, with the first page that does.
#[derive(Debug, Default)]
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

    /// Those that no page has, in the order of places.
    pub fn idle(self, site: &Site<'_>) -> Vec<UnmetSpeculation> {
        let mut idle: Vec<UnmetSpeculation> = self
            .named
            .into_values()
            .filter(|(named, base)| match named.is_pattern {
                true => pattern(&named.text).is_some_and(|pattern| !matches_a_page(site, &pattern)),
                false => {
                    let target = site.resolver.resolve(base, &named.text, &mut Vec::new());
                    matches!(target, Target::Missing(_))
                }
            })
            .map(|(named, _)| named)
            .collect();
        idle.sort_by_key(|named| (named.file, named.span.start));
        idle
    }
}

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

fn matches_a_page(site: &Site<'_>, pattern: &Regex) -> bool {
    site.pages().any(|page| pattern.is_match(&site.resolver.address(&site.tree.display(page))))
}
