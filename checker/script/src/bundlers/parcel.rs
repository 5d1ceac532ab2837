//! Parcel's lists of what stands for a bundle's id, where no import map does: in workers and in classic scripts. Seen with
//! Parcel 2.8 to 2.16.
//!
//! `Object.assign(require.i ??= {}, { xYiyq: "double.911b8d46.js" })`, and before that
//! `require("…").register(url, JSON.parse('["4Lhcg","index.js","hDKtm","page.js"]'))`. Names are relative to the script.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, ObjectPropertyKind};
use oxc_span::{GetSpan, Span};

use crate::address::AddressReader;
use crate::facts::Script;
use crate::load::{Against, Goal, Grade, LoadKind, ScriptLoad};
use crate::syntax::text;

/// What the name of Parcel's own function begins with.
const RUNTIME: &str = "parcelRequire";

#[derive(Default)]
pub(super) struct Parcel {
    is_parcel: bool,
    found: Vec<(Box<str>, Span)>,
}

impl Parcel {
    pub fn node<'a>(&mut self, node: AstKind<'a>, addresses: &AddressReader<'_, 'a>) {
        match node {
            AstKind::StaticMemberExpression(member) => {
                self.is_parcel |= member.property.name.starts_with(RUNTIME);
            }
            AstKind::IdentifierReference(name) => self.is_parcel |= name.name.starts_with(RUNTIME),
            AstKind::StringLiteral(text) => self.is_parcel |= text.value.starts_with(RUNTIME),
            AstKind::CallExpression(call) => match addresses.text(call.callee.span()) {
                "Object.assign" => self.assigned(call),
                "JSON.parse" => self.registered(call),
                _ => {}
            },
            _ => {}
        }
    }

    fn assigned(&mut self, call: &CallExpression<'_>) {
        let names = call.arguments.get(1).and_then(|names| names.as_expression());
        let Some(Expression::ObjectExpression(names)) = names else { return };
        for name in &names.properties {
            if let ObjectPropertyKind::ObjectProperty(name) = name
                && let Some((span, name)) = text(&name.value)
            {
                self.keep(name, span);
            }
        }
    }

    fn registered(&mut self, call: &CallExpression<'_>) {
        let list = call.arguments.first().and_then(|list| text(list.as_expression()?));
        let Some((span, list)) = list else { return };
        // An id, then its name, by turns.
        let names = serde_json::from_str::<Vec<String>>(list).unwrap_or_default();
        names.chunks_exact(2).for_each(|pair| self.keep(&pair[1], span));
    }

    fn keep(&mut self, name: &str, span: Span) {
        let name = name.strip_prefix("./").unwrap_or(name);
        if name.ends_with(".js") && !name.contains([' ', ':']) {
            self.found.push((format!("./{name}").into(), span));
        }
    }

    pub fn finish(self, script: &mut Script) {
        if !self.is_parcel {
            return;
        }
        for (address, Span { start, end, .. }) in self.found {
            let (kind, against, goal) = (LoadKind::Chunk, Against::Script, Some(Goal::Script));
            script.loads.push(ScriptLoad {
                kind,
                address,
                against,
                grade: Grade::Needed,
                goal,
                span: start..end,
            });
        }
    }
}
