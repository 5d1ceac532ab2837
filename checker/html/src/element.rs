//! The elements that the HTML standard names in its parsing rules, and the groups that it puts them into.

use crate::key::NameTable;

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// `MathML`.
    MathMl,
}

/// Declares [`Name`] and its table from one list.
macro_rules! names {
    ($($name:ident $text:literal,)*) => {
        /// The name of an element in lower case, in any namespace.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // each is the name of an element
        pub enum Name {
            $($name,)*
            /// A name without a parsing rule.
            Other,
        }

        const NAMES: [(&str, Name); [$($text),*].len()] = [$(($text, Name::$name)),*];
    };
}

names! {
    A "a", Address "address", AnnotationXml "annotation-xml", Applet "applet", Area "area", Article "article",
    Aside "aside", B "b", Base "base", Basefont "basefont", Bgsound "bgsound", Big "big",
    Blockquote "blockquote", Body "body", Br "br", Button "button", Caption "caption", Center "center",
    Code "code", Col "col", Colgroup "colgroup", Dd "dd", Desc "desc", Details "details", Dialog "dialog",
    Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed", Fieldset "fieldset",
    Figcaption "figcaption", Figure "figure", Font "font", Footer "footer", ForeignObject "foreignobject",
    Form "form", Frame "frame", Frameset "frameset", H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6",
    Head "head", Header "header", Hgroup "hgroup", Hr "hr", Html "html", I "i", Iframe "iframe",
    Image "image", Img "img", Input "input", Keygen "keygen", Legend "legend", Li "li", Link "link",
    Listing "listing", Main "main", Malignmark "malignmark", Marquee "marquee", Math "math", Menu "menu",
    Meta "meta", Mglyph "mglyph", Mi "mi", Mn "mn", Mo "mo", Ms "ms", Mtext "mtext", Nav "nav", Nobr "nobr",
    Noembed "noembed", Noframes "noframes", Noscript "noscript", Object "object", Ol "ol",
    Optgroup "optgroup", Option "option", P "p", Param "param", Plaintext "plaintext", Pre "pre", Rb "rb",
    Rp "rp", Rt "rt", Rtc "rtc", Ruby "ruby", S "s", Script "script", Search "search", Section "section",
    Select "select", Small "small", Source "source", Span "span", Strike "strike", Strong "strong",
    Style "style", Sub "sub", Summary "summary", Sup "sup", Svg "svg", Table "table", Tbody "tbody", Td "td",
    Template "template", Textarea "textarea", Tfoot "tfoot", Th "th", Thead "thead", Title "title", Tr "tr",
    Track "track", Tt "tt", U "u", Ul "ul", Var "var", Wbr "wbr", Xmp "xmp",
}

impl Name {
    /// Number of names, [`Name::Other`] included.
    pub(crate) const COUNT: usize = NAMES.len() + 1;

    /// Returns the name with this key (see [`crate::key::key`]).
    #[inline]
    #[must_use]
    pub fn from_key(key: u128) -> Name {
        static TABLE: NameTable<Name, { NAMES.len() + 1 }, 4096> = NameTable::new(&NAMES, Name::Other);
        TABLE.get(key)
    }

