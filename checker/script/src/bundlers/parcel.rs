//! Finds Parcel's lists of bundle ids and names, which workers and classic scripts use instead of an import map.
//! Verified with Parcel 2.8 to 2.16.
//!
//! New versions write `Object.assign(require.i ??= {}, { xYiyq: "double.911b8d46.js" })`, older ones
//! `require("…").register(url, JSON.parse('["4Lhcg","index.js","hDKtm","page.js"]'))`. Names are relative to the
//! script.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, ObjectPropertyKind};
use oxc_span::{GetSpan, Span};

use crate::address::AddressReader;
use crate::facts::Script;
use crate::load::{Goal, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::{range, text, text_of_node};

/// Prefix of Parcel's own function.
const RUNTIME: &str = "parcelRequire";

#[derive(Default)]
pub(super) struct Parcel {
    is_parcel: bool,
    found: Vec<(Box<str>, Span)>,
}

impl Parcel {
    pub fn read_node<'a>(&mut self, node: AstKind<'a>, addresses: &AddressReader<'_, 'a>) {
        match node {
            AstKind::StaticMemberExpression(member) => {
                self.is_parcel |= member.property.name.starts_with(RUNTIME);
            }
            AstKind::IdentifierReference(name) => self.is_parcel |= name.name.starts_with(RUNTIME),
            AstKind::StringLiteral(_) | AstKind::TemplateLiteral(_) => {
                self.is_parcel |= text_of_node(node).is_some_and(|(_, text)| text.starts_with(RUNTIME));
            }
            AstKind::CallExpression(call) => match addresses.text(call.callee.span()) {
                "Object.assign" => self.read_assigned(call),
                "JSON.parse" => self.read_registered(call),
                _ => {}
            },
            _ => {}
        }
    }

    fn read_assigned(&mut self, call: &CallExpression<'_>) {
        let names = call.arguments.get(1).and_then(|names| names.as_expression());
        let Some(Expression::ObjectExpression(names)) = names else { return };
        for name in &names.properties {
            if let ObjectPropertyKind::ObjectProperty(name) = name
                && let Some((span, name)) = text(&name.value)
            {
                self.add_name(name, span);
            }
        }
    }

    fn read_registered(&mut self, call: &CallExpression<'_>) {
        let list = call.arguments.first().and_then(|list| text(list.as_expression()?));
        let Some((span, list)) = list else { return };
        // Ids and names alternate.
        let names = serde_json::from_str::<Vec<String>>(list).unwrap_or_default();
        names.chunks_exact(2).for_each(|pair| self.add_name(&pair[1], span));
    }

    fn add_name(&mut self, name: &str, span: Span) {
        let name = name.strip_prefix("./").unwrap_or(name);
        if name.ends_with(".js") && !name.contains([' ', ':']) {
            self.found.push((format!("./{name}").into(), span));
        }
    }

    pub fn add_loads(self, script: &mut Script) {
        if !self.is_parcel {
            return;
        }
        for (address, span) in self.found {
            let load = ScriptLoad::new(LoadKind::Chunk, address, range(span));
            script.loads.push(ScriptLoad {
                relative_to: RelativeTo::Script,
                goal: Some(Goal::Script),
                ..load
            });
        }
    }
}
