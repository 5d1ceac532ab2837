//! Finds what a Content-Security-Policy governs in a page, in the order in which browsers meet it: inline code,
//! requests, forms, the base URL, and policies in `meta` elements.
//!
//! Only pages with a policy are read like this, so it is separate from the facts.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::Encoding;
use sitegate_html::element::Namespace;
use sitegate_html::url_attribute::RequestKind;

use super::governed_element::{GovernedElement, decode};
use super::governed_item::Governed;
use super::open_templates::OpenTemplates;
use super::parse_html;
use crate::csp::{Inline, is_event_handler};
use crate::parse::character_references::decode_references;
use crate::parse::page::Page;
use crate::parse::source::Source;
use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::Name;
use sitegate_html::tag_reader::{ReadTag, TagReader, TagSink, WrittenAttribute};

/// Maximum nesting of `srcdoc`.
const MAX_NESTING: usize = 8;

/// Calls `visit` with everything that a policy governs in a page or an SVG document, and its location.
pub fn governed(source: Source, visit: &mut dyn FnMut(Governed<'_>, Range<u32>)) {
    let mut page = Page::new(source);
    if matches!(page.source, Source::Bytes(_)) {
        // Finds the encoding. Without selectors, nothing can fail.
        let _ = parse_html(&mut page, &[]);
    }
    let sandbox = Sandbox { scripts: true, forms: true };
    Walker {
        text: &page.source,
        charset: page.declared_charset(),
        nested: None,
        sandbox,
        templates: OpenTemplates::default(),
        head: HeadState::Before,
        visit,
    }
    .walk(0);
}

/// Whether the parser is still in the head. Policies after it have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeadState {
    Before,
    Ended,
}

/// The permissions of a document, by the `sandbox` attributes of the frames around it.
#[derive(Clone, Copy)]
struct Sandbox {
    scripts: bool,
    forms: bool,
}

impl Sandbox {
    /// Returns the permissions of a frame in the document. `attribute` is its `sandbox`.
    fn of_frame(self, attribute: Option<&str>) -> Sandbox {
        let Some(attribute) = attribute else { return self };
        let has = |flag: &str| attribute.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(flag));
        Sandbox { scripts: self.scripts && has("allow-scripts"), forms: self.forms && has("allow-forms") }
    }

    /// Whether browsers run or send something, so that policies can block it.
    fn allows(self, governed: &Governed<'_>) -> bool {
        match governed {
            Governed::Inline(kind, ..) => self.scripts || kind.is_style(),
            Governed::Request(request) => match request.kind {
                RequestKind::Script => self.scripts,
                RequestKind::Form => self.forms,
                _ => true,
            },
            _ => true,
        }
    }
}

/// A `style` or `script` of SVG, whose content ends at the next tag.
struct ForeignCode<'t> {
    kind: Inline,
    tag: Range<usize>,
    nonce: Option<Cow<'t, str>>,
}

/// Comments, CDATA sections and lone `<` before a tag.
#[derive(Default)]
struct SkippedMarkup(Vec<Range<usize>>);

impl TagSink for SkippedMarkup {
    fn comment(&mut self, range: Range<usize>) {
        self.0.push(range);
    }
}

pub(super) struct Walker<'t, 'v> {
    text: &'t [u8],
    charset: Option<&'static Encoding>,
    /// The location of the outermost `srcdoc` that contains this document.
    nested: Option<Range<u32>>,
    sandbox: Sandbox,
    templates: OpenTemplates,
    head: HeadState,
    visit: &'v mut dyn FnMut(Governed<'_>, Range<u32>),
}

