//! The elements that have a meaning for parsers or for readers of references, in one table with the groups that the HTML
//! standard puts them into.

use crate::attributes::is_html_encoding;
use crate::key::NameTable;

/// The namespace of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Namespace {
    /// HTML.
    #[default]
    Html,
    /// SVG.
    Svg,
    /// `MathML`.
    MathMl,
}

/// No group.
const NONE: u16 = 0;
/// "Special" elements (13.2.4.2), which bound the effect of end tags inside of them.
const SPECIAL: u16 = 1;
const SPECIAL_IN_SVG: u16 = 1 << 1;
const SPECIAL_IN_MATHML: u16 = 1 << 2;
/// "Formatting" elements (13.2.4.2), which the parser repeats if they are misnested.
const FORMATTING: u16 = 1 << 3;
/// Elements whose start tag ends a paragraph, without other rules (13.2.6.4.7).
const BLOCK_START: u16 = 1 << 4;
/// Elements whose end tag ends those in it, without other rules (13.2.6.4.7).
const BLOCK_END: u16 = 1 << 5;
/// Elements that always belong to HTML, so that they end the SVG or `MathML` around them (13.2.6.5).
const HTML_ONLY: u16 = 1 << 6;
/// Elements without content and end tag, in any version of HTML.
const VOID: u16 = 1 << 7;
/// Elements that separate words, so that the texts before and after them are apart.
const SEPARATE: u16 = 1 << 8;
/// Elements of the head (13.2.6.4.4), whose start tags the parser handles alike in the body and in templates.
const HEAD_CONTENT: u16 = 1 << 9;
/// Elements whose end tags the parser implies (13.2.6.3).
const IMPLIED_END: u16 = 1 << 10;
/// Elements whose end tags it implies only at the end of a template (13.2.6.3).
const END_IN_TEMPLATE: u16 = 1 << 11;
/// Elements of HTML that bound the search for an open element (13.2.4.2).
const SCOPE: u16 = 1 << 12;
/// Elements whose end tag has rules of its own (13.2.6.4).
const END_RULES: u16 = 1 << 13;

/// Declares [`Name`] and its table from one list of elements.
macro_rules! elements {
    ($($name:ident $text:literal $($group:ident)|+,)*) => {
        /// The name of an element in lower case, in any namespace.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // each is the name of an element
        pub enum Name {
            $($name,)*
            /// A name without a meaning.
            Other,
        }

        impl Name {
            /// All names but [`Name::Other`], in the order of their numbers.
            pub(crate) const ALL: [Name; [$($text),*].len()] = [$(Name::$name),*];
        }

        const NAMES: [(&str, Name); [$($text),*].len()] = [$(($text, Name::$name)),*];

        /// The groups of each name, with those of [`Name::Other`] at the end.
        const GROUPS: [u16; Name::COUNT] = [$($($group)|+,)* NONE];
    };
}

