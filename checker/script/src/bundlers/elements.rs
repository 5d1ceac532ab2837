//! Finds files that scripts set as URLs of elements: `image.src = "/photo.png"`, `jsx("img", { src: "/photo.png" })`,
//! `h("link", { href: "night.css" })`, and templates of Angular: `consts: [["src", "photo.png"]]`. Also finds images in
//! CSS: `hero.style.backgroundImage = "url(/sea.jpg)"`, `sheet.insertRule("p { background: url(/sea.jpg) }")`; and sounds
//! and fonts: `new Audio("/ding.mp3")`, `new FontFace("Sea", "url(/sea.woff2)")`. Verified with React 19, Preact 10, Vue 3.5, Angular 20 and 21, and with handwritten scripts.
//!
//! Only whole URLs with the extension of a file count, because a server may answer others.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, CallExpression, Expression, NewExpression, ObjectExpression, ObjectPropertyKind,
};
use oxc_span::Span;

use super::hashed::{is_file_url, span_of_part, urls_of_style};
use crate::facts::Script;
use crate::load::{Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::{range, text};

/// Elements that load a file by an attribute.
const ELEMENTS: [&str; 11] =
    ["audio", "embed", "image", "img", "input", "link", "object", "source", "track", "use", "video"];

pub(super) fn read_node(node: AstKind<'_>, script: &mut Script) {
    match node {
        AstKind::AssignmentExpression(set) if set.operator.is_assign() => {
            if let AssignmentTarget::StaticMemberExpression(member) = &set.left
                // A class sets its own properties to defaults, often placeholders.
                && !matches!(member.object, Expression::ThisExpression(_))
            {
                if is_url_attribute(&member.property.name) {
                    add_file(&set.right, script);
                } else if is_property_with_image(&member.property.name) && is_style(&member.object) {
                    add_urls_of_style(&set.right, script, |_| true);
                }
            }
        }
        AstKind::CallExpression(call) => read_element(call, script),
        AstKind::NewExpression(new) => read_new_object(new, script),
        AstKind::ObjectProperty(property) if property.key.is_specific_static_name("consts") => {
            read_constants(&property.value, script);
        }
        _ => {}
    }
}

/// Whether an attribute or a property contains the URL of a file.
fn is_url_attribute(name: &str) -> bool {
    matches!(name, "src" | "ngSrc" | "href" | "poster" | "data" | "xlinkHref")
}

/// Whether a property of a style may contain an image.
fn is_property_with_image(name: &str) -> bool {
    matches!(name, "background" | "backgroundImage")
}

/// Whether an expression is the style of an element.
fn is_style(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::StaticMemberExpression(member) if member.property.name == "style")
}

/// Adds the files in `url()` of a text that is CSS and relative to the document.
pub(super) fn add_urls_of_style(css: &Expression<'_>, script: &mut Script, is_known: impl Fn(&str) -> bool) {
    let Some((span, text)) = text(css) else { return };
    for (at, url) in urls_of_style(text).filter(|(_, url)| is_file_url(url) && is_known(url)) {
        script.loads.push(file(url, span_of_part(span, text, at, url)));
    }
}

/// Reads `new Audio("/ding.mp3")`, and `new FontFace("Name", "url(/name.woff2)")`.
fn read_new_object(new: &NewExpression<'_>, script: &mut Script) {
    let name = match &new.callee {
        Expression::Identifier(name) => name.name.as_str(),
        Expression::StaticMemberExpression(member) if member.object.is_specific_id("window") => {
            member.property.name.as_str()
        }
        _ => return,
    };
    let argument = |at: usize| new.arguments.get(at).and_then(|argument| argument.as_expression());
    match name {
        "Audio" => argument(0).into_iter().for_each(|url| add_file(url, script)),
        "FontFace" => argument(1).into_iter().for_each(|css| add_urls_of_style(css, script, |_| true)),
        _ => {}
    }
}

/// Reads a call whose first text is the name of an element, and whose next argument has its attributes.
fn read_element(call: &CallExpression<'_>, script: &mut Script) {
    if let Expression::StaticMemberExpression(member) = &call.callee
        && member.property.name == "insertRule"
        && let Some(rule) = call.arguments.first().and_then(|rule| rule.as_expression())
    {
        // Another URL is relative to the style sheet.
        return add_urls_of_style(rule, script, |url| url.starts_with('/'));
    }
    let mut arguments = call.arguments.iter().filter_map(|argument| argument.as_expression());
    let Some((_, name)) = arguments.next().and_then(text) else { return };
    if ELEMENTS.binary_search(&name).is_ok()
        && let Some(Expression::ObjectExpression(attributes)) = arguments.next()
    {
        read_attributes(attributes, script);
    }
}

fn read_attributes(attributes: &ObjectExpression<'_>, script: &mut Script) {
    for attribute in &attributes.properties {
        if let ObjectPropertyKind::ObjectProperty(attribute) = attribute
            && attribute.key.static_name().is_some_and(|name| is_url_attribute(&name))
        {
            add_file(&attribute.value, script);
        }
    }
}

/// Reads the constants of an Angular template: alternating names and values.
fn read_constants(constants: &Expression<'_>, script: &mut Script) {
    let Expression::ArrayExpression(lists) = constants else { return };
    for list in &lists.elements {
        let Some(Expression::ArrayExpression(list)) = list.as_expression() else { continue };
        for pair in list.elements.windows(2) {
            let name = pair[0].as_expression().and_then(text);
            if let (Some((_, name)), Some(value)) = (name, pair[1].as_expression())
                && is_url_attribute(name)
            {
                add_file(value, script);
            }
        }
    }
}

fn add_file(value: &Expression<'_>, script: &mut Script) {
    let Some((span, address)) = text(value) else { return };
    if is_file_url(address) {
        script.loads.push(file(address, span));
    }
}

fn file(address: &str, span: Span) -> ScriptLoad {
    let (kind, relative_to, grade) = (LoadKind::Asset, RelativeTo::Document, Grade::Required);
    ScriptLoad { kind, address: address.into(), relative_to, grade, goal: None, span: range(span) }
}
