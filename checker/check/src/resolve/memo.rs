//! Remembers where references lead: the pages of a directory refer to the same files again and again.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::base::Base;
use super::target::Target;

/// References that are remembered at a time, at the most.
const SLOTS: usize = 1 << 11;

/// Bytes of the longest that is.
const LONGEST: usize = 256;

/// What one thread remembers, for one document after the other.
#[derive(Debug)]
pub struct Memo {
    /// Each reference has one place, by its hash, and the last one holds it.
    slots: Vec<MemoSlot>,
    /// The directory that references are relative to, and its number, from 1.
    folder: Vec<u8>,
    number: u32,
    /// Whether the document's own address decides what they are relative to.
    is_plain: bool,
    /// Where references to the document itself lead: those that are only a fragment.
    itself: Option<Target>,
    buffer: Vec<u8>,
}

#[derive(Clone, Debug)]
struct MemoSlot {
    /// The directory's; 0 where the reference leads to the same from all of them.
    number: u32,
    /// The reference up to its fragment; empty where nothing is remembered.
    text: Vec<u8>,
    target: Target,
}

impl Default for Memo {
    fn default() -> Self {
        Memo {
            slots: vec![MemoSlot { number: 0, text: Vec::new(), target: Target::Empty }; SLOTS],
            folder: Vec::new(),
            number: 1,
            is_plain: false,
            itself: None,
            buffer: Vec::new(),
        }
    }
}

impl Memo {
    /// Begins with another document.
    pub fn begin(&mut self, base: &Base) {
        self.itself = None;
        self.is_plain = base.is_of_document();
        let folder = base.folder().unwrap_or_default();
        if folder != self.folder.as_slice() {
            self.folder.clear();
            self.folder.extend_from_slice(folder);
            self.number += 1;
        }
    }

    /// Where a reference of the document leads that was begun with: `resolve` is asked where that is not known yet, and gets
    /// scratch space for paths.
    pub fn resolve(&mut self, reference: &str, resolve: impl FnOnce(&mut Vec<u8>) -> Target) -> Target {
        if reference.starts_with('#') {
            let Memo { itself, buffer, .. } = self;
            return *itself.get_or_insert_with(|| resolve(buffer));
        }
        let Some((text, is_relative)) = remembered(reference).filter(|_| self.is_plain) else {
            return resolve(&mut self.buffer);
        };
        let number = if is_relative { self.number } else { 0 };
        let at = FixedState::default().hash_one(text) as usize % SLOTS;
        let slot = &mut self.slots[at];
        if slot.text != text || slot.number != number {
            slot.target = resolve(&mut self.buffer);
            slot.number = number;
            slot.text.clear();
            slot.text.extend_from_slice(text);
        }
        slot.target
    }
}

/// What of a reference says where it leads, and whether that depends on the document's directory. `None` where it depends on the
/// document itself too: where the reference has no path of its own (`?a`, `http:`), or may have none.
fn remembered(reference: &str) -> Option<(&[u8], bool)> {
    let bytes = reference.as_bytes();
    let is_whole = bytes.starts_with(b"https://") || bytes.starts_with(b"http://");
    let stop = memchr::memchr2(b'#', b':', bytes).map(|at| (at, bytes[at]));
    let text = match stop {
        Some((at, b'#')) => &bytes[..at],
        Some(_) if is_whole => &bytes[..memchr::memchr(b'#', bytes).unwrap_or(bytes.len())],
        Some(_) => return None,
        None => bytes,
    };
    // Spaces at the end count where a fragment follows, and else do not.
    let is_clear = |byte: Option<&u8>| byte.is_some_and(|byte| *byte > b' ');
    let has_path = is_clear(text.first()) && is_clear(text.last()) && text[0] != b'?';
    (has_path && text.len() <= LONGEST).then(|| (text, !is_whole && text[0] != b'/'))
}
