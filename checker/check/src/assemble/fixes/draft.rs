//! Defines the edits of findings before they are compared, and their places in texts.

use crate::raw_finding::Certainty;
use crate::report::finding::SourceEdit;

/// An edit of a finding, before those of the other findings are known.
pub(super) struct Draft {
    pub finding: usize,
    pub certainty: Certainty,
    pub reason: &'static str,
    pub edit: SourceEdit,
}

/// Returns the offset of the line that contains an offset.
pub(super) fn line_start(text: &[u8], offset: usize) -> usize {
    memchr::memrchr(b'\n', &text[..offset]).map_or(0, |at| at + 1)
}

/// Returns the column of an offset in characters, from 1.
pub(super) fn column(text: &[u8], offset: usize) -> u32 {
    let before = &text[line_start(text, offset)..offset];
    before.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32 + 1
}
