//! Names the places of texts by the elements around them: `footer > p.copyright`.
//!
//! Tracks open blocks like the parser of the HTML standard does for common omissions of end tags; inline elements have no
//! place of their own.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::fast::{FixedState, RandomState};
use regex::bytes::Regex;
use sitegate_html::key::key;
use sitegate_review::{TextId, Texts, masked};

use super::assets::digest;
use super::attributes::shown_name;

/// Elements that begin a block of text.
#[rustfmt::skip] // one line for each would be half of the file
const BLOCKS: [&str; 48] = [
    "address", "article", "aside", "blockquote", "body", "br", "button", "caption", "dd", "details", "dialog", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "legend", "li", "main", "nav", "ol", "optgroup", "option", "p", "pre", "section", "select", "summary",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "search",
];

/// Blocks without content.
const VOID: [&[u8]; 2] = [b"br", b"hr"];

/// Blocks that may be in a paragraph.
const PHRASING: [&[u8]; 3] = [b"br", b"button", b"select"];

/// Blocks that end a block of the same kind, if its end tag is omitted.
const SIBLINGS: [&[u8]; 9] = [b"li", b"dd", b"dt", b"p", b"option", b"tr", b"td", b"th", b"optgroup"];

/// Elements that name the part of a page.
const LANDMARKS: [&[u8]; 5] = [b"header", b"nav", b"main", b"aside", b"footer"];

/// Words in classes, ids and roles that name the part of the page.
static PARTS: LazyLock<Regex> = LazyLock::new(|| {
    let words =
        "(?i-u)nav|menu|toc|sidebar|footer|header|breadcrumb|pagination|content|banner|related|topbar";
    Regex::new(words).unwrap_or_else(|error| unreachable!("{error}"))
});

/// Maximum number of open blocks.
const MAX_DEPTH: usize = 256;

static KEYS: LazyLock<HashSet<u128, FixedState>> =
    LazyLock::new(|| BLOCKS.iter().map(|name| key(name.as_bytes())).collect());

/// Whether an element begins a block, by the key of its name.
pub(super) fn is_block(name_key: u128, name: &[u8]) -> bool {
    KEYS.contains(&name_key) || name.contains(&b'-')
}

/// Maximum number of labels that are kept for the next pages.
const MAX_LABELS: usize = 10_000;

/// Maximum number of templates whose hashes are kept.
const MAX_TEMPLATES: usize = 100;

/// An open block.
#[derive(Clone, Debug)]
struct Open {
    name: Range<usize>,
    label: LabelId,
    /// Index of the block that names the part of the page around it.
    part: Option<usize>,
}

/// An index of [`Labels::all`].
type LabelId = u32;

/// An element with the first of its classes, or else its id: `p.copyright`.
struct Label {
    text: String,
    /// Whether it names the part of the page.
    is_part: bool,
}

/// The labels and places of all pages, as most pages have the same.
#[derive(Default)]
pub(super) struct Labels {
    all: Vec<Label>,
    /// By name and class.
    known: HashMap<Box<[u8]>, LabelId, RandomState>,
    /// Places, by the labels of the part and the element.
    places: HashMap<(Option<LabelId>, LabelId), TextId, FixedState>,
    /// Hashes of templates, by their parts.
    templates: HashMap<BTreeSet<LabelId>, u64, FixedState>,
    /// Names of attributes with their elements.
    attributes: HashMap<Box<[u8]>, TextId, RandomState>,
    key: Vec<u8>,
}

impl Labels {
    /// Begins other pages. Forgets the labels if there are too many.
    pub fn begin(&mut self) {
        if self.all.len() > MAX_LABELS || self.attributes.len() > MAX_LABELS {
            *self = Labels::default();
        }
    }

    /// Returns the name of an attribute with its element.
    pub fn attribute(&mut self, element: &[u8], name: &[u8], texts: &Texts) -> TextId {
        self.key.clear();
        self.key.extend_from_slice(element);
        // No name of an element contains a space.
        self.key.push(b' ');
        self.key.extend_from_slice(name);
        if let Some(known) = self.attributes.get(self.key.as_slice()) {
            return *known;
        }
        let id = texts.intern(&shown_name(element, name));
        self.attributes.insert(self.key.as_slice().into(), id);
        id
    }

