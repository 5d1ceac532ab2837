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

/// References in style sheets.
const CSS: u8 = 1;
/// References in scripts, or in their strings.
const SCRIPT: u8 = 1 << 1;
/// URLs that state a property of the page, and that browsers do not load.
const PROPERTY: u8 = 1 << 2;
/// URLs that a form is sent to.
const FORM: u8 = 1 << 3;
/// URLs that a form or a script posts data to.
const POSTED: u8 = 1 << 4;
/// Files that browsers load together with the page.
const LOADED: u8 = 1 << 5;

/// Declares the kinds of references, each with a description, its role, and its groups.
macro_rules! reference_kinds {
    ($($kind:ident $description:literal $role:ident $(+ $group:ident)*,)+) => {
        /// A kind of reference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum ReferenceKind {
            $(#[doc = concat!("`", $description, "`")] $kind,)+
        }

        impl ReferenceKind {
            const ALL: [ReferenceKind; [$($description),+].len()] = [$(Self::$kind),+];
            const GROUPS: [u8; Self::ALL.len()] = [$(0 $(| $group)*),+];

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
    Audio "<audio src>" Load + LOADED,
    Background "the attribute `background`" Load + LOADED,
    Cite "<blockquote cite>" Cite,
    CssImport "@import in CSS" Load + CSS + LOADED,
    CssSourceMap "sourceMappingURL in CSS" Debug + CSS,
    CssUrl "url() in CSS" Load + CSS,
    Embed "<embed src>" Load + LOADED,
    FeedContentLink "link in the content of a feed" Cite,
    FeedContentMedia "image or media in the content of a feed" Load,
    FeedEnclosure "enclosure in a feed" Load,
    FeedGuid "guid in a feed" Cite,
    FeedImage "image in a feed" Load,
    FeedLink "link in a feed" Relate,
    FederatedFile "file of a federation manifest" Load,
    Form "<form action>" Cite + FORM,
    FormPost "<form method=post action>" Cite + FORM + POSTED,
    Formaction "<button formaction>" Cite + FORM,
    FormactionPost "<button formmethod=post formaction>" Cite + FORM + POSTED,
    Frame "<frame src>" Load,
    GltfFile "file of a glTF scene" Load,
    HeaderConnect "Link in `_headers`" Connect,
    HeaderLink "Link in `_headers`" Relate,
    HeaderLoad "Link in `_headers`" Load,
    HxGet "hx-get" Load,
    HxPost "hx-post" Cite + POSTED,
    Iframe "<iframe src>" Load,
    Img "<img src>" Load + LOADED,
    ImgSrcset "<img srcset>" Load,
    Input "<input src>" Load + LOADED,
    Island "<astro-island component-url>" Load + LOADED,
    JsAmdDefine "define()" Load + SCRIPT + LOADED,
    JsAmdRequire "require()" Load + SCRIPT + LOADED,
    JsAsset "asset" Load + SCRIPT,
    JsChunk "chunk" Load + SCRIPT,
    JsData "page data" Load + SCRIPT,
    JsDynamicImport "import()" Load + SCRIPT,
    JsFetch "fetch()" Load + SCRIPT,
    JsImport "import" Load + SCRIPT + LOADED,
    JsImportMap "import map" Load + SCRIPT,
    JsImportScripts "importScripts()" Load + SCRIPT + LOADED,
    JsNewUrl "new URL()" Load + SCRIPT,
    JsPrecache "precache list" Load + SCRIPT,
    JsPreload "preload" Load + SCRIPT,
    JsResolve "import.meta.resolve()" Load + SCRIPT,
    JsScriptElement "script element" Load + SCRIPT,
    JsServiceWorker "serviceWorker.register()" Load + SCRIPT,
    JsSourceMap "sourceMappingURL" Debug + SCRIPT,
    JsStyle "style sheet" Load + SCRIPT,
    JsWorker "new Worker()" Load + SCRIPT,
    JsWorklet "addModule()" Load + SCRIPT,
    JsonLd "address in JSON-LD" Cite,
    Lazy "data-src" Load,
    LazyBackground "<div data-bg>" Deferred,
    LazySpare "data-src" Deferred,
    Link "<link href>" Load + LOADED,
    LinkCanonical "<link rel=canonical href>" Relate,
    LinkConnect "<link href>" Connect,
    LinkIcon "<link rel=icon href>" Load + LOADED,
    LinkImagesrcset "<link imagesrcset>" Load,
    LinkPreload "<link rel=preload href>" Load + LOADED,
    LinkRelated "<link href>" Relate,
    LinkStylesheet "<link rel=stylesheet href>" Load + LOADED,
    LlmsLink "link in llms.txt" Cite,
    Longdesc "<img longdesc>" Cite,
    ManifestApp "related_applications in a web app manifest" Cite,
    ManifestHandler "handler in a web app manifest" Cite,
    ManifestImage "icons in a web app manifest" Load,
    ManifestUrl "start_url in a web app manifest" Relate,
    Markdown "data-markdown" Load,
    MetaConfig "<meta name=msapplication-config content>" Load,
    MetaImage "<meta content>" Load + PROPERTY,
    MetaOgAudio "og:audio" Load + PROPERTY,
    MetaOgImage "og:image" Load + PROPERTY,
    MetaOgVideo "og:video" Load + PROPERTY,
    MetaTile "msapplication tile" Load + PROPERTY,
    MetaTwitterImage "twitter:image" Load + PROPERTY,
    MetaTwitterPlayer "twitter:player" Load + PROPERTY,
    MetaUrl "<meta content>" Relate + PROPERTY,
    ModelViewer "file of <model-viewer>" Load,
    Object "<object data>" Load + LOADED,
    PlaylistFile "file of a playlist" Load,
    Poster "<video poster>" Load + LOADED,
    Refresh "<meta http-equiv=refresh content>" Navigate,
    RobotsSitemap "Sitemap in robots.txt" Relate,
    Script "<script src>" Load + LOADED,
    SearchFolder "folder of the search index" Load,
    SearchIndex "search index" Load,
    SearchScript "search script" Load,
    SecurityField "field in security.txt" Relate,
    SitemapLink "link in a sitemap" Relate,
    SitemapLoc "loc in a sitemap" Relate,
    SitemapMedia "image or video in a sitemap" Relate,
    Source "<source src>" Load,
    SourceSrcset "<source srcset>" Load,
    SvgImage "<image href>" Load + LOADED,
    SvgUse "<use href>" Load + LOADED,
    Toggle "<a href>" Cite,
    Track "<track src>" Load,
    TurboFrame "<turbo-frame src>" Load,
    Video "<video src>" Load + LOADED,
    XmlStylesheet "<?xml-stylesheet href>" Load + LOADED,
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

    const fn is_in(self, group: u8) -> bool {
        Self::GROUPS[self as usize] & group != 0
    }

    /// Returns whether it is in a style sheet, a `style` element or a `style` attribute.
    pub const fn is_css(self) -> bool {
        self.is_in(CSS)
    }

    /// Returns whether it is in a script, or in one of its strings.
    pub const fn is_script(self) -> bool {
        self.is_in(SCRIPT)
    }

    /// Returns whether it states a property of the page, which browsers do not load.
    pub const fn is_property(self) -> bool {
        self.is_in(PROPERTY)
    }

    /// Returns whether the page may be whole without it: a script may load it later, or something else shows it.
    pub const fn may_be_unneeded(self) -> bool {
        matches!(self.role(), Role::Deferred) || matches!(self, Self::LinkPreload)
    }

    /// Returns whether a form is sent to it.
    pub const fn is_form(self) -> bool {
        self.is_in(FORM)
    }

    /// Returns whether browsers navigate to the fragment, so that it must exist.
    pub fn follows_fragment(self) -> bool {
        self.role() == Role::Navigate
            || matches!(self, Self::Iframe | Self::Frame | Self::SvgUse | Self::LlmsLink)
    }

    /// Returns whether a form or a script posts data to it.
    pub const fn is_posted(self) -> bool {
        self.is_in(POSTED)
    }

    /// Returns whether a program may answer, so that no file is needed unless it is the URL of a page.
    pub const fn may_be_program(self) -> bool {
        self.is_posted() || matches!(self, Self::HxGet)
    }

    /// Returns whether a browser loads the file together with the page. It does not load alternatives, requests of
    /// running scripts, files that style sheets load on use, frames (which are separate pages), and images for other
    /// sites.
    pub const fn is_loaded(self) -> bool {
        self.is_in(LOADED)
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
