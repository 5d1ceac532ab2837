//! Finds the lists of files that a service worker caches: `cache.addAll(["/", "offline.html"])`, and Workbox's
//! `precacheAndRoute([{ url: "index.html", revision: "…" }])`. Verified with Workbox 6 and 7, and with handwritten
//! scripts, whose list is often a constant: `cache.addAll(FILES)`.
//!
//! If one file of the list is missing, the worker is not installed (Service Workers, `Cache.addAll`).

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, ArrayExpression, BindingPattern, CallExpression, Expression};

use crate::facts::Script;
use crate::load::{LoadKind, ScriptLoad};
use crate::syntax::{property, range, text};

/// The lists of one script that have a name.
#[derive(Default)]
pub(super) struct Precache<'a> {
    /// The variables that are lists.
    lists: Vec<(&'a str, &'a ArrayExpression<'a>)>,
    /// The names of the lists that are cached.
    cached: Vec<&'a str>,
}

impl<'a> Precache<'a> {
    pub(super) fn read_node(&mut self, node: AstKind<'a>, script: &mut Script) {
        match node {
            AstKind::VariableDeclarator(variable) => {
                if let Some(Expression::ArrayExpression(list)) = &variable.init
                    && let BindingPattern::BindingIdentifier(name) = &variable.id
                {
                    self.lists.push((name.name.as_str(), list));
                }
            }
            AstKind::CallExpression(call) => {
                if let Expression::StaticMemberExpression(member) = &call.callee
                    && member.property.name == "addAll"
                    && let Some(Argument::Identifier(name)) = call.arguments.first()
                {
                    self.cached.push(name.name.as_str());
                }
                read_call(call, script);
            }
            _ => {}
        }
    }

    /// Adds the files of the cached lists. A name with two meanings has none.
    pub(super) fn add_loads(self, script: &mut Script) {
        for name in self.cached {
            let mut named = self.lists.iter().filter(|(other, _)| *other == name);
            if let (Some((_, list)), None) = (named.next(), named.next())
                && is_list_of_paths(list)
            {
                add_entries(list, script);
            }
        }
    }
}

/// Whether all entries look like addresses. Collections of other libraries have a method `addAll`, too.
fn is_list_of_paths(list: &ArrayExpression<'_>) -> bool {
    let is_rooted = |text: &str| ["/", "./", "../", "https://"].iter().any(|start| text.starts_with(start));
    let texts: Option<Vec<&str>> =
        list.elements.iter().map(|entry| Some(text(entry.as_expression()?)?.1)).collect();
    texts.is_some_and(|texts| {
        texts.iter().any(|text| is_rooted(text))
            && texts.iter().all(|text| is_rooted(text) || text.contains('.'))
    })
}

fn read_call(call: &CallExpression<'_>, script: &mut Script) {
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
        script.loads.push(ScriptLoad::new(LoadKind::Precache, address, range(span)));
    }
}
