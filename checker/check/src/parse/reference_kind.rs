//! Defines the kinds of references: elements and attributes of HTML and SVG, and those of the other formats.

use sitegate_script::LoadKind;

use sitegate_html::css::CssUse;
use sitegate_html::element_table::URL_ATTRIBUTES;
use sitegate_html::url_attribute::Effect;

/// Purpose of a reference, which determines the valid values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A reader navigates to it: an empty value is this page, and the fragment must exist.
    Navigate,
    /// The browser loads it: a value is required.
    Load,
    /// A related document, such as the canonical one: a value is required.
    Relate,
    /// A machine reads it, such as `cite`.
    Cite,
    /// An origin to connect to: never looked up.
    Connect,
    /// Only developer tools load it: a source map.
    Debug,
    /// A script probably loads it later, like lazy loaders do.
    Deferred,
}

impl Role {
    /// Returns whether an empty value is invalid.
    pub fn needs_value(self) -> bool {
        matches!(self, Role::Load | Role::Relate)
    }

    /// Returns whether it refers to a separate document or file, and not to a part of this document.
    pub fn is_link(self) -> bool {
        matches!(self, Role::Navigate | Role::Relate | Role::Cite)
    }
}

/// Declares the kinds of references, each with a description and its role.
macro_rules! reference_kinds {
    ($($kind:ident $description:literal $role:ident,)+) => {
        /// A kind of reference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum ReferenceKind {
            $(#[doc = concat!("`", $description, "`")] $kind,)+
        }

        impl ReferenceKind {
            const ALL: [ReferenceKind; [$($description),+].len()] = [$(Self::$kind),+];

            /// Returns the description: `<a href>`, `url() in CSS`.
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$kind => $description,)+
                }
            }

            /// Returns the purpose of the reference.
            #[inline]
            pub const fn role(self) -> Role {
                match self {
                    $(Self::$kind => Role::$role,)+
                }
            }
        }
    };
}

reference_kinds! {
    A "<a href>" Navigate,
    APing "<a ping>" Cite,
    ApiDescription "API description" Load,
    Area "<area href>" Navigate,
    AreaPing "<area ping>" Cite,
    Audio "<audio src>" Load,
    Background "the attribute `background`" Load,
    Cite "<blockquote cite>" Cite,
    CssImport "@import in CSS" Load,
    CssSourceMap "sourceMappingURL in CSS" Debug,
    CssUrl "url() in CSS" Load,
    Embed "<embed src>" Load,
    FeedContentLink "link in the content of a feed" Cite,
    FeedContentMedia "image or media in the content of a feed" Load,
    FeedEnclosure "enclosure in a feed" Load,
    FeedGuid "guid in a feed" Cite,
    FeedImage "image in a feed" Load,
    FeedLink "link in a feed" Relate,
    FederatedFile "file of a federation manifest" Load,
    Form "<form action>" Cite,
    FormPost "<form method=post action>" Cite,
    Formaction "<button formaction>" Cite,
    FormactionPost "<button formmethod=post formaction>" Cite,
    Frame "<frame src>" Load,
    GltfFile "file of a glTF scene" Load,
    HeaderConnect "Link in `_headers`" Connect,
    HeaderLink "Link in `_headers`" Relate,
    HeaderLoad "Link in `_headers`" Load,
    HxGet "hx-get" Load,
    HxPost "hx-post" Cite,
    Iframe "<iframe src>" Load,
    Img "<img src>" Load,
    ImgSrcset "<img srcset>" Load,
    Input "<input src>" Load,
    Island "<astro-island component-url>" Load,
    JsAmdDefine "define()" Load,
    JsAmdRequire "require()" Load,
    JsAsset "asset" Load,
    JsChunk "chunk" Load,
    JsData "page data" Load,
    JsDynamicImport "import()" Load,
    JsFetch "fetch()" Load,
    JsImport "import" Load,
    JsImportMap "import map" Load,
    JsImportScripts "importScripts()" Load,
    JsNewUrl "new URL()" Load,
    JsPrecache "precache list" Load,
    JsPreload "preload" Load,
    JsResolve "import.meta.resolve()" Load,
    JsScriptElement "script element" Load,
    JsServiceWorker "serviceWorker.register()" Load,
    JsSourceMap "sourceMappingURL" Debug,
    JsStyle "style sheet" Load,
    JsWorker "new Worker()" Load,
    JsWorklet "addModule()" Load,
    JsonLd "address in JSON-LD" Cite,
    Lazy "data-src" Load,
    LazyBackground "<div data-bg>" Deferred,
    LazySpare "data-src" Deferred,
    Link "<link href>" Load,
    LinkCanonical "<link rel=canonical href>" Relate,
    LinkConnect "<link href>" Connect,
    LinkIcon "<link rel=icon href>" Load,
    LinkImagesrcset "<link imagesrcset>" Load,
    LinkPreload "<link rel=preload href>" Load,
    LinkRelated "<link href>" Relate,
    LinkStylesheet "<link rel=stylesheet href>" Load,
    LlmsLink "link in llms.txt" Cite,
    Longdesc "<img longdesc>" Cite,
    ManifestApp "related_applications in a web app manifest" Cite,
    ManifestHandler "handler in a web app manifest" Cite,
    ManifestImage "icons in a web app manifest" Load,
    ManifestUrl "start_url in a web app manifest" Relate,
    Markdown "data-markdown" Load,
    MetaConfig "<meta name=msapplication-config content>" Load,
    MetaImage "<meta content>" Load,
    MetaOgAudio "og:audio" Load,
    MetaOgImage "og:image" Load,
    MetaOgVideo "og:video" Load,
    MetaTile "msapplication tile" Load,
    MetaTwitterImage "twitter:image" Load,
    MetaTwitterPlayer "twitter:player" Load,
    MetaUrl "<meta content>" Relate,
    ModelViewer "file of <model-viewer>" Load,
    Object "<object data>" Load,
    PlaylistFile "file of a playlist" Load,
    Poster "<video poster>" Load,
    Refresh "<meta http-equiv=refresh content>" Navigate,
    RobotsSitemap "Sitemap in robots.txt" Relate,
    Script "<script src>" Load,
    SearchFolder "folder of the search index" Load,
    SearchIndex "search index" Load,
    SearchScript "search script" Load,
    SecurityField "field in security.txt" Relate,
    SitemapLink "link in a sitemap" Relate,
    SitemapLoc "loc in a sitemap" Relate,
    SitemapMedia "image or video in a sitemap" Relate,
    Source "<source src>" Load,
    SourceSrcset "<source srcset>" Load,
    SvgImage "<image href>" Load,
    SvgUse "<use href>" Load,
    Toggle "<a href>" Cite,
    Track "<track src>" Load,
    TurboFrame "<turbo-frame src>" Load,
    Video "<video src>" Load,
    XmlStylesheet "<?xml-stylesheet href>" Load,
}

