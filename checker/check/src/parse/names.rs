//! Recognizes the names of elements and attributes. Each name is a number (its key), so one table lookup finds it.

use sitegate_html::element::Name;
use sitegate_html::key::{MAX_KEY_LENGTH, NameTable, key};

use super::idrefs::IdAttribute;

/// The elements with a special meaning for the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    A,
    /// `amp-img` of AMP.
    AmpImg,
    Area,
    /// `astro-island`, which loads its own scripts.
    AstroIsland,
    Audio,
    Base,
    Body,
    Button,
    /// `blockquote`, `q`, `ins` and `del`.
    Cites,
    Embed,
    Form,
    Frame,
    Html,
    Iframe,
    Img,
    Input,
    Link,
    /// `lottie-player`, `dotlottie-player` and `dotlottie-wc`.
    LottiePlayer,
    Map,
    Math,
    Meta,
    /// `model-viewer`, which shows 3D models.
    ModelViewer,
    Noscript,
    Object,
    /// `plaintext`, which never ends.
    Plaintext,
    /// `portal`, an experimental frame.
    Portal,
    /// `textarea`, `xmp` and other elements whose content is not markup.
    RawText,
    Script,
    Source,
    Style,
    Svg,
    /// `use`, `image` and other SVG elements that refer by `href`.
    SvgReference,
    Template,
    Title,
    Track,
    /// `turbo-frame` of Turbo.
    TurboFrame,
    Video,
    Other,
}

/// The known elements, by names in lower case.
pub(super) const TAGS: [(&str, Tag); 61] = [
    ("a", Tag::A),
    ("amp-img", Tag::AmpImg),
    ("animate", Tag::SvgReference),
    ("area", Tag::Area),
    ("astro-island", Tag::AstroIsland),
    ("audio", Tag::Audio),
    ("base", Tag::Base),
    ("blockquote", Tag::Cites),
    ("body", Tag::Body),
    ("button", Tag::Button),
    ("del", Tag::Cites),
    ("dotlottie-player", Tag::LottiePlayer),
    ("dotlottie-wc", Tag::LottiePlayer),
    ("embed", Tag::Embed),
    ("feimage", Tag::SvgReference),
    ("form", Tag::Form),
    ("frame", Tag::Frame),
    ("html", Tag::Html),
    ("iframe", Tag::Iframe),
    ("image", Tag::SvgReference),
    ("img", Tag::Img),
    ("input", Tag::Input),
    ("ins", Tag::Cites),
    ("lineargradient", Tag::SvgReference),
    ("link", Tag::Link),
    ("lottie-player", Tag::LottiePlayer),
    ("map", Tag::Map),
    ("math", Tag::Math),
    ("meta", Tag::Meta),
    ("model-viewer", Tag::ModelViewer),
    ("mpath", Tag::SvgReference),
    ("noembed", Tag::RawText),
    ("noframes", Tag::RawText),
    ("noscript", Tag::Noscript),
    ("object", Tag::Object),
    ("pattern", Tag::SvgReference),
    ("plaintext", Tag::Plaintext),
    ("portal", Tag::Portal),
    ("q", Tag::Cites),
    ("radialgradient", Tag::SvgReference),
    ("script", Tag::Script),
    ("set", Tag::SvgReference),
    ("source", Tag::Source),
    ("style", Tag::Style),
    ("svg", Tag::Svg),
    ("table", Tag::Body),
    ("tbody", Tag::Body),
    ("td", Tag::Body),
    ("template", Tag::Template),
    ("textarea", Tag::RawText),
    ("textpath", Tag::SvgReference),
    ("tfoot", Tag::Body),
    ("th", Tag::Body),
    ("thead", Tag::Body),
    ("title", Tag::Title),
    ("tr", Tag::Body),
    ("track", Tag::Track),
    ("turbo-frame", Tag::TurboFrame),
    ("use", Tag::SvgReference),
    ("video", Tag::Video),
    ("xmp", Tag::RawText),
];

