//! Opens a file of the export once per response, so that all headers describe the same bytes.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;

/// An open file.
pub(super) struct OpenFile {
    pub file: Arc<File>,
    /// The size in bytes.
    pub length: u64,
    /// An identity that changes with the content, computed without reading it.
    pub identity: String,
}

impl OpenFile {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<OpenFile> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let identity = hex(&Sha256::digest(distinct(&metadata))[..16]);
        Ok(OpenFile { length: metadata.len(), file: Arc::new(file), identity })
    }

    /// Reads the whole file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&*self.file).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Returns metadata that changes with the content. The modification time is not enough: some builds set it to a
/// constant.
fn distinct(metadata: &Metadata) -> String {
    let since = |time: io::Result<std::time::SystemTime>| {
        time.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default().as_nanos()
    };
    let known = format!("{} {} {}", metadata.len(), since(metadata.modified()), since(metadata.created()));
    #[cfg(unix)]
    let known = {
        use std::os::unix::fs::MetadataExt;
        let inode = format!("{} {}", metadata.dev(), metadata.ino());
        format!("{known} {inode} {} {}", metadata.ctime(), metadata.ctime_nsec())
    };
    known
}