/// The kind of each row of [`URL_ATTRIBUTES`]: the one with its description. The URL of a base is no reference.
static OF_ROWS: [Option<ReferenceKind>; URL_ATTRIBUTES.len()] = {
    let mut kinds = [None; URL_ATTRIBUTES.len()];
    let mut row = 0;
    while row < kinds.len() {
        if !matches!(URL_ATTRIBUTES[row].effect, Effect::Base) {
            kinds[row] = Some(ReferenceKind::described(URL_ATTRIBUTES[row].shown));
        }
        row += 1;
    }
    kinds
};

impl ReferenceKind {
    /// Returns the first kind with a description.
    const fn described(description: &str) -> ReferenceKind {
        let mut at = 0;
        while !is_equal(Self::ALL[at].description(), description) {
            at += 1;
            assert!(at < Self::ALL.len(), "a row of the table of attributes has no kind of reference");
        }
        Self::ALL[at]
    }

    /// Returns the kind of a row of [`URL_ATTRIBUTES`].
    #[inline]
    pub(super) fn of_row(row: usize) -> Option<ReferenceKind> {
        OF_ROWS[row]
    }

    /// Returns the kind of a URL in CSS.
    pub(super) fn of_css(css_use: CssUse) -> ReferenceKind {
        match css_use {
            CssUse::Url | CssUse::Font => Self::CssUrl,
            CssUse::Import | CssUse::LateImport => Self::CssImport,
        }
    }

