//! Who is meant by a name in a bundle of webpack.

use std::ops::Range;

use oxc_ast::ast::Expression;
use oxc_span::GetSpan;

/// Who an identifier is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who<'a> {
    /// The third parameter of a module.
    Module,
    /// The only parameter of what a chunk runs at last.
    Last,
    /// A variable or a function: the runtime itself, perhaps.
    Local(Local<'a>),
}

/// A name, and where the function or the block begins that declares it: bundles hold libraries that are bundles themselves, and all are
/// given the same short names.
pub(super) type Local<'a> = (&'a str, u32);

/// The name of an identifier.
pub(super) fn identifier<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    match expression {
        Expression::Identifier(name) => Some(name.name.as_str()),
        _ => None,
    }
}

/// The place of an expression, as loads have it.
pub(super) fn place(expression: &Expression<'_>) -> Range<u32> {
    let span = expression.span();
    span.start..span.end
}
