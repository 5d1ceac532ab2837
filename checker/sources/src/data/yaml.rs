//! YAML.

use std::borrow::Cow;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::data_values::{DataKind, add_hash_comments, add_value};
use crate::reference::SourceScan;

/// Finds the references of YAML in a range of the text. YAML that cannot be parsed is inert.
pub(super) fn yaml<'t>(text: &'t str, range: Range<usize>, kind: DataKind, scan: &mut SourceScan<'t>) {
    let written = &text[range.clone()];
    let found = read(text, range.start, &Indented::as_written(written), kind)
        .or_else(|| read(text, range.start, &Indented::with_closing_brackets(written), kind));
    let Some((mut found, tokens)) = found else {
        scan.inert.push(range);
        return;
    };
    add_hash_comments(text, range, tokens, &mut found);
    scan.append(found);
}

/// Reads the references, and the ranges of scalars, which may contain `#`; `None` if it cannot be parsed.
fn read<'t>(
    text: &'t str,
    start: usize,
    yaml: &Indented<'_>,
    kind: DataKind,
) -> Option<(SourceScan<'t>, Vec<Range<usize>>)> {
    let mut reader = YamlReader {
        text,
        kind,
        start,
        yaml,
        open: Vec::new(),
        collections_in_key: 0,
        keys: Vec::new(),
        tokens: Vec::new(),
        found: SourceScan::default(),
    };
    // Aliases are events of their own, so that they take no memory.
    let mut parser = Parser::new_from_str(&yaml.text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.ok()?;
        reader.event(event, span);
    }
    Some((reader.found, reader.tokens))
}

/// An open list or mapping.
#[derive(Clone, Copy, PartialEq)]
enum OpenCollection {
    List,
    /// A mapping before a key.
    Key,
    /// A mapping before a value.
    Value,
}

struct YamlReader<'r, 't> {
    text: &'t str,
    kind: DataKind,
    /// The offset of the YAML in the text.
    start: usize,
    yaml: &'r Indented<'r>,
    open: Vec<OpenCollection>,
    /// Number of open collections that are in a key.
    collections_in_key: usize,
    /// The key of each mapping before a value.
    keys: Vec<String>,
    /// Scalars, which may contain `#`.
    tokens: Vec<Range<usize>>,
    found: SourceScan<'t>,
}

impl YamlReader<'_, '_> {
    fn offset(&self, character: usize) -> usize {
        self.start + self.yaml.offset(character)
    }

    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Scalar(value, style, _, tag) => {
                let range = self.scalar_range(span, style);
                self.tokens.push(range.clone());
                if self.open.last() == Some(&OpenCollection::Key) {
                    self.start_value(value.into_owned());
                } else {
                    // A tag such as `!ENV` gives the value another meaning.
                    if tag.is_none() && self.collections_in_key == 0 {
                        self.scalar(&value, style, range);
                    }
                    self.end_value();
                }
            }
            Event::Alias(_) if self.open.last() == Some(&OpenCollection::Key) => {
                self.start_value(String::new());
            }
            Event::Alias(_) => self.end_value(),
            Event::SequenceStart(..) => self.start_collection(OpenCollection::List),
            Event::MappingStart(..) => self.start_collection(OpenCollection::Key),
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
            *open = OpenCollection::Value;
        }
    }

    /// Begins a list or a mapping. As a key of a mapping, it is a key without a name.
    fn start_collection(&mut self, kind: OpenCollection) {
        let is_key = self.collections_in_key > 0 || self.open.last() == Some(&OpenCollection::Key);
        self.collections_in_key += usize::from(is_key);
        self.open.push(kind);
    }

    /// Ends the value of a mapping, or a key that is no scalar.
    fn end_value(&mut self) {
        match self.open.last_mut() {
            Some(open) if *open == OpenCollection::Value => {
                *open = OpenCollection::Key;
                self.keys.pop();
            }
            Some(open) if *open == OpenCollection::Key => {
                *open = OpenCollection::Value;
                self.keys.push(String::new());
            }
            _ => {}
        }
    }

    /// Returns the range of a scalar. The span of the parser also has its anchor and tag, and of a quoted one the comment
    /// after it.
    fn scalar_range(&self, span: Span, style: ScalarStyle) -> Range<usize> {
        let end = self.offset(span.end.index());
        let written = self.text.get(self.offset(span.start.index())..end).unwrap_or_default();
        let scalar = without_properties(written);
        let start = end - scalar.len();
        match style {
            ScalarStyle::SingleQuoted => start..start + quoted_length(scalar, b'\''),
            ScalarStyle::DoubleQuoted => start..start + quoted_length(scalar, b'"'),
            ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => start..end,
        }
    }

    fn scalar(&mut self, value: &str, style: ScalarStyle, range: Range<usize>) {
        let written = self.text.get(range.clone()).unwrap_or_default();
        let quotes = match style {
            ScalarStyle::Plain => 0,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => 1,
            ScalarStyle::Literal | ScalarStyle::Folded => return,
        };
        let Some(inside) = written.get(quotes..written.len().saturating_sub(quotes)) else { return };
        // Folded lines are not written as their value.
        if inside.contains('\n') || quotes == 0 && inside != value {
            return;
        }
        let range = range.start + quotes..range.end - quotes;
        let keys = self.keys.iter().map(String::as_str);
        add_value(self.text, range, value, keys, self.kind, &mut self.found);
    }
}

/// Returns a scalar without its anchor and its tag.
fn without_properties(mut scalar: &str) -> &str {
    while scalar.starts_with(['&', '!']) {
        let end = scalar.find(char::is_whitespace).unwrap_or(scalar.len());
        scalar = scalar[end..].trim_start();
    }
    scalar
}

/// Returns the length of a scalar in quotes at the start of a text, its quotes included.
fn quoted_length(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(byte) = bytes.get(at).copied() {
        let is_pair = bytes.get(at + 1) == Some(&quote);
        match byte {
            b'\\' if quote == b'"' => at += 2,
            b'\'' if quote == b'\'' && is_pair => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// YAML for the parser, and the offsets of its characters in the YAML as written.
struct Indented<'y> {
    text: Cow<'y, str>,
    /// The offset of each character; empty if they are equal.
    offsets: Vec<usize>,
    length: usize,
}

impl<'y> Indented<'y> {
    /// YAML as it is.
    fn as_written(yaml: &'y str) -> Indented<'y> {
        let offsets =
            if yaml.is_ascii() { Vec::new() } else { yaml.char_indices().map(|(at, _)| at).collect() };
        Indented { text: Cow::Borrowed(yaml), offsets, length: yaml.len() }
    }

    /// Indents closing brackets at the start of a line by one more space: all parsers but this one allow them in the
    /// column of the key whose list they close, and people write them there.
    fn with_closing_brackets(yaml: &'y str) -> Indented<'y> {
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
    fn offset(&self, character: usize) -> usize {
        let end = if self.offsets.is_empty() { character } else { self.length };
        self.offsets.get(character).copied().unwrap_or(end).min(self.length)
    }
}