elements! {
    A "a" FORMATTING,
    Address "address" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    AltGlyph "altglyph" NONE,
    Animate "animate" NONE,
    AnimateMotion "animatemotion" NONE,
    AnimateTransform "animatetransform" NONE,
    AnnotationXml "annotation-xml" SPECIAL_IN_MATHML,
    Applet "applet" SPECIAL | SCOPE | END_RULES,
    Area "area" SPECIAL | VOID,
    Article "article" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Aside "aside" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    AstroIsland "astro-island" NONE,
    Audio "audio" NONE,
    B "b" FORMATTING | HTML_ONLY,
    Base "base" SPECIAL | VOID | HEAD_CONTENT,
    Basefont "basefont" SPECIAL | VOID | HEAD_CONTENT,
    Bgsound "bgsound" SPECIAL | VOID | HEAD_CONTENT,
    Big "big" FORMATTING | HTML_ONLY,
    Blockquote "blockquote" SPECIAL | BLOCK_START | BLOCK_END | HTML_ONLY | SEPARATE,
    Body "body" SPECIAL | HTML_ONLY | END_RULES,
    Br "br" SPECIAL | HTML_ONLY | VOID | SEPARATE | END_RULES,
    Button "button" SPECIAL | BLOCK_END,
    Caption "caption" SPECIAL | SEPARATE | END_IN_TEMPLATE | SCOPE | END_RULES,
    Center "center" SPECIAL | BLOCK_START | BLOCK_END | HTML_ONLY,
    Code "code" FORMATTING | HTML_ONLY,
    Col "col" SPECIAL | VOID | END_RULES,
    Colgroup "colgroup" SPECIAL | END_IN_TEMPLATE | END_RULES,
    Cursor "cursor" NONE,
    Dd "dd" SPECIAL | HTML_ONLY | SEPARATE | IMPLIED_END,
    Del "del" NONE,
    Desc "desc" SPECIAL_IN_SVG,
    Details "details" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Dialog "dialog" BLOCK_START | BLOCK_END,
    Dir "dir" SPECIAL | BLOCK_START | BLOCK_END,
    Discard "discard" NONE,
    Div "div" SPECIAL | BLOCK_START | BLOCK_END | HTML_ONLY | SEPARATE,
    Dl "dl" SPECIAL | BLOCK_START | BLOCK_END | HTML_ONLY | SEPARATE,
    Dt "dt" SPECIAL | HTML_ONLY | SEPARATE | IMPLIED_END,
    Em "em" FORMATTING | HTML_ONLY,
    Embed "embed" SPECIAL | HTML_ONLY | VOID,
    FeImage "feimage" NONE,
    Fieldset "fieldset" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Figcaption "figcaption" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Figure "figure" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Filter "filter" NONE,
    Font "font" FORMATTING,
    FontFaceUri "font-face-uri" NONE,
    Footer "footer" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    ForeignObject "foreignobject" SPECIAL_IN_SVG,
    Form "form" SPECIAL | SEPARATE | END_RULES,
    Frame "frame" SPECIAL | VOID,
    Frameset "frameset" SPECIAL,
    GlyphRef "glyphref" NONE,
    H1 "h1" SPECIAL | HTML_ONLY | SEPARATE,
    H2 "h2" SPECIAL | HTML_ONLY | SEPARATE,
    H3 "h3" SPECIAL | HTML_ONLY | SEPARATE,
    H4 "h4" SPECIAL | HTML_ONLY | SEPARATE,
    H5 "h5" SPECIAL | HTML_ONLY | SEPARATE,
    H6 "h6" SPECIAL | HTML_ONLY | SEPARATE,
    Head "head" SPECIAL | HTML_ONLY,
    Header "header" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Hgroup "hgroup" SPECIAL | BLOCK_START | BLOCK_END,
    Hr "hr" SPECIAL | HTML_ONLY | VOID | SEPARATE,
    Html "html" SPECIAL | SCOPE | END_RULES,
    I "i" FORMATTING | HTML_ONLY,
    Iframe "iframe" SPECIAL,
    Image "image" NONE,
    Img "img" SPECIAL | HTML_ONLY | VOID,
    Input "input" SPECIAL | VOID,
    Ins "ins" NONE,
    Keygen "keygen" SPECIAL | VOID,
    Label "label" NONE,
    Legend "legend" SEPARATE,
    Li "li" SPECIAL | HTML_ONLY | SEPARATE | IMPLIED_END,
    LinearGradient "lineargradient" NONE,
    Link "link" SPECIAL | VOID | HEAD_CONTENT,
    Listing "listing" SPECIAL | BLOCK_END | HTML_ONLY,
    Main "main" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Malignmark "malignmark" NONE,
    Map "map" NONE,
    Marquee "marquee" SPECIAL | SCOPE | END_RULES,
    Math "math" NONE,
    Menu "menu" SPECIAL | BLOCK_START | BLOCK_END | HTML_ONLY,
    Meta "meta" SPECIAL | HTML_ONLY | VOID | HEAD_CONTENT,
    Mglyph "mglyph" NONE,
    Mi "mi" SPECIAL_IN_MATHML,
    Mn "mn" SPECIAL_IN_MATHML,
    Mo "mo" SPECIAL_IN_MATHML,
    ModelViewer "model-viewer" NONE,
    Mpath "mpath" NONE,
    Ms "ms" SPECIAL_IN_MATHML,
    Mtext "mtext" SPECIAL_IN_MATHML,
    Nav "nav" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Nobr "nobr" FORMATTING | HTML_ONLY,
    Noembed "noembed" SPECIAL,
    Noframes "noframes" SPECIAL | HEAD_CONTENT,
    Noscript "noscript" SPECIAL,
    Object "object" SPECIAL | SCOPE | END_RULES,
    Ol "ol" SPECIAL | BLOCK_START | BLOCK_END | HTML_ONLY | SEPARATE,
    Optgroup "optgroup" IMPLIED_END,
    Option "option" SEPARATE | IMPLIED_END,
    Output "output" NONE,
    P "p" SPECIAL | BLOCK_START | HTML_ONLY | SEPARATE | IMPLIED_END,
    Param "param" SPECIAL | VOID,
    Pattern "pattern" NONE,
    Plaintext "plaintext" SPECIAL,
    Pre "pre" SPECIAL | BLOCK_END | HTML_ONLY | SEPARATE,
    Q "q" NONE,
    RadialGradient "radialgradient" NONE,
    Rb "rb" IMPLIED_END,
    Rp "rp" IMPLIED_END,
    Rt "rt" IMPLIED_END,
    Rtc "rtc" IMPLIED_END,
    Ruby "ruby" HTML_ONLY,
    S "s" FORMATTING | HTML_ONLY,
    Script "script" SPECIAL | HEAD_CONTENT,
    Search "search" SPECIAL | BLOCK_START | BLOCK_END,
    Section "section" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Select "select" SPECIAL | BLOCK_END | SCOPE,
    Selectedcontent "selectedcontent" NONE,
    Set "set" NONE,
    Small "small" FORMATTING | HTML_ONLY,
    Source "source" SPECIAL | VOID,
    Span "span" HTML_ONLY,
    Strike "strike" FORMATTING | HTML_ONLY,
    Strong "strong" FORMATTING | HTML_ONLY,
    Style "style" SPECIAL | HEAD_CONTENT,
    Sub "sub" HTML_ONLY,
    Summary "summary" SPECIAL | BLOCK_START | BLOCK_END | SEPARATE,
    Sup "sup" HTML_ONLY,
    Svg "svg" NONE,
    Table "table" SPECIAL | HTML_ONLY | SEPARATE | SCOPE | END_RULES,
    Tbody "tbody" SPECIAL | SEPARATE | END_IN_TEMPLATE | END_RULES,
    Td "td" SPECIAL | SEPARATE | END_IN_TEMPLATE | SCOPE | END_RULES,
    Template "template" SPECIAL | HEAD_CONTENT | SCOPE | END_RULES,
    Textarea "textarea" SPECIAL,
    TextPath "textpath" NONE,
    Tfoot "tfoot" SPECIAL | SEPARATE | END_IN_TEMPLATE | END_RULES,
    Th "th" SPECIAL | SEPARATE | END_IN_TEMPLATE | SCOPE | END_RULES,
    Thead "thead" SPECIAL | SEPARATE | END_IN_TEMPLATE | END_RULES,
    Title "title" SPECIAL | SPECIAL_IN_SVG | HEAD_CONTENT,
    Tr "tr" SPECIAL | SEPARATE | END_IN_TEMPLATE | END_RULES,
    Track "track" SPECIAL | VOID,
    Tref "tref" NONE,
    Tt "tt" FORMATTING | HTML_ONLY,
    TurboFrame "turbo-frame" NONE,
    U "u" FORMATTING | HTML_ONLY,
    Ul "ul" SPECIAL | BLOCK_START | BLOCK_END | HTML_ONLY | SEPARATE,
    Use "use" NONE,
    Var "var" HTML_ONLY,
    Video "video" NONE,
    Wbr "wbr" SPECIAL | VOID,
    Xmp "xmp" SPECIAL,
}

