//! Writes JSON documents as a stream: the entries of a list are made while they are written, so that only one is in
//! memory. Generates the JSON Schemas of such documents.

use std::io::{self, BufWriter, Write};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Serialize, Serializer};
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// Size in bytes of the buffer between the serializer, which writes a few bytes at a time, and the output.
const BUFFER_SIZE: usize = 64 << 10;

/// A list whose entries a function makes.
#[derive(Debug)]
pub struct Streamed<F>(pub F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for Streamed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// The layout of a JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonLayout {
    /// One line.
    Compact,
    /// One line for each value, with indentation.
    Pretty,
    /// One line for each entry of the lists in the outermost object.
    Entries,
}

/// Writes a document and a line break.
///
/// # Errors
/// If the output cannot be written.
pub fn write_json(document: &impl Serialize, layout: JsonLayout, out: &mut dyn Write) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(BUFFER_SIZE, out);
    match layout {
        JsonLayout::Compact => serialize(document, CompactFormatter, &mut buffered)?,
        JsonLayout::Pretty => serialize(document, PrettyFormatter::new(), &mut buffered)?,
        JsonLayout::Entries => serialize(document, EntryLines::default(), &mut buffered)?,
    }
    writeln!(buffered)?;
    buffered.flush()
}

fn serialize(document: &impl Serialize, formatter: impl Formatter, out: &mut dyn Write) -> io::Result<()> {
    document.serialize(&mut serde_json::Serializer::with_formatter(out, formatter))?;
    Ok(())
}

/// The formatter of [`JsonLayout::Entries`].
#[derive(Default)]
struct EntryLines {
    /// Number of open objects.
    objects: usize,
    /// Number of open lists.
    lists: usize,
}

impl EntryLines {
    /// Whether the innermost open list is one of the outermost object.
    fn is_in_entries(&self) -> bool {
        (self.objects, self.lists) == (1, 1)
    }
}

impl Formatter for EntryLines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.lists += 1;
        out.write_all(if self.is_in_entries() { b"[\n" } else { b"[" })
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        match (first, self.is_in_entries()) {
            (true, _) => Ok(()),
            (false, true) => out.write_all(b",\n"),
            (false, false) => out.write_all(b","),
        }
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let end: &[u8] = if self.is_in_entries() { b"\n]" } else { b"]" };
        self.lists -= 1;
        out.write_all(end)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.objects += 1;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.objects -= 1;
        out.write_all(b"}")
    }
}

/// Returns the JSON Schema of a document as shipped, in draft 7. It is derived from the types, and allows unknown fields,
/// because new ones may be added without a new version.
pub fn schema<T: JsonSchema>() -> String {
    let generator = SchemaSettings::draft07().for_serialize().into_generator();
    let schema = generator.into_root_schema_for::<T>();
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde::Serialize;

    use super::{JsonLayout, Streamed, write_json};

    #[derive(Serialize)]
    struct Document<L> {
        name: &'static str,
        list: L,
    }

    #[derive(Serialize)]
    struct Entry {
        parts: Vec<u32>,
    }

    fn written(count: u32, layout: JsonLayout) -> String {
        let entries = || (0..count).map(|at| Entry { parts: (0..at).collect() });
        let mut text = Vec::new();
        write_json(&Document { name: "x", list: Streamed(entries) }, layout, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn writes_entries_in_each_layout() {
        let compact = "{\"name\":\"x\",\"list\":[{\"parts\":[]},{\"parts\":[0]},{\"parts\":[0,1]}]}\n";
        assert_eq!(written(3, JsonLayout::Compact), compact);
        let lines = "{\"name\":\"x\",\"list\":[\n{\"parts\":[]},\n{\"parts\":[0]},\n{\"parts\":[0,1]}\n]}\n";
        assert_eq!(written(3, JsonLayout::Entries), lines);
        assert_eq!(written(0, JsonLayout::Entries), "{\"name\":\"x\",\"list\":[\n\n]}\n");
        assert_eq!(written(0, JsonLayout::Pretty), "{\n  \"name\": \"x\",\n  \"list\": []\n}\n");
    }
}
