//! Finds the loads in the `system` format of Rollup and Vite's legacy builds, which SystemJS runs. Verified with
//! Rollup 4 and SystemJS 6.
//!
//! A module is `System.register(["./dependency.js"], function (exports, module) { … })`. In it,
//! `module.import("./page.js")` is a dynamic import and `module.meta.url` the module's own URL. A page begins with
//! `System.import("./main.js")`.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression};
use oxc_span::{GetSpan, Span};

use crate::address::AddressReader;
use crate::facts::Script;
use crate::load::{Goal, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::{range, text};

#[derive(Default)]
pub(super) struct SystemJs {
    is_registered: bool,
}

impl SystemJs {
    pub fn read_node<'a>(
        &mut self,
        node: AstKind<'a>,
        addresses: &AddressReader<'_, 'a>,
        script: &mut Script,
    ) {
        let AstKind::CallExpression(call) = node else { return };
        let Expression::StaticMemberExpression(member) = &call.callee else { return };
        let is_system = addresses.text(member.object.span()) == "System";
        match member.property.name.as_str() {
            "register" if is_system => {
                self.is_registered = true;
                add_dependencies(call, script);
            }
            "import" if is_system || self.is_registered => {
                let address = call.arguments.first().and_then(|first| text(first.as_expression()?));
                if let Some((span, address)) = address.filter(|(_, address)| is_url_like(address)) {
                    let relative_to = if is_system { RelativeTo::Document } else { RelativeTo::Script };
                    script.loads.push(load(LoadKind::DynamicImport, address, relative_to, span));
                }
            }
            _ => {}
        }
    }
}

/// Adds the dependencies of a module; its name may come before the list.
fn add_dependencies(call: &CallExpression<'_>, script: &mut Script) {
    let list = call.arguments.iter().take(2).find_map(|argument| match argument {
        Argument::ArrayExpression(list) => Some(list),
        _ => None,
    });
    for entry in list.iter().flat_map(|list| &list.elements) {
        let entry = entry.as_expression().and_then(text);
        if let Some((span, address)) = entry.filter(|(_, address)| is_url_like(address)) {
            script.loads.push(load(LoadKind::Import, address, RelativeTo::Script, span));
        }
    }
}

fn load(kind: LoadKind, address: &str, relative_to: RelativeTo, span: Span) -> ScriptLoad {
    ScriptLoad { relative_to, goal: Some(Goal::Script), ..ScriptLoad::new(kind, address, range(span)) }
}

fn is_url_like(address: &str) -> bool {
    address.starts_with("./") || address.starts_with("../") || address.starts_with('/')
}
