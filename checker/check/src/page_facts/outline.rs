//! Describes the structure of a page: the ends of elements with a meaning, between its texts and in them.
//!
//! Classes and ids do not count, and neither do `div`, `span` and others without a role of their own, unless they have
//! other attributes. Common omissions of end tags are handled as the parser does.

use std::fmt::Write as _;
use std::ops::Range;

use sitegate_html::element::{Name, Namespace};
use sitegate_html::start_rules::implies_end;
use sitegate_html::tag_reader::ReadTag;
use sitegate_review::{TextId, Texts};

use super::assets::digest;
use super::places::{OpenName, is_block};

/// Maximum number of open elements.
const MAX_DEPTH: usize = 256;

/// Maximum number of bytes of tags that are stored as they are. Of more, a hash.
const MAX_TAGS: usize = 400;

/// An open element.
#[derive(Clone, Debug)]
struct OutlinedElement {
    name: OpenName,
    /// The start of its tag in [`Outline::open_tags`], which is empty if it does not count.
    tag: usize,
}

/// The structure up to the current tag.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    open: Vec<OutlinedElement>,
    /// The tags of the open elements that count.
    open_tags: String,
    /// The tags since the last text: one a line, as [`sitegate_review`] reads them.
    tags: String,
    /// Length of the block whose characters are counted, and their number since the last tag, without white space.
    counted: (usize, usize),
    /// The tags before and in each text, and those after the last one.
    pub texts: Vec<TextId>,
    /// The text without tags.
    none: Option<TextId>,
}

impl Outline {
    /// Reads a start tag. `attributes` are the names of those that are compared, sorted.
    pub fn open(&mut self, source: &str, tag: &ReadTag, attributes: &[Range<usize>], block: &str) {
        let text = |range: &Range<usize>| source.get(range.clone()).unwrap_or("");
        let is_html = tag.namespace == Namespace::Html;
        if is_html {
            self.imply_ends(source, tag, block);
        }
        let has_role = !is_html || has_role(tag.name, text(&tag.name_range));
        let counts =
            !is_left_out(tag.name) && (has_role && !matches!(tag.name, Name::A) || !attributes.is_empty());
        let is_empty = if is_html { tag.name.is_void() || tag.raw.is_some() } else { tag.is_empty };
        let start = self.open_tags.len();
        if counts {
            self.open_tags.push(if has_role { '<' } else { '(' });
            self.open_tags.push_str(text(&tag.name_range));
            // Ids of SVG are often generated.
            for name in attributes.iter().map(text).filter(|name| !name.eq_ignore_ascii_case("id")) {
                self.open_tags.push(' ');
                self.open_tags.push_str(name);
            }
            self.open_tags[start..].make_ascii_lowercase();
            self.count(block);
            self.tags.push_str(&self.open_tags[start..]);
            self.tags.push('\n');
        }
        let opened = OutlinedElement { name: OpenName::of(tag), tag: start };
        if self.open.len() < MAX_DEPTH && (counts || !is_empty) {
            self.open.push(opened);
            if is_empty {
                self.close_to(self.open.len() - 1, block);
            }
        } else {
            self.open_tags.truncate(start);
        }
    }

    /// Reads an end tag.
    pub fn close(&mut self, source: &str, tag: &ReadTag, block: &str) {
        if let Some(at) = self.open.iter().rposition(|open| open.name.is_of(tag, source.as_bytes())) {
            self.close_to(at, block);
        }
    }

    /// Closes the elements whose end tags are omitted before a start tag.
    fn imply_ends(&mut self, source: &str, tag: &ReadTag, block: &str) {
        let written = |open: &OutlinedElement| source.get(open.name.written.clone()).unwrap_or("").as_bytes();
        let starts_block = is_block(tag.name, &source.as_bytes()[tag.name_range.clone()]);
        if !starts_block {
            return;
        }
        let mut ended = None;
        for (at, open) in self.open.iter().enumerate().rev() {
            if implies_end(open.name.name, tag.name) {
                ended = Some(at);
            } else if is_in_table(tag.name) {
                if open.name.name == Name::Table {
                    break;
                }
            } else if is_block(open.name.name, written(open))
                && !matches!(open.name.name, Name::Address | Name::Div | Name::P)
            {
                break;
            }
        }
        if let Some(at) = ended {
            self.close_to(at, block);
        }
    }

