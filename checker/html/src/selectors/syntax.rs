//! The types that Servo's parser of selectors builds, and its errors in words.

use std::fmt;

use cssparser::{BasicParseErrorKind, ParseErrorKind, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::parser::{NonTSPseudoClass, Parser, PseudoElement, SelectorImpl, SelectorParseErrorKind};

use crate::element::Name;
use crate::key::key;

/// The types of text in a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Css;

/// A text in a selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CssText(pub Box<str>);

/// The name of an element or an attribute in a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CssName {
    pub text: CssText,
    /// The element with this name.
    pub name: Name,
}

/// A pseudo-class or pseudo-element; none is supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoPseudo {}

/// Parses the selectors of a page at rest.
pub(super) struct SelectorParser;

impl<'i> Parser<'i> for SelectorParser {
    type Impl = Css;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    // A contract with an error in a part of a selector is wrong, and not to be read without that part.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }
}

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = CssText;
    type Identifier = CssText;
    type LocalName = CssName;
    type NamespaceUrl = CssText;
    type NamespacePrefix = CssText;
    type BorrowedNamespaceUrl = CssText;
    type BorrowedLocalName = CssName;
    type NonTSPseudoClass = NoPseudo;
    type PseudoElement = NoPseudo;
}

impl From<&str> for CssText {
    fn from(text: &str) -> Self {
        CssText(text.into())
    }
}

impl From<&str> for CssName {
    fn from(text: &str) -> Self {
        CssName { text: text.into(), name: Name::from_key(key(text.as_bytes())) }
    }
}

impl AsRef<str> for CssText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for CssText {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl ToCss for CssName {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        self.text.to_css(out)
    }
}

impl PrecomputedHash for CssName {
    fn precomputed_hash(&self) -> u32 {
        self.text.precomputed_hash()
    }
}

impl PrecomputedHash for CssText {
    fn precomputed_hash(&self) -> u32 {
        // Hashes are only used for filters, which are off.
        0
    }
}

impl ToCss for NoPseudo {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl PseudoElement for NoPseudo {
    type Impl = Css;
}

impl NonTSPseudoClass for NoPseudo {
    type Impl = Css;

    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

/// Explains why a selector is invalid, to follow its name and a colon.
pub(super) fn explanation(kind: &ParseErrorKind<'_, SelectorParseErrorKind<'_>>) -> String {
    match kind {
        ParseErrorKind::Custom(SelectorParseErrorKind::EmptySelector) => {
            "a selector is missing, or begins with an invalid character".to_owned()
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::DanglingCombinator) => {
            "a combinator (` `, `>`, `+`, `~`) needs a selector on both sides".to_owned()
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)) => {
            format!("`:{name}` is not supported")
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::ExpectedNamespace(_)) => {
            "namespaces are not supported".to_owned()
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::ClassNeedsIdent(_)) => {
            "after `.` the name of a class is missing, or needs escapes".to_owned()
        }
        ParseErrorKind::Custom(
            SelectorParseErrorKind::PseudoElementExpectedIdent(_)
            | SelectorParseErrorKind::PseudoElementExpectedColon(_),
        ) => "after `:` the name of a pseudo-class is missing".to_owned(),
        ParseErrorKind::Custom(SelectorParseErrorKind::NoQualifiedNameInAttributeSelector(_)) => {
            "in `[` and `]` the name of an attribute is missing".to_owned()
        }
        ParseErrorKind::Custom(
            SelectorParseErrorKind::UnexpectedTokenInAttributeSelector(token)
            | SelectorParseErrorKind::ExpectedBarInAttr(token)
            | SelectorParseErrorKind::BadValueInAttr(token)
            | SelectorParseErrorKind::InvalidQualNameInAttr(token),
        ) => format!("unexpected `{}` in `[` and `]`", token.to_css_string()),
        ParseErrorKind::Basic(BasicParseErrorKind::UnexpectedToken(token)) => {
            format!("unexpected `{}`", token.to_css_string())
        }
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => "the selector ends too early".to_owned(),
        _ => "the selector is invalid".to_owned(),
    }
}
