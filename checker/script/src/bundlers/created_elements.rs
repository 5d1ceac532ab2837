//! Finds the files of elements that a script creates:
//! `const s = document.createElement("script"); s.src = "/late.js"; document.head.append(s)`, also by
//! `s.setAttribute("src", "/late.js")`, and the images of
//! `style.textContent = "body { background: url(/sea.jpg) }"`. Verified with handwritten scripts.
//!
//! The element must be created and used in the same function. Only whole URLs with the extension of a file count,
//! because a server may answer others.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentExpression, AssignmentTarget, BindingPattern, CallExpression, Expression};
use oxc_span::{GetSpan, Span};

use super::elements::add_urls_of_style;
use super::hashed::is_script_url;
use crate::facts::Script;
use crate::load::{Goal, Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::{range, text};

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
        script.loads.push(ScriptLoad {
            kind: LoadKind::ScriptElement,
            address: address.into(),
            relative_to: RelativeTo::Document,
            grade: Grade::Required,
            goal: None,
            span: range(span),
        });
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
