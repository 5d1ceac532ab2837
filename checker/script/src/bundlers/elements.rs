//! Files that scripts give to elements by their address: `image.src = "/photo.png"`, `jsx("img", { src: "/photo.png" })`,
//! `h("link", { href: "night.css" })`, and the templates of Angular: `consts: [["src", "photo.png"]]`. Seen with React 19, Preact
//! 10, Vue 3.5 and Angular 20 and 21, and as people write it by hand.
//!
//! Only whole addresses that end as files do are read, since a server answers others.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, CallExpression, Expression, ObjectExpression, ObjectPropertyKind};
use oxc_span::Span;

use super::hashed::ends_as_file;
use crate::facts::Script;
use crate::load::{Against, Grade, LoadKind, ScriptLoad};
use crate::syntax::text;

/// The elements that load a file by an attribute.
const ELEMENTS: [&str; 11] =
    ["audio", "embed", "image", "img", "input", "link", "object", "source", "track", "use", "video"];

pub(super) fn read_node(node: AstKind<'_>, script: &mut Script) {
    match node {
        AstKind::AssignmentExpression(set) if set.operator.is_assign() => {
            if let AssignmentTarget::StaticMemberExpression(member) = &set.left
                // What a class gives itself is a default, and often a placeholder.
                && !matches!(member.object, Expression::ThisExpression(_))
                && is_address(&member.property.name)
            {
                file(&set.right, script);
            }
        }
        AstKind::CallExpression(call) => element(call, script),
        AstKind::ObjectProperty(property) if property.key.is_specific_static_name("consts") => {
            constants(&property.value, script);
        }
        _ => {}
    }
}

/// Whether an attribute or a property holds the address of a file.
fn is_address(name: &str) -> bool {
    matches!(name, "src" | "ngSrc" | "href" | "poster" | "data" | "xlinkHref")
}

/// A call whose first text is the name of an element, and that is given its attributes.
fn element(call: &CallExpression<'_>, script: &mut Script) {
    let mut arguments = call.arguments.iter().filter_map(|argument| argument.as_expression());
    let Some((_, name)) = arguments.next().and_then(text) else { return };
    if ELEMENTS.binary_search(&name).is_ok()
        && let Some(Expression::ObjectExpression(attributes)) = arguments.next()
    {
        attributes_of(attributes, script);
    }
}

fn attributes_of(attributes: &ObjectExpression<'_>, script: &mut Script) {
    for attribute in &attributes.properties {
        if let ObjectPropertyKind::ObjectProperty(attribute) = attribute
            && attribute.key.static_name().is_some_and(|name| is_address(&name))
        {
            file(&attribute.value, script);
        }
    }
}

/// The constants of an Angular template: names and values by turns.
fn constants(constants: &Expression<'_>, script: &mut Script) {
    let Expression::ArrayExpression(lists) = constants else { return };
    for list in &lists.elements {
        let Some(Expression::ArrayExpression(list)) = list.as_expression() else { continue };
        for pair in list.elements.windows(2) {
            let name = pair[0].as_expression().and_then(text);
            if let (Some((_, name)), Some(value)) = (name, pair[1].as_expression())
                && is_address(name)
            {
                file(value, script);
            }
        }
    }
}

fn file(value: &Expression<'_>, script: &mut Script) {
    let Some((Span { start, end, .. }, address)) = text(value) else { return };
    if ends_as_file(address) {
        script.loads.push(ScriptLoad {
            kind: LoadKind::Asset,
            address: address.into(),
            against: Against::Document,
            grade: Grade::Needed,
            goal: None,
            span: start..end,
        });
    }
}
