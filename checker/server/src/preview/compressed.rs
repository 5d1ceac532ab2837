//! Caches compressed bodies.

use std::collections::HashMap;
use std::io;
use std::sync::Mutex;

use bytes::Bytes;
use sitegate_base::lock::lock;

use super::body::PreviewBody;
use super::open_file::OpenFile;
use sitegate_host::compression::{Coding, Effort};

/// Maximum size of the cache, in bytes.
const MAX_CACHE_SIZE: usize = 64 << 20;

/// Compressed bodies, by file identity and coding.
#[derive(Default)]
pub(super) struct CompressedBodies(Mutex<HashMap<(String, Coding), Bytes>>);

impl CompressedBodies {
    /// Returns a file in compressed form. If only headers are needed, it is not compressed for them.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn get(&self, file: &OpenFile, coding: Coding, only_headers: bool) -> io::Result<PreviewBody> {
        let key = (file.identity.clone(), coding);
        if let Some(known) = lock(&self.0).get(&key) {
            return Ok(known.clone().into());
        }
        if only_headers {
            return Ok(PreviewBody::unknown());
        }
        let compressed = Bytes::from(coding.compress(&file.read()?, Effort::Quick));
        let mut cache = lock(&self.0);
        if cache.values().map(Bytes::len).sum::<usize>() + compressed.len() > MAX_CACHE_SIZE {
            cache.clear();
        }
        cache.insert(key, compressed.clone());
        Ok(compressed.into())
    }
}
