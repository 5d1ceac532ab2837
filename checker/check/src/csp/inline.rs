//! Names the kinds of inline code.

use super::directive::Directive;

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
