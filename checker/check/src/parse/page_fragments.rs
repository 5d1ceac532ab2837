//! Finds the fragments that an external page defines, like those of the export's own pages.

use memchr::memmem;

use crate::parse::anchors::hash;
use crate::parse::{ContentNeeds, Facts, Format, Page, ParseOptions, ReferenceKind, read};
use crate::resolve::fragment;
use crate::resolve::target::{is_route, is_settings};

/// The fragments that a page defines.
#[derive(Clone, Debug, Default)]
pub struct PageFragments {
    /// Sorted hashes of ids and names.
    defined: Box<[u64]>,
    /// Whether scripts write the page, so that its ids are unknown.
    is_written_by_scripts: bool,
    /// Whether the page runs scripts, which may read settings in the fragment.
    has_scripts: bool,
    /// Whether the page has another encoding than UTF-8, so that ids with other characters than ASCII are unknown.
    is_encoded: bool,
}

impl PageFragments {
    /// Reads a page. One that cannot be read defines no fragments. `prefix` is what some hosts add to the ids of user
    /// content and remove again by a script; an id may follow it anywhere in the page, also in the data of a script.
    pub fn read(page: Vec<u8>, prefix: Option<&str>) -> PageFragments {
        let written = prefix.map(|prefix| words_after(&page, prefix.as_bytes())).unwrap_or_default();
        let is_encoded = std::str::from_utf8(&page).is_err();
        let mut read_page = Page::default();
        let options = ParseOptions {
            path: b"",
            format: Format::Html,
            selected: &[],
            needs: &ContentNeeds::default(),
            digest: None,
        };
        let Ok(()) = read(&mut read_page, page, &options) else { return PageFragments::default() };
        let Facts { anchors, references, scripts, .. } = read_page.facts;
        let mut defined: Vec<u64> = anchors.into_iter().chain(written).collect();
        defined.sort_unstable();
        // Real pages have at least one link.
        let has_links = references
            .iter()
            .any(|reference| matches!(reference.kind, ReferenceKind::A | ReferenceKind::APing));
        let has_scripts = !scripts.is_empty();
        PageFragments {
            defined: defined.into(),
            is_written_by_scripts: !has_links && has_scripts,
            has_scripts,
            is_encoded,
        }
    }

    /// Whether the page defines a fragment, as written after `#`: an id, a name, the top, or nothing in particular.
    /// Returns true if scripts write the page.
    pub fn defines(&self, written: &str) -> bool {
        let reference = format!("#{written}");
        let Some(parsed) = fragment(&reference) else { return true };
        let has = |id: &str| self.defined.binary_search(&hash(id.as_bytes())).is_ok();
        self.is_written_by_scripts
            || self.has_scripts && is_settings(&parsed.decoded)
            || self.is_encoded && !parsed.decoded.is_ascii()
            || has(&parsed.raw)
            || has(&parsed.decoded)
            || parsed.is_top()
    }
}

/// Returns hashes of the words after a prefix.
fn words_after(page: &[u8], prefix: &[u8]) -> Vec<u64> {
    let is_id_byte = |byte: &u8| !byte.is_ascii_whitespace() && !b"\"'\\<>&".contains(byte);
    let word = |at: usize| {
        let rest = &page[at + prefix.len()..];
        &rest[..rest.iter().position(|byte| !is_id_byte(byte)).unwrap_or(rest.len())]
    };
    memmem::find_iter(page, prefix).map(|at| hash(word(at))).collect()
}

/// Whether a fragment, as written after `#`, can be checked: it is not empty, not only a text directive (`#:~:text=`),
/// and not a route for a script of the page (`#/`, `#!`).
pub fn is_checkable_fragment(written: &str) -> bool {
    !written.is_empty() && !is_route(written) && !written.starts_with(":~:")
}

#[cfg(test)]
mod tests {
    use super::{PageFragments, is_checkable_fragment};

    #[test]
    fn defines_ids_and_names_like_pages_of_the_export() {
        let page = PageFragments::read(
            b"<!doctype html><p id=one><a name='two words'>x</a><template><i id=inert></i></template>"
                .to_vec(),
            None,
        );
        let reached =
            ["one", "two%20words", "", "top", "TOP", ":~:text=x", "one:~:text=x", "three", "One", "inert"];
        assert_eq!(
            reached.map(|fragment| page.defines(fragment)),
            [true, true, true, true, true, true, true, false, false, false]
        );
    }

    #[test]
    fn finds_ids_after_a_prefix_anywhere() {
        let page =
            br##"<!doctype html><a href=/>x</a><h2 id=user-content-one>One</h2><script type=application/json>
            {"text":"<h2 id=\"user-content-two\">Two</h2><a href=\"#user-content-three\u0022"}</script>"##;
        let (with, without) = (
            PageFragments::read(page.to_vec(), Some("user-content-")),
            PageFragments::read(page.to_vec(), None),
        );
        let reached = ["one", "two", "three", "user-content-one", "four"];
        assert_eq!(reached.map(|fragment| with.defines(fragment)), [true, true, true, true, false]);
        assert_eq!(reached.map(|fragment| without.defines(fragment)), [false, false, false, true, false]);
    }

    #[test]
    fn ids_in_an_unknown_encoding_may_be_any_but_ascii() {
        let latin =
            PageFragments::read(b"<!doctype html><a href=/>x</a><h2 id=gr\xF6\xDFe>x</h2>".to_vec(), None);
        assert!(latin.defines("gr%C3%B6%C3%9Fe") && !latin.defines("size"));
        let utf8 = PageFragments::read("<!doctype html><a href=/>ü</a>".into(), None);
        assert!(!utf8.defines("gr%C3%B6%C3%9Fe"));
    }

    #[test]
    fn pages_of_scripts_define_every_fragment() {
        let shell = b"<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>";
        assert!(PageFragments::read(shell.to_vec(), None).defines("made-later"));
        let page = b"<!doctype html><title>Page</title><a href=/>Home</a><script src=/menu.js></script>";
        assert!(!PageFragments::read(page.to_vec(), None).defines("made-later"));
        assert!(PageFragments::read(page.to_vec(), None).defines("gid=0"));
        let still = b"<!doctype html><title>Page</title><h1 id=a>Words</h1>";
        assert!(!PageFragments::read(still.to_vec(), None).defines("made-later"));
        assert!(!PageFragments::read(still.to_vec(), None).defines("gid=0"));
    }

    #[test]
    fn routes_and_text_directives_are_not_checkable() {
        for (fragment, is) in [
            ("", false),
            ("/users", false),
            ("!/a", false),
            (":~:text=x", false),
            ("a:~:text=x", true),
            ("a/b", true),
        ] {
            assert_eq!(is_checkable_fragment(fragment), is, "{fragment}");
        }
    }
}