    /// Returns the name as text; empty for [`Name::Other`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        NAMES.get(self as usize).map_or("", |(text, _)| text)
    }

    /// Whether HTML elements with this name have no content and no end tag, in any version of HTML.
    #[must_use]
    pub fn is_void(self) -> bool {
        use Name::{
            Area, Base, Basefont, Bgsound, Br, Col, Embed, Frame, Hr, Img, Input, Keygen, Link, Meta, Param,
            Source, Track, Wbr,
        };
        matches!(
            self,
            Area | Base
                | Basefont
                | Bgsound
                | Br
                | Col
                | Embed
                | Frame
                | Hr
                | Img
                | Input
                | Keygen
                | Link
                | Meta
                | Param
                | Source
                | Track
                | Wbr
        )
    }

    /// Whether it separates words, so that the texts before and after it are apart.
    #[must_use]
    pub fn is_block(self) -> bool {
        use Name::{
            Address, Article, Aside, Blockquote, Br, Caption, Dd, Details, Div, Dl, Dt, Fieldset, Figcaption,
            Figure, Footer, Form, H1, H2, H3, H4, H5, H6, Header, Hr, Legend, Li, Main, Nav, Ol, Option, P,
            Pre, Section, Summary, Table, Tbody, Td, Tfoot, Th, Thead, Tr, Ul,
        };
        #[rustfmt::skip] // one line for each would be half of the file
        let is_block = matches!(
            self,
            Address | Article | Aside | Blockquote | Br | Caption | Dd | Details | Div | Dl | Dt | Fieldset
                | Figcaption | Figure | Footer | Form | H1 | H2 | H3 | H4 | H5 | H6 | Header | Hr | Legend | Li
                | Main | Nav | Ol | Option | P | Pre | Section | Summary | Table | Tbody | Td | Tfoot | Th
                | Thead | Tr | Ul
        );
        is_block
    }

    /// Whether it is a heading.
    pub(crate) fn is_heading(self) -> bool {
        matches!(self, Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6)
    }

    /// Whether it is a formatting element (13.2.4.2).
    pub(crate) fn is_formatting(self) -> bool {
        use Name::{A, B, Big, Code, Em, Font, I, Nobr, S, Small, Strike, Strong, Tt, U};
        matches!(self, A | B | Big | Code | Em | Font | I | Nobr | S | Small | Strike | Strong | Tt | U)
    }

    /// Whether it is special in a namespace (13.2.4.2).
    pub(crate) fn is_special(self, namespace: Namespace) -> bool {
        use Name::{
            Address, AnnotationXml, Applet, Area, Article, Aside, Base, Basefont, Bgsound, Blockquote, Body,
            Br, Button, Caption, Center, Col, Colgroup, Dd, Desc, Details, Dir, Div, Dl, Dt, Embed, Fieldset,
            Figcaption, Figure, Footer, ForeignObject, Form, Frame, Frameset, H1, H2, H3, H4, H5, H6, Head,
            Header, Hgroup, Hr, Html, Iframe, Img, Input, Keygen, Li, Link, Listing, Main, Marquee, Menu,
            Meta, Mi, Mn, Mo, Ms, Mtext, Nav, Noembed, Noframes, Noscript, Object, Ol, P, Param, Plaintext,
            Pre, Script, Search, Section, Select, Source, Style, Summary, Table, Tbody, Td, Template,
            Textarea, Tfoot, Th, Thead, Title, Tr, Track, Ul, Wbr, Xmp,
        };
        match namespace {
            #[rustfmt::skip] // one line for each would be half of the file
            Namespace::Html => matches!(
                self,
                Address | Applet | Area | Article | Aside | Base | Basefont | Bgsound | Blockquote | Body | Br
                    | Button | Caption | Center | Col | Colgroup | Dd | Details | Dir | Div | Dl | Dt | Embed
                    | Fieldset | Figcaption | Figure | Footer | Form | Frame | Frameset | H1 | H2 | H3 | H4 | H5
                    | H6 | Head | Header | Hgroup | Hr | Html | Iframe | Img | Input | Keygen | Li | Link
                    | Listing | Main | Marquee | Menu | Meta | Nav | Noembed | Noframes | Noscript | Object | Ol
                    | P | Param | Plaintext | Pre | Script | Search | Section | Select | Source | Style | Summary
                    | Table | Tbody | Td | Template | Textarea | Tfoot | Th | Thead | Title | Tr | Track | Ul
                    | Wbr | Xmp
            ),
            Namespace::Svg => matches!(self, ForeignObject | Desc | Title),
            Namespace::MathMl => matches!(self, Mi | Mn | Mo | Ms | Mtext | AnnotationXml),
        }
    }

    /// Whether a tag with this name always belongs to HTML, and so ends the SVG or `MathML` around it (13.2.6.5).
    #[must_use]
    pub fn is_html_only(self) -> bool {
        use Name::{
            B, Big, Blockquote, Body, Br, Center, Code, Dd, Div, Dl, Dt, Em, Embed, H1, H2, H3, H4, H5, H6,
            Head, Hr, I, Img, Li, Listing, Menu, Meta, Nobr, Ol, P, Pre, Ruby, S, Small, Span, Strike,
            Strong, Sub, Sup, Table, Tt, U, Ul, Var,
        };
        #[rustfmt::skip] // one line for each would be half of the file
        let is_html_only = matches!(
            self,
            B | Big | Blockquote | Body | Br | Center | Code | Dd | Div | Dl | Dt | Em | Embed | H1 | H2 | H3 | H4
                | H5 | H6 | Head | Hr | I | Img | Li | Listing | Menu | Meta | Nobr | Ol | P | Pre | Ruby | S
                | Small | Span | Strike | Strong | Sub | Sup | Table | Tt | U | Ul | Var
        );
        is_html_only
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
            assert_eq!(name.as_str(), text);
        }
        assert_eq!(Name::Other.as_str(), "");
    }
}
