//! The places that can hold a reference: elements and attributes of HTML and SVG, and those of the other formats.

use super::css::CssUse;

/// Purpose of a reference, which decides what its value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A reader goes there: an empty value is this page, and the fragment must exist.
    Navigate,
    /// The browser loads it: a value is needed.
    Load,
    /// A document that this one says it is related to, such as its canonical one: a value is needed.
    Relate,
    /// A machine reads it, such as `cite`.
    Cite,
    /// An origin to connect to: never looked up.
    Connect,
    /// Only developer tools ask for it: a source map.
    Debug,
    /// A script is likely to load it later, as lazy loaders do.
    Perhaps,
}

impl Role {
    /// Returns whether an empty value is a mistake.
    pub fn needs_value(self) -> bool {
        matches!(self, Role::Load | Role::Relate)
    }

    /// Returns whether it leads to a document or a file, and is not a part of the document that holds it.
    pub fn is_link(self) -> bool {
        matches!(self, Role::Navigate | Role::Relate | Role::Cite)
    }
}

/// A place that can hold a reference.
#[allow(missing_docs, reason = "`info` describes each kind")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ReferenceKind {
    A,
    APing,
    Area,
    AreaPing,
    Audio,
    Background,
    Browserconfig,
    BrowserconfigPolling,
    Cite,
    CssImport,
    CssSourceMap,
    CssUrl,
    Embed,
    FeedContentLink,
    FeedContentMedia,
    FeedEnclosure,
    FeedGuid,
    FeedImage,
    FeedLink,
    Form,
    FormPost,
    Formaction,
    FormactionPost,
    Frame,
    HeaderConnect,
    HeaderLink,
    HeaderLoad,
    Iframe,
    Img,
    ImgSrcset,
    Input,
    Island,
    JsAsset,
    JsChunk,
    JsData,
    JsDynamicImport,
    JsFetch,
    JsImport,
    JsImportScripts,
    JsNewUrl,
    JsPrecache,
    JsPreload,
    JsResolve,
    JsServiceWorker,
    JsSourceMap,
    JsStyle,
    JsWorker,
    JsonLd,
    Lazy,
    LazyBackground,
    LazySpare,
    Link,
    LinkConnect,
    LinkIcon,
    LinkImagesrcset,
    LinkRelated,
    LinkStylesheet,
    LlmsLink,
    Longdesc,
    ManifestApp,
    ManifestHandler,
    ManifestImage,
    ManifestUrl,
    MetaConfig,
    MetaImage,
    MetaUrl,
    Object,
    OpensearchImage,
    OpensearchUrl,
    Portal,
    Poster,
    Refresh,
    RobotsSitemap,
    Script,
    SecurityField,
    SitemapLink,
    SitemapLoc,
    SitemapMedia,
    Source,
    SourceSrcset,
    SvgA,
    SvgImage,
    SvgUse,
    Track,
    Video,
    XmlStylesheet,
}

/// Properties of a kind of reference.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceInfo {
    /// The place in words: `<a href>`, `url() in CSS`.
    pub place: &'static str,
    /// Its purpose.
    pub role: Role,
}

impl ReferenceKind {
    /// Returns the kind of a URL in CSS.
    pub(super) fn of_css(css_use: CssUse) -> ReferenceKind {
        match css_use {
            CssUse::Url => Self::CssUrl,
            CssUse::Import => Self::CssImport,
        }
    }

