//! Reads and writes the project's own format: sorted UTF-8 text, one address, anchor or link in a line.
//!
//! ```text
//! sitegate-inventory 1
//! origin: https://www.example.com
//! anchors: linked
//!
//! /
//! #pricing
//! /guide/
//! #install
//! >/blog/release/#notes
//! /manual.pdf<TAB>file
//! /thanks/<TAB>noindex
//! /old/<TAB>301<TAB>/guide/
//! ```
//!
//! - The first line has the version. A reader refuses a newer one.
//! - Header lines follow, up to an empty line or the first address: `origin`, and `anchors` (`listed`, `linked`,
//!   `headings` or `all`). A reader ignores others.
//! - A line that begins with `/` is an address, as a path with its base path. Fields after it are separated by a TAB:
//!   none for a page, `noindex` for one that search engines may not show, `file` for another file, or a redirect and its
//!   destination. The redirect is an HTTP status, `refresh` (a page with a meta refresh, which drops the fragment) or
//!   `script` (one that keeps it). The path of a redirect may be a pattern as in a `_redirects` file: `*` at its end,
//!   `:name` as a segment.
//! - A line that begins with `#` is an anchor of the address above it, and one that begins with `>` is a link of that
//!   page to another part.
//! - Paths are sorted by their decoded bytes, anchors and links of a page too. In paths and anchors, control characters,
//!   spaces and `%` are percent-encoded, and in paths also `#` and `?`. All other characters are written as they are.
//!   Destinations and links are URLs as their pages have them.

use std::fmt::Write as _;
use std::io;

use crate::percent;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use sitegate_base::artifact::INVENTORY;

use crate::inventory::compression::{self, Compression};
use crate::inventory::model::{AnchorSet, AnswerKind, Inventory, InventoryAddress, InventoryError, Via};

/// Characters of URLs that are encoded. URLs are never decoded.
const URL: &AsciiSet = &CONTROLS.add(b' ');

/// Characters of anchors that are encoded.
const ANCHOR: &AsciiSet = &URL.add(b'%');

/// Characters of paths that are encoded.
const PATH: &AsciiSet = &ANCHOR.add(b'#').add(b'?');

/// Whether a file is an inventory in the project's own format, by its beginning.
pub fn is_own(bytes: &[u8]) -> bool {
    let kind = INVENTORY.kind();
    compression::start(bytes, kind.len()).is_some_and(|start| start == kind.as_bytes())
}

impl Inventory {
    /// Writes the inventory. The same addresses give the same bytes.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&self, compression: Compression, out: impl io::Write) -> io::Result<()> {
        compression.write(self.to_text().as_bytes(), out)
    }

    /// Returns the inventory as text.
    pub fn to_text(&self) -> String {
        let mut text = INVENTORY.first_line() + "\n";
        if let Some(origin) = &self.origin {
            let _ = writeln!(text, "origin: {origin}");
        }
        let _ = writeln!(text, "anchors: {}\n", anchors_name(self.anchors));
        for (path, address) in self.iter() {
            text.extend(utf8_encode(path, PATH));
            match &address.kind {
                AnswerKind::Page if address.is_noindex => text.push_str("\tnoindex"),
                AnswerKind::Page => {}
                AnswerKind::File => text.push_str("\tfile"),
                AnswerKind::Redirect { via, to } => {
                    let _ = match via {
                        Via::Status(status) => write!(text, "\t{status}\t"),
                        Via::Refresh => write!(text, "\trefresh\t"),
                        Via::Script => write!(text, "\tscript\t"),
                    };
                    text.extend(utf8_encode(to, URL));
                }
            }
            text.push('\n');
            let anchors = address.anchors().map(|anchor| ('#', anchor, ANCHOR));
            for (mark, value, set) in anchors.chain(address.links().map(|link| ('>', link, URL))) {
                text.push(mark);
                text.extend(utf8_encode(value, set));
                text.push('\n');
            }
        }
        text
    }
}

/// Encodes the ASCII characters of a set, and leaves all others as they are.
fn utf8_encode<'t>(text: &'t str, set: &'static AsciiSet) -> impl Iterator<Item = &'t str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let ascii = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
        let is_ascii = ascii > 0;
        let end = if is_ascii { ascii } else { rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len()) };
        let part;
        (part, rest) = rest.split_at(end);
        Some((part, is_ascii))
    })
    .flat_map(move |(part, is_ascii)| {
        let encoded = is_ascii.then(|| utf8_percent_encode(part, set));
        encoded.into_iter().flatten().chain((!is_ascii).then_some(part))
    })
}

