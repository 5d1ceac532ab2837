//! YAML with more indentation than it is written with, for the parser.

use std::borrow::Cow;

/// YAML for the parser, and the offsets of its characters in the YAML as written.
pub(super) struct Indented<'y> {
    pub text: Cow<'y, str>,
    /// The offset of each character; empty if they are equal.
    offsets: Vec<usize>,
    length: usize,
}

impl<'y> Indented<'y> {
    /// YAML as it is.
    pub fn as_written(yaml: &'y str) -> Indented<'y> {
        let offsets =
            if yaml.is_ascii() { Vec::new() } else { yaml.char_indices().map(|(at, _)| at).collect() };
        Indented { text: Cow::Borrowed(yaml), offsets, length: yaml.len() }
    }

    /// Indents closing brackets at the start of a line by one more space: all parsers but this one allow them in the
    /// column of the key whose list they close, and people write them there.
    pub fn with_closing_brackets(yaml: &'y str) -> Indented<'y> {
        let mut text = String::with_capacity(yaml.len() + 64);
        let mut offsets = Vec::with_capacity(yaml.len() + 64);
        let mut start = 0;
        for line in yaml.split_inclusive('\n') {
            if line.trim_start_matches(' ').starts_with([']', '}']) {
                text.push(' ');
                offsets.push(start);
            }
            text.push_str(line);
            offsets.extend(line.char_indices().map(|(at, _)| start + at));
            start += line.len();
        }
        Indented { text: Cow::Owned(text), offsets, length: yaml.len() }
    }

    /// Returns the offset of a character.
    pub fn offset(&self, character: usize) -> usize {
        let end = if self.offsets.is_empty() { character } else { self.length };
        self.offsets.get(character).copied().unwrap_or(end).min(self.length)
    }
}
