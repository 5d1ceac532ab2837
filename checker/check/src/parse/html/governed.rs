//! Finds what a Content-Security-Policy governs in a page, in the order in which browsers meet it: inline code,
//! requests, forms, the base URL, and policies in `meta` elements.
//!
//! Only pages with a policy are read like this, so it is separate from the facts.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::nesting::{NestedElement, NestingEvents, read_nesting};
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tag_reader::WrittenAttribute;
use sitegate_html::tokenizer::name_end;
use sitegate_html::tree::{NodeId, TooDeep};
use sitegate_html::url_attribute::RequestKind;

use super::governed_element::{Governed, GovernedElement, decode};
use crate::csp::{Inline, is_event_handler};
use crate::parse::html_text::decode_references;
use crate::parse::page::Page;

/// Maximum nesting of `srcdoc`.
const MAX_NESTING: usize = 8;

/// Calls `visit` with everything that a policy governs in a page or an SVG document, and its location.
///
/// # Errors
/// If the page, or a `srcdoc` in it, is nested too deeply. What comes before was visited.
pub fn governed(page: &Page, visit: &mut dyn FnMut(Governed<'_>, Range<u32>)) -> Result<(), TooDeep> {
    let sandbox = Sandbox { scripts: true, forms: true };
    GovernedDocument::new(&page.source, page.syntax, sandbox, visit).read()
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

/// A style or a script that is open. Its code is the text in it, without that of elements in it, which SVG may have.
struct OpenCode<'t> {
    element: NodeId,
    kind: Inline,
    nonce: Option<Cow<'t, str>>,
    tag: Range<usize>,
    code: String,
    /// Whether it counts without code. Browsers ignore an empty script of HTML.
    may_be_empty: bool,
    /// Number of open elements in it.
    depth: usize,
}

/// Receives the elements of a page, or of the document in a `srcdoc`.
struct GovernedDocument<'t, 'v> {
    text: &'t [u8],
    syntax: PageSyntax,
    sandbox: Sandbox,
    /// The number of `srcdoc` attributes around it, and the location of the outermost one.
    depth: usize,
    nested: Option<Range<u32>>,
    /// The end of the last start tag.
    read_to: usize,
    open_codes: Vec<OpenCode<'t>>,
    /// A buffer for the attributes of one element.
    attributes: Vec<WrittenAttribute>,
    result: Result<(), TooDeep>,
    visit: &'v mut dyn FnMut(Governed<'_>, Range<u32>),
}

impl NestingEvents for GovernedDocument<'_, '_> {
    fn open(&mut self, element: &NestedElement) {
        if let Some(outer) = self.open_codes.last_mut() {
            outer.depth += 1;
        }
        // The parser opens misnested formatting again, with the same tag.
        if !element.tag.is_empty() && element.tag.start >= self.read_to {
            self.read_to = element.tag.end;
            self.element(element);
        }
    }

    fn merged(&mut self, element: &NestedElement) {
        self.element(element);
    }

    fn text(&mut self, text: &Range<usize>, is_verbatim: bool) {
        let written = || decode(&self.text[text.clone()]);
        if let Some(open) = self.open_codes.last_mut().filter(|open| open.depth == 0) {
            open.code +=
                &if is_verbatim { written() } else { decode_references(&written()).into_owned().into() };
        }
    }

    fn close(&mut self, element: &NestedElement, _: &Range<usize>) {
        if let Some(OpenCode { kind, nonce, tag, code, may_be_empty, .. }) =
            self.open_codes.pop_if(|open| open.element == element.id)
            && (may_be_empty || !code.is_empty())
        {
            self.visit(Governed::Inline(kind, code.into(), nonce), &tag);
        }
        if let Some(outer) = self.open_codes.last_mut() {
            outer.depth = outer.depth.saturating_sub(1);
        }
    }
}

