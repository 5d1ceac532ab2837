//! Provides parts of a syntax tree that several readers need.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, ObjectPropertyKind};
use oxc_span::Span;

/// Returns a property of an object literal.
pub(super) fn property<'e, 'a>(object: &'e Expression<'a>, name: &str) -> Option<&'e Expression<'a>> {
    let Expression::ObjectExpression(object) = object.get_inner_expression() else { return None };
    object.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) if property.key.is_specific_static_name(name) => {
            Some(&property.value)
        }
        _ => None,
    })
}

/// Converts a span to a range.
pub(super) fn range(span: Span) -> Range<u32> {
    span.start..span.end
}

/// Returns the value of a text without placeholders, and its location between the quotes.
pub(super) fn text<'a>(expression: &Expression<'a>) -> Option<(Span, &'a str)> {
    match expression {
        Expression::StringLiteral(text) => Some((inside(text.span), text.value.as_str())),
        Expression::TemplateLiteral(text) => Some((inside(text.span), text.single_quasi()?.as_str())),
        _ => None,
    }
}

/// Returns the [`text`] of a node.
pub(super) fn text_of_node(node: AstKind<'_>) -> Option<(Span, &str)> {
    match node {
        AstKind::StringLiteral(text) => Some((inside(text.span), text.value.as_str())),
        AstKind::TemplateLiteral(text) => Some((inside(text.span), text.single_quasi()?.as_str())),
        _ => None,
    }
}

/// Returns the location between the quotes of a text.
fn inside(span: Span) -> Span {
    Span::new(span.start + 1, span.end - 1)
}
