//! Represents what a Content-Security-Policy governs in a page.

use std::borrow::Cow;

use sitegate_html::url_attribute::RequestKind;

use crate::csp::Inline;

/// Something that a policy governs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Governed<'t> {
    /// A policy in the head. It governs what follows.
    Policy(Cow<'t, str>),
    /// The URL of a base element.
    Base(Cow<'t, str>),
    /// Inline code, and the nonce of its element.
    Inline(Inline, Cow<'t, str>, Option<Cow<'t, str>>),
    /// A request.
    Request(GovernedRequest<'t>),
    /// The beginning of a `srcdoc`, which inherits the policies.
    NestedStart,
    /// The end of a `srcdoc`.
    NestedEnd,
}

/// A request of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GovernedRequest<'t> {
    /// Its kind.
    pub kind: RequestKind,
    /// Its URL as written.
    pub url: Cow<'t, str>,
    /// The nonce of the element.
    pub nonce: Option<Cow<'t, str>>,
    /// The `integrity` of the element.
    pub integrity: Option<Cow<'t, str>>,
}