impl<'t, 'v> GovernedDocument<'t, 'v> {
    fn new(
        text: &'t [u8],
        syntax: PageSyntax,
        sandbox: Sandbox,
        visit: &'v mut dyn FnMut(Governed<'_>, Range<u32>),
    ) -> Self {
        GovernedDocument {
            text,
            syntax,
            sandbox,
            depth: 0,
            nested: None,
            read_to: 0,
            open_codes: Vec::new(),
            attributes: Vec::new(),
            result: Ok(()),
            visit,
        }
    }

    fn read(self) -> Result<(), TooDeep> {
        read_nesting(self.text, self.syntax, self.sandbox.scripts, self)?.result
    }

    fn element(&mut self, element: &NestedElement) {
        // Most elements of documentation have no attributes, and only the code of these two is governed without any.
        let name_end = name_end(self.text, &element.tag);
        if self.text.get(name_end) == Some(&b'>') && !matches!(element.name, Name::Script | Name::Style) {
            return;
        }
        let mut attributes = std::mem::take(&mut self.attributes);
        WrittenAttribute::read_all(self.text, name_end, &mut attributes);
        self.governed(element, &GovernedElement::new(self.text, element, &attributes));
        self.attributes = attributes;
    }

    fn governed(&mut self, element: &NestedElement, governed: &GovernedElement<'_, 't>) {
        self.code_in_attributes(governed);
        if element.is_inert {
            return;
        }
        // Browsers ignore policies outside of the head.
        if element.name == Name::Meta && element.parent == Name::Head {
            let equiv = governed.value(Attribute::HttpEquiv).unwrap_or_default();
            if equiv.eq_ignore_ascii_case(crate::csp::HEADER)
                && let Some(content) = governed.value(Attribute::Content)
            {
                self.visit(Governed::Policy(content), &governed.range_of(Attribute::Content));
            }
        }
        if let Some(document) = governed.nested_document().filter(|_| self.depth < MAX_NESTING) {
            let location = self.location(&governed.range_of(Attribute::Srcdoc));
            let sandbox = self.sandbox.of_frame(governed.other("sandbox").as_deref());
            self.nest(&document, location, sandbox);
        }
        let is_open_foreign =
            element.namespace != Namespace::Html && !self.text[..element.tag.end].ends_with(b"/>");
        governed.each(&mut |found, range| match found {
            Governed::Inline(kind, _, nonce) if kind.is_element() => self.open_codes.push(OpenCode {
                element: element.id,
                kind,
                nonce,
                tag: range,
                code: String::new(),
                may_be_empty: kind.is_style() || is_open_foreign,
                depth: 0,
            }),
            other => self.visit(other, &range),
        });
    }

    /// Visits the style and the event handlers of an element. Browsers check them in templates, too.
    fn code_in_attributes(&mut self, element: &GovernedElement<'_, 't>) {
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
            self.visit(Governed::Inline(kind, code, None), &attribute.name_range);
        }
    }

    /// Visits the document in a `srcdoc`.
    fn nest(&mut self, document: &str, location: Range<u32>, sandbox: Sandbox) {
        (self.visit)(Governed::NestedStart, location.clone());
        let nested = GovernedDocument::new(document.as_bytes(), PageSyntax::Html, sandbox, self.visit);
        let nested = GovernedDocument { depth: self.depth + 1, nested: Some(location.clone()), ..nested };
        self.result = self.result.and(nested.read());
        (self.visit)(Governed::NestedEnd, location);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::source::Source;

    fn found(html: &str) -> Vec<String> {
        let mut all = Vec::new();
        let read = governed(&Page::new(Source::Text(html.into())), &mut |governed, span| {
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
        assert_eq!(read, Ok(()));
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
            ("</head>", 1),
            ("<div hidden></div></head>", 0),
            ("<svg>", 0),
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
    fn reads_elements_as_the_parser_makes_them() {
        // A cell outside of a table is no element, and `<image>` is `<img>`.
        assert_eq!(found("<td onclick=x><image src=a.png>"), ["Image a.png a.png"]);
        // Formatting that a block closes opens again, with the same attributes.
        assert_eq!(found("<p><b style=x>1</p><p>2"), ["StyleAttribute x"]);
        assert_eq!(found("<body><p><body onload=x>"), ["Handler x"]);
        // The code of an SVG style is its own text.
        assert_eq!(found("<svg><style>a<g>b</g>c<style>d</style>e"), ["Style d", "Style ace"]);
    }

    #[test]
    fn pages_nested_too_deeply_are_an_error() {
        let html = "<span>".repeat(5_000) + &"</x>".repeat(5_000);
        assert!(governed(&Page::new(Source::Text(html.clone())), &mut |_, _| ()).is_err());
        let nested = format!("<iframe srcdoc='{html}'></iframe>");
        assert!(governed(&Page::new(Source::Text(nested)), &mut |_, _| ()).is_err());
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