impl<'t> Walker<'t, '_> {
    fn walk(&mut self, depth: usize) {
        let mut tokenizer = TagReader::<true>::new(self.text, self.sandbox.scripts);
        let mut attributes = Vec::new();
        let mut last_end = 0;
        let mut foreign: Option<ForeignCode<'t>> = None;
        let mut skipped = SkippedMarkup::default();
        while let Some(token) = tokenizer.next(&mut attributes, &mut skipped) {
            if self.is_in_head() && has_text(&self.text[last_end..token.range.start]) {
                self.head = HeadState::Ended;
            }
            last_end = token.raw.as_ref().map_or(token.range.end, |raw| raw.end);
            if let Some(ForeignCode { kind, tag, nonce }) = foreign.take() {
                let code = self.foreign_text(tag.end..token.range.start, &skipped.0);
                self.inline(kind, code.into(), nonce, &tag);
            }
            skipped.0.clear();
            if token.is_end {
                self.end_tag(&token);
            } else {
                foreign = self.start_tag(&token, &attributes, depth);
            }
        }
    }

    /// Returns the text of an SVG element: without comments, and with the content of CDATA sections. `skipped` are both,
    /// and lone `<`.
    fn foreign_text(&self, range: Range<usize>, skipped: &[Range<usize>]) -> String {
        let mut text = String::new();
        let mut at = range.start;
        for markup in skipped {
            text.push_str(&decode_references(&self.decode(at..markup.start)));
            let written = self.decode(markup.clone());
            match written.strip_prefix("<![CDATA[") {
                Some(section) => text.push_str(section.strip_suffix("]]>").unwrap_or(section)),
                None if written == "<" => text.push('<'),
                None => {}
            }
            at = markup.end;
        }
        text.push_str(&decode_references(&self.decode(at..range.end)));
        text
    }

    fn decode(&self, range: Range<usize>) -> Cow<'t, str> {
        decode(&self.text[range], self.charset)
    }

    /// Whether the parser is in the head itself. What a template contains does not end the head.
    fn is_in_head(&self) -> bool {
        self.head == HeadState::Before && self.templates.is_empty()
    }

    fn end_tag(&mut self, token: &ReadTag) {
        if token.name == Name::Template && token.namespace == Namespace::Html {
            self.templates.close(token.range.start);
        }
        if self.is_in_head() && matches!(token.name, Name::Body | Name::Html) {
            self.head = HeadState::Ended;
        }
    }

    fn start_tag(
        &mut self,
        token: &ReadTag,
        attributes: &[WrittenAttribute],
        depth: usize,
    ) -> Option<ForeignCode<'t>> {
        if self.is_in_head() && !is_of_head(token.name) {
            self.head = HeadState::Ended;
        }
        let is_inert = self.templates.is_inert();
        let element = GovernedElement::new(self.text, self.charset, token, attributes);
        self.attributes(&element);
        if token.name == Name::Template && token.namespace == Namespace::Html {
            let mode = element.value(Attribute::Shadowrootmode);
            self.templates.open(mode.as_deref().map(str::as_bytes), token.range.end);
        }
        if is_inert {
            return None;
        }
        if element.tag() == Name::Meta && self.is_in_head() {
            let equiv = element.value(Attribute::HttpEquiv).unwrap_or_default();
            if equiv.eq_ignore_ascii_case(crate::csp::HEADER)
                && let Some(content) = element.value(Attribute::Content)
            {
                self.visit(Governed::Policy(content), &element.range_of(Attribute::Content));
            }
        }
        let nested = element.nested_document().filter(|_| depth < MAX_NESTING);
        if let Some(document) = nested {
            let location = self.location(&element.range_of(Attribute::Srcdoc));
            let sandbox = self.sandbox.of_frame(element.other("sandbox").as_deref());
            self.nest(&document, location, sandbox, depth);
        }
        let mut foreign = None;
        element.each(&mut |governed, range| match governed {
            // The text of SVG elements is only known at the next tag.
            Governed::Inline(kind, _, nonce) if element.is_open_foreign(kind) => {
                foreign = Some(ForeignCode { kind, tag: token.range.clone(), nonce });
            }
            governed => self.visit(governed, &range),
        });
        foreign
    }

    /// Visits the style and the event handlers of an element. Browsers check them in templates, too.
    fn attributes(&mut self, element: &GovernedElement<'_, 't>) {
        for attribute in element.attributes() {
            let name = &self.text[attribute.name_range.clone()];
            let kind = match attribute.name {
                Attribute::Style => Inline::StyleAttribute,
                Attribute::Other if name.len() > 2 && name[..2].eq_ignore_ascii_case(b"on") => {
                    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
                    if !is_event_handler(&name, element.handler_owner()) {
                        continue;
                    }
                    Inline::Handler
                }
                _ => continue,
            };
            let code = element.text_of(attribute);
            self.inline(kind, code, None, &attribute.name_range);
        }
    }

    /// Visits the document in a `srcdoc`.
    fn nest(&mut self, document: &str, location: Range<u32>, sandbox: Sandbox, depth: usize) {
        (self.visit)(Governed::NestedStart, location.clone());
        Walker {
            text: document.as_bytes(),
            charset: None,
            nested: Some(location.clone()),
            sandbox,
            templates: OpenTemplates::default(),
            head: HeadState::Before,
            visit: self.visit,
        }
        .walk(depth + 1);
        (self.visit)(Governed::NestedEnd, location);
    }

    fn inline(
        &mut self,
        kind: Inline,
        code: Cow<'_, str>,
        nonce: Option<Cow<'_, str>>,
        range: &Range<usize>,
    ) {
        self.visit(Governed::Inline(kind, code, nonce), range);
    }

    fn visit(&mut self, governed: Governed<'_>, range: &Range<usize>) {
        if self.sandbox.allows(&governed) {
            let location = self.location(range);
            (self.visit)(governed, location);
        }
    }

    fn location(&self, range: &Range<usize>) -> Range<u32> {
        self.nested.clone().unwrap_or(range.start as u32..range.end as u32)
    }
}

