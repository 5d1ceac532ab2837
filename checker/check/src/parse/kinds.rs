//! The places that can hold a reference: elements and attributes of HTML and SVG, and those of the other formats.

use super::css::CssUse;
use super::idrefs::IdAttribute;
use super::reference::{Kind, Role};

const fn kind(element: &'static str, attribute: &'static str, role: Role) -> Kind {
    Kind { element, attribute, role }
}

pub(crate) static A: Kind = kind("a", "href", Role::Navigate);
pub(crate) static A_PING: Kind = kind("a", "ping", Role::Cite);
pub(crate) static AREA: Kind = kind("area", "href", Role::Navigate);
pub(crate) static AREA_PING: Kind = kind("area", "ping", Role::Cite);
pub(crate) static AUDIO: Kind = kind("audio", "src", Role::Load);
pub(crate) static BACKGROUND: Kind = kind("body", "background", Role::Load);
pub(crate) static CITE: Kind = kind("blockquote", "cite", Role::Cite);
pub(crate) static EMBED: Kind = kind("embed", "src", Role::Load);
pub(crate) static FORM: Kind = kind("form", "action", Role::Cite);
pub(crate) static FORM_POST: Kind = kind("form method=post", "action", Role::Cite);
pub(crate) static FORMACTION: Kind = kind("button", "formaction", Role::Cite);
pub(crate) static FORMACTION_POST: Kind = kind("button formmethod=post", "formaction", Role::Cite);
pub(crate) static FRAME: Kind = kind("frame", "src", Role::Load);
pub(crate) static IFRAME: Kind = kind("iframe", "src", Role::Load);
pub(crate) static IMG: Kind = kind("img", "src", Role::Load);
pub(crate) static IMG_SRCSET: Kind = kind("img", "srcset", Role::Load);
pub(crate) static INPUT: Kind = kind("input", "src", Role::Load);
pub(crate) static ISLAND: Kind = kind("astro-island", "component-url", Role::Load);
pub(crate) static JS_ASSET: Kind = kind("js", "asset", Role::Load);
pub(crate) static JS_CHUNK: Kind = kind("js", "chunk", Role::Load);
pub(crate) static JS_DATA: Kind = kind("js", "page data", Role::Load);
pub(crate) static JS_DYNAMIC_IMPORT: Kind = kind("js", "import()", Role::Load);
pub(crate) static JS_FETCH: Kind = kind("js", "fetch()", Role::Load);
pub(crate) static JS_IMPORT: Kind = kind("js", "import", Role::Load);
pub(crate) static JS_IMPORT_SCRIPTS: Kind = kind("js", "importScripts()", Role::Load);
pub(crate) static JS_NEW_URL: Kind = kind("js", "new URL()", Role::Load);
pub(crate) static JS_PRECACHE: Kind = kind("js", "precache list", Role::Load);
pub(crate) static JS_PRELOAD: Kind = kind("js", "preload", Role::Load);
pub(crate) static JS_RESOLVE: Kind = kind("js", "import.meta.resolve()", Role::Load);
pub(crate) static JS_SERVICE_WORKER: Kind = kind("js", "serviceWorker.register()", Role::Load);
pub(crate) static JS_SOURCE_MAP: Kind = kind("js", "sourceMappingURL", Role::Debug);
pub(crate) static JS_STYLE: Kind = kind("js", "style sheet", Role::Load);
pub(crate) static JS_WORKER: Kind = kind("js", "new Worker()", Role::Load);
pub(crate) static LINK: Kind = kind("link", "href", Role::Load);
pub(crate) static LINK_CONNECT: Kind = kind("link", "href", Role::Connect);
pub(crate) static LINK_ICON: Kind = kind("link rel=icon", "href", Role::Load);
pub(crate) static LINK_IMAGESRCSET: Kind = kind("link", "imagesrcset", Role::Load);
pub(crate) static LINK_RELATED: Kind = kind("link", "href", Role::Relate);
pub(crate) static LINK_STYLESHEET: Kind = kind("link rel=stylesheet", "href", Role::Load);
pub(crate) static BROWSERCONFIG: Kind = kind("browserconfig", "src", Role::Load);
pub(crate) static BROWSERCONFIG_POLLING: Kind = kind("browserconfig", "polling-uri", Role::Cite);
pub(crate) static FEED_CONTENT_LINK: Kind = kind("feed content", "link", Role::Cite);
pub(crate) static FEED_CONTENT_MEDIA: Kind = kind("feed content", "picture or media", Role::Load);
pub(crate) static FEED_ENCLOSURE: Kind = kind("feed", "enclosure", Role::Load);
pub(crate) static FEED_GUID: Kind = kind("feed", "guid", Role::Cite);
pub(crate) static FEED_IMAGE: Kind = kind("feed", "image", Role::Load);
pub(crate) static FEED_LINK: Kind = kind("feed", "link", Role::Relate);
pub(crate) static HEADER_CONNECT: Kind = kind("_headers", "Link", Role::Connect);
pub(crate) static HEADER_LINK: Kind = kind("_headers", "Link", Role::Relate);
pub(crate) static HEADER_LOAD: Kind = kind("_headers", "Link", Role::Load);
pub(crate) static JSON_LD: Kind = kind("JSON-LD", "address", Role::Cite);
pub(crate) static LLMS_LINK: Kind = kind("llms.txt", "link", Role::Cite);
pub(crate) static MANIFEST_APP: Kind = kind("manifest", "related_applications", Role::Cite);
pub(crate) static MANIFEST_HANDLER: Kind = kind("manifest", "handler", Role::Cite);
pub(crate) static MANIFEST_IMAGE: Kind = kind("manifest", "icons", Role::Load);
pub(crate) static MANIFEST_URL: Kind = kind("manifest", "start_url", Role::Relate);
pub(crate) static META_CONFIG: Kind = kind("meta name=msapplication-config", "content", Role::Load);
pub(crate) static META_IMAGE: Kind = kind("meta", "content", Role::Load);
pub(crate) static META_URL: Kind = kind("meta", "content", Role::Relate);
pub(crate) static OPENSEARCH_IMAGE: Kind = kind("opensearch", "Image", Role::Load);
pub(crate) static OPENSEARCH_URL: Kind = kind("opensearch", "Url", Role::Cite);
pub(crate) static ROBOTS_SITEMAP: Kind = kind("robots.txt", "Sitemap", Role::Relate);
pub(crate) static SECURITY_FIELD: Kind = kind("security.txt", "field", Role::Relate);
pub(crate) static SITEMAP_LINK: Kind = kind("sitemap", "link", Role::Relate);
pub(crate) static SITEMAP_LOC: Kind = kind("sitemap", "loc", Role::Relate);
pub(crate) static SITEMAP_MEDIA: Kind = kind("sitemap", "image or video", Role::Relate);
pub(crate) static XML_STYLESHEET: Kind = kind("?xml-stylesheet", "href", Role::Load);
pub(crate) static LONGDESC: Kind = kind("img", "longdesc", Role::Cite);
pub(crate) static OBJECT: Kind = kind("object", "data", Role::Load);
pub(crate) static LAZY: Kind = kind("img", "data-src", Role::Load);
pub(crate) static LAZY_BACKGROUND: Kind = kind("div", "data-bg", Role::Perhaps);
pub(crate) static LAZY_SPARE: Kind = kind("img", "data-src", Role::Perhaps);
pub(crate) static PORTAL: Kind = kind("portal", "src", Role::Load);
pub(crate) static POSTER: Kind = kind("video", "poster", Role::Load);
pub(crate) static REFRESH: Kind = kind("meta http-equiv=refresh", "content", Role::Navigate);
pub(crate) static SCRIPT: Kind = kind("script", "src", Role::Load);
pub(crate) static SOURCE: Kind = kind("source", "src", Role::Load);
pub(crate) static SOURCE_SRCSET: Kind = kind("source", "srcset", Role::Load);
pub(crate) static SVG_A: Kind = kind("a", "href", Role::Navigate);
pub(crate) static SVG_IMAGE: Kind = kind("image", "href", Role::Load);
pub(crate) static SVG_USE: Kind = kind("use", "href", Role::Load);
pub(crate) static TRACK: Kind = kind("track", "src", Role::Load);
pub(crate) static VIDEO: Kind = kind("video", "src", Role::Load);
pub(crate) static CSS_URL: Kind = kind("css", "url()", Role::Load);
pub(crate) static CSS_SOURCE_MAP: Kind = kind("css", "sourceMappingURL", Role::Debug);
pub(crate) static CSS_IMPORT: Kind = kind("css", "@import", Role::Load);

