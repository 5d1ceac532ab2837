//! Describes the markup of a text that browsers show by default: bold and struck words, headings, numbered lists, and the
//! white space of preformatted text.

use std::fmt::Write as _;
use std::ops::Range;

use sitegate_html::element::Name;

/// Inline elements, each with the first of those that look the same.
const STYLES: [(&str, &str); 25] = [
    ("b", "b"),
    ("strong", "b"),
    ("i", "i"),
    ("em", "i"),
    ("cite", "i"),
    ("dfn", "i"),
    ("var", "i"),
    ("s", "s"),
    ("strike", "s"),
    ("del", "s"),
    ("u", "u"),
    ("ins", "u"),
    ("sup", "sup"),
    ("sub", "sub"),
    ("code", "code"),
    ("kbd", "code"),
    ("samp", "code"),
    ("tt", "code"),
    ("mark", "mark"),
    ("small", "small"),
    ("big", "big"),
    ("q", "q"),
    ("rt", "rt"),
    ("blink", "blink"),
    ("nobr", "nobr"),
];

/// Set of styles, by their index in [`STYLES`].
type StyleSet = u32;

const BOLD: StyleSet = 1;

/// The styles of the current block.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockStyles {
    /// Number of open elements of each style.
    open: [u8; STYLES.len()],
    /// Offsets in the text of the block at which the styles change, and the new ones.
    changes: Vec<(usize, StyleSet)>,
}

impl BlockStyles {
    /// Reads the tag of an inline element. `at` is the length of the block before it.
    pub fn read_tag(&mut self, name: &[u8], is_end: bool, at: usize) {
        let Some((_, style)) = STYLES.iter().find(|(own, _)| name.eq_ignore_ascii_case(own.as_bytes()))
        else {
            return;
        };
        let Some(index) = STYLES.iter().position(|(own, _)| own == style) else { return };
        let count = &mut self.open[index];
        *count = if is_end { count.saturating_sub(1) } else { count.saturating_add(1) };
        self.changes.push((at, self.current()));
    }

    fn current(&self) -> StyleSet {
        self.open.iter().enumerate().fold(0, |set, (index, count)| set | u32::from(*count > 0) << index)
    }

    /// Begins the next block: open elements go on in it.
    pub fn end_block(&mut self) {
        if self.changes.is_empty() {
            return;
        }
        self.changes.clear();
        match self.current() {
            0 => {}
            styles => self.changes.push((0, styles)),
        }
    }

    /// Returns a part of the block's text with its markup; `None` if it has none.
    pub fn marked(&self, block: &str, part: Range<usize>, kind: BlockKind) -> Option<String> {
        let is_preformatted = kind == BlockKind::Preformatted;
        if self.changes.is_empty() && !is_preformatted {
            return None;
        }
        // Headings are bold already.
        let hidden = if matches!(kind, BlockKind::Heading(_) | BlockKind::HeaderCell) { BOLD } else { 0 };
        let mut text = MarkedText::default();
        let mut changes = self.changes.iter().copied().chain([(block.len(), 0)]);
        let (mut at, mut styles) = (0, 0);
        while at < part.end
            && let Some((next, next_styles)) = changes.next()
        {
            let (from, to) = (at.max(part.start), next.min(part.end));
            text.push(block.get(from..to).unwrap_or(""), styles & !hidden);
            (at, styles) = (next, next_styles);
        }
        text.push_tags(0);
        match (is_preformatted, text.has_tags) {
            (true, _) => Some(visible_spaces(&text.text)),
            (false, true) => Some(text.text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")),
            (false, false) => None,
        }
    }
}

/// A text with tags. They are at words, as white space looks the same in most styles.
#[derive(Default)]
struct MarkedText {
    text: String,
    /// White space before the next word.
    space: String,
    styles: StyleSet,
    has_tags: bool,
}

impl MarkedText {
    fn push(&mut self, text: &str, styles: StyleSet) {
        let words = text.trim_ascii_start();
        self.space.push_str(&text[..text.len() - words.len()]);
        if words.is_empty() {
            return;
        }
        self.push_tags(styles);
        let trimmed = words.trim_ascii_end();
        self.text.push_str(trimmed);
        self.space.push_str(&words[trimmed.len()..]);
    }