    /// Closes all elements from an index.
    fn close_to(&mut self, at: usize, block: &str) {
        while self.open.len() > at {
            let Some(closed) = self.open.pop() else { break };
            if closed.tag < self.open_tags.len() {
                self.count(block);
                let tag = &self.open_tags[closed.tag..];
                let before = self.tags.strip_suffix('\n').and_then(|tags| tags.strip_suffix(tag));
                let empty = before.filter(|before| before.is_empty() || before.ends_with('\n'));
                let empty = empty.map(str::len);
                match (empty, tag.strip_prefix('<')) {
                    (Some(start), role) => {
                        self.tags.replace_range(start..=start, if role.is_some() { "=" } else { "-" });
                    }
                    (None, Some(named)) => {
                        let name = named.split(' ').next().unwrap_or_default();
                        let _ = writeln!(self.tags, "/{name}");
                    }
                    (None, None) => {
                        let _ = writeln!(self.tags, "){}", &tag[1..]);
                    }
                }
                self.open_tags.truncate(closed.tag);
            }
        }
    }

    /// Stores the number of characters since the last tag.
    fn count(&mut self, block: &str) {
        let (end, number) = &mut self.counted;
        let more = block.as_bytes().get(*end..).unwrap_or_default();
        *number += count_characters(more);
        *end = block.len();
        if *number > 0 {
            let _ = writeln!(self.tags, "{number}");
            *number = 0;
        }
    }

    /// Ends a text. `part` is a part of the block if it is cut into several.
    pub fn push(&mut self, part: Option<&str>, texts: &Texts) {
        let end = part.map_or(self.tags.len(), |part| self.cut(count_characters(part.as_bytes())));
        let id = match &self.tags[..end] {
            "" => *self.none.get_or_insert_with(|| texts.intern("")),
            tags if tags.len() > MAX_TAGS => texts.intern(&format!("#{:016x}", digest(tags.as_bytes()))),
            tags => texts.intern(tags.trim_ascii_end()),
        };
        self.texts.push(id);
        self.tags.drain(..end);
    }

    /// Returns the end of the tags in the first characters of the block.
    fn cut(&mut self, characters: usize) -> usize {
        let (mut before, mut at) = (0, 0);
        for line in self.tags.split_inclusive('\n') {
            if let Ok(more) = line.trim_ascii_end().parse::<usize>() {
                before += more;
                if before > characters {
                    let rest = format!("{}\n", before - characters);
                    let end = at + line.len();
                    self.tags.replace_range(at..end, &rest);
                    break;
                }
            }
            at += line.len();
        }
        at
    }

    /// Begins the next block.
    pub fn end_block(&mut self) {
        self.counted = (0, 0);
    }

    /// Ends the page.
    pub fn end(&mut self, texts: &Texts) {
        self.close_to(0, "");
        self.push(None, texts);
    }
}

fn count_characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| !byte.is_ascii_whitespace()).count()
}

fn is_in_table(name: Name) -> bool {
    matches!(name, Name::Td | Name::Th | Name::Tr | Name::Tbody | Name::Thead | Name::Tfoot)
}

/// Whether an element of HTML has a role, even without attributes. The markup of texts describes the others.
fn has_role(name: Name, written: &str) -> bool {
    use Name::{
        Area, Aside, Audio, Caption, Dd, Details, Dialog, Dir, Dl, Dt, Embed, Fieldset, Form, Hr, Iframe,
        Img, Input, Label, Legend, Li, Main, Menu, Nav, Object, Ol, Optgroup, Option, Output, Search, Select,
        Table, Td, Textarea, Th, Tr, Ul, Video,
    };
    const OTHERS: [&str; 4] = ["canvas", "datalist", "meter", "progress"];
    match name {
        Name::Other => {
            written.contains('-') || OTHERS.iter().any(|other| written.eq_ignore_ascii_case(other))
        }
        _ => matches!(
            name,
            Area | Aside
                | Audio
                | Caption
                | Dd
                | Details
                | Dialog
                | Dir
                | Dl
                | Dt
                | Embed
                | Fieldset
                | Form
                | Hr
                | Iframe
                | Img
                | Input
                | Label
                | Legend
                | Li
                | Main
                | Menu
                | Nav
                | Object
                | Ol
                | Optgroup
                | Option
                | Output
                | Search
                | Select
                | Table
                | Td
                | Textarea
                | Th
                | Tr
                | Ul
                | Video
        ),
    }
}

/// Whether an element never counts: it is not shown, or its whole content is compared.
fn is_left_out(name: Name) -> bool {
    use Name::{Base, Body, Br, Head, Html, Link, Meta, Noscript, Script, Style, Template, Title, Wbr};
    matches!(
        name,
        Base | Body | Br | Head | Html | Link | Meta | Noscript | Script | Style | Template | Title | Wbr
    )
}