/// The kind of a URL in CSS.
pub(crate) fn css(css_use: CssUse) -> &'static Kind {
    match css_use {
        CssUse::Url => &CSS_URL,
        CssUse::Import => &CSS_IMPORT,
    }
}

/// Passes a name on in lower case, as nearly every name is written; no known name is longer than 24 bytes.
fn in_lower_case<T>(name: &[u8], known: impl Fn(&[u8]) -> T) -> Option<T> {
    if !name.iter().any(u8::is_ascii_uppercase) {
        return Some(known(name));
    }
    let mut lower = [0u8; 24];
    let buffer = lower.get_mut(..name.len())?;
    buffer.copy_from_slice(name);
    buffer.make_ascii_lowercase();
    Some(known(buffer))
}

/// The elements that the parser looks at more closely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    A,
    Area,
    /// `astro-island`, which loads what makes it live.
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
    Map,
    Meta,
    Noscript,
    Object,
    /// `portal`, a frame that some browsers tried out.
    Portal,
    Script,
    Source,
    Style,
    /// `use`, `image` and the other SVG elements that refer by `href`.
    SvgReference,
    Template,
    Title,
    Track,
    Video,
    Other,
}

impl Tag {
    /// The element with this name, in any case.
    pub(crate) fn of(name: &[u8]) -> Tag {
        in_lower_case(name, Tag::of_lower_case).unwrap_or(Tag::Other)
    }