    /// Returns the kind of a load in a script.
    pub(crate) fn of_script(load: LoadKind) -> ReferenceKind {
        match load {
            LoadKind::AmdDefine => Self::JsAmdDefine,
            LoadKind::AmdRequire => Self::JsAmdRequire,
            LoadKind::Asset => Self::JsAsset,
            LoadKind::Chunk => Self::JsChunk,
            LoadKind::Data => Self::JsData,
            LoadKind::DynamicImport => Self::JsDynamicImport,
            LoadKind::Fetch => Self::JsFetch,
            LoadKind::Import => Self::JsImport,
            LoadKind::ImportMap => Self::JsImportMap,
            LoadKind::ImportScripts => Self::JsImportScripts,
            LoadKind::NewUrl => Self::JsNewUrl,
            LoadKind::Precache => Self::JsPrecache,
            LoadKind::Preload => Self::JsPreload,
            LoadKind::Resolve => Self::JsResolve,
            LoadKind::ScriptElement => Self::JsScriptElement,
            LoadKind::SearchIndex => Self::SearchIndex,
            LoadKind::ServiceWorker => Self::JsServiceWorker,
            LoadKind::SourceMap => Self::JsSourceMap,
            LoadKind::Style => Self::JsStyle,
            LoadKind::Worker => Self::JsWorker,
            LoadKind::Worklet => Self::JsWorklet,
        }
    }

    /// Returns whether it is in a style sheet, a `style` element or a `style` attribute.
    pub const fn is_css(self) -> bool {
        matches!(self, Self::CssImport | Self::CssSourceMap | Self::CssUrl)
    }

    /// Returns whether it is in a script, or in one of its strings.
    pub const fn is_script(self) -> bool {
        matches!(
            self,
            Self::JsAmdDefine
                | Self::JsAmdRequire
                | Self::JsAsset
                | Self::JsChunk
                | Self::JsData
                | Self::JsDynamicImport
                | Self::JsFetch
                | Self::JsImport
                | Self::JsImportMap
                | Self::JsImportScripts
                | Self::JsNewUrl
                | Self::JsPrecache
                | Self::JsPreload
                | Self::JsResolve
                | Self::JsScriptElement
                | Self::JsServiceWorker
                | Self::JsSourceMap
                | Self::JsStyle
                | Self::JsWorker
                | Self::JsWorklet
        )
    }

    /// Returns whether it states a property of the page, which browsers do not load.
    pub const fn is_property(self) -> bool {
        matches!(
            self,
            Self::MetaImage
                | Self::MetaOgAudio
                | Self::MetaOgImage
                | Self::MetaOgVideo
                | Self::MetaTile
                | Self::MetaTwitterImage
                | Self::MetaTwitterPlayer
                | Self::MetaUrl
        )
    }

    /// Returns whether the page may be whole without it: a script may load it later, or something else shows it.
    pub const fn may_be_unneeded(self) -> bool {
        matches!(self.role(), Role::Deferred) || matches!(self, Self::LinkPreload)
    }

    /// Returns whether a form is sent to it.
    pub const fn is_form(self) -> bool {
        matches!(self, Self::Form | Self::FormPost | Self::Formaction | Self::FormactionPost)
    }

    /// Returns whether browsers navigate to the fragment, so that it must exist.
    pub fn follows_fragment(self) -> bool {
        self.role() == Role::Navigate
            || matches!(self, Self::Iframe | Self::Frame | Self::SvgUse | Self::LlmsLink)
    }

    /// Returns whether a form or a script posts data to it.
    pub const fn is_posted(self) -> bool {
        matches!(self, Self::FormPost | Self::FormactionPost | Self::HxPost)
    }

    /// Returns whether a program may answer, so that no file is needed unless it is the URL of a page.
    pub const fn may_be_program(self) -> bool {
        self.is_posted() || matches!(self, Self::HxGet)
    }

    /// Returns whether a browser loads the file together with the page. It does not load alternatives, requests of
    /// running scripts, files that style sheets load on use, frames (which are separate pages), and images for other
    /// sites.
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
                | Self::JsAmdDefine
                | Self::JsAmdRequire
                | Self::JsImport
                | Self::JsImportScripts
                | Self::Link
                | Self::LinkPreload
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

/// Whether two texts are equal, at compile time.
const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use sitegate_html::element_table::URL_ATTRIBUTES;
    use sitegate_html::url_attribute::Effect;

    use super::{ReferenceKind, Role};

    #[test]
    fn roles_agree_with_what_browsers_do() {
        for (index, row) in URL_ATTRIBUTES.iter().enumerate() {
            let Some(role) = ReferenceKind::of_row(index).map(ReferenceKind::role) else { continue };
            let agrees = match row.effect {
                Effect::Load(_) | Effect::LoadByScript => role == Role::Load,
                Effect::Navigate => role == Role::Navigate,
                Effect::Submit | Effect::Ping => role == Role::Cite,
                Effect::Defer => matches!(role, Role::Load | Role::Deferred),
                Effect::Describe => matches!(role, Role::Cite | Role::Load),
                Effect::Depends | Effect::Request | Effect::Base => true,
            };
            assert!(agrees, "{row:?}: {role:?}");
        }
    }
}
