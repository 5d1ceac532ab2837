//! The attributes with a meaning for parsers or for readers of references, by their names, and those that refer to other
//! elements of their document by id.

use crate::element::{Name, Namespace};
use crate::key::{MAX_KEY_LENGTH, NameTable};

/// Declares [`Attribute`] and its names from one list.
macro_rules! attributes {
    ($($attribute:ident $first:literal $(| $other:literal)*,)*) => {
        /// An attribute. Those that mean the same are one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // each is the name of an attribute
        pub enum Attribute {
            $($attribute,)*
            /// An attribute without a meaning.
            Other,
        }

        const NAMES: [(&str, Attribute); [$($first, $($other,)*)*].len()] = [
            $(($first, Attribute::$attribute), $(($other, Attribute::$attribute),)*)*
        ];

        /// The first name of each attribute.
        const FIRST_NAMES: [&str; Attribute::COUNT] = [$($first,)* ""];
    };
}

attributes! {
    Action "action",
    Alt "alt",
    AriaActivedescendant "aria-activedescendant",
    AriaControls "aria-controls",
    AriaDescribedby "aria-describedby",
    AriaDetails "aria-details",
    AriaErrormessage "aria-errormessage",
    AriaFlowto "aria-flowto",
    AriaHidden "aria-hidden",
    AriaLabel "aria-label",
    AriaLabelledby "aria-labelledby",
    AriaOwns "aria-owns",
    Apidescriptionurl "apidescriptionurl",
    As "as",
    Async "async",
    Background "background",
    BeforeHydrationUrl "before-hydration-url",
    Charset "charset",
    Cite "cite",
    Commandfor "commandfor",
    ComponentUrl "component-url",
    Content "content",
    Data "data",
    // Lazy loaders use many names for a background and for an image.
    DataBackground "data-bg" | "data-background" | "data-background-image" | "data-lazy-background",
    DataMain "data-main",
    DataMarkdown "data-markdown",
    DataSearchIndex "data-search-index",
    DataSrc "data-src" | "data-lazy" | "data-lazy-src" | "data-original",
    DataSrcset "data-srcset" | "data-lazy-srcset" | "data-original-set",
    // The second is that of Bootstrap 4.
    DataToggle "data-bs-toggle" | "data-toggle",
    Encoding "encoding",
    EnvironmentImage "environment-image",
    // A `font` with one of them is not SVG.
    FontStyle "color" | "face" | "size",
    For "for",
    Form "form",
    Formaction "formaction",
    Formmethod "formmethod",
    Headers "headers",
    Href "href",
    Hreflang "hreflang",
    HttpEquiv "http-equiv",
    HxGet "hx-get" | "data-hx-get",
    HxPost "hx-post" | "hx-delete" | "hx-patch" | "hx-put" | "data-hx-post" | "data-hx-delete" | "data-hx-patch"
        | "data-hx-put",
    Id "id",
    Imagesrcset "imagesrcset",
    Integrity "integrity",
    IosSrc "ios-src",
    Itemprop "itemprop",
    Lang "lang",
    List "list",
    Longdesc "longdesc",
    Method "method",
    Name "name",
    // What SVG paints with (SVG 2, 13.2; CSS Masking; Filter Effects).
    Paint "fill" | "stroke" | "clip-path" | "mask" | "filter" | "marker-start" | "marker-mid" | "marker-end",
    Ping "ping",
    Popovertarget "popovertarget",
    Poster "poster",
    Property "property",
    QwikBase "q:base",
    Rel "rel",
    RendererUrl "renderer-url",
    Role "role",
    Shadowrootmode "shadowrootmode",
    SkyboxImage "skybox-image",
    SpecUrl "spec-url",
    Src "src",
    Srcdoc "srcdoc",
    Srcset "srcset",
    Style "style",
    Target "target",
    Type "type",
    Usemap "usemap",
    XlinkHref "xlink:href",
    XmlLang "xml:lang",
}

impl Attribute {
    /// Number of attributes, [`Attribute::Other`] included.
    pub(crate) const COUNT: usize = Attribute::Other as usize + 1;

    /// Returns the attribute with this name, by its key (see [`crate::key::key`]).
    #[inline]
    pub fn from_key(name: &[u8], key: u128) -> Attribute {
        static TABLE: NameTable<Attribute, 128, 1024> = NameTable::new(&NAMES, Attribute::Other);
        if name.len() <= MAX_KEY_LENGTH {
            return TABLE.get(key);
        }
        let mut long = NAMES.iter().filter(|(known, _)| known.len() > MAX_KEY_LENGTH);
        let found = long.find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
        found.map_or(Attribute::Other, |(_, attribute)| *attribute)
    }