/// The attributes that the parser reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    Action,
    Alt,
    AriaHidden,
    AriaLabel,
    AriaLabelledby,
    As,
    Async,
    Background,
    BeforeHydrationUrl,
    Charset,
    Cite,
    ComponentUrl,
    Content,
    Data,
    /// `data-bg` and others that lazy loaders use for backgrounds.
    DataBackground,
    DataMain,
    /// `data-markdown` of reveal.js.
    DataMarkdown,
    /// `data-search-index` of pkgdown.
    DataSearchIndex,
    /// `data-src` and others that lazy loaders use.
    DataSrc,
    /// `data-srcset` and others.
    DataSrcset,
    /// `data-bs-toggle`, and `data-toggle` of Bootstrap 4.
    DataToggle,
    /// `encoding` of `annotation-xml`.
    Encoding,
    /// `environment-image` of `model-viewer`.
    EnvironmentImage,
    Formaction,
    Formmethod,
    Href,
    Hreflang,
    HttpEquiv,
    /// `hx-get` of htmx.
    HxGet,
    /// `hx-post`, `hx-put`, `hx-patch` and `hx-delete` of htmx.
    HxPost,
    Id,
    Idref(IdAttribute),
    Imagesrcset,
    Integrity,
    /// `ios-src` of `model-viewer`.
    IosSrc,
    Itemprop,
    Lang,
    Longdesc,
    Method,
    Name,
    /// `color`, `face` and `size`; a `font` with one of them is not SVG.
    FontStyle,
    Ping,
    Poster,
    Property,
    /// `q:base` of Qwik.
    QwikBase,
    Rel,
    RendererUrl,
    Role,
    Shadowrootmode,
    /// `skybox-image` of `model-viewer`.
    SkyboxImage,
    Src,
    Srcdoc,
    Srcset,
    Style,
    Target,
    Type,
    Usemap,
    XlinkHref,
    XmlLang,
    Other,
}

/// The known attributes, by names in lower case.
pub(super) const ATTRIBUTES: [(&str, Attribute); 98] = [
    ("action", Attribute::Action),
    ("alt", Attribute::Alt),
    ("aria-activedescendant", Attribute::Idref(IdAttribute::AriaActivedescendant)),
    ("aria-controls", Attribute::Idref(IdAttribute::AriaControls)),
    ("aria-describedby", Attribute::Idref(IdAttribute::AriaDescribedby)),
    ("aria-details", Attribute::Idref(IdAttribute::AriaDetails)),
    ("aria-errormessage", Attribute::Idref(IdAttribute::AriaErrormessage)),
    ("aria-flowto", Attribute::Idref(IdAttribute::AriaFlowto)),
    ("aria-hidden", Attribute::AriaHidden),
    ("aria-label", Attribute::AriaLabel),
    ("aria-labelledby", Attribute::AriaLabelledby),
    ("aria-owns", Attribute::Idref(IdAttribute::AriaOwns)),
    ("as", Attribute::As),
    ("async", Attribute::Async),
    ("background", Attribute::Background),
    ("before-hydration-url", Attribute::BeforeHydrationUrl),
    ("charset", Attribute::Charset),
    ("cite", Attribute::Cite),
    ("clip-path", Attribute::Idref(IdAttribute::Url)),
    ("color", Attribute::FontStyle),
    ("commandfor", Attribute::Idref(IdAttribute::CommandFor)),
    ("component-url", Attribute::ComponentUrl),
    ("content", Attribute::Content),
    ("data", Attribute::Data),
    ("data-background", Attribute::DataBackground),
    ("data-background-image", Attribute::DataBackground),
    ("data-bg", Attribute::DataBackground),
    ("data-bs-toggle", Attribute::DataToggle),
    ("data-hx-delete", Attribute::HxPost),
    ("data-hx-get", Attribute::HxGet),
    ("data-hx-patch", Attribute::HxPost),
    ("data-hx-post", Attribute::HxPost),
    ("data-hx-put", Attribute::HxPost),
    ("data-lazy", Attribute::DataSrc),
    ("data-lazy-background", Attribute::DataBackground),
    ("data-lazy-src", Attribute::DataSrc),
    ("data-lazy-srcset", Attribute::DataSrcset),
    ("data-main", Attribute::DataMain),
    ("data-markdown", Attribute::DataMarkdown),
    ("data-original", Attribute::DataSrc),
    ("data-original-set", Attribute::DataSrcset),
    ("data-search-index", Attribute::DataSearchIndex),
    ("data-src", Attribute::DataSrc),
    ("data-srcset", Attribute::DataSrcset),
    ("data-toggle", Attribute::DataToggle),
    ("encoding", Attribute::Encoding),
    ("environment-image", Attribute::EnvironmentImage),
    ("face", Attribute::FontStyle),
    ("fill", Attribute::Idref(IdAttribute::Url)),
    ("filter", Attribute::Idref(IdAttribute::Url)),
    ("for", Attribute::Idref(IdAttribute::For)),
    ("form", Attribute::Idref(IdAttribute::Form)),
    ("formaction", Attribute::Formaction),
    ("formmethod", Attribute::Formmethod),
    ("headers", Attribute::Idref(IdAttribute::Headers)),
    ("href", Attribute::Href),
    ("hreflang", Attribute::Hreflang),
    ("http-equiv", Attribute::HttpEquiv),
    ("hx-delete", Attribute::HxPost),
    ("hx-get", Attribute::HxGet),
    ("hx-patch", Attribute::HxPost),
    ("hx-post", Attribute::HxPost),
    ("hx-put", Attribute::HxPost),
    ("id", Attribute::Id),
    ("imagesrcset", Attribute::Imagesrcset),
    ("integrity", Attribute::Integrity),
    ("ios-src", Attribute::IosSrc),
    ("itemprop", Attribute::Itemprop),
    ("lang", Attribute::Lang),
    ("list", Attribute::Idref(IdAttribute::List)),
    ("longdesc", Attribute::Longdesc),
    ("marker-end", Attribute::Idref(IdAttribute::Url)),
    ("marker-mid", Attribute::Idref(IdAttribute::Url)),
    ("marker-start", Attribute::Idref(IdAttribute::Url)),
    ("mask", Attribute::Idref(IdAttribute::Url)),
    ("method", Attribute::Method),
    ("name", Attribute::Name),
    ("ping", Attribute::Ping),
    ("popovertarget", Attribute::Idref(IdAttribute::PopoverTarget)),
    ("poster", Attribute::Poster),
    ("property", Attribute::Property),
    ("q:base", Attribute::QwikBase),
    ("rel", Attribute::Rel),
    ("renderer-url", Attribute::RendererUrl),
    ("role", Attribute::Role),
    ("shadowrootmode", Attribute::Shadowrootmode),
    ("size", Attribute::FontStyle),
    ("skybox-image", Attribute::SkyboxImage),
    ("src", Attribute::Src),
    ("srcdoc", Attribute::Srcdoc),
    ("srcset", Attribute::Srcset),
    ("stroke", Attribute::Idref(IdAttribute::Url)),
    ("style", Attribute::Style),
    ("target", Attribute::Target),
    ("type", Attribute::Type),
    ("usemap", Attribute::Usemap),
    ("xlink:href", Attribute::XlinkHref),
    ("xml:lang", Attribute::XmlLang),
];

