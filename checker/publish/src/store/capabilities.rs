//! The capabilities of a store, as data: all that differs between folders and buckets for a publisher. Its rules for
//! keys reject those that a target cannot store, before anything is sent.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sitegate_address::SitePath;
use sitegate_base::file_name::{MAX_KEY_LENGTH, folded, unpublishable};

/// The capabilities of a store.
#[derive(Clone, Debug)]
pub struct StoreCapabilities {
    /// The store's endpoint. Knowledge about one store does not apply to another.
    pub endpoint: String,
    /// The folder on this machine, if the store is one.
    pub folder: Option<PathBuf>,
    /// The rules for keys.
    pub key_rules: KeyRules,
    /// Whether the store answers visitors itself, so that its objects have headers. If not, a server in front of it
    /// decides on headers, and on precompressed variants.
    pub serves_visitors: bool,
    /// Whether a key may be both an object and the beginning of others. Then `terms` can exist next to
    /// `terms/index.html`, and both URLs work without a redirect. If not, keys are paths of files.
    pub has_flat_keys: bool,
    /// Whether an object may be a redirect, at a website endpoint.
    pub has_website_redirects: bool,
    /// Whether [`Store::invalidate`](super::Store::invalidate) works.
    pub invalidates: bool,
    /// Whether listings are sorted, and show with sizes and tags whether contents changed. If not, the keys of interest
    /// are inspected.
    pub lists_contents: bool,
    /// Whether a listing of up to 1,000 objects shows one moment. Longer ones may be a mix of several.
    pub lists_at_once: bool,
    /// Whether writes are staged before the first one is visible.
    pub stages: bool,
    /// Number of objects that one [`Store::switch`](super::Store::switch) gets.
    pub batch: usize,
    /// Whether each write looks in the store itself whether the lease was taken over, so that it cannot be late.
    pub enforces_lease: bool,
    /// The conditional writes that the store supports. If unknown, they are probed.
    pub conditions: Option<Conditions>,
}

/// The conditional writes that a store supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Whether only one of several concurrent writers succeeds in creating an object.
    pub create: bool,
    /// Whether an object can be replaced only if its entity tag is unchanged, and how to send the tag.
    pub replace: TagForm,
}

/// The form of an entity tag in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagForm {
    /// In quotes, as in HTTP.
    Quoted,
    /// Without quotes, as some stores require.
    Bare,
    /// The store ignores such conditions.
    Ignored,
}

/// Maximum length of a file name on common file systems, in bytes (`NAME_MAX`).
const MAX_NAME_LENGTH: usize = 255;

/// Maximum length of a path in a system call, in bytes, including the final NUL (`PATH_MAX` of Linux).
const MAX_PATH_LENGTH: usize = 4_096;

/// Maximum number of segments in a blob's name (Azure's naming rules).
const MAX_SEGMENTS: usize = 254;

/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The rules for keys, by store.
#[derive(Clone, Debug)]
pub enum KeyRules {
    /// A bucket of S3, with the prefix of all keys: empty, or ending with `/`.
    S3(String),
    /// A bucket of Google Cloud Storage, with such a prefix.
    Google(String),
    /// A container of Azure, with such a prefix.
    Azure(String),
    /// A folder.
    Folder(PathBuf),
}

/// Returns the keys that cannot be stored, each with the reason.
pub(crate) fn invalid_keys(keys: &[&str], rules: &KeyRules) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let known: HashSet<&str> = match rules {
        KeyRules::Folder(_) => keys.iter().copied().collect(),
        _ => HashSet::new(),
    };
    for key in keys {
        let why = unpublishable(key).map(|why| why.to_string()).or_else(|| match rules {
            KeyRules::S3(prefix) => in_bucket(&format!("{prefix}{key}"), "S3"),
            KeyRules::Google(prefix) => {
                let whole = format!("{prefix}{key}");
                let reserved = whole.starts_with(".well-known/acme-challenge/");
                let why = "Google Cloud Storage rejects keys below `.well-known/acme-challenge/`";
                in_bucket(&whole, "Google Cloud Storage").or(reserved.then(|| why.to_owned()))
            }
            KeyRules::Azure(prefix) => in_container(&format!("{prefix}{key}")),
            KeyRules::Folder(root) => in_folder(key, root, cfg!(windows)).or_else(|| {
                let mut files = SitePath::new(*key).ancestors().filter(|parent| known.contains(parent));
                files.next().map(|file| format!("`{file}` is a file, so it cannot also be a folder"))
            }),
        });
        found.extend(why.map(|why| format!("{}  {why}", key.escape_debug())));
    }
    found
}

