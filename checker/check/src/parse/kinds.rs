//! The places that can hold a reference: elements and attributes of HTML and SVG, and those of the other formats.

use super::css::CssUse;
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
