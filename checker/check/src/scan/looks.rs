//! What second looks at files have told, kept for the next check.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::index::scripts::Scripts;
use crate::walk::FileId;

/// What looks at files have told, for as long as these are as they were.
#[derive(Default)]
pub(crate) struct Looks {
    /// What was learnt of scripts, until some are others, or others are run.
    pub scripts: Option<Scripts>,
    /// By pages: fragments that they do not answer, and the ids that are most likely meant.
    pub near: BTreeMap<FileId, NearIds>,
}

/// Fragments, each with the id that is most likely meant by it.
pub(super) type NearIds = BTreeMap<Box<str>, Option<Arc<str>>>;

impl Looks {
    /// Lets go of what was told of a file.
    pub fn forget(&mut self, file: FileId) {
        self.near.remove(&file);
    }
}