/// Rejects whitespace around a key: listings are XML, whose parsers may trim it.
fn around(key: &str) -> Option<String> {
    (key.trim() != key).then(|| "a bucket's key cannot begin or end with a space".to_owned())
}

fn in_bucket(key: &str, store: &str) -> Option<String> {
    let too_long = key.len() > MAX_KEY_LENGTH;
    let why = || format!("this key has {} bytes with its prefix; {store} allows 1,024", key.len());
    too_long.then(why).or_else(|| around(key))
}

fn in_container(key: &str) -> Option<String> {
    let characters = key.encode_utf16().count();
    if characters > MAX_KEY_LENGTH {
        return Some(format!("this key has {characters} characters with its prefix; Azure allows 1,024"));
    }
    let segments = key.split('/').count();
    if segments > MAX_SEGMENTS {
        return Some(format!("this key has {segments} segments; Azure allows {MAX_SEGMENTS}"));
    }
    if key.split('/').any(|segment| segment.ends_with('.')) {
        return Some("Azure removes the dot at the end of a segment".to_owned());
    }
    around(key)
}

fn in_folder(key: &str, root: &Path, is_windows: bool) -> Option<String> {
    if let Some(long) = key.split('/').find(|segment| segment.len() > MAX_NAME_LENGTH) {
        return Some(format!("the file name has {} bytes; the maximum is {MAX_NAME_LENGTH}", long.len()));
    }
    let whole = root.as_os_str().len() + 1 + key.len();
    if whole >= MAX_PATH_LENGTH {
        return Some(format!("the whole path has {whole} bytes; the maximum is {}", MAX_PATH_LENGTH - 1));
    }
    let segment = is_windows.then(|| key.split('/').find(|segment| is_device(segment))).flatten();
    segment.map(|segment| format!("Windows does not allow a file named `{segment}`"))
}

/// Whether Windows reserves a segment for a device, or cannot store it.
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

/// Returns keys that differ only in case or in the encoding of accents, each with the earlier key that it
/// collides with.
pub(crate) fn colliding_keys<'k>(keys: &[&'k str]) -> Vec<[&'k str; 2]> {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use super::{KeyRules, colliding_keys, in_folder, invalid_keys, is_device};

    #[test]
    fn each_store_has_its_own_limits() {
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
        let invalid_keys = |rules: &KeyRules| -> Vec<usize> {
            let found = invalid_keys(&keys, rules);
            let is_unfit = |key: &&str| found.iter().any(|line| line.split("  ").next() == Some(key));
            (0..keys.len()).filter(|&at| is_unfit(&keys[at])).collect()
        };
        assert_eq!(invalid_keys(&KeyRules::S3(String::new())), [1, 5]);
        assert_eq!(invalid_keys(&KeyRules::S3("docs/".to_owned())), [0, 1]);
        assert_eq!(invalid_keys(&KeyRules::Google(String::new())), [1, 4, 5]);
        assert_eq!(invalid_keys(&KeyRules::Azure(String::new())), [1, 3, 5, 6]);
        assert_eq!(invalid_keys(&KeyRules::Folder("/srv/www".into())), [0, 1, 2]);
    }

    #[test]
    fn finds_conflicting_names_in_folders() {
        let found = invalid_keys(&["a", "a/index.html", "b/c", "b/c/d/e"], &KeyRules::Folder("/".into()));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("a/index.html  `a` is a file"), "{found:?}");
        assert_eq!(colliding_keys(&["A/x", "a/X", "a/x", "b", "\u{e4}", "a\u{308}"]).len(), 3);
    }

    #[test]
    fn finds_names_that_windows_reserves() {
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
