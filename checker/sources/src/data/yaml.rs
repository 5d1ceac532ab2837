//! YAML.

use std::borrow::Cow;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::{DataKind, add_hash_comments, add_value};
use crate::SourceScan;

/// Finds the references of YAML in a range of the text.
pub(crate) fn yaml<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    yaml_of_kind(text, range, DataKind::Data, scan);
}

/// Finds the references of YAML by its kind. YAML that cannot be parsed is inert.
pub(super) fn yaml_of_kind<'t>(
    text: &'t str,
    range: Range<usize>,
    kind: DataKind,
    scan: &mut SourceScan<'t>,
) {
    let yaml = &text[range.clone()];
    let mut found = SourceScan::default();
    let offsets = Offsets::new(yaml, range.start);
    let mut reader = Reader {
        text,
        kind,
        offsets,
        open: Vec::new(),
        collections_in_key: 0,
        keys: Vec::new(),
        tokens: Vec::new(),
        found: &mut found,
    };
    // Aliases are events of their own, so that they take no memory.
    let mut parser = Parser::new_from_str(yaml);
    while let Some(event) = parser.next_event() {
        let Ok((event, span)) = event else {
            scan.inert.push(range);
            return;
        };
        reader.event(event, span);
    }
    let tokens = reader.tokens;
    add_hash_comments(text, range, tokens, &mut found);
    scan.references.append(&mut found.references);
    scan.inert.append(&mut found.inert);
}

/// Converts positions in characters to offsets in bytes.
struct Offsets {
    start: usize,
    /// The offset of each character; empty if each has one byte.
    of_characters: Vec<usize>,
    length: usize,
}

impl Offsets {
    fn new(yaml: &str, start: usize) -> Offsets {
        let of_characters =
            if yaml.is_ascii() { Vec::new() } else { yaml.char_indices().map(|(at, _)| at).collect() };
        Offsets { start, of_characters, length: yaml.len() }
    }

    fn offset(&self, character: usize) -> usize {
        let end = if self.of_characters.is_empty() { character } else { self.length };
        self.start + self.of_characters.get(character).copied().unwrap_or(end).min(self.length)
    }
}

/// An open list or mapping.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    List,
    /// A mapping before a key.
    Key,
    /// A mapping before a value.
    Value,
}

struct Reader<'r, 't> {
    text: &'t str,
    kind: DataKind,
    offsets: Offsets,
    open: Vec<Open>,
    /// Number of open collections that are in a key.
    collections_in_key: usize,
    /// The key of each mapping before a value.
    keys: Vec<String>,
    /// Scalars, which may contain `#`.
    tokens: Vec<Range<usize>>,
    found: &'r mut SourceScan<'t>,
}

impl Reader<'_, '_> {
    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Scalar(value, style, _, tag) => {
                let range = self.offsets.offset(span.start.index())..self.offsets.offset(span.end.index());
                let range = range.start..self.scalar_end(range, style);
                self.tokens.push(range.clone());
                if self.open.last() == Some(&Open::Key) {
                    self.start_value(value.into_owned());
                } else {
                    // A tag such as `!ENV` gives the value another meaning.
                    if tag.is_none() && self.collections_in_key == 0 {
                        self.scalar(&value, style, range);
                    }
                    self.end_value();
                }
            }
            Event::Alias(_) if self.open.last() == Some(&Open::Key) => self.start_value(String::new()),
            Event::Alias(_) => self.end_value(),
            Event::SequenceStart(..) => self.start_collection(Open::List),
            Event::MappingStart(..) => self.start_collection(Open::Key),
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
                self.collections_in_key = self.collections_in_key.saturating_sub(1);
                self.end_value();
            }
            Event::DocumentStart(_) | Event::DocumentEnd => {
                self.open.clear();
                self.keys.clear();
            }
            Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
    }

    fn start_value(&mut self, key: String) {
        self.keys.push(key);
        if let Some(open) = self.open.last_mut() {
            *open = Open::Value;
        }
    }

    /// Begins a list or a mapping. As a key of a mapping, it is a key without a name.
    fn start_collection(&mut self, kind: Open) {
        let is_key = self.collections_in_key > 0 || self.open.last() == Some(&Open::Key);
        self.collections_in_key += usize::from(is_key);
        self.open.push(kind);
    }

    /// Ends the value of a mapping, or a key that is no scalar.
    fn end_value(&mut self) {
        match self.open.last_mut() {
            Some(open) if *open == Open::Value => {
                *open = Open::Key;
                self.keys.pop();
            }
            Some(open) if *open == Open::Key => {
                *open = Open::Value;
                self.keys.push(String::new());
            }
            _ => {}
        }
    }

    /// Returns the end of a scalar. The parser's span of a quoted one has the comment after it.
    fn scalar_end(&self, span: Range<usize>, style: ScalarStyle) -> usize {
        let written = self.text.as_bytes().get(span.clone()).unwrap_or_default();
        let mut at = 1;
        while style != ScalarStyle::Plain {
            match (style, written.get(at..)) {
                (ScalarStyle::DoubleQuoted, Some([b'\\', ..]))
                | (ScalarStyle::SingleQuoted, Some([b'\'', b'\'', ..])) => {
                    at += 2;
                }
                (ScalarStyle::DoubleQuoted, Some([b'"', ..]))
                | (ScalarStyle::SingleQuoted, Some([b'\'', ..])) => {
                    return span.start + at + 1;
                }
                (ScalarStyle::DoubleQuoted | ScalarStyle::SingleQuoted, Some([_, ..])) => at += 1,
                _ => break,
            }
        }
        span.end
    }

    fn scalar(&mut self, value: &Cow<'_, str>, style: ScalarStyle, range: Range<usize>) {
        let written = self.text.get(range.clone()).unwrap_or_default();
        let quotes = match style {
            ScalarStyle::Plain => 0,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => 1,
            ScalarStyle::Literal | ScalarStyle::Folded => return,
        };
        let Some(inside) = written.get(quotes..written.len().saturating_sub(quotes)) else { return };
        // Folded lines are not written as their value.
        if inside.contains('\n') || quotes == 0 && inside != *value {
            return;
        }
        let range = range.start + quotes..range.end - quotes;
        let keys = self.keys.iter().map(String::as_str);
        add_value(self.text, range, value, keys, self.kind, self.found);
    }
}
