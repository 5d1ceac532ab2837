//! Caches compressed bodies.

use std::collections::HashMap;
use std::sync::Mutex;

use bytes::Bytes;
use sitegate_base::lock::lock;

use super::body::PreviewBody;
use sitegate_host::compression::{Coding, Effort};

/// Maximum size of the cache, in bytes.
const MAX_CACHE_SIZE: usize = 64 << 20;

/// Compressed bodies, by entity tag.
#[derive(Default)]
pub(super) struct CompressedBodies(Mutex<HashMap<String, Bytes>>);

impl CompressedBodies {
    /// Returns content in compressed form. If only headers are needed, it is not compressed for them.
    pub fn get(&self, etag: &str, content: &Bytes, coding: Coding, only_headers: bool) -> PreviewBody {
        if let Some(known) = lock(&self.0).get(etag) {
            return known.clone().into();
        }
        if only_headers {
            return PreviewBody::Unknown;
        }
        let compressed = Bytes::from(coding.compress(content, Effort::Quick));
        let mut cache = lock(&self.0);
        if cache.values().map(Bytes::len).sum::<usize>() + compressed.len() > MAX_CACHE_SIZE {
            cache.clear();
        }
        cache.insert(etag.to_owned(), compressed.clone());
        compressed.into()
    }
}