fn anchors_name(anchors: AnchorSet) -> &'static str {
    match anchors {
        AnchorSet::Listed => "listed",
        AnchorSet::Linked => "linked",
        AnchorSet::Headings => "headings",
        AnchorSet::All => "all",
    }
}

/// Parses the project's own format.
pub(crate) fn parse(text: &str) -> Result<Inventory, InventoryError> {
    let mut lines = text.lines().zip(1..).peekable();
    let first = lines.next().map_or("", |(line, _)| line);
    INVENTORY.check_line(first).map_err(|refusal| InventoryError::at(1, refusal.to_string()))?;
    let mut inventory = Inventory::default();
    while let Some((line, number)) = lines.next_if(|(line, _)| !line.is_empty() && !line.starts_with('/')) {
        let Some((key, value)) = line.split_once(':') else {
            return Err(InventoryError::at(number, "a header line has no `:`"));
        };
        match (key, value.trim()) {
            ("origin", value) => inventory.origin = Some(origin(value, number)?),
            ("anchors", "listed") => inventory.anchors = AnchorSet::Listed,
            ("anchors", "linked") => inventory.anchors = AnchorSet::Linked,
            ("anchors", "headings") => inventory.anchors = AnchorSet::Headings,
            ("anchors", "all") => inventory.anchors = AnchorSet::All,
            ("anchors", _) => return Err(InventoryError::at(number, "`anchors` has an unknown value")),
            _ => {}
        }
    }
    lines.next_if(|(line, _)| line.is_empty());
    let mut current: Option<AddressBlock> = None;
    for (line, number) in lines {
        let at = |reason: &str| InventoryError::at(number, reason);
        match (line.as_bytes().first(), &mut current) {
            (Some(b'/'), _) => {
                AddressBlock::end(current.take(), &mut inventory)?;
                current = Some(AddressBlock::start(line, number)?);
            }
            (Some(b'#'), Some(block)) => block.anchors.push(decoded(&line[1..]).ok_or_else(|| at(NOT_UTF8))?),
            (Some(b'>'), Some(block)) => block.links.push(line[1..].into()),
            (Some(b'#' | b'>'), None) => {
                return Err(at("an anchor or a link comes before the first address"));
            }
            _ => return Err(at("a line begins with none of `/`, `#` and `>`")),
        }
    }
    AddressBlock::end(current, &mut inventory)?;
    inventory.sort();
    Ok(inventory)
}

const NOT_UTF8: &str = "the decoded text is not UTF-8";

/// An address and its lines so far.
struct AddressBlock {
    path: Box<str>,
    kind: AnswerKind,
    is_noindex: bool,
    anchors: Vec<Box<str>>,
    links: Vec<Box<str>>,
    line: u32,
}

impl AddressBlock {
    fn start(text: &str, number: usize) -> Result<AddressBlock, InventoryError> {
        let mut fields = text.split('\t');
        let path = fields.next().and_then(decoded).ok_or_else(|| InventoryError::at(number, NOT_UTF8))?;
        let fields = (fields.next(), fields.next(), fields.next());
        let is_noindex = fields == (Some("noindex"), None, None);
        let kind = match fields {
            (None, ..) => Some(AnswerKind::Page),
            _ if is_noindex => Some(AnswerKind::Page),
            (Some("file"), None, _) => Some(AnswerKind::File),
            (Some(via), Some(to), None) => via_of(via).map(|via| AnswerKind::Redirect { via, to: to.into() }),
            _ => None,
        };
        let kind =
            kind.ok_or_else(|| InventoryError::at(number, "the fields after the address are unknown"))?;
        let (anchors, links) = (Vec::new(), Vec::new());
        let line = u32::try_from(number).unwrap_or(u32::MAX);
        Ok(AddressBlock { path, kind, is_noindex, anchors, links, line })
    }

    fn end(block: Option<AddressBlock>, inventory: &mut Inventory) -> Result<(), InventoryError> {
        let Some(AddressBlock { path, kind, is_noindex, anchors, links, line }) = block else {
            return Ok(());
        };
        let mut address = InventoryAddress::new(kind).with(anchors, links).noindex(is_noindex);
        address.line = line;
        inventory.push(&path, address)
    }
}

fn via_of(word: &str) -> Option<Via> {
    match word {
        "refresh" => Some(Via::Refresh),
        "script" => Some(Via::Script),
        status => status.parse().ok().filter(|status| (300..400).contains(status)).map(Via::Status),
    }
}

fn decoded(text: &str) -> Option<Box<str>> {
    if !text.contains('%') {
        return Some(text.into());
    }
    Some(percent::decode(text)?.into())
}

