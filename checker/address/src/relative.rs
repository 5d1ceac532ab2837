//! Resolves dot segments, and writes paths relative to a folder.

use crate::site_path::segments;

/// A path without dot segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedPath {
    /// The path below the root, without `/` at either end and without empty segments.
    pub path: String,
    /// The number of `..` above the root. In URLs they have no effect; in file systems they leave the root.
    pub above_root: usize,
}

impl JoinedPath {
    /// Returns the path if it does not leave the root.
    pub fn within_root(self) -> Option<String> {
        (self.above_root == 0).then_some(self.path)
    }
}

/// Resolves a relative path against a folder. Empty segments and `.` are removed, so that paths of files are normalized.
///
/// ```
/// use sitegate_address::relative::join;
///
/// assert_eq!(join("guide/setup", "../images/a.png").path, "guide/images/a.png");
/// assert_eq!(join("guide", "../../a").within_root(), None);
/// ```
pub fn join(folder: &str, path: &str) -> JoinedPath {
    let mut names: Vec<&str> = Vec::new();
    let mut above_root = 0;
    // A folder is a place already: its own dot segments are names.
    names.extend(segments(folder).filter(|name| !name.is_empty()));
    for name in segments(path) {
        match name {
            "" | "." => {}
            ".." => above_root += usize::from(names.pop().is_none()),
            name => names.push(name),
        }
    }
    JoinedPath { path: names.join("/"), above_root }
}

/// Appends the path of a reference to the path of a folder, as the URL standard does: empty segments stay, and `..` stops
/// at the root. `path` is empty or ends with `/`.
#[inline]
pub fn append_url_path(path: &mut Vec<u8>, reference: &[u8]) {
    let reference = reference.strip_prefix(b"/").unwrap_or(reference);
    let mut segments = reference.split(|&byte| byte == b'/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            b"." => {}
            b".." => {
                let bare = path.len().saturating_sub(1);
                let parent = path[..bare].iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
                path.truncate(parent);
            }
            _ => {
                path.extend_from_slice(segment);
                if !is_last {
                    path.push(b'/');
                }
            }
        }
    }
}

/// Returns the relative reference from a folder to a path: `./` for the folder itself. A `/` at the end of the path stays.
///
/// ```
/// use sitegate_address::relative::relative;
///
/// assert_eq!(relative("guide/setup", "guide/images/a.png"), "../images/a.png");
/// assert_eq!(relative("guide", "guide/"), "./");
/// ```
pub fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = segments(folder).filter(|name| !name.is_empty()).collect();
    let to: Vec<&str> = segments(path).collect();
    let names = &to[..to.len() - 1];
    let common = from.iter().zip(names).take_while(|(a, b)| a == b).count();
    let rest = format!("{}{}", "../".repeat(from.len() - common), to[common..].join("/"));
    if rest.is_empty() { "./".to_owned() } else { rest }
}

/// Returns the relative path from a folder to another, without `/` at its end: `.` for the folder itself.
///
/// ```
/// use sitegate_address::relative::relative_folder;
///
/// assert_eq!(relative_folder("guide/setup", "guide"), "..");
/// assert_eq!(relative_folder("", "/dist/"), "dist");
/// ```
pub fn relative_folder(folder: &str, path: &str) -> String {
    let path = match path.trim_matches('/') {
        "" => String::new(),
        path => format!("{path}/"),
    };
    relative(folder, &path).trim_end_matches('/').to_owned()
}

/// Joins the names that are not empty with `/`.
pub fn join_segments(names: &[&str]) -> String {
    let mut joined = String::with_capacity(names.iter().map(|name| name.len() + 1).sum());
    for name in names.iter().filter(|name| !name.is_empty()) {
        if !joined.is_empty() {
            joined.push('/');
        }
        joined.push_str(name);
    }
    joined
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use url::Url;

    use super::{append_url_path, join, join_segments, relative};

    #[test]
    fn joins_paths_of_files() {
        for (folder, path, joined, above) in [
            ("", "", "", 0),
            ("a/b", "./c", "a/b/c", 0),
            ("a//b/", "../c//d/", "a/c/d", 0),
            ("a", "../../../b", "b", 2),
            ("a", "/b", "a/b", 0),
        ] {
            let found = join(folder, path);
            assert_eq!((&*found.path, found.above_root), (joined, above), "{folder} {path}");
        }
        assert_eq!(join_segments(&["", "a/b", "", "c"]), "a/b/c");
    }

    #[test]
    fn writes_relative_references() {
        for (folder, path, expected) in [
            ("", "a.html", "a.html"),
            ("a", "b/c", "../b/c"),
            ("a/b", "a/b", "../b"),
            ("a/b", "a/b/", "./"),
            ("a/b", "", "../../"),
        ] {
            assert_eq!(relative(folder, path), expected, "{folder} {path}");
        }
    }

    proptest! {
        #[test]
        fn appends_as_the_url_standard(folder in "([a-c]{0,2}/){0,3}", reference in "[a-c./]{0,8}") {
            // An empty reference is the document itself, and `//` begins a host.
            prop_assume!(!reference.is_empty() && !reference.starts_with("//"));
            let base = Url::parse("https://e.org/").unwrap();
            let base = base.join(&format!("/{}", folder.trim_start_matches('/'))).unwrap();
            let mut path = if reference.starts_with('/') { Vec::new() } else { base.path().as_bytes()[1..].to_vec() };
            append_url_path(&mut path, reference.as_bytes());
            let url = base.join(&reference).unwrap();
            prop_assert_eq!(String::from_utf8(path).unwrap(), &url.path()[1..]);
        }

        #[test]
        fn relative_references_lead_back(folder in "([a-c]/){0,3}", path in "([a-c]/){0,3}[a-c]?") {
            let base = Url::parse(&format!("https://e.org/{folder}")).unwrap();
            let url = base.join(&relative(folder.trim_end_matches('/'), &path)).unwrap();
            prop_assert_eq!(url.path(), format!("/{path}"));
        }
    }
}
