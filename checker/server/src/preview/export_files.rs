//! Reads the current files of the export on disk, and sends them. A file is opened once per response, so that all headers
//! describe the same bytes. Keeps compressed bodies, and the headers of the contract, with the hashes of the current
//! export instead of `'auto'`.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use sha2::{Digest, Sha256};
use sitegate_base::hex::hex;
use sitegate_base::lock::lock;
use sitegate_check::{Contract, Format, HeaderRule, Tree, has_auto_hashes, headers_for, resolve_auto_hashes};
use sitegate_host::answer::{Files, lowercase};
use sitegate_host::compression::{Coding, Effort};
use sitegate_host::headers::STATE;

/// The files below a folder, without the target state and without symbolic links to the outside.
pub(super) struct ExportFiles(PathBuf);

impl ExportFiles {
    /// Opens the folder `root`.
    ///
    /// # Errors
    /// When `root` does not exist.
    pub fn new(root: &Path) -> io::Result<ExportFiles> {
        fs::canonicalize(root).map(ExportFiles)
    }

    /// Returns the file system path of a path of the site.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Resolves a path of the site, including symbolic links.
    fn resolve(&self, path: &[u8]) -> Option<PathBuf> {
        let path = std::str::from_utf8(path).ok()?;
        let is_invalid =
            path.contains(['\\', '\0']) || path.split('/').any(|part| matches!(part, "" | "." | ".."));
        if is_invalid || path.split('/').next() == Some(STATE.trim_end_matches('/')) {
            return None;
        }
        fs::canonicalize(self.0.join(path)).ok().filter(|path| path.starts_with(&self.0))
    }
}

impl Files for ExportFiles {
    type File = String;

    fn find(&self, path: &[u8]) -> Option<String> {
        self.resolve(path).filter(|path| path.is_file())?;
        String::from_utf8(path.to_vec()).ok()
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        path.is_empty() || self.resolve(path).is_some_and(|path| path.is_dir())
    }

    fn find_in_any_case(&self, path: &[u8]) -> Option<String> {
        let wanted = String::from_utf8(lowercase(path)).ok()?;
        if let Some(file) = self.find(wanted.as_bytes()) {
            return Some(file);
        }
        // A folder may exist in several cases, and only one of them may have the file.
        let mut found = vec![String::new()];
        for segment in wanted.split('/') {
            let in_folder = |folder: String| {
                let entries = fs::read_dir(self.0.join(&folder)).into_iter().flatten().flatten();
                let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
                let names = names.filter(|name| name.to_lowercase() == segment);
                names.map(move |name| if folder.is_empty() { name } else { format!("{folder}/{name}") })
            };
            found = found.into_iter().flat_map(in_folder).collect();
        }
        found.sort_unstable();
        found.into_iter().find_map(|file| self.find(file.as_bytes()))
    }
}

/// Maximum size of a file that is read into memory, in bytes. Larger ones, such as videos, are streamed without a
/// validator: a browser requests them in many ranges, and each would have to read the whole file. Chosen, no known case.
const MAX_READ: u64 = 8 << 20;

/// An open file.
pub(super) struct OpenFile {
    /// The size in bytes.
    pub length: u64,
    content: OpenContent,
}

enum OpenContent {
    /// All bytes, and their digest, which identifies them. Times do not: builds may set all to the same.
    Read(Bytes, String),
    Streamed(File),
}

impl OpenFile {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be opened or read.
    pub fn open(path: &Path) -> io::Result<OpenFile> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length > MAX_READ {
            return Ok(OpenFile { length, content: OpenContent::Streamed(file) });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let identity = hex(&Sha256::digest(&bytes)[..16]);
        Ok(OpenFile { length: bytes.len() as u64, content: OpenContent::Read(bytes.into(), identity) })
    }

    /// Returns the content and its digest, unless the file is too large.
    pub fn content(&self) -> Option<(&Bytes, &str)> {
        match &self.content {
            OpenContent::Read(bytes, identity) => Some((bytes, identity)),
            OpenContent::Streamed(_) => None,
        }
    }

    /// Returns the body with a range of the file, which must be within it.
    pub fn body(self, range: Range<u64>) -> PreviewBody {
        match self.content {
            OpenContent::Read(bytes, _) => bytes.slice(range.start as usize..range.end as usize).into(),
            OpenContent::Streamed(file) => PreviewBody::Part(file, range),
        }
    }
}

