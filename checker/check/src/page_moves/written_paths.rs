//! Writes paths as an author would: relative to a folder, in the shape and the encoding of another path.

use sitegate_sources::Manner;

use crate::resolve::Base;
use sitegate_address::INDEX;
use sitegate_address::percent::escape_path;

/// Whether a reference is the name of a file or a document, and not a URL.
pub(super) fn is_name(manner: Manner) -> bool {
    matches!(manner, Manner::Document | Manner::File | Manner::Id)
}

/// Returns the end of the path of a reference: the start of its query or fragment.
pub(super) fn path_end(text: &str) -> usize {
    let is_end = |(at, c): &(usize, char)| *c == '?' || *c == '#' && !text[..*at].ends_with('&');
    text.char_indices().find(is_end).map_or(text.len(), |(at, _)| at)
}

/// Returns a path below the root of the export with the shape that `local` has for `exported`.
pub(super) fn with_shape(local: &str, exported: &str, new: &str) -> String {
    let in_folder = |path: &str| path.strip_suffix(INDEX).map(str::to_owned);
    if local == exported {
        return new.to_owned();
    }
    let is_folder = local.is_empty() || local.ends_with('/');
    match in_folder(new) {
        Some(folder) if is_folder => folder,
        Some(folder) => folder.trim_end_matches('/').to_owned(),
        None => {
            let stem = new.strip_suffix(".html");
            // The host serves a file without `.html` only if it does so already.
            match (stem, exported.strip_suffix(".html")) {
                (Some(stem), Some(old)) if local == old => stem.to_owned(),
                _ => new.to_owned(),
            }
        }
    }
}

/// Returns the relative path from a folder to a path.
pub(super) fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    let to: Vec<&str> = path.split('/').collect();
    let names = &to[..to.len() - 1];
    let common = from.iter().zip(names).take_while(|(a, b)| a == b).count();
    let rest = format!("{}{}", "../".repeat(from.len() - common), to[common..].join("/"));
    if rest.is_empty() { "./".to_owned() } else { rest }
}

pub(super) fn base_folder(base: &Base) -> Option<String> {
    Some(std::str::from_utf8(base.folder()?).ok()?.to_owned())
}

pub(super) fn folder_of_served(address: &str) -> String {
    let path = address.trim_start_matches('/');
    path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"))
}

/// Encodes a path as `written` is in its source, where its target is `target`: percent-encoding, if it has any or the path
/// needs it, character references, and `\/` of JSON.
pub(super) fn encoded(written: &str, target: &str, new: &str, manner: Manner) -> String {
    let special = [' ', '<', '>', '"', '(', ')'];
    let needs = new.contains(special) && !target.contains(special);
    // These would end the path.
    let ends = new.contains(['#', '?', '%']);
    // Sphinx, MkDocs and mdBook read such names as they are.
    let is_url = !is_name(manner) && (manner != Manner::Value || new.starts_with('/') || new.contains("://"));
    let text = if target.contains('%') || is_url && (needs || ends) {
        escape_path(new).replace('(', "%28").replace(')', "%29")
    } else {
        new.to_owned()
    };
    let has_references = written.contains('&') && written != target;
    let text = if has_references { text.replace('&', "&amp;") } else { text };
    if written.contains("\\/") { text.replace('/', "\\/") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{Manner, encoded, path_end, relative, with_shape};

    #[test]
    fn keeps_shape_and_encoding() {
        for (local, exported, new, expected) in [
            ("a/", "a/index.html", "b/c/index.html", "b/c/"),
            ("a", "a/index.html", "b/index.html", "b"),
            ("a.html", "a.html", "b.html", "b.html"),
            ("a", "a.html", "b.html", "b"),
            ("a/index.html", "a/index.html", "b/index.html", "b/index.html"),
        ] {
            assert_eq!(with_shape(local, exported, new), expected, "{local}");
        }
        assert_eq!(encoded("a%20b.md", "a%20b.md", "x/a b.md", Manner::Link), "x/a%20b.md");
        assert_eq!(encoded("a b.md", "a b.md", "x/a b.md", Manner::Link), "x/a b.md");
        assert_eq!(encoded("a.md", "a.md", "a (1).md", Manner::Link), "a%20%281%29.md");
        assert_eq!(encoded("a b.md", "a b.md", "x/a#b c.md", Manner::Link), "x/a%23b%20c.md");
        assert_eq!(encoded("a&amp;b.md", "a&b.md", "x/a&b.md", Manner::Link), "x/a&amp;b.md");
        assert_eq!(encoded("ä.md", "ä.md", "x/ä.md", Manner::Link), "x/ä.md");
        assert_eq!(encoded("a\\/b.md", "a/b.md", "c/d.md", Manner::Link), "c\\/d.md");
        assert_eq!(path_end("a&#38;b.md#x"), 10);
        assert_eq!(path_end("a.md?x#y"), 4);
        assert_eq!(relative("a/b", "a/c/d.md"), "../c/d.md");
        assert_eq!(relative("a", "a/"), "./");
        assert_eq!(relative("", "a.md"), "a.md");
    }
}
