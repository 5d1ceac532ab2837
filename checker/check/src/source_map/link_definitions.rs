//! How often the addresses are used that a text defines under a name, as `[name]: address` and `.. _name: address` do.

use std::collections::HashMap;
use std::ops::Range;

use super::ignored_ranges::TextKind;

/// How often a text speaks of each name.
pub(super) struct DefinitionUses(HashMap<String, usize>);

impl DefinitionUses {
    /// Looks a text through once.
    pub fn of(kind: TextKind, text: &[u8]) -> DefinitionUses {
        let mut uses = DefinitionUses(HashMap::new());
        match kind {
            TextKind::Prose => uses.brackets(text),
            TextKind::Restructured => uses.backquotes(text),
            _ => {}
        }
        uses
    }

    /// How often an address is used that begins at a place, where that is a definition's.
    pub fn defined_at(&self, kind: TextKind, text: &[u8], start: usize) -> Option<usize> {
        let line = text[..start].rsplit(|byte| *byte == b'\n').next()?.trim_ascii();
        let name = match kind {
            TextKind::Prose => line.strip_prefix(b"[")?.strip_suffix(b"]:")?,
            TextKind::Restructured => {
                let name = line.strip_prefix(b".. _")?.strip_suffix(b":")?;
                name.strip_prefix(b"`").and_then(|name| name.strip_suffix(b"`")).unwrap_or(name)
            }
            _ => return None,
        };
        Some(self.0.get(&plain(name)).copied().unwrap_or_default())
    }

    fn add(&mut self, name: &[u8]) {
        *self.0.entry(plain(name)).or_default() += 1;
    }

    /// `[name]` and `[text][name]`, and not `[text](address)` or `[name]: address`.
    fn brackets(&mut self, text: &[u8]) {
        let mut last = 0..0;
        for close in memchr::memchr_iter(b']', text) {
            let Some(name) = between(text, b'[', close) else { continue };
            let is_second = last.end == name.start && !last.is_empty();
            let (is_address, is_text) = match text.get(close + 1) {
                Some(b'(' | b':') => (true, false),
                Some(b'[') => (false, text.get(close + 2) != Some(&b']')),
                _ => (false, false),
            };
            let inner = &text[name.start + 1..close];
            if !(is_text || inner.is_empty() || is_address && !is_second) {
                self.add(inner);
            }
            last = name.start..close + 1;
        }
    }

    /// `` `name`_ ``, `` `text <name_>`_ ``, `|name|_` and `name_`.
    fn backquotes(&mut self, text: &[u8]) {
        for end in memchr::memchr_iter(b'_', text) {
            let is_end = text.get(end + 1).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'`');
            let quote = text[..end].last().copied().filter(|byte| matches!(byte, b'`' | b'|'));
            let is_embedded = text.get(end + 1) == Some(&b'>');
            if let Some(quote) = quote.filter(|_| is_end) {
                let Some(name) = between(text, quote, end - 1) else { continue };
                let inner = &text[name.start + 1..end - 1];
                if !inner.ends_with(b">") {
                    self.add(inner);
                }
            } else if is_embedded {
                let Some(name) = between(text, b'<', end) else { continue };
                self.add(&text[name.start + 1..end]);
            } else if is_end {
                let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+');
                let length = text[..end].iter().rev().take_while(|byte| word(byte)).count();
                if length > 0 {
                    self.add(&text[end - length..end]);
                }
            }
        }
    }
}

/// From the last of an opening mark to its closing one, where both are near.
fn between(text: &[u8], open: u8, close: usize) -> Option<Range<usize>> {
    /// Bytes of the longest name.
    const LONGEST: usize = 200;
    let from = close.saturating_sub(LONGEST);
    let start = memchr::memrchr(open, &text[from..close])?;
    Some(from + start..close)
}

/// A name without regard to case and to how its words are apart.
fn plain(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name).to_lowercase();
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{DefinitionUses, TextKind};

    #[track_caller]
    fn uses(kind: TextKind, text: &str) -> Option<usize> {
        let start = text.find("/x").unwrap();
        DefinitionUses::of(kind, text.as_bytes()).defined_at(kind, text.as_bytes(), start)
    }

    #[test]
    fn names_are_counted_where_they_are_used() {
        let markdown = "[a b], [A\nb][], [text][a b], [a b][other], [a b](/y)\n\n[a b]: /x\n[other]: /z";
        assert_eq!(uses(TextKind::Prose, markdown), Some(3));
        assert_eq!(uses(TextKind::Prose, "[a](/x)"), None);
        let restructured =
            "`a b`_, `A\nb`_, |a b|_, `text <a b_>`_ `text </y>`_ a_\n\n.. _a b: /x\n.. _a: /z";
        assert_eq!(uses(TextKind::Restructured, restructured), Some(4));
        assert_eq!(uses(TextKind::Restructured, "name_ and `name`_\n\n.. _name: /x"), Some(2));
        assert_eq!(uses(TextKind::Restructured, "`name </x>`_"), None);
    }
}
