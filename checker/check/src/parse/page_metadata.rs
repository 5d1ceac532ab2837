//! Describes a page and those of its elements that rules check beyond references.

use std::ops::Range;

use super::reference::Value;
use crate::csp::IgnoredPart;
use sitegate_address::robots::IgnoredReason;
use sitegate_base::language_tag::TagError;

/// Number of bytes in which the HTML standard requires the declaration of the encoding.
pub const CHARSET_LIMIT: u32 = 1024;

/// Whether directives for crawlers, in lower case, keep a page out of their index.
pub(crate) fn forbids_indexing(directives: &str) -> bool {
    directives.split([',', ' ']).any(|word| matches!(word.trim(), "noindex" | "none"))
}

/// Metadata of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageMetadata {
    /// Start tag of `html`, if it is written.
    pub html: Option<Range<u32>>,
    /// Whether `html` has a language.
    pub has_lang: bool,
    /// The first `title`, with the location of its content.
    pub title: Option<(Value, Range<u32>)>,
    /// Whether there is a description that is not empty.
    pub has_description: bool,
    /// End of the first tag that declares the encoding.
    pub charset_end: Option<u32>,
    /// Whether that tag comes after the first 1024 bytes, and not all of the text before it is ASCII.
    pub charset_is_late: bool,
    /// Whether the file contains only white space.
    pub is_blank: bool,
    /// Whether it begins with a doctype.
    pub has_doctype: bool,
    /// Whether the file begins with a byte order mark.
    pub has_bom: bool,
    /// The first element that has `noindex`.
    pub noindex: Option<Range<u32>>,
    /// Whether a `meta` element may have a content security policy.
    pub has_policy: bool,
    /// Whether it redirects by a refresh.
    pub refreshes: bool,
    /// Whether the refresh happens before a reader could read the page.
    pub refreshes_at_once: bool,
    /// The refresh that loads the page itself again before a reader could read it.
    pub reloads: Option<Range<u32>>,
    /// Whether a script next to the refresh keeps the fragment.
    pub keeps_fragment: bool,
    /// References of `<link rel="canonical">`, by index.
    pub canonicals: Vec<usize>,
    /// The reference of `og:url`, by index.
    pub social_url: Option<usize>,
    /// The reference of the first image for social networks, by index.
    pub social_image: Option<usize>,
    /// References of `<link rel="alternate" hreflang>`, by index, with their languages in lower case.
    pub alternates: Vec<(usize, Box<str>)>,
    /// Elements that rules may report.
    pub notes: Vec<ElementNote>,
}

/// An element that a rule may report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementNote {
    /// The kind of note.
    pub kind: NoteKind,
    /// The bytes of the element.
    pub span: Range<u32>,
}

/// The kinds of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// An image without a text alternative: `img`, `input` or `area`.
    NoAlt(&'static str),
    /// A reference, by index, that opens a window with access to its opener.
    OpensWindow(usize),
    /// A `srcset` with this problem.
    Srcset(String),
    /// A social property, such as `og:image`, without a URL.
    EmptyProperty(String),
    /// A social property, such as `og:image`, whose URL is relative.
    RelativeProperty(String),
    /// A social property, such as `og:image`, whose image is SVG.
    SvgProperty(String),
    /// A translation, `<link rel="alternate" hreflang>`, whose URL is relative.
    RelativeTranslation,
    /// A canonical link or a translation after the head, where search engines ignore it.
    AfterHead(&'static str),
    /// A URL in the content of a feed that is relative, and has no base.
    RelativeContent,
    /// A `<link hreflang>` with this `rel`, which is a misspelled `alternate`.
    MisspelledAlternate(String),
    /// The time at which the file expires, in seconds since 1970.
    Expires(i64),
    /// The URLs of the fields `Canonical` of a `security.txt`.
    SecurityCanonicals(Vec<String>),
    /// A URL of a web app that must be in its scope.
    AppScope {
        /// The member of the manifest that has the URL.
        member: &'static str,
        /// The URL.
        url: String,
        /// The `start_url`.
        start: String,
        /// The `scope`; by default, the folder of the start page.
        scope: Option<String>,
    },
    /// A reference, by index, to an image of a manifest with these sizes.
    StatedSizes(usize, String),
    /// A `lang` of the page that is no language tag, and what is wrong with it.
    WrongLanguage(Box<str>, TagError),
    /// Keeps search engines out of the whole site. Has a crawler whose rules were not meant for all, if they are.
    HidesSite(Option<String>),
    /// A word of `<meta name="robots">` that crawlers do not know, and the one that was meant.
    MisspelledRobots(String, &'static str),
    /// A line of robots.txt that crawlers ignore.
    IgnoredRobots(IgnoredReason),
    /// The first path that robots.txt disallows.
    DisallowedPath,
    /// A sitemap without items.
    EmptySitemap,
    /// The parts of a policy that browsers ignore in a `meta` element.
    IgnoredPolicy(String),
    /// A value that browsers or other readers ignore.
    IgnoredValue(IgnoredValue, String),
    /// An `@import` of this URL after other rules of its sheet.
    LateImport(String),
    /// A `<base href>` after an element that loads this relative URL.
    LateBase(String),
    /// A part of a policy that browsers do not read as it was meant.
    PolicyPart(IgnoredPart),
    /// A value that a template or a script did not write, by its place: a title, a description, a heading, a text or
    /// an attribute.
    Leftover(&'static str, String),
    /// A preload by the index of its reference, and why it has no effect.
    Preload(usize, Option<String>),
    /// A preload of a style sheet or a script, by the index of its reference, and how it is requested.
    PreloadMode(usize, RequestMode),
    /// A style sheet or a script, by the index of its reference, and how it is requested.
    RequestMode(usize, RequestMode),
    /// A reference, by index, of a plug-in that is the fallback of a medium, or of an object by the index of its reference.
    Fallback(usize, Option<usize>),
    /// A reference, by index, with an `integrity` value.
    Integrity(usize, String),
    /// A reference, by index, with an `integrity` value, and without the `crossorigin` that another origin needs.
    IntegrityWithoutCors(usize),
}

/// How browsers request a file (HTML, 2.5.1, "CORS settings attributes").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestMode {
    /// Without `crossorigin`.
    Plain,
    /// With `crossorigin`.
    Cors,
    /// With `crossorigin="use-credentials"`.
    Credentials,
    /// As a module.
    Module,
}

/// The kinds of values that browsers or other readers ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredValue {
    /// A `format()` in `@font-face`.
    FontFormat,
    /// A media query, which then matches nothing.
    MediaQuery,
    /// A relative URL of a preconnect, which has no host.
    Host,
    /// The name of an encoding.
    Encoding,
    /// The attribute `href-lang`.
    HrefLang,
    /// A misspelled `rel=canonical`.
    LinkType,
    /// A property whose URL is surrounded by white space.
    SpacedUrl,
    /// A kind of card.
    SocialCard,
    /// A title after the first.
    SecondTitle,
    /// A word of `sandbox`.
    SandboxWord,
    /// An icon for the home screens of phones, in SVG.
    TouchIcon,
    /// Captions in another format than `WebVTT`, by the extension of their file.
    Captions,
    /// The attribute `shadowroot`, without the one that replaced it.
    ShadowRoot,
    /// A mode of a shadow root.
    ShadowRootMode,
    /// The value of `<meta name="referrer">`.
    ReferrerPolicy,
}
