//! Counts how often a text uses its link definitions, such as `[name]: url` and `.. _name: url`.

use std::collections::HashMap;
use std::ops::Range;

use super::ignored_ranges::TextKind;

/// Number of uses by name.
pub(super) struct DefinitionUses(HashMap<String, usize>);

impl DefinitionUses {
    /// Counts the uses in a text.
    pub fn count(kind: TextKind, text: &[u8]) -> DefinitionUses {
        let mut uses = DefinitionUses(HashMap::new());
        match kind {
            TextKind::Prose => uses.count_brackets(text),
            TextKind::Restructured => uses.count_backquotes(text),
            _ => {}
        }
        uses
    }

    /// Returns the number of uses of the definition whose URL begins at an offset; `None` if it is not a definition.
    pub fn uses_of_definition(&self, kind: TextKind, text: &[u8], start: usize) -> Option<usize> {
        let line = text[..start].rsplit(|byte| *byte == b'\n').next()?.trim_ascii();
        let name = match kind {
            TextKind::Prose => line.strip_prefix(b"[")?.strip_suffix(b"]:")?,
            TextKind::Restructured => {
                let name = line.strip_prefix(b".. _")?.strip_suffix(b":")?;
                name.strip_prefix(b"`").and_then(|name| name.strip_suffix(b"`")).unwrap_or(name)
            }
            _ => return None,
        };
        Some(self.0.get(&normalize(name)).copied().unwrap_or_default())
    }

    fn add(&mut self, name: &[u8]) {
        *self.0.entry(normalize(name)).or_default() += 1;
    }

    /// Counts `[name]` and `[text][name]`, but not `[text](url)` or `[name]: url`.
    fn count_brackets(&mut self, text: &[u8]) {
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

    /// Counts `` `name`_ ``, `` `text <name_>`_ ``, `|name|_` and `name_`.
    fn count_backquotes(&mut self, text: &[u8]) {
        for end in memchr::memchr_iter(b'_', text) {
            let is_end = text.get(end + 1).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'`');
            let quote = text[..end].last().copied().filter(|byte| matches!(byte, b'`' | b'|'));
            let is_embedded = text.get(end + 1) == Some(&b'>');
            if let (Some(quote), true) = (quote, is_end) {
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

/// Returns the range from the last opening mark to its closing one, if they are close.
fn between(text: &[u8], open: u8, close: usize) -> Option<Range<usize>> {
    /// Maximum length of a name in bytes.
    const MAX_NAME: usize = 200;
    let from = close.saturating_sub(MAX_NAME);
    let start = memchr::memrchr(open, &text[from..close])?;
    Some(from + start..close)
}

/// Normalizes the case and the white space of a name.
fn normalize(name: &[u8]) -> String {
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
        DefinitionUses::count(kind, text.as_bytes()).uses_of_definition(kind, text.as_bytes(), start)
    }

    #[test]
    fn counts_uses_of_names() {
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