/// Whether an element may be in the head.
fn is_of_head(tag: Name) -> bool {
    matches!(
        tag,
        Name::Base
            | Name::Html
            | Name::Link
            | Name::Meta
            | Name::Noscript
            | Name::Script
            | Name::Style
            | Name::Template
            | Name::Title
            | Name::Head
            | Name::Basefont
            | Name::Bgsound
            | Name::Noframes
    )
}

/// Whether text between two tags has characters that are not white space, comments or a doctype.
fn has_text(text: &[u8]) -> bool {
    let mut rest = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [] => return false,
            [b'<', b'/', name, ..] if name.is_ascii_alphabetic() => b">",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'!' | b'?', ..] => b">",
            _ => return true,
        };
        let Some(at) = memchr::memmem::find(rest, end) else { return false };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str) -> Vec<String> {
        let mut all = Vec::new();
        governed(Source::decoded(html.into()), &mut |governed, span| {
            let written = &html[span.start as usize..span.end as usize];
            all.push(match governed {
                Governed::Policy(text) => format!("policy {text}"),
                Governed::Base(url) => format!("base {url}"),
                Governed::Inline(kind, code, nonce) => {
                    format!("{kind:?} {code}{}", nonce.map(|nonce| format!(" ({nonce})")).unwrap_or_default())
                }
                Governed::Request(request) => format!("{:?} {} {written}", request.kind, request.url),
                Governed::NestedStart => "start".to_owned(),
                Governed::NestedEnd => "end".to_owned(),
            });
        });
        all
    }

    #[test]
    fn only_the_head_has_policies() {
        const META: &str = "<meta http-equiv=content-security-policy content=\"img-src 'none'\">";
        let cases = [
            ("<title>x</title>", 1),
            ("<!doctype html><!-- x --><head></head>", 1),
            ("<p>", 0),
            ("text", 0),
            ("<body>", 0),
            ("<template>", 0),
            ("<template><p>text</p></body></template>", 1),
            ("<template><template>text</template>", 0),
            ("<template></template>text", 0),
            ("<noscript>", 0),
        ];
        for (before, expected) in cases {
            assert_eq!(found(&format!("{before}{META}")).len(), expected, "{before}");
        }
    }

    #[test]
    fn templates_have_attributes_only() {
        let html = "<template><style>a{}</style><p style=x onclick=y><img src=z></template><style>b</style>";
        assert_eq!(found(html), ["StyleAttribute x", "Handler y", "Style b"]);
        let shadow = "<template shadowrootmode=open><style>a</style></template>";
        assert_eq!(found(shadow), ["Style a"]);
    }

    #[test]
    fn reads_scripts_as_browsers_do() {
        let html = "<script></script><script nomodule>1</script><script type=x>2</script>\
            <script type=application/ld+json>3</script><script type=importmap>4</script>\
            <script language=vbscript>5</script><script nonce=n>a\r\nb</script>\
            <script nonce=n x='<script'>6</script><script nonce=n id=a ID=b>8</script><svg><script>1&lt;2</script><style>c</style></svg>\
            <script type=speculationrules>7</script><noscript><style>d</style></noscript>";
        assert_eq!(
            found(html),
            [
                "Script 4",
                "Script a\nb (n)",
                "Script 6",
                "Script 8",
                "Script 1<2",
                "Style c",
                "SpeculationRules 7"
            ]
        );
    }

    #[test]
    fn reads_svg_as_browsers_do() {
        let html = "<svg><style><![CDATA[a>b{}&amp;]]></style><style>a<!-- b -->c &lt; < d\r\n</style>\
            <script> <![CDATA[1<2]]> </script><script>3</script></svg><style><![CDATA[e]]></style>";
        let expected =
            ["Style a>b{}&amp;", "Style ac < < d\n", "Script  1<2 ", "Script 3", "Style <![CDATA[e]]>"];
        assert_eq!(found(html), expected);
    }

    #[test]
    fn reads_nested_documents() {
        let html = "<iframe src=no srcdoc='<img src=a.png>'></iframe>";
        assert_eq!(found(html), ["start", "Image a.png <img src=a.png>", "end"]);
    }

    #[test]
    fn sandboxed_documents_run_no_scripts() {
        let cases = [
            ("", "start Script Handler StyleAttribute Form end"),
            ("sandbox", "start StyleAttribute end"),
            ("sandbox='allow-forms ALLOW-SCRIPTS'", "start Script Handler StyleAttribute Form end"),
            ("sandbox=allow-scripts", "start Script Handler StyleAttribute end"),
        ];
        for (sandbox, expected) in cases {
            let html = format!(
                "<iframe {sandbox} srcdoc='<script>1</script><p onclick=2 style=3><form action=4></form>'></iframe>"
            );
            let kinds: Vec<_> =
                found(&html).iter().filter_map(|one| one.split(' ').next().map(str::to_owned)).collect();
            assert_eq!(kinds.join(" "), expected, "{sandbox}");
        }
    }
}
