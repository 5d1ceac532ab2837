//! Resolves names in a webpack bundle.

use std::ops::Range;

use oxc_ast::ast::Expression;
use oxc_span::GetSpan;

/// The meaning of an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding<'a> {
    /// The third parameter of a module: the runtime.
    Module,
    /// The only parameter of the function that a chunk runs last.
    LastParameter,
    /// A variable or a function, which may be the runtime itself.
    Local(Local<'a>),
}

/// A name, and the start of the function or block that declares it. Bundles may contain libraries that are bundles
/// themselves, with the same short names.
pub(super) type Local<'a> = (&'a str, u32);

/// Returns the name of an identifier.
pub(super) fn identifier<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    match expression {
        Expression::Identifier(name) => Some(name.name.as_str()),
        _ => None,
    }
}

/// Returns the range of an expression.
pub(super) fn range_of(expression: &Expression<'_>) -> Range<u32> {
    let span = expression.span();
    span.start..span.end
}
