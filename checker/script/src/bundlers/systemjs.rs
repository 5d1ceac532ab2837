//! The `system` format of Rollup and Vite's legacy builds, which SystemJS runs. Seen with Rollup 4 and SystemJS 6.
//!
//! A module is `System.register(["./dependency.js"], function (exports, module) { … })`; in it, `module.import("./page.js")`
//! is a dynamic import and `module.meta.url` the module's own URL. A page begins with `System.import("./main.js")`.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression};
use oxc_span::{GetSpan, Span};

use crate::address::AddressReader;
use crate::facts::Script;
use crate::load::{Against, Goal, Grade, LoadKind, ScriptLoad};
use crate::syntax::text;

#[derive(Default)]
pub(super) struct SystemJs {
    is_registered: bool,
}

impl SystemJs {
    pub fn node<'a>(&mut self, node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
        let AstKind::CallExpression(call) = node else { return };
        let Expression::StaticMemberExpression(member) = &call.callee else { return };
        let is_system = addresses.text(member.object.span()) == "System";
        match member.property.name.as_str() {
            "register" if is_system => {
                self.is_registered = true;
                dependencies(call, script);
            }
            "import" if is_system || self.is_registered => {
                let address = call.arguments.first().and_then(|first| text(first.as_expression()?));
                if let Some((span, address)) = address.filter(|(_, address)| is_url_like(address)) {
                    let against = if is_system { Against::Document } else { Against::Script };
                    script.loads.push(load(LoadKind::DynamicImport, address, against, span));
                }
            }
            _ => {}
        }
    }
}

/// The list of what a module depends on; a name may stand before it.
fn dependencies(call: &CallExpression<'_>, script: &mut Script) {
    let list = call.arguments.iter().take(2).find_map(|argument| match argument {
        Argument::ArrayExpression(list) => Some(list),
        _ => None,
    });
    for entry in list.iter().flat_map(|list| &list.elements) {
        let entry = entry.as_expression().and_then(text);
        if let Some((span, address)) = entry.filter(|(_, address)| is_url_like(address)) {
            script.loads.push(load(LoadKind::Import, address, Against::Script, span));
        }
    }
}

fn load(kind: LoadKind, address: &str, against: Against, span: Span) -> ScriptLoad {
    let goal = Some(Goal::Script);
    ScriptLoad {
        kind,
        address: address.into(),
        against,
        grade: Grade::Needed,
        goal,
        span: span.start..span.end,
    }
}

fn is_url_like(address: &str) -> bool {
    address.starts_with("./") || address.starts_with("../") || address.starts_with('/')
}
