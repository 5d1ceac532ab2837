//! Caches the targets of references: the pages of a folder often refer to the same files.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use sitegate_address::UrlReference;

use super::base::Base;
use super::target::Target;

/// Number of cached references.
const SLOTS: usize = 1 << 11;

/// Maximum length of a cached reference in bytes.
const MAX_LENGTH: usize = 256;

/// The cache of one thread, for one document after the other.
#[derive(Debug)]
pub struct Memo {
    /// Each reference has one slot, by its hash; the last one occupies it.
    slots: Vec<MemoSlot>,
    /// The folder that references are relative to, and its number, from 1.
    folder: Vec<u8>,
    number: u32,
    /// Whether references are relative to the document's own URL.
    is_plain: bool,
    /// The target of references to the document itself, which are only a fragment.
    itself: Option<Target>,
    buffer: Vec<u8>,
}

#[derive(Clone, Debug)]
struct MemoSlot {
    /// The number of the folder; 0 if the target is the same from all folders.
    number: u32,
    /// The reference without its fragment; empty for an unused slot.
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
    /// Starts another document.
    pub fn start_document(&mut self, base: &Base) {
        self.itself = None;
        self.is_plain = base.is_document_url();
        let folder = base.folder().unwrap_or_default();
        if folder != self.folder.as_slice() {
            self.folder.clear();
            self.folder.extend_from_slice(folder);
            self.number += 1;
        }
    }

    /// Returns the target of a reference in the current document. Calls `resolve`, with scratch space for paths, if it
    /// is not cached.
    pub fn resolve(&mut self, reference: &str, resolve: impl FnOnce(&mut Vec<u8>) -> Target) -> Target {
        if matches!(reference.as_bytes(), [b'#', ..]) {
            let Memo { itself, buffer, .. } = self;
            return *itself.get_or_insert_with(|| resolve(buffer));
        }
        let key = if self.is_plain { cache_key(reference) } else { None };
        let Some((text, is_relative)) = key else {
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

/// Returns the part of a reference that determines its target, and whether the target depends on the folder of the
/// document.
/// Returns `None` if it depends on the document itself, because the reference has no path (`?a`, `http:`), or may have
/// none.
fn cache_key(reference: &str) -> Option<(&[u8], bool)> {
    let bytes = reference.as_bytes();
    let stop = memchr::memchr2(b'#', b':', bytes).map(|at| (at, bytes[at]));
    let (text, is_whole) = match stop {
        None => (bytes, false),
        Some((at, b'#')) => (&bytes[..at], false),
        Some(_) if bytes.starts_with(b"https://") || bytes.starts_with(b"http://") => {
            (UrlReference::new(bytes).without_fragment(), true)
        }
        Some(_) => return None,
    };
    // Spaces at the end are significant only before a fragment.
    let is_printable = |byte: Option<&u8>| byte.is_some_and(|byte| *byte > b' ');
    let has_path = is_printable(text.first()) && is_printable(text.last()) && text[0] != b'?';
    (has_path && text.len() <= MAX_LENGTH).then(|| (text, !is_whole && text[0] != b'/'))
}
