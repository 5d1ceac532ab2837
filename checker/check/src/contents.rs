//! What an export holds, in digests: of each file, and of all paths and contents together.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use blake3::Hasher;
use rayon::prelude::*;

use crate::pieces::{PIECE, each_piece};
use crate::walk::{FileId, Tree};

/// With fewer files than this, a check takes no longer than looking whether one is needed.
const FEWEST: usize = 1_000;

/// Bytes that are read for their digest alone: of pictures and films, which a check does not look into.
const MOST_UNREAD: u64 = 256 << 20;

/// How much time there must be between what is written to a file and what is read of it, so that file systems tell the two apart.
const TICK: Duration = Duration::from_millis(50);

/// Bytes of a digest that tell whether two contents may be the same.
const HINT: usize = 8;

/// The digests of an export's files. All threads of a check add to them.
pub struct Contents {
    files: Vec<OnceLock<FileSum>>,
    /// Bytes that may still be read for their digest alone.
    left: AtomicU64,
    began: SystemTime,
}

/// What is known of one content.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileSum {
    length: u64,
    digest: [u8; 32],
}

impl Contents {
    /// Digests of files that are read from now on, or were since `began`; `None` where they are so few that they are checked as
    /// quickly again.
    pub(crate) fn of_many(files: usize, began: SystemTime) -> Option<Contents> {
        (files >= FEWEST).then(|| Contents::new(files, began))
    }

    fn new(files: usize, began: SystemTime) -> Contents {
        let files = (0..files).map(|_| OnceLock::new()).collect();
        Contents { files, left: AtomicU64::new(MOST_UNREAD), began }
    }

    /// Takes in a file's content.
    pub(crate) fn take(&self, file: FileId, content: &[u8]) {
        let sum = FileSum { length: content.len() as u64, digest: blake3::hash(content).into() };
        let _ = self.files[file as usize].set(sum);
    }

    /// Takes in the content of a file that nothing else is asked about, unless there is too much of that.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn take_unread(&self, file: FileId, content: &mut dyn Read, length: u64) -> io::Result<()> {
        let take = |left: u64| left.checked_sub(length);
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
            let mut hasher = Hasher::new();
            let length = each_piece(content, |piece| {
                hasher.update(piece);
            })?;
            let _ = self.files[file as usize].set(FileSum { length, digest: hasher.finalize().into() });
        }
        Ok(())
    }

    /// The digest of every path and every content (BLAKE3), if each was read and none was changed since: what is read of a
    /// file more than once was then the same.
    pub fn digest(&self, tree: &Tree) -> Option<[u8; 32]> {
        let before = self.began - TICK;
        let is_older = |path: PathBuf| {
            let changed = fs::metadata(path).and_then(|metadata| last_change(&metadata));
            changed.is_ok_and(|changed| changed < before)
        };
        // A file that was moved may be as old as ever, but not the directory that it was moved to.
        let folders = tree.folders().chain([&b""[..]]).all(|folder| is_older(tree.disk_path_of(folder)));
        let files = || tree.ids().into_par_iter().all(|file| is_older(tree.disk_path(file)));
        if folders && files() { self.sum(tree) } else { None }
    }

    /// The same, whenever files were changed. What a link leads to may be changed from afar.
    fn sum(&self, tree: &Tree) -> Option<[u8; 32]> {
        if !tree.unread.is_empty() || tree.is_linked {
            return None;
        }
        let mut hasher = Hasher::new();
        let mut put = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        for file in tree.ids() {
            let FileSum { length, digest } = self.files[file as usize].get()?;
            put(tree.path(file));
            put(&length.to_le_bytes());
            put(digest);
        }
        let mut folders: Vec<&[u8]> = tree.folders().collect();
        folders.sort_unstable();
        put(&[]);
        folders.into_iter().for_each(&mut put);
        put(&[]);
        for stray in &tree.strays {
            put(stray.path.as_bytes());
            put(&[stray.kind as u8]);
        }
        Some(hasher.finalize().into())
    }

    /// For each file its length and the beginning of its digest, for [`Contents::read_again`].
    pub fn hints(&self) -> Vec<u8> {
        let hint = |sum: &FileSum| [&sum.length.to_le_bytes()[..], &sum.digest[..HINT]].concat();
        self.files.iter().filter_map(OnceLock::get).flat_map(hint).collect()
    }

    /// Reads all files of an export, as long as they may be those that hints were made of. Gives the digest of every path and
    /// every content, which alone says that they are.
    pub fn read_again(tree: &Tree, hints: &[u8]) -> Option<[u8; 32]> {
        let hint = |file: FileId| hints.get(file as usize * 2 * HINT..)?.split_at_checked(HINT);
        let is_as_long = |file: FileId| {
            let length = fs::metadata(tree.disk_path(file)).map(|metadata| metadata.len().to_le_bytes());
            length.is_ok_and(|length| hint(file).is_some_and(|(hint, _)| hint == length))
        };
        if hints.len() != tree.len() * 2 * HINT || !tree.ids().into_par_iter().all(is_as_long) {
            return None;
        }
        let contents = Contents::new(tree.len(), SystemTime::now());
        let is_same = |room: &mut Vec<u8>, file: FileId| {
            let slot = &contents.files[file as usize];
            let read = File::open(tree.disk_path(file)).and_then(|mut opened| {
                if opened.metadata()?.len() > PIECE as u64 {
                    return contents.take_unread(file, &mut opened, 0);
                }
                room.clear();
                opened.read_to_end(room)?;
                contents.take(file, room);
                Ok(())
            });
            let begins =
                |sum: &FileSum| hint(file).is_some_and(|(_, hint)| hint.starts_with(&sum.digest[..HINT]));
            read.is_ok() && slot.get().is_some_and(begins)
        };
        let all = tree.ids().into_par_iter().map_init(Vec::new, is_same).all(|is_same| is_same);
        if all { contents.sum(tree) } else { None }
    }
}

