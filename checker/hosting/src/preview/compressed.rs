//! Bodies in compressed form, kept so that each is compressed once.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::body::PreviewBody;
use super::open_file::OpenFile;
use crate::compression::{Coding, Effort};

/// Compressed bodies that are kept, in bytes.
const KEPT: usize = 64 << 20;

/// Compressed bodies, by the identity of the file that they hold.
#[derive(Default)]
pub(super) struct CompressedBodies(Mutex<HashMap<(String, Coding), Bytes>>);

impl CompressedBodies {
    /// A file in compressed form. Where only its headers are wanted, it is not compressed for them.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn get(&self, file: &OpenFile, coding: Coding, only_headers: bool) -> io::Result<PreviewBody> {
        let key = (file.identity.clone(), coding);
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone().into());
        }
        if only_headers {
            return Ok(PreviewBody::unknown());
        }
        let made = Bytes::from(coding.compress(&file.read()?, Effort::Quick));
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.values().map(Bytes::len).sum::<usize>() + made.len() > KEPT {
            kept.clear();
        }
        kept.insert(key, made.clone());
        Ok(made.into())
    }
}