    /// Returns the kind's properties.
    pub const fn info(self) -> ReferenceInfo {
        let (place, role) = match self {
            Self::A | Self::SvgA => ("<a href>", Role::Navigate),
            Self::APing => ("<a ping>", Role::Cite),
            Self::Area => ("<area href>", Role::Navigate),
            Self::AreaPing => ("<area ping>", Role::Cite),
            Self::Audio => ("<audio src>", Role::Load),
            Self::Background => ("<body background>", Role::Load),
            Self::Browserconfig => ("src in browserconfig.xml", Role::Load),
            Self::BrowserconfigPolling => ("polling-uri in browserconfig.xml", Role::Cite),
            Self::Cite => ("<blockquote cite>", Role::Cite),
            Self::CssImport => ("@import in CSS", Role::Load),
            Self::CssSourceMap => ("sourceMappingURL in CSS", Role::Debug),
            Self::CssUrl => ("url() in CSS", Role::Load),
            Self::Embed => ("<embed src>", Role::Load),
            Self::FeedContentLink => ("link in the content of a feed", Role::Cite),
            Self::FeedContentMedia => ("picture or media in the content of a feed", Role::Load),
            Self::FeedEnclosure => ("enclosure in a feed", Role::Load),
            Self::FeedGuid => ("guid in a feed", Role::Cite),
            Self::FeedImage => ("image in a feed", Role::Load),
            Self::FeedLink => ("link in a feed", Role::Relate),
            Self::Form => ("<form action>", Role::Cite),
            Self::FormPost => ("<form method=post action>", Role::Cite),
            Self::Formaction => ("<button formaction>", Role::Cite),
            Self::FormactionPost => ("<button formmethod=post formaction>", Role::Cite),
            Self::Frame => ("<frame src>", Role::Load),
            Self::HeaderConnect => ("Link in `_headers`", Role::Connect),
            Self::HeaderLink => ("Link in `_headers`", Role::Relate),
            Self::HeaderLoad => ("Link in `_headers`", Role::Load),
            Self::Iframe => ("<iframe src>", Role::Load),
            Self::Img => ("<img src>", Role::Load),
            Self::ImgSrcset => ("<img srcset>", Role::Load),
            Self::Input => ("<input src>", Role::Load),
            Self::Island => ("<astro-island component-url>", Role::Load),
            Self::JsAsset => ("asset", Role::Load),
            Self::JsChunk => ("chunk", Role::Load),
            Self::JsData => ("page data", Role::Load),
            Self::JsDynamicImport => ("import()", Role::Load),
            Self::JsFetch => ("fetch()", Role::Load),
            Self::JsImport => ("import", Role::Load),
            Self::JsImportScripts => ("importScripts()", Role::Load),
            Self::JsNewUrl => ("new URL()", Role::Load),
            Self::JsPrecache => ("precache list", Role::Load),
            Self::JsPreload => ("preload", Role::Load),
            Self::JsResolve => ("import.meta.resolve()", Role::Load),
            Self::JsServiceWorker => ("serviceWorker.register()", Role::Load),
            Self::JsSourceMap => ("sourceMappingURL", Role::Debug),
            Self::JsStyle => ("style sheet", Role::Load),
            Self::JsWorker => ("new Worker()", Role::Load),
            Self::JsonLd => ("address in JSON-LD", Role::Cite),
            Self::Lazy => ("data-src", Role::Load),
            Self::LazyBackground => ("<div data-bg>", Role::Perhaps),
            Self::LazySpare => ("data-src", Role::Perhaps),
            Self::Link => ("<link href>", Role::Load),
            Self::LinkConnect => ("<link href>", Role::Connect),
            Self::LinkIcon => ("<link rel=icon href>", Role::Load),
            Self::LinkImagesrcset => ("<link imagesrcset>", Role::Load),
            Self::LinkRelated => ("<link href>", Role::Relate),
            Self::LinkStylesheet => ("<link rel=stylesheet href>", Role::Load),
            Self::LlmsLink => ("link in llms.txt", Role::Cite),
            Self::Longdesc => ("<img longdesc>", Role::Cite),
            Self::ManifestApp => ("related_applications in a web app manifest", Role::Cite),
            Self::ManifestHandler => ("handler in a web app manifest", Role::Cite),
            Self::ManifestImage => ("icons in a web app manifest", Role::Load),
            Self::ManifestUrl => ("start_url in a web app manifest", Role::Relate),
            Self::MetaConfig => ("<meta name=msapplication-config content>", Role::Load),
            Self::MetaImage => ("<meta content>", Role::Load),
            Self::MetaUrl => ("<meta content>", Role::Relate),
            Self::Object => ("<object data>", Role::Load),
            Self::OpensearchImage => ("Image in an OpenSearch description", Role::Load),
            Self::OpensearchUrl => ("Url in an OpenSearch description", Role::Cite),
            Self::Portal => ("<portal src>", Role::Load),
            Self::Poster => ("<video poster>", Role::Load),
            Self::Refresh => ("<meta http-equiv=refresh content>", Role::Navigate),
            Self::RobotsSitemap => ("Sitemap in robots.txt", Role::Relate),
            Self::Script => ("<script src>", Role::Load),
            Self::SecurityField => ("field in security.txt", Role::Relate),
            Self::SitemapLink => ("link in a sitemap", Role::Relate),
            Self::SitemapLoc => ("loc in a sitemap", Role::Relate),
            Self::SitemapMedia => ("image or video in a sitemap", Role::Relate),
            Self::Source => ("<source src>", Role::Load),
            Self::SourceSrcset => ("<source srcset>", Role::Load),
            Self::SvgImage => ("<image href>", Role::Load),
            Self::SvgUse => ("<use href>", Role::Load),
            Self::Track => ("<track src>", Role::Load),
            Self::Video => ("<video src>", Role::Load),
            Self::XmlStylesheet => ("<?xml-stylesheet href>", Role::Load),
        };
        ReferenceInfo { place, role }
    }