    fn of_lower_case(name: &[u8]) -> Tag {
        match name {
            b"a" => Tag::A,
            b"area" => Tag::Area,
            b"astro-island" => Tag::AstroIsland,
            b"audio" => Tag::Audio,
            b"base" => Tag::Base,
            b"body" | b"table" | b"tr" | b"td" | b"th" | b"thead" | b"tbody" | b"tfoot" => Tag::Body,
            b"button" => Tag::Button,
            b"blockquote" | b"q" | b"ins" | b"del" => Tag::Cites,
            b"embed" => Tag::Embed,
            b"form" => Tag::Form,
            b"frame" => Tag::Frame,
            b"html" => Tag::Html,
            b"iframe" => Tag::Iframe,
            b"img" => Tag::Img,
            b"input" => Tag::Input,
            b"link" => Tag::Link,
            b"map" => Tag::Map,
            b"meta" => Tag::Meta,
            b"noscript" => Tag::Noscript,
            b"object" => Tag::Object,
            b"portal" => Tag::Portal,
            b"script" => Tag::Script,
            b"source" => Tag::Source,
            b"style" => Tag::Style,
            b"use" | b"image" | b"feimage" | b"textpath" | b"mpath" | b"pattern" | b"lineargradient"
            | b"radialgradient" | b"animate" | b"set" => Tag::SvgReference,
            b"template" => Tag::Template,
            b"title" => Tag::Title,
            b"track" => Tag::Track,
            b"video" => Tag::Video,
            _ => Tag::Other,
        }
    }

