//! Finds Farm's list of the files of lazy modules. Verified with Farm 1.7.
//!
//! The page calls `setDynamicModuleResourcesMap([{ path: "Panel_87e0.0fcf3195.js", type: 0 }], …)` of the runtime, and
//! `setPublicPaths(["/"])` with the folder of the paths.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression};

use crate::facts::Script;
use crate::load::{Goal, LoadKind, ScriptLoad};
use crate::syntax::{property, range, text};

#[derive(Default)]
pub(super) struct Farm {
    folder: Option<Box<str>>,
    paths: Vec<(Box<str>, Range<u32>)>,
}

impl Farm {
    pub fn read_node(&mut self, node: AstKind<'_>) {
        let AstKind::CallExpression(call) = node else { return };
        let Expression::StaticMemberExpression(member) = &call.callee else { return };
        match member.property.name.as_str() {
            "setDynamicModuleResourcesMap" => self.paths.extend(elements(call).filter_map(|file| {
                let (span, path) = text(property(file, "path")?)?;
                Some((path.into(), range(span)))
            })),
            "setPublicPaths" => self.folder = elements(call).find_map(text).map(|(_, folder)| folder.into()),
            _ => {}
        }
    }

    pub fn add_loads(self, script: &mut Script) {
        let folder = self.folder.as_deref().unwrap_or("/");
        for (path, span) in self.paths {
            let is_style = path.ends_with(".css");
            let kind = if is_style { LoadKind::Style } else { LoadKind::Chunk };
            let goal = (!is_style).then_some(Goal::Script);
            script.loads.push(ScriptLoad { goal, ..ScriptLoad::new(kind, format!("{folder}{path}"), span) });
        }
    }
}

/// Returns the elements of the list that is the first argument.
fn elements<'c, 'a>(call: &'c CallExpression<'a>) -> impl Iterator<Item = &'c Expression<'a>> {
    let list = match call.arguments.first() {
        Some(Argument::ArrayExpression(list)) => Some(list),
        _ => None,
    };
    list.into_iter().flat_map(|list| list.elements.iter().filter_map(|element| element.as_expression()))
}