    /// Returns the place in words.
    pub const fn place(self) -> &'static str {
        self.info().place
    }

    /// Returns the purpose of the reference.
    pub const fn role(self) -> Role {
        self.info().role
    }

    /// Returns whether it is in a style sheet, a `style` element or a `style` attribute.
    pub const fn is_css(self) -> bool {
        matches!(self, Self::CssImport | Self::CssSourceMap | Self::CssUrl)
    }

    /// Returns whether it is in a script, or named by one of its strings.
    pub const fn is_script(self) -> bool {
        matches!(
            self,
            Self::JsAsset
                | Self::JsChunk
                | Self::JsData
                | Self::JsDynamicImport
                | Self::JsFetch
                | Self::JsImport
                | Self::JsImportScripts
                | Self::JsNewUrl
                | Self::JsPrecache
                | Self::JsPreload
                | Self::JsResolve
                | Self::JsServiceWorker
                | Self::JsSourceMap
                | Self::JsStyle
                | Self::JsWorker
        )
    }

    /// Returns whether a form is sent there.
    pub const fn is_form(self) -> bool {
        matches!(self, Self::Form | Self::FormPost | Self::Formaction | Self::FormactionPost)
    }

    /// Returns whether a browser goes to the fragment, so that it must exist.
    pub fn follows_fragment(self) -> bool {
        self.role() == Role::Navigate || matches!(self, Self::Iframe | Self::Frame | Self::SvgUse)
    }

    /// Returns whether a program answers what is sent there, so that no file is needed: a form of `method=post`.
    pub const fn is_posted(self) -> bool {
        matches!(self, Self::FormPost | Self::FormactionPost)
    }

    /// Returns whether a browser loads the file together with the page. It does not load alternatives, of which it takes
    /// one, requests of a running script, files that a style sheet requests where it is used, frames, which are pages of
    /// their own, and images for other sites.
    pub const fn is_loaded(self) -> bool {
        matches!(
            self,
            Self::Audio
                | Self::Background
                | Self::CssImport
                | Self::Embed
                | Self::Img
                | Self::Input
                | Self::Island
                | Self::JsImport
                | Self::JsImportScripts
                | Self::Link
                | Self::LinkIcon
                | Self::LinkStylesheet
                | Self::Object
                | Self::Poster
                | Self::Script
                | Self::SvgImage
                | Self::SvgUse
                | Self::Video
                | Self::XmlStylesheet
        )
    }
}