    /// Returns the attribute with this name, in any case.
    pub fn from_name(name: &[u8]) -> Attribute {
        Attribute::from_key(name, crate::key::key(name))
    }

    /// Returns its first name.
    pub const fn as_str(self) -> &'static str {
        FIRST_NAMES[self as usize]
    }

    /// Returns all names of known attributes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }
}

/// An attribute that refers to elements by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdAttribute {
    attribute: Attribute,
    /// Its name for messages.
    pub name: &'static str,
    /// The elements on which it has a meaning; all if there are none.
    elements: &'static [Name],
    /// Whether scripts often add the element that it refers to.
    pub is_scripted: bool,
}

static ID_ATTRIBUTES: [IdAttribute; 15] = [
    scripted(Attribute::AriaActivedescendant),
    scripted(Attribute::AriaControls),
    scripted(Attribute::AriaDescribedby),
    scripted(Attribute::AriaDetails),
    scripted(Attribute::AriaErrormessage),
    scripted(Attribute::AriaFlowto),
    written(Attribute::AriaLabelledby, &[]),
    scripted(Attribute::AriaOwns),
    written(Attribute::Commandfor, &[Name::Button]),
    written(Attribute::For, &[Name::Label, Name::Output]),
    written(
        Attribute::Form,
        &[
            Name::Button,
            Name::Fieldset,
            Name::Input,
            Name::Object,
            Name::Output,
            Name::Select,
            Name::Textarea,
        ],
    ),
    written(Attribute::Headers, &[Name::Td, Name::Th]),
    written(Attribute::List, &[Name::Input]),
    IN_STYLES,
    written(Attribute::Popovertarget, &[Name::Button, Name::Input]),
];

const IN_STYLES: IdAttribute =
    IdAttribute { attribute: Attribute::Paint, name: "url()", elements: &[], is_scripted: false };

const fn scripted(attribute: Attribute) -> IdAttribute {
    IdAttribute { attribute, name: attribute.as_str(), elements: &[], is_scripted: true }
}

const fn written(attribute: Attribute, elements: &'static [Name]) -> IdAttribute {
    IdAttribute { attribute, name: attribute.as_str(), elements, is_scripted: false }
}

/// The row of each attribute, plus one.
const ROWS: [u8; Attribute::COUNT] = {
    let mut rows = [0; Attribute::COUNT];
    let mut at = 0;
    while at < ID_ATTRIBUTES.len() {
        rows[ID_ATTRIBUTES[at].attribute as usize] = at as u8 + 1;
        at += 1;
    }
    rows
};

impl IdAttribute {
    /// Whether each attribute refers to ids.
    pub(crate) const KNOWN: [bool; Attribute::COUNT] = {
        let mut known = [false; Attribute::COUNT];
        let mut at = 0;
        while at < known.len() {
            known[at] = ROWS[at] != 0;
            at += 1;
        }
        known
    };

    /// Returns how an attribute refers to ids, if it does.
    #[inline]
    pub fn of(attribute: Attribute) -> Option<&'static IdAttribute> {
        ID_ATTRIBUTES.get(usize::from(ROWS[attribute as usize]).checked_sub(1)?)
    }

    /// Returns the attributes of SVG, and styles, which refer by `url(#id)`.
    pub fn in_urls() -> &'static IdAttribute {
        static IN_URLS: IdAttribute = IN_STYLES;
        &IN_URLS
    }

    /// Whether it refers by `url(#id)`, not by words.
    pub fn is_in_urls(&self) -> bool {
        self.attribute == Attribute::Paint
    }

    /// Whether it has a meaning on an element. SVG paints with `url(#id)`.
    pub fn applies_to(&self, element: Name, namespace: Namespace) -> bool {
        match self.attribute {
            Attribute::Paint => namespace == Namespace::Svg,
            _ => self.elements.is_empty() || self.elements.contains(&element),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribute, NAMES};

    #[test]
    fn finds_every_name_in_any_case_and_no_other() {
        for (name, attribute) in NAMES {
            assert_eq!(Attribute::from_name(name.as_bytes()), attribute, "{name}");
            assert_eq!(Attribute::from_name(name.to_uppercase().as_bytes()), attribute, "{name}");
            assert_eq!(Attribute::from_name(format!("{name}-").as_bytes()), Attribute::Other, "{name}");
        }
    }
}
