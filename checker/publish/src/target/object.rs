//! What is said of the objects of a target: what is there, and on what condition one is written.

use bytes::Bytes;

use crate::failure::Failure;

/// What is at a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Present {
    /// Its length in bytes.
    pub size: u64,
    /// The store's entity tag, without quotes.
    pub etag: Option<String>,
    /// SHA-256 of its content, where the target is cheap to read.
    pub sha256: Option<String>,
}

/// An object that was read.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its content.
    pub body: Bytes,
    /// The store's entity tag, without quotes; of a file its SHA-256.
    pub tag: Option<String>,
}

/// On what condition an object is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// None.
    Always,
    /// Only where there is none yet.
    Absent,
    /// Only where the entity tag is still this one, as it is to be sent.
    Unchanged(String),
}

/// Why an object was not written.
#[derive(Debug)]
pub(crate) enum PutError {
    /// Its condition did not hold.
    Conflict,
    /// A large content is not there, or is not what it should be; nothing was written.
    Different,
    /// Anything else.
    Other(Failure),
}
