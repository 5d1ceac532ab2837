//! The attributes with a meaning for parsers or for readers of references, by their names.

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
