//! Which keys a target can hold, before anything is sent to it.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use sitegate_base::file_name::{LONGEST_KEY, folded, unpublishable};

/// The longest name of a file that common file systems hold, in bytes (`NAME_MAX`).
const LONGEST_NAME: usize = 255;

/// The longest path that a system call takes, in bytes, with the NUL at its end (`PATH_MAX` of Linux).
const LONGEST_PATH: usize = 4_096;

/// The most segments of a blob's name (Azure's naming rules).
const MOST_SEGMENTS: usize = 254;

/// Names that Windows keeps for devices, whatever ending they have.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Where keys go, as far as it decides which ones can.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyRoom<'r> {
    /// A bucket of S3, with the prefix of all keys, which ends with `/` unless it is empty.
    S3(&'r str),
    /// A bucket of Google Cloud Storage.
    Google(&'r str),
    /// A container of Azure.
    Azure(&'r str),
    /// A folder.
    Folder(&'r Path),
}

/// The keys that cannot be held, each with the reason.
pub(crate) fn unfit(keys: &[&str], room: KeyRoom<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let known: HashSet<&str> = match room {
        KeyRoom::Folder(_) => keys.iter().copied().collect(),
        _ => HashSet::new(),
    };
    for key in keys {
        let why = unpublishable(key).map(|why| why.to_string()).or_else(|| match room {
            KeyRoom::S3(prefix) => in_bucket(&format!("{prefix}{key}"), "S3"),
            KeyRoom::Google(prefix) => {
                let whole = format!("{prefix}{key}");
                let reserved = whole.starts_with(".well-known/acme-challenge/");
                let why = "Google Cloud Storage holds nothing below `.well-known/acme-challenge/`";
                in_bucket(&whole, "Google Cloud Storage").or(reserved.then(|| why.to_owned()))
            }
            KeyRoom::Azure(prefix) => in_container(&format!("{prefix}{key}")),
            KeyRoom::Folder(root) => in_folder(key, root, cfg!(windows)).or_else(|| {
                let parents = key.match_indices('/').map(|(at, _)| &key[..at]);
                let mut files = parents.filter(|parent| known.contains(parent));
                files.next().map(|file| format!("`{file}` is a file, and cannot be a folder too"))
            }),
        });
        found.extend(why.map(|why| format!("{}  {why}", key.escape_debug())));
    }
    found
}

/// A listing of a bucket is XML, whose readers may cut off the space around a key.
fn around(key: &str) -> Option<String> {
    (key.trim() != key).then(|| "a bucket's key cannot begin or end with a space".to_owned())
}

fn in_bucket(key: &str, store: &str) -> Option<String> {
    let too_long = key.len() > LONGEST_KEY;
    let why = || format!("with its prefix this key has {} bytes, and {store} holds 1,024", key.len());
    too_long.then(why).or_else(|| around(key))
}

fn in_container(key: &str) -> Option<String> {
    let characters = key.encode_utf16().count();
    if characters > LONGEST_KEY {
        return Some(format!("with its prefix this key has {characters} characters, and Azure holds 1,024"));
    }
    let segments = key.split('/').count();
    if segments > MOST_SEGMENTS {
        return Some(format!("this key has {segments} segments, and Azure holds {MOST_SEGMENTS}"));
    }
    if key.split('/').any(|segment| segment.ends_with('.')) {
        return Some("Azure leaves out the dot at the end of a segment".to_owned());
    }
    around(key)
}

fn in_folder(key: &str, root: &Path, is_windows: bool) -> Option<String> {
    if let Some(long) = key.split('/').find(|segment| segment.len() > LONGEST_NAME) {
        return Some(format!(
            "a name of {} bytes is too long for a file: {LONGEST_NAME} are the most",
            long.len()
        ));
    }
    let whole = root.as_os_str().len() + 1 + key.len();
    if whole >= LONGEST_PATH {
        return Some(format!(
            "the whole path has {whole} bytes, and a file's has at most {}",
            LONGEST_PATH - 1
        ));
    }
    let segment = is_windows.then(|| key.split('/').find(|segment| is_device(segment))).flatten();
    segment.map(|segment| format!("Windows cannot hold a file named `{segment}`"))
}

/// Whether Windows takes a segment for a device, or cannot hold it.
fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_port = ["com", "lpt"].iter().any(|port| {
        let mut number = stem.strip_prefix(port).unwrap_or_default().chars();
        matches!(number.next(), Some('1'..='9' | '¹' | '²' | '³')) && number.next().is_none()
    });
    is_port
        || DEVICES.contains(&stem.as_str())
        || segment.ends_with(['.', ' '])
        || segment.contains(['<', '>', ':', '"', '|', '?', '*', '\\'])
}

/// Keys that differ only in case or in how accents are written, each with the one that it would take the place of.
pub(crate) fn alike<'k>(keys: &[&'k str]) -> Vec<[&'k str; 2]> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for key in keys {
        match seen.get(folded(key).as_ref()) {
            Some(other) => found.push([*other, *key]),
            None => drop(seen.insert(folded(key).into_owned(), key)),
        }
    }
    found
}

