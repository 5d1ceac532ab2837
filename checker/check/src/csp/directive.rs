//! Names the directives with their fallbacks, and the kinds of inline code that they govern.

/// A directive that violations name (the effective directive).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Directive {
    /// `base-uri`.
    BaseUri,
    /// `connect-src`.
    Connect,
    /// `font-src`.
    Font,
    /// `form-action`.
    FormAction,
    /// `frame-src`.
    Frame,
    /// `img-src`.
    Image,
    /// `manifest-src`.
    Manifest,
    /// `media-src`.
    Media,
    /// `object-src`.
    Object,
    /// `default-src`, for prefetches.
    Prefetch,
    /// `sandbox`.
    Sandbox,
    /// `script-src-attr`.
    ScriptAttr,
    /// `script-src-elem`.
    ScriptElem,
    /// `style-src-attr`.
    StyleAttr,
    /// `style-src-elem`.
    StyleElem,
    /// `worker-src`.
    Worker,
}

impl Directive {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        self.chain()[0]
    }

    /// Returns its name and those of its fallbacks, in order (CSP 3, 6.8.3).
    pub(super) fn chain(self) -> &'static [&'static str] {
        match self {
            Directive::BaseUri => &["base-uri"],
            Directive::Connect => &["connect-src", "default-src"],
            Directive::Font => &["font-src", "default-src"],
            Directive::FormAction => &["form-action"],
            Directive::Frame => &["frame-src", "child-src", "default-src"],
            Directive::Image => &["img-src", "default-src"],
            Directive::Manifest => &["manifest-src", "default-src"],
            Directive::Media => &["media-src", "default-src"],
            Directive::Object => &["object-src", "default-src"],
            Directive::Prefetch => &["default-src"],
            Directive::Sandbox => &["sandbox"],
            Directive::ScriptAttr => &["script-src-attr", "script-src", "default-src"],
            Directive::ScriptElem => &["script-src-elem", "script-src", "default-src"],
            Directive::StyleAttr => &["style-src-attr", "style-src", "default-src"],
            Directive::StyleElem => &["style-src-elem", "style-src", "default-src"],
            Directive::Worker => &["worker-src", "child-src", "script-src", "default-src"],
        }
    }
}

/// A kind of inline code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inline {
    /// A script element, or an import map.
    Script,
    /// Speculation rules.
    SpeculationRules,
    /// An event handler, such as `onclick`.
    Handler,
    /// A `javascript:` URL.
    Navigation,
    /// A style element.
    Style,
    /// A `style` attribute.
    StyleAttribute,
}

impl Inline {
    /// Returns the directive that violations name.
    pub fn directive(self) -> Directive {
        match self {
            Inline::Script | Inline::SpeculationRules | Inline::Navigation => Directive::ScriptElem,
            Inline::Handler => Directive::ScriptAttr,
            Inline::Style => Directive::StyleElem,
            Inline::StyleAttribute => Directive::StyleAttr,
        }
    }

    /// Whether it is CSS.
    pub fn is_style(self) -> bool {
        matches!(self, Inline::Style | Inline::StyleAttribute)
    }

    /// Whether it is the content of an element, so that a nonce can allow it.
    pub(crate) fn is_element(self) -> bool {
        matches!(self, Inline::Script | Inline::SpeculationRules | Inline::Style)
    }
}
