//! Access to the files of a folder without following links, so that a planted link cannot point out of the folder.
//!
//! The folder itself may be a link; it is resolved once, when it is opened. Keys are paths below it with `/`. The
//! empty key is the folder itself.

mod entry;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

use std::io::{self, ErrorKind};

use sitegate_address::SitePath;

pub(crate) use entry::{EntryKind, FolderEntry, Obstacle, is_absent, parent};
#[cfg(not(unix))]
pub(crate) use portable::PortableFolder as RootFolder;
#[cfg(unix)]
pub(crate) use unix::RootFolder;

impl RootFolder {
    /// Creates a folder and its parents below the root. Passes each that is new to `created`.
    ///
    /// # Errors
    /// When an entry is in the way, or the file system refuses.
    pub(crate) fn make_folders(&self, folder: &str, mut created: impl FnMut(&str)) -> io::Result<()> {
        if self.is_folder(folder)? {
            return Ok(());
        }
        for part in SitePath::new(folder).ancestors().chain([folder]) {
            match self.make_folder(part) {
                Ok(()) => created(part),
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                Err(_) if self.is_folder(part)? => {}
                Err(_) => return Err(ErrorKind::NotADirectory.into()),
            }
        }
        Ok(())
    }

    /// Whether there is a folder.
    ///
    /// # Errors
    /// When there is an obstacle, or the file system refuses.
    pub(crate) fn is_folder(&self, key: &str) -> io::Result<bool> {
        match self.entry(key) {
            Ok(FolderEntry { kind: EntryKind::Obstacle(kind), .. }) => Err(Obstacle::error(key, kind)),
            Ok(entry) => Ok(entry.kind == EntryKind::Folder),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::{Obstacle, RootFolder};

    #[test]
    fn no_operation_follows_a_link_or_opens_a_special_file() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("root"), folder.path().join("outside"));
        fs::create_dir(&root).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "theirs").unwrap();
        fs::write(root.join("file"), "ours").unwrap();
        symlink(&outside, root.join("folder")).unwrap();
        symlink(outside.join("file"), root.join("link")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
        let _socket = UnixListener::bind(root.join("socket")).unwrap();
        let root = RootFolder::open(&root).unwrap();
        let refused = |done: std::io::Result<()>, key: &str| {
            let error = done.unwrap_err();
            assert_eq!(Obstacle::from_error(&error).map(|found| found.key.as_str()), Some(key), "{error}");
        };
        for key in ["link", "dangling", "socket"] {
            refused(root.open_file(key).map(drop), key);
            refused(root.open_lock(key).map(drop), key);
            refused(root.is_folder(key).map(drop), key);
        }
        for key in ["folder/file", "folder/new"] {
            refused(root.open_file(key).map(drop), "folder");
            refused(root.open_lock(key).map(drop), "folder");
            refused(root.create_file(key).map(drop), "folder");
            refused(root.entry(key).map(drop), "folder");
            refused(root.remove_file(key), "folder");
            refused(root.remove_folder(key), "folder");
            refused(root.make_folder(key), "folder");
            refused(root.make_folders(key, |_| {}), "folder");
            refused(root.rename("file", key), "folder");
            refused(root.rename(key, "file"), "folder");
        }
        refused(root.entries("folder").map(drop), "folder");
        refused(root.sync_folder("folder"), "folder");
        assert!(root.create_file("dangling").is_err());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        // A link itself can be replaced.
        root.rename("file", "link").unwrap();
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "theirs");
    }
}