impl From<Name> for Tag {
    #[inline(always)]
    fn from(name: Name) -> Tag {
        TAG_OF_NAME[name as usize]
    }
}

impl Tag {
    /// Whether it has facts only if one of its attributes does.
    pub(super) fn needs_attributes(self) -> bool {
        matches!(self, Tag::Other | Tag::Body | Tag::Cites)
    }

    pub(super) fn takes_cite(self) -> bool {
        self == Tag::Cites
    }

    pub(super) fn takes_background(self) -> bool {
        self == Tag::Body
    }
}

impl Attribute {
    /// Returns the attribute with this name, by its key (see [`sitegate_html::key::key`]).
    pub(super) fn from_key(name: &[u8], key: u128) -> Attribute {
        if name.len() <= MAX_KEY_LENGTH {
            return ATTRIBUTE_TABLE.get(key);
        }
        let mut long = ATTRIBUTES.iter().filter(|(known, _)| known.len() > MAX_KEY_LENGTH);
        let found = long.find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
        found.map_or(Attribute::Other, |(_, attribute)| *attribute)
    }

    /// Whether it has facts on any element.
    pub(super) fn is_global(self) -> bool {
        matches!(
            self,
            Attribute::Id
                | Attribute::Style
                | Attribute::AriaLabelledby
                | Attribute::Idref(_)
                | Attribute::DataBackground
                | Attribute::DataMarkdown
                | Attribute::HxGet
                | Attribute::HxPost
                | Attribute::QwikBase
        )
    }
}

/// The element of each name, by its index.
static TAG_OF_NAME: [Tag; Name::COUNT] = {
    let mut tags = [Tag::Other; Name::COUNT];
    let mut next = 0;
    while next < TAGS.len() {
        let (name, tag) = TAGS[next];
        tags[Name::from_key(key(name.as_bytes())) as usize] = tag;
        next += 1;
    }
    tags
};
static ATTRIBUTE_TABLE: NameTable<Attribute, MAX_NAMES, SLOTS> =
    NameTable::new(&ATTRIBUTES, Attribute::Other);

const MAX_NAMES: usize = 112;
const SLOTS: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use super::{ATTRIBUTES, Attribute, Name, TAGS, Tag, key};

    #[test]
    fn finds_every_name_in_any_case_and_no_other() {
        for (name, tag) in TAGS {
            let from_text = |text: &str| Tag::from(Name::from_key(key(text.as_bytes())));
            assert_eq!(from_text(name), tag, "{name}");
            assert_eq!(from_text(&name.to_uppercase()), tag, "{name}");
            assert_eq!(from_text(&format!("{name}-")), Tag::Other, "{name}");
        }
        let lookup = |name: &str| Attribute::from_key(name.as_bytes(), key(name.as_bytes()));
        for (name, attribute) in ATTRIBUTES {
            assert_eq!(lookup(name), attribute, "{name}");
            assert_eq!(lookup(&name.to_uppercase()), attribute, "{name}");
            assert_eq!(lookup(&format!("{name}-")), Attribute::Other, "{name}");
        }
    }
}