/// The headers of a contract that has policies with `'auto'`.
pub(super) struct AutoHeaders(Mutex<ResolvedHeaders>);

struct ResolvedHeaders {
    rules: Vec<HeaderRule>,
    /// The identities of the pages when they were hashed, by path. Very large pages have none.
    pages: HashMap<String, Option<String>>,
}

impl ResolvedHeaders {
    fn new(contract: &Contract, root: &Path) -> io::Result<ResolvedHeaders> {
        // A page that changes meanwhile has another identity afterwards, so that it is hashed again.
        let tree = Tree::walk(root)?;
        let pages = tree.ids().filter(|file| is_page(tree.path(*file)));
        let identity = |file| -> io::Result<_> {
            let opened = OpenFile::open(&tree.disk_path(file))?;
            let identity = opened.content().map(|(_, identity)| identity.to_owned());
            Ok((tree.display(file).into_owned(), identity))
        };
        let pages = pages.map(identity).collect::<io::Result<_>>()?;
        Ok(ResolvedHeaders { rules: resolve_auto_hashes(contract, root)?, pages })
    }
}

impl AutoHeaders {
    /// Computes the hashes; `None` if the contract needs none.
    ///
    /// # Errors
    /// When a page cannot be read.
    pub fn new(contract: &Contract, root: &Path) -> io::Result<Option<AutoHeaders>> {
        if !has_auto_hashes(contract) {
            return Ok(None);
        }
        Ok(Some(AutoHeaders(Mutex::new(ResolvedHeaders::new(contract, root)?))))
    }

    /// Returns the headers for a file, whose identity changes with its content. If a page has changed, all are hashed
    /// again: a reload must show a rebuilt export.
    pub fn of_file(
        &self,
        contract: &Contract,
        root: &Path,
        path: &str,
        identity: Option<&str>,
    ) -> Vec<(String, String)> {
        let mut resolved = lock(&self.0);
        let is_known = || resolved.pages.get(path).is_some_and(|known| known.as_deref() == identity);
        // While the export is being built, the last hashes stay.
        if is_page(path.as_bytes())
            && !is_known()
            && let Ok(current) = ResolvedHeaders::new(contract, root)
        {
            *resolved = current;
        }
        let headers = headers_for(&resolved.rules, path, contract.site.host_profile().added_html());
        headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}

/// Whether a file may have inline code: a page, or an SVG file that a page shows as a document.
fn is_page(path: &[u8]) -> bool {
    matches!(Format::of(path), Format::Html | Format::Svg)
}

/// Number of bytes read at once.
const CHUNK_SIZE: u64 = 64 << 10;

/// The rest of a body that is not sent yet.
#[derive(Debug)]
pub enum PreviewBody {
    /// Bytes in memory.
    Bytes(Bytes),
    /// Bytes of a file.
    Part(File, Range<u64>),
    /// The body of a HEAD response, without content and with unknown length.
    Unknown,
}

impl<B: Into<Bytes>> From<B> for PreviewBody {
    fn from(bytes: B) -> PreviewBody {
        PreviewBody::Bytes(bytes.into())
    }
}

/// Reads the next chunk of a part, and advances its start.
fn read_chunk(mut file: &File, range: &mut Range<u64>) -> io::Result<Bytes> {
    let length = CHUNK_SIZE.min(range.end - range.start);
    let mut chunk = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.seek(SeekFrom::Start(range.start))?;
    // If the file was truncated, the response is cut off: its length has been sent.
    file.read_exact(&mut chunk)?;
    range.start += length;
    Ok(chunk.into())
}

impl Body for PreviewBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = match &mut *self {
            PreviewBody::Bytes(bytes) if !bytes.is_empty() => Ok(std::mem::take(bytes)),
            PreviewBody::Part(file, range) if !range.is_empty() => read_chunk(file, range),
            _ => return Poll::Ready(None),
        };
        if next.is_err() {
            *self = Bytes::new().into();
        }
        Poll::Ready(Some(next.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.size_hint().exact() == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            PreviewBody::Bytes(bytes) => SizeHint::with_exact(bytes.len() as u64),
            PreviewBody::Part(_, range) => SizeHint::with_exact(range.end.saturating_sub(range.start)),
            PreviewBody::Unknown => SizeHint::default(),
        }
    }
}

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
