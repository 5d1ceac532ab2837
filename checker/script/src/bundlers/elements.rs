//! Finds files that scripts set as URLs of elements: `image.src = "/photo.png"`, `jsx("img", { src: "/photo.png" })`,
//! `h("link", { href: "night.css" })`, and templates of Angular: `consts: [["src", "photo.png"]]`. Also finds images in
//! CSS: `hero.style.backgroundImage = "url(/sea.jpg)"`, `sheet.insertRule("p { background: url(/sea.jpg) }")`; and sounds
//! and fonts: `new Audio("/ding.mp3")`, `new FontFace("Sea", "url(/sea.woff2)")`. Verified with React 19, Preact 10, Vue 3.5, Angular 20 and 21, and with handwritten scripts.
//!
//! Also finds those of elements that a script creates and uses in the same function:
//! `const s = document.createElement("script"); s.src = "/late.js"; document.head.append(s)`, also by
//! `s.setAttribute("src", "/late.js")`, and the images of `style.textContent = "body { background: url(/sea.jpg) }"`.
//!
//! Only whole URLs with the extension of a file count, because a server may answer others.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, BindingPattern, CallExpression, Expression, NewExpression,
    ObjectExpression, ObjectPropertyKind,
};
use oxc_span::{GetSpan, Span};

use super::hashed::{is_file_url, is_script_url, span_of_part, urls_of_style};
use crate::facts::Script;
use crate::load::{Goal, Grade, LoadKind, ScriptLoad};
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
        let span = span_of_part(span, text, at, url);
        script.loads.push(ScriptLoad::new(LoadKind::Asset, url, range(span)));
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
        script.loads.push(ScriptLoad::new(LoadKind::Asset, address, range(span)));
    }
}

/// The created elements of variables that are in scope.
#[derive(Default)]
pub(super) struct CreatedElements<'a> {
    /// Functions around the current node.
    functions: Vec<Span>,
    variables: Vec<Variable<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CreatedElement {
    Script,
    Style,
}

/// A variable with a created element.
struct Variable<'a> {
    name: &'a str,
    element: CreatedElement,
    /// Number of functions around it.
    depth: usize,
    goal: Goal,
    handles_errors: bool,
    /// Index of the load that sets its URL.
    load: Option<usize>,
}

impl<'a> CreatedElements<'a> {
    pub fn read_node(&mut self, node: AstKind<'a>, script: &mut Script) {
        match node {
            AstKind::Function(function) => self.enter_function(function.span),
            AstKind::ArrowFunctionExpression(arrow) => self.enter_function(arrow.span),
            AstKind::VariableDeclarator(declared) => {
                if let (BindingPattern::BindingIdentifier(name), Some(value)) = (&declared.id, &declared.init)
                {
                    self.assign(name.name.as_str(), value, declared.span);
                }
            }
            AstKind::AssignmentExpression(set) if set.operator.is_assign() => self.assignment(set, script),
            AstKind::CallExpression(call) if !self.variables.is_empty() => self.call(call, script),
            _ => {}
        }
    }

    fn enter_function(&mut self, span: Span) {
        self.leave_functions(span);
        self.functions.push(span);
    }

    /// Leaves the functions that end before a location, and their variables.
    fn leave_functions(&mut self, at: Span) {
        while self.functions.pop_if(|function| function.end <= at.start).is_some() {}
        let depth = self.functions.len();
        while self.variables.pop_if(|variable| variable.depth > depth).is_some() {}
    }

    /// Records the value of a variable.
    fn assign(&mut self, name: &'a str, value: &Expression<'a>, at: Span) {
        let element = created_element(value);
        if element.is_none() && self.variables.is_empty() {
            return;
        }
        self.leave_functions(at);
        let depth = self.functions.len();
        self.variables.retain(|variable| variable.name != name || variable.depth != depth);
        if let Some(element) = element {
            let (goal, handles_errors, load) = (Goal::Script, false, None);
            self.variables.push(Variable { name, element, depth, goal, handles_errors, load });
        }
    }

    fn assignment(&mut self, set: &'a AssignmentExpression<'a>, script: &mut Script) {
        match &set.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                self.assign(name.name.as_str(), &set.right, set.span);
            }
            AssignmentTarget::StaticMemberExpression(member) if !self.variables.is_empty() => {
                let Some(variable) = self.variable(&member.object) else { return };
                match (variable.element, member.property.name.as_str()) {
                    (CreatedElement::Style, "innerHTML" | "textContent") => {
                        return add_urls_of_style(&set.right, script, |_| true);
                    }
                    (CreatedElement::Script, "src") => variable.set_url(text(&set.right), script),
                    (CreatedElement::Script, "type") => {
                        variable.set_type(text(&set.right).map(|(_, value)| value));
                    }
                    (CreatedElement::Script, "onerror") => variable.handles_errors = true,
                    _ => return,
                }
                variable.update_load(script);
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &'a CallExpression<'a>, script: &mut Script) {
        let Expression::StaticMemberExpression(member) = &call.callee else { return };
        let literal =
            |index: usize| call.arguments.get(index).and_then(|argument| text(argument.as_expression()?));
        let Some(variable) = self.variable(&member.object) else { return };
        let first = literal(0).map(|(_, value)| value);
        match (member.property.name.as_str(), first) {
            ("setAttribute", Some("src")) if variable.element == CreatedElement::Script => {
                variable.set_url(literal(1), script);
            }
            ("setAttribute", Some("type")) => variable.set_type(literal(1).map(|(_, value)| value)),
            ("addEventListener", Some("error")) => variable.handles_errors = true,
            _ => return,
        }
        variable.update_load(script);
    }

    /// Returns the variable of the current function that an expression names.
    fn variable(&mut self, object: &Expression<'a>) -> Option<&mut Variable<'a>> {
        let Expression::Identifier(name) = object else { return None };
        self.leave_functions(object.span());
        let depth = self.functions.len();
        self.variables.iter_mut().find(|variable| variable.depth == depth && variable.name == name.name)
    }
}

impl Variable<'_> {
    fn set_url(&mut self, url: Option<(Span, &str)>, script: &mut Script) {
        let Some((span, address)) = url.filter(|(_, url)| is_script_url(url)) else { return };
        self.load = Some(script.loads.len());
        script.loads.push(ScriptLoad::new(LoadKind::ScriptElement, address, range(span)));
    }

    fn set_type(&mut self, name: Option<&str>) {
        self.goal = if name == Some("module") { Goal::Module } else { Goal::Script };
    }

    /// Updates the load by the properties of the element, which may be set later.
    fn update_load(&self, script: &mut Script) {
        let Some(load) = self.load.and_then(|load| script.loads.get_mut(load)) else { return };
        load.goal = Some(self.goal);
        if self.handles_errors {
            load.grade = load.grade.min(Grade::Optional);
        }
    }
}

/// Returns the element that `document.createElement("script")` creates.
fn created_element(expression: &Expression<'_>) -> Option<CreatedElement> {
    let Expression::CallExpression(call) = expression else { return None };
    let Expression::StaticMemberExpression(member) = &call.callee else { return None };
    if member.property.name != "createElement" {
        return None;
    }
    let (_, name) = call.arguments.first().and_then(|first| text(first.as_expression()?))?;
    if name.eq_ignore_ascii_case("script") {
        Some(CreatedElement::Script)
    } else if name.eq_ignore_ascii_case("style") {
        Some(CreatedElement::Style)
    } else {
        None
    }
}