    /// Ends and begins styles. The order of elements in each other does not matter, so tags have one of their own.
    fn push_tags(&mut self, styles: StyleSet) {
        let has = |set: StyleSet, index: usize| set >> index & 1 == 1;
        let changed =
            |from: StyleSet, to: StyleSet| move |index: &usize| has(from, *index) && !has(to, *index);
        for index in (0..STYLES.len()).rev().filter(changed(self.styles, styles)) {
            let _ = write!(self.text, "</{}>", STYLES[index].0);
        }
        self.text.push_str(&std::mem::take(&mut self.space));
        for index in (0..STYLES.len()).filter(changed(styles, self.styles)) {
            let _ = write!(self.text, "<{}>", STYLES[index].0);
            self.has_tags = true;
        }
        self.styles = styles;
    }
}

/// Returns a text in which white space between words is visible, but for single spaces: `a:⏎ ··b`. The first line break,
/// and white space at the end of a line, are never shown.
pub(super) fn visible_spaces(text: &str) -> String {
    let first = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'));
    let mut shown = String::with_capacity(text.len());
    for (index, line) in first.unwrap_or(text).trim_ascii_end().lines().enumerate() {
        if index > 0 {
            shown.push_str("⏎ ");
        }
        let mut rest = line.trim_ascii_end();
        let mut is_start = true;
        while !rest.is_empty() {
            let words = rest.trim_start_matches([' ', '\t']);
            match &rest[..rest.len() - words.len()] {
                " " if !is_start => shown.push(' '),
                space => shown.extend(space.chars().map(|c| if c == '\t' { '⇥' } else { '·' })),
            }
            is_start = false;
            let end = words.find([' ', '\t']).unwrap_or(words.len());
            shown.push_str(&words[..end]);
            rest = &words[end..];
        }
    }
    shown
}

/// How browsers show a block by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A paragraph, an item of a list with bullets, and all else.
    Plain,
    /// A heading, with its name.
    Heading(&'static str),
    NumberedItem,
    Definition,
    HeaderCell,
    Quotation,
    Preformatted,
    Button,
    Summary,
}

impl BlockKind {
    /// Returns the kind of the texts in an element; `None` if an element around it decides.
    pub fn of(name: Name) -> Option<BlockKind> {
        Some(match name {
            Name::H1 => BlockKind::Heading("<h1>"),
            Name::H2 => BlockKind::Heading("<h2>"),
            Name::H3 => BlockKind::Heading("<h3>"),
            Name::H4 => BlockKind::Heading("<h4>"),
            Name::H5 => BlockKind::Heading("<h5>"),
            Name::H6 => BlockKind::Heading("<h6>"),
            Name::Ol => BlockKind::NumberedItem,
            Name::Dd => BlockKind::Definition,
            Name::Th => BlockKind::HeaderCell,
            Name::Blockquote => BlockKind::Quotation,
            Name::Pre | Name::Listing => BlockKind::Preformatted,
            Name::Button => BlockKind::Button,
            Name::Summary => BlockKind::Summary,
            Name::Ul | Name::Menu | Name::Dt | Name::Td => BlockKind::Plain,
            _ => return None,
        })
    }

    /// Returns the name that the review shows.
    pub fn shown(self) -> &'static str {
        match self {
            BlockKind::Plain => "",
            BlockKind::Heading(name) => name,
            BlockKind::NumberedItem => "<ol>",
            BlockKind::Definition => "<dd>",
            BlockKind::HeaderCell => "<th>",
            BlockKind::Quotation => "<blockquote>",
            BlockKind::Preformatted => "<pre>",
            BlockKind::Button => "<button>",
            BlockKind::Summary => "<summary>",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockKind, BlockStyles, visible_spaces};

    /// Returns the marked text of a block whose tags have no attributes.
    fn marked(html: &str, kind: BlockKind) -> Option<String> {
        let (mut block, mut styles) = (String::new(), BlockStyles::default());
        for part in html.split('<') {
            match part.split_once('>') {
                Some((tag, text)) => {
                    let name = tag.trim_start_matches('/');
                    styles.read_tag(name.as_bytes(), tag.starts_with('/'), block.len());
                    block.push_str(text);
                }
                None => block.push_str(part),
            }
        }
        styles.marked(&block, 0..block.len(), kind)
    }

    #[test]
    fn elements_that_look_the_same_have_the_same_text() {
        for (html, expected) in [
            ("Price <b>10</b> EUR", Some("Price <b>10</b> EUR")),
            ("Price <STRONG>10 </STRONG>EUR", Some("Price <b>10</b> EUR")),
            ("<i><b>x</b></i>", Some("<b><i>x</i></b>")),
            ("<b>x</b> <strong>y</strong>", Some("<b>x y</b>")),
            ("<b>x <b>y</b> z</b>", Some("<b>x y z</b>")),
            ("x<sup>2</sup>", Some("x<sup>2</sup>")),
            ("<span>x</span> <b> </b>y</b>", None),
            ("x", None),
        ] {
            assert_eq!(marked(html, BlockKind::Plain).as_deref(), expected, "{html}");
        }
        assert_eq!(marked("<b>x</b>", BlockKind::Heading("<h1>")), None);
    }

    #[test]
    fn parts_of_a_text_have_their_own_markup() {
        let mut styles = BlockStyles::default();
        styles.read_tag(b"b", false, 2);
        styles.read_tag(b"b", true, 5);
        let of = |part| styles.marked("a bcd e", part, BlockKind::Plain);
        assert_eq!(of(0..3).as_deref(), Some("a <b>b</b>"));
        assert_eq!(of(3..7).as_deref(), Some("<b>cd</b> e"));
        assert_eq!(of(5..7), None);
        styles.read_tag(b"s", false, 7);
        styles.end_block();
        assert_eq!(styles.marked("f", 0..1, BlockKind::Plain).as_deref(), Some("<s>f</s>"));
    }

    #[test]
    fn white_space_of_preformatted_text_is_visible() {
        assert_eq!(
            marked("\nif a:\n  <b>b</b>()  \n\n\tc d\n", BlockKind::Preformatted).as_deref(),
            Some("if a:⏎ ··<b>b</b>()⏎ ⏎ ⇥c d")
        );
        assert_eq!(visible_spaces("  a  b\r\nc"), "··a··b⏎ c");
        assert_eq!(visible_spaces(""), "");
    }
}
