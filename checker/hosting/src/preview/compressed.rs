//! Bodies in compressed form, kept so that each is compressed once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::compression::{Coding, Effort};

/// Compressed bodies that are kept, in bytes.
const KEPT: usize = 64 << 20;

/// Compressed bodies, by the digest of what they hold.
#[derive(Default)]
pub(super) struct CompressedBodies(Mutex<HashMap<(String, Coding), Bytes>>);

impl CompressedBodies {
    /// A body in compressed form.
    pub fn get(&self, digest: String, coding: Coding, body: &[u8]) -> Bytes {
        let key = (digest, coding);
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let made = Bytes::from(coding.compress(body, Effort::Quick));
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.values().map(Bytes::len).sum::<usize>() + made.len() > KEPT {
            kept.clear();
        }
        kept.insert(key, made.clone());
        made
    }
}