impl Name {
    /// Number of names, [`Name::Other`] included.
    pub(crate) const COUNT: usize = NAMES.len() + 1;

    /// Returns the name with this key (see [`crate::key::key`]).
    #[inline]
    #[must_use]
    pub fn from_key(key: u128) -> Name {
        static TABLE: NameTable<Name, { Name::COUNT }, 4096> = NameTable::new(&NAMES, Name::Other);
        TABLE.get(key)
    }

    /// Returns all names but [`Name::Other`], as text.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(text, _)| *text)
    }

    /// Returns the name as text; empty for [`Name::Other`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        NAMES.get(self as usize).map_or("", |(text, _)| text)
    }

    /// Whether HTML elements with this name have no content and no end tag, in any version of HTML.
    #[must_use]
    pub const fn is_void(self) -> bool {
        self.is_in(VOID)
    }

    /// Whether it separates words, so that the texts before and after it are apart.
    #[must_use]
    pub fn separates_words(self) -> bool {
        self.is_in(SEPARATE)
    }

    /// Whether a tag with this name always belongs to HTML, and so ends the SVG or `MathML` around it (13.2.6.5).
    #[must_use]
    pub fn is_html_only(self) -> bool {
        self.is_in(HTML_ONLY)
    }

    /// Whether it contains HTML in a namespace: the HTML integration points (13.2.4.2).
    pub(crate) fn is_integration_point<'t>(
        self,
        namespace: Namespace,
        encoding: impl FnOnce() -> Option<&'t [u8]>,
    ) -> bool {
        match namespace {
            Namespace::Svg => self.is_svg_integration_point(),
            Namespace::MathMl => self == Name::AnnotationXml && encoding().is_some_and(is_html_encoding),
            Namespace::Html => false,
        }
    }

    /// Whether an element of SVG with this name contains HTML.
    pub(crate) fn is_svg_integration_point(self) -> bool {
        matches!(self, Name::ForeignObject | Name::Desc | Name::Title)
    }

    /// Whether an element of `MathML` with this name contains HTML text.
    pub(crate) fn is_math_text(self) -> bool {
        matches!(self, Name::Mi | Name::Mn | Name::Mo | Name::Ms | Name::Mtext)
    }

    /// Whether it is a heading.
    pub const fn is_heading(self) -> bool {
        matches!(self, Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6)
    }

    /// Whether it is a formatting element (13.2.4.2).
    pub(crate) fn is_formatting(self) -> bool {
        self.is_in(FORMATTING)
    }

    /// Whether its start tag ends a paragraph, without other rules.
    pub(crate) const fn is_block_start(self) -> bool {
        self.is_in(BLOCK_START)
    }

    /// Whether its start tag ends a `<p>`. (HTML standard, 13.2.6.4.7.)
    #[must_use]
    pub const fn ends_paragraph(self) -> bool {
        use Name::{Dd, Dt, Form, Hr, Li, Listing, Plaintext, Pre, Table, Xmp};
        self.is_block_start()
            || self.is_heading()
            || matches!(self, Li | Dd | Dt | Pre | Listing | Form | Plaintext | Table | Hr | Xmp)
    }

    /// Whether its end tag ends the elements in it, without other rules.
    pub(crate) fn is_block_end(self) -> bool {
        self.is_in(BLOCK_END)
    }

    /// Whether its end tag in the body or in a cell only closes it, if it is the current element.
    pub(crate) fn only_closes(self) -> bool {
        !self.is_in(END_RULES) && self != Name::Other
    }

    /// Whether the parser implies its end tag.
    pub(crate) fn has_implied_end(self) -> bool {
        self.is_in(IMPLIED_END)
    }

    /// Whether the parser implies its end tag at the end of a template.
    pub(crate) fn has_implied_end_in_template(self) -> bool {
        self.is_in(IMPLIED_END | END_IN_TEMPLATE)
    }

    /// Whether it bounds the search for an open element, as an element of HTML.
    pub(crate) fn bounds_scope(self) -> bool {
        self.is_in(SCOPE)
    }

    /// Whether the parser handles its start tag by the rules of the head, in the body and in templates, too.
    pub(crate) const fn is_head_content(self) -> bool {
        self.is_in(HEAD_CONTENT)
    }

    /// Whether it is special in a namespace (13.2.4.2).
    pub(crate) const fn is_special(self, namespace: Namespace) -> bool {
        self.is_in(match namespace {
            Namespace::Html => SPECIAL,
            Namespace::Svg => SPECIAL_IN_SVG,
            Namespace::MathMl => SPECIAL_IN_MATHML,
        })
    }

    const fn is_in(self, group: u16) -> bool {
        GROUPS[self as usize] & group != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{NAMES, Name};
    use crate::key::key;

    #[test]
    fn finds_every_name_in_any_case_and_no_other() {
        for (text, name) in NAMES {
            assert_eq!(Name::from_key(key(text.as_bytes())), name, "{text}");
            assert_eq!(Name::from_key(key(text.to_uppercase().as_bytes())), name, "{text}");
            assert_eq!(Name::from_key(key(format!("{text}-").as_bytes())), Name::Other, "{text}");
            assert_eq!(Name::from_key(key(format!("{text}\0").as_bytes())), Name::Other, "{text}");
            assert_eq!(name.as_str(), text);
        }
        assert_eq!(Name::Other.as_str(), "");
    }
}