    pub(crate) fn takes_cite(self) -> bool {
        self == Tag::Cites
    }

    pub(crate) fn takes_background(self) -> bool {
        self == Tag::Body
    }
}

/// The attributes that the parser reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    Action,
    Alt,
    AriaHidden,
    AriaLabel,
    AriaLabelledby,
    As,
    Background,
    BeforeHydrationUrl,
    Charset,
    Cite,
    ComponentUrl,
    Content,
    Data,
    /// `data-bg` and its like, by which lazy loaders name a background.
    DataBackground,
    /// `data-src` and its like, by which lazy loaders name what to load.
    DataSrc,
    /// `data-srcset` and its like.
    DataSrcset,
    Formaction,
    Formmethod,
    Href,
    Hreflang,
    HttpEquiv,
    Id,
    Idref(IdAttribute),
    Imagesrcset,
    Integrity,
    Itemprop,
    Lang,
    Longdesc,
    Method,
    Name,
    Ping,
    Poster,
    Property,
    Rel,
    RendererUrl,
    Role,
    Shadowrootmode,
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

impl Attribute {
    /// The attribute with this name, in any case.
    pub(crate) fn of(name: &[u8]) -> Attribute {
        in_lower_case(name, Attribute::of_lower_case).unwrap_or(Attribute::Other)
    }

    fn of_lower_case(name: &[u8]) -> Attribute {
        match name {
            b"action" => Attribute::Action,
            b"alt" => Attribute::Alt,
            b"aria-hidden" => Attribute::AriaHidden,
            b"aria-label" => Attribute::AriaLabel,
            b"aria-labelledby" => Attribute::AriaLabelledby,
            b"as" => Attribute::As,
            b"background" => Attribute::Background,
            b"before-hydration-url" => Attribute::BeforeHydrationUrl,
            b"charset" => Attribute::Charset,
            b"cite" => Attribute::Cite,
            b"component-url" => Attribute::ComponentUrl,
            b"content" => Attribute::Content,
            b"data" => Attribute::Data,
            b"data-bg" | b"data-background" | b"data-background-image" | b"data-lazy-background" => {
                Attribute::DataBackground
            }
            b"data-src" | b"data-original" | b"data-lazy-src" | b"data-lazy" => Attribute::DataSrc,
            b"data-srcset" | b"data-lazy-srcset" | b"data-original-set" => Attribute::DataSrcset,
            b"formaction" => Attribute::Formaction,
            b"formmethod" => Attribute::Formmethod,
            b"href" => Attribute::Href,
            b"hreflang" => Attribute::Hreflang,
            b"http-equiv" => Attribute::HttpEquiv,
            b"id" => Attribute::Id,
            b"imagesrcset" => Attribute::Imagesrcset,
            b"integrity" => Attribute::Integrity,
            b"itemprop" => Attribute::Itemprop,
            b"lang" => Attribute::Lang,
            b"longdesc" => Attribute::Longdesc,
            b"method" => Attribute::Method,
            b"name" => Attribute::Name,
            b"ping" => Attribute::Ping,
            b"poster" => Attribute::Poster,
            b"property" => Attribute::Property,
            b"rel" => Attribute::Rel,
            b"renderer-url" => Attribute::RendererUrl,
            b"role" => Attribute::Role,
            b"shadowrootmode" => Attribute::Shadowrootmode,
            b"src" => Attribute::Src,
            b"srcdoc" => Attribute::Srcdoc,
            b"srcset" => Attribute::Srcset,
            b"style" => Attribute::Style,
            b"target" => Attribute::Target,
            b"type" => Attribute::Type,
            b"usemap" => Attribute::Usemap,
            b"xlink:href" => Attribute::XlinkHref,
            b"xml:lang" => Attribute::XmlLang,
            _ => IdAttribute::of_lower_case(name).map_or(Attribute::Other, Attribute::Idref),
        }
    }
}