    /// Returns the index of a label.
    fn find(&mut self, name: &[u8], class: Option<&[u8]>) -> LabelId {
        self.key.clear();
        self.key.extend(name.iter().map(u8::to_ascii_lowercase));
        let class_start = self.key.len();
        if let Some(class) = class {
            // No name contains a space.
            self.key.push(b' ');
            self.key.extend(class);
        }
        if let Some(label) = self.known.get(&*self.key) {
            return *label;
        }
        let element = String::from_utf8_lossy(&self.key[..class_start]);
        let is_landmark = LANDMARKS.iter().any(|landmark| element.as_bytes() == *landmark);
        let is_part = is_landmark || class.is_some_and(|class| PARTS.is_match(class));
        let class = String::from_utf8_lossy(class.unwrap_or_default());
        let first = class.split_ascii_whitespace().next();
        let text = first.map_or(element.to_string(), |first| format!("{element}.{}", stable_class(first)));
        let label = self.all.len() as LabelId;
        self.all.push(Label { text, is_part });
        self.known.insert(self.key.as_slice().into(), label);
        label
    }
}

/// The open blocks of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    open: Vec<Open>,
    /// The parts of the page: what makes its template.
    parts: BTreeSet<LabelId>,
}

impl Places {
    /// Opens a block. `values` are its class, its id, and its role.
    pub fn open(
        &mut self,
        text: &[u8],
        name: Range<usize>,
        values: [Option<Range<usize>>; 3],
        labels: &mut Labels,
    ) {
        let own = &text[name.clone()];
        if SIBLINGS.iter().any(|sibling| own.eq_ignore_ascii_case(sibling)) {
            let is_ended = |open: &Open| {
                let open = &text[open.name.clone()];
                open.eq_ignore_ascii_case(own)
                    || [b"dd", b"dt"]
                        .iter()
                        .all(|kind| open.eq_ignore_ascii_case(*kind) != own.eq_ignore_ascii_case(*kind))
                        && open.len() == 2
            };
            if self.open.last().is_some_and(is_ended) {
                self.open.pop();
            }
        } else if self.open.last().is_some_and(|open| text[open.name.clone()].eq_ignore_ascii_case(b"p"))
            && !own.contains(&b'-')
            && !PHRASING.iter().any(|phrasing| own.eq_ignore_ascii_case(phrasing))
        {
            self.open.pop();
        }
        if VOID.iter().any(|void| own.eq_ignore_ascii_case(void)) || self.open.len() == MAX_DEPTH {
            return;
        }
        let [class, id, role] = values.map(|range| range.map(|range| &text[range]));
        let label = labels.find(own, class.or(id));
        let others = [class.and(id), role];
        let is_part = labels.all[label as usize].is_part
            || others.into_iter().flatten().any(|other| PARTS.is_match(other));
        let outer = self.open.last().and_then(|open| open.part);
        let part = if is_part { Some(self.open.len()) } else { outer };
        self.open.push(Open { name, label, part });
        if is_part {
            self.parts.insert(label);
        }
    }

    /// Closes a block, if it is open.
    pub fn close(&mut self, text: &[u8], name: &Range<usize>) {
        let own = &text[name.clone()];
        if let Some(at) = self.open.iter().rposition(|open| text[open.name.clone()].eq_ignore_ascii_case(own))
        {
            self.open.truncate(at);
        }
    }

    /// Returns the name of the current place.
    pub fn name(&self, labels: &mut Labels, texts: &Texts) -> TextId {
        let Some(last) = self.open.last() else { return texts.intern("body") };
        let outer = last.part.filter(|part| part + 1 != self.open.len());
        let (outer, label) = (outer.map(|part| self.open[part].label), last.label);
        *labels.places.entry((outer, label)).or_insert_with(|| {
            let text = |index: LabelId| &*labels.all[index as usize].text;
            match outer {
                Some(outer) => texts.intern(&format!("{} > {}", text(outer), text(label))),
                None => texts.intern(text(label)),
            }
        })
    }

    /// Returns the hash of the template: of the names of the page's parts.
    pub fn template(&self, labels: &mut Labels) -> u64 {
        if let Some(known) = labels.templates.get(&self.parts) {
            return *known;
        }
        let names = self.parts.iter().map(|part| &*labels.all[*part as usize].text);
        let names: BTreeSet<&str> = names.collect();
        let names: Vec<&str> = names.into_iter().collect();
        let template = digest(names.join("\n").as_bytes());
        if labels.templates.len() < MAX_TEMPLATES {
            labels.templates.insert(self.parts.clone(), template);
        }
        template
    }
}

/// Returns a class without the hash of CSS modules, and without random ids.
fn stable_class(class: &str) -> String {
    /// Maximum number of characters.
    const MAX: usize = 40;
    let class: String = class.chars().take(MAX).collect();
    let is_hash = |hash: &str| {
        (4..=8).contains(&hash.len())
            && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && hash.bytes().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    match class.rsplit_once('_') {
        Some((name, hash)) if is_hash(hash) && !name.is_empty() => masked(name.trim_end_matches('_')),
        _ => masked(&class),
    }
}