/// Whether the file system below a folder takes two keys that are [`alike`] for one: found out by two empty files in a
/// folder of their own, which is removed again. A file system that cannot be asked is one that does not.
pub(crate) fn are_one(folder: &Path, keys: [&str; 2]) -> bool {
    let [first, second] = keys.map(|key| key.split('/'));
    let differs = first.zip(second).find(|(one, other)| one != other);
    let Some((one, other)) = differs else { return false };
    if fs::create_dir_all(folder).is_err() {
        return false;
    }
    let create = |name: &str| fs::File::create_new(folder.join(name));
    let is_one = create(one).is_ok()
        && create(other).is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists);
    let _ = fs::remove_dir_all(folder);
    is_one
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use super::{KeyRoom, alike, are_one, in_folder, is_device, unfit};

    #[test]
    fn each_store_holds_what_it_can() {
        let (long, longer) = ("k".repeat(1_024), "k".repeat(1_025));
        let name = format!("a/{}", "n".repeat(256));
        let deep = "d/".repeat(254) + "x";
        let keys = [
            long.as_str(),
            &longer,
            &name,
            &deep,
            ".well-known/acme-challenge/x",
            " a",
            "a./b",
            "a#1",
            "a/b",
        ];
        let unfit = |room| -> Vec<usize> {
            let found = unfit(&keys, room);
            let is_told = |key: &&str| found.iter().any(|told| told.split("  ").next() == Some(key));
            (0..keys.len()).filter(|&at| is_told(&keys[at])).collect()
        };
        assert_eq!(unfit(KeyRoom::S3("")), [1, 5]);
        assert_eq!(unfit(KeyRoom::S3("docs/")), [0, 1]);
        assert_eq!(unfit(KeyRoom::Google("")), [1, 4, 5]);
        assert_eq!(unfit(KeyRoom::Azure("")), [1, 3, 5, 6]);
        assert_eq!(unfit(KeyRoom::Folder(Path::new("/srv/www"))), [0, 1, 2]);
    }

    #[test]
    fn a_folder_holds_no_name_twice() {
        let found = unfit(&["a", "a/index.html", "b/c", "b/c/d/e"], KeyRoom::Folder(Path::new("/")));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("a/index.html  `a` is a file"), "{found:?}");
        assert_eq!(alike(&["A/x", "a/X", "a/x", "b", "\u{e4}", "a\u{308}"]).len(), 3);
        let folder = tempfile::tempdir().unwrap();
        let probe = folder.path().join("probe");
        // Two keys that are the very same are one file everywhere, two that have nothing in common nowhere.
        assert!(!are_one(&probe, ["x/a", "x/b"]));
        assert!(!probe.exists());
    }

    #[test]
    fn windows_keeps_some_names() {
        for name in ["con", "NUL.html", "Com1", "lpt9.txt", "a.", "b ", "a:b", "aux .x", "COM¹"] {
            assert!(is_device(name), "{name}");
        }
        for name in ["console", "com10", "com", "null.html", ".con", "a b"] {
            assert!(!is_device(name), "{name}");
        }
        assert!(in_folder("a/con.html", Path::new("/"), true).is_some());
        assert!(in_folder("a/con.html", Path::new("/"), false).is_none());
        let deep = "d/".repeat(2_047) + "x";
        assert!(in_folder(&deep, Path::new("/srv"), false).is_some());
    }
}
