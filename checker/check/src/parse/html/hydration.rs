//! Finds the parts of a prerendered page that a framework hydrates: its script expects the elements there that it wrote.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;
use sitegate_html::attributes::{attribute_value, attributes};
use sitegate_html::misnesting::written_name;

/// Texts in inline scripts of pages that are hydrated as a whole. Verified with Next.js 15 (app router), Remix 2, React
/// Router 7, `TanStack` Start 1, `SvelteKit` 2 and `SolidStart` 1.
const WHOLE_PAGES: [(&[u8], &str); 6] = [
    (b"__next_f", "React"),
    (b"__remixContext", "React"),
    (b"__reactRouterContext", "React"),
    (b"$_TSR", "React"),
    (b"__sveltekit_", "Svelte"),
    (b"_$HY", "Solid"),
];

/// Ids of elements that only these frameworks hydrate.
const ROOT_IDS: [(&[u8], &str); 6] = [
    (b"__next", "React"),
    (b"___gatsby", "React"),
    (b"__docusaurus", "React"),
    (b"react-root", "React"),
    (b"__nuxt", "Vue"),
    (b"svelte", "Svelte"),
];

/// Attributes of elements that are hydrated. Those of React 17, Vue 2 and 3, Solid and Angular.
const ROOT_ATTRIBUTES: [(&[u8], &str); 5] = [
    (b"data-reactroot", "React"),
    (b"data-server-rendered", "Vue"),
    (b"data-v-app", "Vue"),
    (b"data-hk", "Solid"),
    // With `=` it is no part of a word. Angular writes a value.
    (b"ngh=", "Angular"),
];

/// Attributes of scripts that are modules.
const MODULES: [&[u8]; 2] = [b"type=\"module\"", b"type=module"];

/// The element around a part of a page that Astro hydrates.
const ISLAND: &[u8] = b"astro-island";

/// All marks of pages that may be hydrated.
static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let roots = WHOLE_PAGES.iter().chain(&ROOT_IDS).chain(&ROOT_ATTRIBUTES).map(|(mark, _)| *mark);
    let marks = roots.chain(MODULES).chain([ISLAND]);
    let marks: Vec<String> = marks.map(|mark| regex::escape(&String::from_utf8_lossy(mark))).collect();
    Regex::new(&format!("(?-u:{})", marks.join("|"))).ok()
});

/// How the parts of a page are hydrated.
pub(super) struct Hydration {
    /// The framework that hydrates the whole page.
    whole_page: Option<&'static str>,
    /// Whether `id=root` is the root of an application: the page loads a module.
    has_module: bool,
    /// Whether the page has comments with which Vue marks fragments and missing elements.
    has_vue_marks: bool,
    /// Whether something on the page may be hydrated.
    is_possible: bool,
}

impl Hydration {
    /// Looks for the marks of frameworks on a page.
    pub(super) fn of_page(text: &[u8]) -> Hydration {
        // Most pages have none, and this one search takes as long as that for two or three of them.
        if MARKS.as_ref().is_some_and(|marks| !marks.is_match(text)) {
            return Hydration {
                whole_page: None,
                has_module: false,
                has_vue_marks: false,
                is_possible: false,
            };
        }
        let has = |mark: &[u8]| memmem::find(text, mark).is_some();
        let marks = WHOLE_PAGES
            .iter()
            .find(|(mark, _)| memmem::find_iter(text, mark).any(|at| is_in_script(text, at)));
        let has_module = MODULES.iter().any(|mark| has(mark));
        let whole_page = marks.map(|(_, framework)| *framework);
        let is_marked = || {
            let has_root = ROOT_IDS.iter().any(|(id, _)| has_value(text, id));
            has_root || ROOT_ATTRIBUTES.iter().any(|(mark, _)| has(mark)) || has(ISLAND)
        };
        Hydration {
            whole_page,
            has_module,
            has_vue_marks: has(b"<!--]-->") || has(b"<!---->"),
            is_possible: whole_page.is_some() || has_module || is_marked(),
        }
    }

    /// Whether something on the page may be hydrated.
    pub(super) fn is_possible(&self) -> bool {
        self.is_possible
    }

    /// Whether another framework, or none, hydrates the content of an element than the content around it.
    pub(super) fn is_border(&self, text: &[u8], tag: &Range<usize>) -> bool {
        if !self.is_possible {
            return false;
        }
        self.framework(text, tag).is_some() || written_name(text, tag).eq_ignore_ascii_case(b"astro-slot")
    }

    /// Returns the framework that hydrates the content of an element.
    pub(super) fn framework(&self, text: &[u8], tag: &Range<usize>) -> Option<&'static str> {
        let name = written_name(text, tag);
        let end = tag.start + 1 + name.len();
        if name.eq_ignore_ascii_case(b"body") {
            return self.whole_page;
        }
        if name.eq_ignore_ascii_case(ISLAND) {
            let is_hydrated = attribute_value(text, end, b"client") != Some(b"only");
            return is_hydrated.then_some("its island's framework");
        }
        attributes(text, end).find_map(|own| {
            let written = &text[own.name];
            if written.eq_ignore_ascii_case(b"id") {
                return self.framework_of_id(own.value.map_or(b"", |value| &text[value]));
            }
            let is_named =
                |mark: &[u8]| written.eq_ignore_ascii_case(mark.strip_suffix(b"=").unwrap_or(mark));
            let root = ROOT_ATTRIBUTES.iter().find(|(mark, _)| is_named(mark));
            root.map(|(_, framework)| *framework)
        })
    }

    /// Returns the framework that hydrates the element with an id.
    fn framework_of_id(&self, id: &[u8]) -> Option<&'static str> {
        match id {
            // The template of Vite with React, and of Create React App.
            b"root" if self.has_module => Some("React"),
            b"app" if self.has_module && self.has_vue_marks => Some("Vue"),
            id => ROOT_IDS.iter().find(|(root, _)| *root == id).map(|(_, framework)| *framework),
        }
    }
}

/// Whether a text may be the whole value of an attribute. Documentation of Python has `__next__` in its text.
fn has_value(text: &[u8], value: &[u8]) -> bool {
    memmem::find_iter(text, value).any(|at| {
        let before = at.checked_sub(1).map(|before| text[before]);
        let after = text.get(at + value.len());
        let is_end = |byte: &u8| matches!(byte, b'"' | b'\'' | b'>' | b'/') || byte.is_ascii_whitespace();
        // Before a value without quotes, there may be space.
        before.is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'=') || byte.is_ascii_whitespace())
            && after.is_some_and(is_end)
    })
}

/// Whether an offset is in the text of a script.
fn is_in_script(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    memmem::rfind(before, b"<script")
        .is_some_and(|start| memmem::find(&before[start..], b"</script").is_none())
}
