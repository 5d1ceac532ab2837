//! Targets of a campaign: the server in memory, a real server behind it, and a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::TempDir;

use super::invariants::AllowedContent;
use super::rng::Rng;
use crate::s3::server::{Modified, Objects, Server, Settings, Stored};

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Store {
    Memory,
    Ceph,
    Folder,
}

impl Store {
    pub const ALL: [Store; 3] = [Store::Memory, Store::Ceph, Store::Folder];

    /// Returns its name on the command line and in the table.
    pub fn name(self) -> &'static str {
        match self {
            Store::Memory => "memory",
            Store::Ceph => "ceph",
            Store::Folder => "file",
        }
    }
}

/// The target of a round.
pub enum TestTarget {
    /// A bucket, and the prefix of the target, with a slash at the end.
    Bucket(Server, String),
    /// A folder, and its subfolder that is served.
    Folder(TempDir),
}

impl TestTarget {
    pub fn new(store: Store, rng: &mut Rng) -> TestTarget {
        // A listing may have many pages.
        let page = rng.pick(&[1_000, 7, 1_000]);
        let prefix = if rng.chance(30) { "deep/er/" } else { "" }.to_owned();
        match store {
            Store::Memory => {
                TestTarget::Bucket(Server::in_memory(Settings { page, ..Settings::default() }), prefix)
            }
            Store::Ceph => TestTarget::Bucket(Server::start(Settings::default()), prefix),
            Store::Folder => TestTarget::Folder(tempfile::tempdir().unwrap()),
        }
    }

    pub fn server(&self) -> Option<&Server> {
        match self {
            TestTarget::Bucket(server, _) => Some(server),
            TestTarget::Folder(_) => None,
        }
    }

    /// Returns the target's URL.
    pub fn url(&self) -> String {
        match self {
            TestTarget::Bucket(server, prefix) => {
                format!("s3://{}/{}", server.bucket, prefix.trim_end_matches('/'))
            }
            TestTarget::Folder(folder) => format!("file://{}", folder.path().join("public").display()),
        }
    }

    /// Returns all objects of the target by key.
    pub fn objects(&self) -> Objects {
        match self {
            TestTarget::Bucket(server, prefix) => below(&server.objects(), prefix),
            TestTarget::Folder(folder) => {
                let mut found = Objects::new();
                read(&folder.path().join("public"), "", &mut found);
                found
            }
        }
    }

    /// Returns the served folder, if the target is a folder.
    pub fn served(&self) -> Option<PathBuf> {
        match self {
            TestTarget::Bucket(..) => None,
            TestTarget::Folder(folder) => Some(folder.path().join("public")),
        }
    }

    /// Returns the objects outside of the target, which must never change.
    pub fn outside_target(&self) -> Objects {
        match self {
            TestTarget::Bucket(server, prefix) => {
                server.objects().into_iter().filter(|(key, _)| !key.starts_with(prefix.as_str())).collect()
            }
            TestTarget::Folder(folder) => {
                let mut found = Objects::new();
                read(folder.path(), "", &mut found);
                found.retain(|key, _| !key.starts_with("public/"));
                found
            }
        }
    }

    /// Sets the content of a key, or removes it if `None`.
    pub fn set(&self, key: &str, body: Option<&[u8]>) {
        match (self, body) {
            (TestTarget::Bucket(server, prefix), Some(body)) => {
                let mut objects = server.objects();
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
                let stored = Stored { body: body.to_vec(), modified: Modified(now), ..Stored::default() };
                objects.insert(format!("{prefix}{key}"), stored);
                server.set_objects(objects);
            }
            (TestTarget::Bucket(server, prefix), None) => server.remove(&format!("{prefix}{key}")),
            (TestTarget::Folder(folder), Some(body)) => {
                let path = folder.path().join("public").join(key);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, body).unwrap();
            }
            (TestTarget::Folder(folder), None) => {
                fs::remove_file(folder.path().join("public").join(key)).unwrap()
            }
        }
    }

    /// Checks the invariants after every write to a bucket in memory.
    pub fn watch(&self, allowed: &Arc<Mutex<AllowedContent>>) {
        if let TestTarget::Bucket(server, prefix) = self {
            let (allowed, prefix) = (Arc::clone(allowed), prefix.clone());
            server.watch(Box::new(move |objects| {
                allowed.lock().unwrap().assert_sound(&below(objects, &prefix))
            }));
        }
    }
}

fn below(objects: &Objects, prefix: &str) -> Objects {
    let below = objects.iter().filter_map(|(key, stored)| Some((key.strip_prefix(prefix)?, stored)));
    below.map(|(key, stored)| (key.to_owned(), stored.clone())).collect()
}

/// Reads all files below a folder. Ignores files that are deleted meanwhile.
pub fn read(folder: &Path, before: &str, found: &mut Objects) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let key = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read(&entry.path(), &format!("{key}/"), found);
        } else if !entry.path().is_file() {
            // Reading a named pipe would wait for its other end.
        } else if let Ok(body) = fs::read(entry.path()) {
            found.insert(key, Stored { body, ..Stored::default() });
        }
    }
}