/// Checks the origin in a header.
fn origin(text: &str, line: usize) -> Result<String, InventoryError> {
    let url = url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.filter(|url| url.path() == "/" && url.query().is_none() && url.fragment().is_none());
    url.map(|url| url.origin().ascii_serialization())
        .ok_or_else(|| InventoryError::at(line, "`origin` is not an origin such as https://www.example.com"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;
    use crate::inventory::ReadSettings;

    fn kinds() -> impl Strategy<Value = AnswerKind> {
        let vias = prop_oneof![(300..400u16).prop_map(Via::Status), Just(Via::Refresh), Just(Via::Script)];
        let redirects = (vias, "\\PC{0,8}").prop_map(|(via, to)| AnswerKind::Redirect { via, to: to.into() });
        prop_oneof![3 => Just(AnswerKind::Page), 1 => Just(AnswerKind::File), 1 => redirects]
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(
            pages in proptest::collection::vec(
                (".{0,6}", kinds(), proptest::collection::vec(".{1,6}", 0..4), proptest::collection::vec("[!-~é]{1,6}", 0..3)),
                0..12,
            ),
            has_origin: bool,
            anchor_set in prop_oneof![
                Just(AnchorSet::Listed), Just(AnchorSet::Linked), Just(AnchorSet::Headings), Just(AnchorSet::All)
            ],
        ) {
            let origin = has_origin.then(|| "https://www.example.com".to_owned());
            let mut inventory = Inventory::new(origin, anchor_set);
            for (at, (path, kind, anchors, links)) in pages.into_iter().enumerate() {
                let is_noindex = at % 3 == 0 && kind == AnswerKind::Page;
                let boxed = |texts: Vec<String>| texts.into_iter().map(Into::into).collect();
                let address = InventoryAddress::new(kind).with(boxed(anchors), boxed(links)).noindex(is_noindex);
                inventory.add(&format!("/{path}"), address).unwrap();
            }
            let text = inventory.to_text();
            prop_assert!(text.bytes().all(|byte| byte == b'\n' || byte == b'\t' || !byte.is_ascii_control()));
            for compression in [Compression::None, Compression::Gzip] {
                let mut bytes = Vec::new();
                inventory.write(compression, &mut bytes).unwrap();
                let read = Inventory::read(&bytes, &ReadSettings::default()).unwrap();
                prop_assert_eq!(read.to_text(), text.clone());
            }
        }

        #[test]
        fn any_file_is_an_error_or_written_as_an_inventory(
            start in "(sitegate-inventory 1\n\n|<urlset>|\\{\"references\":|a,url\n|/a\n|references:\n|# Sphinx inventory version 2\n\n\n\n|\x1f\u{b}|)",
            rest in proptest::collection::vec(any::<u8>(), 0..60),
            lines in "((/|#|>|https://e.com/|<loc>|</loc>|,|\t|%2|\r|.){0,6}\n){0,6}",
        ) {
            for bytes in [[start.as_bytes(), &rest].concat(), [start.as_bytes(), lines.as_bytes()].concat()] {
                let _ = crate::inventory::read_sitemap_index(&bytes);
                if let Ok(inventory) = Inventory::read(&bytes, &ReadSettings::default()) {
                    let text = inventory.to_text();
                    let read = Inventory::read(text.as_bytes(), &ReadSettings::default()).unwrap();
                    prop_assert_eq!(read.to_text(), text);
                }
            }
        }

        #[test]
        fn never_panics(text in "(sitegate-inventory 1\n)?(\n|/|#|>|\t|%|f|file|301|.){0,40}") {
            let _ = Inventory::read(text.as_bytes(), &ReadSettings::default());
        }
    }

    #[test]
    fn names_the_line_of_an_error() {
        let read = |rest: &str| parse(&format!("sitegate-inventory 1\n{rest}")).unwrap_err().to_string();
        assert_eq!(parse("sitegate-inventory 2\n").unwrap_err().line, Some(1));
        assert!(parse("sitegate-inventory 2\n").unwrap_err().reason.contains("update sitegate"));
        assert!(read("anchors: many\n").starts_with("line 2: `anchors`"));
        assert!(read("\n#early\n").starts_with("line 3: an anchor"));
        assert!(read("\n/a\n/b\tfish\n").starts_with("line 4: the fields"));
        assert!(read("\n/a\t200\t/b\n").starts_with("line 3: the fields"));
        assert!(read("\n/a\n\n/b\n").starts_with("line 4: a line begins"));
        assert!(read("\n/%ff\n").starts_with("line 3: the decoded text"));
        assert!(read("origin: example.com\n\n").starts_with("line 2: `origin`"));
    }
}
