//! A reference in an authored file.

use std::borrow::Cow;
use std::ops::Range;

use htmlize::unescape_attribute;
use sitegate_address::percent;

/// How a reference is resolved, and what makes it one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Manner {
    /// A link or image of Markdown, reStructuredText and similar formats: the path of a source, or else a URL.
    Link,
    /// An attribute of HTML or JSX, a URL of CSS: a URL, or else the path of a source.
    Attribute,
    /// The name of a document, with or without extension: `:doc:`, toctrees, `ref` of Hugo.
    Document,
    /// The path of a source: an import, an included file, an image of reStructuredText.
    File,
    /// The path of a source in the folder of its own file or below it: `include_relative` of Jekyll, which refuses `../`.
    FileBelow,
    /// A value that names a page or a file in data, settings or front matter, by its key or its list.
    Value,
    /// The path of a document without its extension, from the root of the sources, as in sidebars of Docusaurus.
    Id,
    /// A whole text that may be an address, such as a constant in a script. What reads it is not known, so that no edit
    /// of it is certain.
    Text,
}

/// A reference in an authored file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceReference<'t> {
    /// The bytes of the destination in the text, without quotes and delimiters.
    pub range: Range<usize>,
    /// How it is resolved.
    pub manner: Manner,
    /// The destination without the escapes of its format (backslashes, character references, `\u002f`). It is still
    /// percent-encoded.
    pub target: Cow<'t, str>,
    /// How often the rendered text shows it: the number of uses of a link definition, and 1 for all others.
    pub uses: u32,
    /// Whether the rendered text shows it in another place than its own, as it does with link definitions and footnotes.
    pub is_shown_elsewhere: bool,
}

impl<'t> SourceReference<'t> {
    /// Creates a reference that its own place shows once. Its target may differ from the text at its range.
    pub(crate) fn new(
        text: &'t str,
        range: Range<usize>,
        target: &str,
        manner: Manner,
    ) -> SourceReference<'t> {
        let written = text.get(range.clone()).unwrap_or_default();
        let target = if written == target { Cow::Borrowed(written) } else { Cow::Owned(target.to_owned()) };
        SourceReference { range, manner, target, uses: 1, is_shown_elsewhere: false }
    }

    /// Returns the reference at its range in another text, such as the source of the text that it was found in.
    pub(crate) fn at<'s>(&self, text: &'s str, range: Range<usize>) -> SourceReference<'s> {
        let SourceReference { uses, is_shown_elsewhere, .. } = *self;
        SourceReference {
            uses,
            is_shown_elsewhere,
            ..SourceReference::new(text, range, &self.target, self.manner)
        }
    }

    fn into_owned(self) -> SourceReference<'static> {
        SourceReference { target: Cow::Owned(self.target.into_owned()), ..self }
    }
}

/// Decodes what references have in common in all formats: character references, percent-encoding, and `\/` for `/` in
/// JSON, as PHP writes it.
pub fn decoded_reference(written: &str) -> String {
    let text = unescape_attribute(written);
    let text = if text.contains("\\/") { Cow::Owned(text.replace("\\/", "/")) } else { text };
    percent::decode_lossy(&text).into_owned()
}

/// Properties of the project that a scan depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceOptions {
    /// Whether the default role of Sphinx accepts names of documents, so that text in single backquotes may be one.
    pub default_role: bool,
}

/// A start tag of HTML or JSX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTag {
    /// From `<` to after `>`.
    pub range: Range<usize>,
    /// The bytes of its name.
    pub name: Range<usize>,
}

/// The references of a text, and the parts of it that a page does not show as markup. All ranges are in bytes of the
/// whole text, and sorted by their start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceScan<'t> {
    /// The references, each start once.
    pub references: Vec<SourceReference<'t>>,
    /// Comments, code, and other text that is not rendered as markup, disjoint.
    pub inert: Vec<Range<usize>>,
    /// The start tags of HTML and JSX.
    pub tags: Vec<SourceTag>,
}

impl<'t> SourceScan<'t> {
    /// Returns the reference that contains an offset, its end included.
    pub fn reference_at(&self, offset: usize) -> Option<&SourceReference<'t>> {
        let next = self.references.partition_point(|found| found.range.start <= offset);
        self.references[..next].last().filter(|found| offset <= found.range.end)
    }

    /// Returns the range of the comment, the code or the other text without markup that contains an offset.
    pub fn inert_at(&self, offset: usize) -> Option<&Range<usize>> {
        let next = self.inert.partition_point(|range| range.start <= offset);
        self.inert[..next].last().filter(|range| offset < range.end)
    }

    /// Whether an offset is in a comment, in code, or in other text that is not rendered as markup.
    pub fn is_inert(&self, offset: usize) -> bool {
        self.inert_at(offset).is_some()
    }

    /// Returns the start tag that contains an offset.
    pub fn tag_at(&self, offset: usize) -> Option<&SourceTag> {
        let next = self.tags.partition_point(|tag| tag.range.start <= offset);
        self.tags[..next].iter().rev().take(8).find(|tag| offset < tag.range.end)
    }

    /// Returns the scan without a borrow of its text.
    pub fn into_owned(self) -> SourceScan<'static> {
        let references = self.references.into_iter().map(SourceReference::into_owned).collect();
        SourceScan { references, inert: self.inert, tags: self.tags }
    }

    /// Adds a reference with a text that has no escapes.
    pub(crate) fn add(&mut self, text: &'t str, range: Range<usize>, manner: Manner) {
        self.add_decoded(text, range.clone(), &text[range], manner);
    }

    /// Adds a reference with a target that its text may escape.
    pub(crate) fn add_decoded(&mut self, text: &'t str, range: Range<usize>, target: &str, manner: Manner) {
        self.references.push(SourceReference::new(text, range, target, manner));
    }

    /// Adds everything that another scan of the same text has found.
    pub(crate) fn append(&mut self, mut found: SourceScan<'t>) {
        self.references.append(&mut found.references);
        self.inert.append(&mut found.inert);
        self.tags.append(&mut found.tags);
    }

    /// Sorts all parts, and keeps the first reference of each start and the union of inert ranges.
    pub(crate) fn sort(&mut self) {
        self.references.sort_by_key(|found| found.range.start);
        self.references.dedup_by_key(|found| found.range.start);
        self.tags.sort_by_key(|tag| tag.range.start);
        self.inert.sort_unstable_by_key(|range| range.start);
        self.inert.dedup_by(|next, before| {
            let is_within = next.start <= before.end;
            before.end = if is_within { before.end.max(next.end) } else { before.end };
            is_within
        });
    }
}
