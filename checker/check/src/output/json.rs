//! Writes the report as JSON.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::render_options::RenderOptions;
use crate::report::Report;

/// Size in bytes of the buffer between the serializer and the output.
const BUFFER_SIZE: usize = 64 << 10;

/// Writes a report.
pub fn write(report: &Report, _: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    // The serializer writes a few bytes at a time.
    let mut buffered = BufWriter::with_capacity(BUFFER_SIZE, out);
    serde_json::to_writer_pretty(&mut buffered, report)?;
    writeln!(buffered)?;
    buffered.flush()
}

/// Writes a value with the indentation of its depth in the document.
pub(super) fn to_json(value: &impl Serialize, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut formatter = PrettyFormatter::new();
    (0..depth).try_for_each(|_| formatter.begin_array(&mut io::sink()))?;
    value.serialize(&mut Serializer::with_formatter(out, formatter))?;
    Ok(())
}
