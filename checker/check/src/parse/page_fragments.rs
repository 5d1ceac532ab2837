//! What fragments reach in a page that comes from elsewhere, by the rules of the export's own pages.

use memchr::memmem;

use crate::parse::anchors::hash;
use crate::parse::{Facts, Format, Page, ReferenceKind, Request, Wanted, read};
use crate::resolve::fragment;

/// What fragments reach in a page.
#[derive(Clone, Debug, Default)]
pub struct PageFragments {
    /// Hashes of ids and names, sorted.
    defined: Box<[u64]>,
    /// Whether scripts write the page, so that its ids are not seen.
    is_written_by_scripts: bool,
}

impl PageFragments {
    /// Reads a page's bytes. One that cannot be read has nothing that a fragment could reach. `prefix` is what its host
    /// puts before the ids of what people write, and takes away again by a script; wherever in the page that stands, as in
    /// the data of a script, an id follows.
    pub fn of(page: Vec<u8>, prefix: Option<&str>) -> PageFragments {
        let written = prefix.map(|prefix| behind(&page, prefix.as_bytes())).unwrap_or_default();
        let mut read_page = Page::default();
        let request =
            Request { format: Format::Html, selected: &[], wanted: &Wanted::default(), digest: None };
        let Ok(()) = read(&mut read_page, page, &request) else { return PageFragments::default() };
        let Facts { anchors, references, scripts, .. } = read_page.facts;
        let mut defined: Vec<u64> = anchors.into_iter().chain(written).collect();
        defined.sort_unstable();
        // No page that people read is without a single link.
        let has_links = references.iter().any(|reference| {
            matches!(reference.kind, ReferenceKind::A | ReferenceKind::APing | ReferenceKind::SvgA)
        });
        PageFragments { defined: defined.into(), is_written_by_scripts: !has_links && !scripts.is_empty() }
    }

    /// Whether a fragment, as it stands after `#`, reaches something: an id, a name, the top, or nothing in particular. In a
    /// page that scripts write, nobody can tell, and it is taken to.
    pub fn reach(&self, written: &str) -> bool {
        let reference = format!("#{written}");
        let Some(asked) = fragment(&reference) else { return true };
        let has = |id: &str| self.defined.binary_search(&hash(id.as_bytes())).is_ok();
        self.is_written_by_scripts || has(&asked.raw) || has(&asked.decoded) || asked.is_top()
    }
}

/// Hashes of the words that stand behind a prefix.
fn behind(page: &[u8], prefix: &[u8]) -> Vec<u64> {
    let is_of_id = |byte: &u8| !byte.is_ascii_whitespace() && !b"\"'\\<>&".contains(byte);
    let word = |at: usize| {
        let rest = &page[at + prefix.len()..];
        &rest[..rest.iter().position(|byte| !is_of_id(byte)).unwrap_or(rest.len())]
    };
    memmem::find_iter(page, prefix).map(|at| hash(word(at))).collect()
}

/// Whether a fragment, as it stands after `#`, is looked for in a page: it is neither empty, nor only words to find
/// (`#:~:text=`), nor a route that a script of the page reads (`#/`, `#!`).
pub fn is_looked_for(written: &str) -> bool {
    !matches!(written.as_bytes().first(), None | Some(b'/' | b'!')) && !written.starts_with(":~:")
}

#[cfg(test)]
mod tests {
    use super::{PageFragments, is_looked_for};

    #[test]
    fn fragments_reach_ids_and_names_as_in_pages_of_the_export() {
        let page = PageFragments::of(
            b"<!doctype html><p id=one><a name='two words'>x</a><template><i id=inert></i></template>"
                .to_vec(),
            None,
        );
        let reached =
            ["one", "two%20words", "", "top", "TOP", ":~:text=x", "one:~:text=x", "three", "One", "inert"];
        assert_eq!(
            reached.map(|fragment| page.reach(fragment)),
            [true, true, true, true, true, true, true, false, false, false]
        );
    }

    #[test]
    fn ids_behind_a_prefix_are_found_wherever_they_stand() {
        let page =
            br##"<!doctype html><a href=/>x</a><h2 id=user-content-one>One</h2><script type=application/json>
            {"text":"<h2 id=\"user-content-two\">Two</h2><a href=\"#user-content-three\u0022"}</script>"##;
        let (with, without) =
            (PageFragments::of(page.to_vec(), Some("user-content-")), PageFragments::of(page.to_vec(), None));
        let reached = ["one", "two", "three", "user-content-one", "four"];
        assert_eq!(reached.map(|fragment| with.reach(fragment)), [true, true, true, true, false]);
        assert_eq!(reached.map(|fragment| without.reach(fragment)), [false, false, false, true, false]);
    }

    #[test]
    fn what_scripts_write_is_not_seen() {
        let shell = b"<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>";
        assert!(PageFragments::of(shell.to_vec(), None).reach("made-later"));
        let page = b"<!doctype html><title>Page</title><a href=/>Home</a><script src=/menu.js></script>";
        assert!(!PageFragments::of(page.to_vec(), None).reach("made-later"));
        let still = b"<!doctype html><title>Page</title><h1 id=a>Words</h1>";
        assert!(!PageFragments::of(still.to_vec(), None).reach("made-later"));
    }

    #[test]
    fn routes_and_words_are_not_looked_for() {
        for (fragment, is) in [
            ("", false),
            ("/users", false),
            ("!/a", false),
            (":~:text=x", false),
            ("a:~:text=x", true),
            ("a/b", true),
        ] {
            assert_eq!(is_looked_for(fragment), is, "{fragment}");
        }
    }
}
