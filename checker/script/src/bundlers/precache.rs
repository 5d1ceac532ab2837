//! Finds the lists of files that a service worker caches: `cache.addAll(["/", "offline.html"])`, and Workbox's
//! `precacheAndRoute([{ url: "index.html", revision: "…" }])`. Verified with Workbox 6 and 7, and with handwritten
//! scripts.
//!
//! If one file of the list is missing, the worker is not installed (Service Workers, `Cache.addAll`).

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, ArrayExpression, Expression};

use crate::facts::Script;
use crate::load::{Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::property;
use crate::syntax::text;

pub(super) fn read_node(node: AstKind<'_>, script: &mut Script) {
    let AstKind::CallExpression(call) = node else { return };
    let name = match &call.callee {
        Expression::StaticMemberExpression(member) => member.property.name.as_str(),
        Expression::Identifier(name) => name.name.as_str(),
        _ => return,
    };
    match (name, call.arguments.first()) {
        ("addAll", Some(Argument::ArrayExpression(list))) => {
            let is_list_of_texts =
                list.elements.iter().all(|entry| entry.as_expression().and_then(text).is_some());
            if is_list_of_texts {
                add_entries(list, script);
            }
        }
        ("precacheAndRoute" | "precache", Some(Argument::ArrayExpression(list))) => add_entries(list, script),
        // Minifiers keep the two keys of Workbox's entries.
        (_, Some(Argument::ArrayExpression(list))) if is_manifest(list) => add_entries(list, script),
        _ => {}
    }
}

/// Whether each entry has a URL and a revision.
fn is_manifest(list: &ArrayExpression<'_>) -> bool {
    let is_entry =
        |entry: &Expression<'_>| property(entry, "url").is_some() && property(entry, "revision").is_some();
    !list.elements.is_empty() && list.elements.iter().all(|entry| entry.as_expression().is_some_and(is_entry))
}

fn add_entries(list: &ArrayExpression<'_>, script: &mut Script) {
    for entry in list.elements.iter().filter_map(|entry| entry.as_expression()) {
        let Some((span, address)) = text(entry).or_else(|| text(property(entry, "url")?)) else { continue };
        script.loads.push(ScriptLoad {
            kind: LoadKind::Precache,
            address: address.into(),
            relative_to: RelativeTo::Document,
            grade: Grade::Required,
            goal: None,
            span: span.start..span.end,
        });
    }
}
