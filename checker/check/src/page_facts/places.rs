//! Names the places of texts by the elements around them: `footer > p.copyright`.
//!
//! Tracks open blocks like the parser of the HTML standard does for common omissions of end tags; inline elements have no
//! place of their own. The state is copied where the pages of two builds begin to differ, so it must be small.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::fast::{FixedState, RandomState};
use regex::bytes::Regex;
use sitegate_html::element::Name;
use sitegate_html::start_rules::implies_end;
use sitegate_html::tag_reader::ReadTag;
use sitegate_review::{TextId, Texts, masked};

use super::assets::digest;
use super::attributes::shown_name;
use super::markup::BlockKind;

/// Words in classes, ids and roles that name the part of the page.
static PARTS: LazyLock<Regex> = LazyLock::new(|| {
    let words =
        "(?i-u)nav|menu|toc|sidebar|footer|header|breadcrumb|pagination|content|banner|related|topbar";
    Regex::new(words).unwrap_or_else(|error| unreachable!("{error}"))
});

/// Maximum number of open blocks.
const MAX_DEPTH: usize = 256;

/// Whether an element begins a block of text. Components do.
pub(super) fn is_block(name: Name, written: &[u8]) -> bool {
    use Name::{Body, Button, Dialog, Optgroup, Search, Select};
    name.separates_words()
        || matches!(name, Body | Button | Dialog | Optgroup | Search | Select)
        || written.contains(&b'-')
}

/// Maximum number of labels that are kept for the next pages.
const MAX_LABELS: usize = 10_000;

/// Maximum number of templates whose hashes are kept.
const MAX_TEMPLATES: usize = 100;

/// The name of an open element, which its end tag has too.
#[derive(Clone, Debug)]
pub(super) struct OpenName {
    pub name: Name,
    /// As written.
    pub written: Range<usize>,
}

impl OpenName {
    pub fn of(tag: &ReadTag) -> OpenName {
        OpenName { name: tag.name, written: tag.name_range.clone() }
    }

    /// Whether an end tag has this name.
    pub fn is_of(&self, tag: &ReadTag, text: &[u8]) -> bool {
        let written = |range: &Range<usize>| &text[range.clone()];
        self.name == tag.name
            && (tag.name != Name::Other
                || written(&self.written).eq_ignore_ascii_case(written(&tag.name_range)))
    }
}

/// An open block.
#[derive(Clone, Debug)]
struct Open {
    name: OpenName,
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
    fn find(&mut self, name: Name, written: &[u8], class: Option<&[u8]>) -> LabelId {
        use Name::{Aside, Footer, Header, Main, Nav};
        self.key.clear();
        self.key.extend(written.iter().map(u8::to_ascii_lowercase));
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
        // Elements that name the part of a page.
        let is_landmark = matches!(name, Aside | Footer | Header | Main | Nav);
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
        tag: &ReadTag,
        values: [Option<Range<usize>>; 3],
        labels: &mut Labels,
    ) {
        let own = &text[tag.name_range.clone()];
        while self.open.pop_if(|open| implies_end(open.name.name, tag.name)).is_some() {}
        if tag.name.is_void() || self.open.len() == MAX_DEPTH {
            return;
        }
        let [class, id, role] = values.map(|range| range.map(|range| &text[range]));
        let label = labels.find(tag.name, own, class.or(id));
        let others = [class.and(id), role];
        let is_part = labels.all[label as usize].is_part
            || others.into_iter().flatten().any(|other| PARTS.is_match(other));
        let outer = self.open.last().and_then(|open| open.part);
        let part = if is_part { Some(self.open.len()) } else { outer };
        self.open.push(Open { name: OpenName::of(tag), label, part });
        if is_part {
            self.parts.insert(label);
        }
    }

    /// Closes a block, if it is open.
    pub fn close(&mut self, text: &[u8], tag: &ReadTag) {
        if let Some(at) = self.open.iter().rposition(|open| open.name.is_of(tag, text)) {
            self.open.truncate(at);
        }
    }

    /// Returns how browsers show a text at the current place.
    pub fn kind(&self) -> BlockKind {
        self.open.iter().rev().find_map(|open| BlockKind::of(open.name.name)).unwrap_or(BlockKind::Plain)
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