/// When a file was last written to or changed in any other way.
fn last_change(metadata: &fs::Metadata) -> io::Result<SystemTime> {
    let written = metadata.modified()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let seconds = u64::try_from(metadata.ctime()).unwrap_or(0);
        let nanoseconds = u32::try_from(metadata.ctime_nsec()).unwrap_or(0);
        Ok(written.max(SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds)))
    }
    #[cfg(not(unix))]
    Ok(written)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::thread::sleep;
    use std::time::SystemTime;

    use super::{Contents, TICK};
    use crate::walk::Tree;

    #[test]
    fn what_is_touched_while_it_is_read_has_no_digest() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (file, text) in [("a/x.html", "one"), ("b/x.html", "two"), ("c.html", "three")] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), text).unwrap();
        }
        let tree = Tree::walk(root).unwrap();
        let read = || {
            let contents = Contents::new(tree.len(), SystemTime::now());
            tree.ids().for_each(|file| contents.take(file, &fs::read(tree.disk_path(file)).unwrap()));
            contents
        };
        let young = read();
        assert_eq!(young.digest(&tree), None);
        sleep(2 * TICK);
        let contents = read();
        let digest = contents.digest(&tree).unwrap();
        assert_eq!(Contents::read_again(&tree, &contents.hints()), Some(digest));
        fs::write(root.join("c.html"), "three").unwrap();
        assert_eq!(contents.digest(&tree), None);
        assert_eq!(Contents::read_again(&tree, &contents.hints()), Some(digest));
        sleep(2 * TICK);
        let contents = read();
        fs::rename(root.join("a"), root.join("d")).unwrap();
        fs::rename(root.join("b"), root.join("a")).unwrap();
        fs::rename(root.join("d"), root.join("b")).unwrap();
        assert_eq!(contents.digest(&tree), None);
        assert_eq!(Contents::read_again(&tree, &contents.hints()), None);
    }
}
