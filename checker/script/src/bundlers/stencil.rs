//! Finds the chunks of Stencil's lazy components. Verified with Stencil 4.45.
//!
//! A page or a script lists the components of each chunk: `load([["p-964d1536", [[0, "my-tides"]]]])`; a long list is
//! a text for `JSON.parse`. The runtime imports `./${chunk}.entry.js` when it finds such an element.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_span::GetSpan;
use sitegate_address::SitePath;

use crate::address::AddressReader;
use crate::facts::{BundleFact, BundledScript, Script};
use crate::load::{Goal, LoadKind, ScriptLoad};
use crate::syntax::{range, text};

pub(super) fn read_node<'a>(node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
    if let AstKind::CallExpression(call) = node {
        read_list(call, addresses, script);
    }
}

/// Whether an imported URL is the one of the runtime: `./${chunk}.entry.js`, with or without a query.
pub(crate) fn is_runtime_import(source: &Expression<'_>) -> bool {
    let Expression::TemplateLiteral(template) = source else { return false };
    let mut quasis = template.quasis.iter().map(|quasi| quasi.value.raw.as_str());
    quasis.next() == Some("./") && quasis.next() == Some(".entry.js")
}

/// Adds the names of the chunks in a list of components.
fn read_list(call: &CallExpression<'_>, addresses: &AddressReader<'_, '_>, script: &mut Script) {
    match call.arguments.first().and_then(|first| first.as_expression()) {
        Some(Expression::ArrayExpression(list)) => {
            let mut chunks = Vec::new();
            for entry in &list.elements {
                let Some(Expression::ArrayExpression(entry)) = entry.as_expression() else { return };
                let [name, components] = entry.elements.as_slice() else { return };
                let Some((span, name)) = name.as_expression().and_then(text) else { return };
                if !components.as_expression().is_some_and(is_components) {
                    return;
                }
                chunks.push(BundleFact::StencilChunk(name.into(), range(span)));
            }
            script.bundle_facts.extend(chunks);
        }
        Some(list) if addresses.text(call.callee.span()) == "JSON.parse" => {
            let Some((span, list)) = text(list).filter(|(_, list)| list.starts_with("[[\"")) else { return };
            // Each component is a list: flags, tag and more.
            let chunks = serde_json::from_str::<Vec<(String, Vec<Vec<serde_json::Value>>)>>(list);
            let names = chunks.unwrap_or_default().into_iter().map(|(name, _)| name.into());
            script.bundle_facts.extend(names.map(|name| BundleFact::StencilChunk(name, range(span))));
        }
        _ => {}
    }
}

/// Whether an expression is a list of components: `[[flags, "tag-name", …]]`.
fn is_components(list: &Expression<'_>) -> bool {
    let Expression::ArrayExpression(list) = list else { return false };
    let is_component = |component: &Expression<'_>| {
        let Expression::ArrayExpression(component) = component else { return false };
        let mut parts = component.elements.iter().filter_map(|part| part.as_expression());
        matches!(parts.next(), Some(Expression::NumericLiteral(_)))
            && parts.next().and_then(text).is_some_and(|(_, tag)| tag.contains('-'))
    };
    !list.elements.is_empty()
        && list.elements.iter().all(|component| component.as_expression().is_some_and(is_component))
}

/// Returns the loads of the listed chunks, from the folder of the runtime: the one next to the list, or else the first.
pub(super) fn loads(scripts: &[BundledScript]) -> Vec<(usize, ScriptLoad)> {
    let is_runtime =
        |script: &&BundledScript| script.script.bundle_facts.contains(&BundleFact::StencilRuntime);
    let folders: Vec<&str> = scripts.iter().filter(is_runtime).map(folder).collect();
    let mut loads = Vec::new();
    for (index, script) in scripts.iter().enumerate() {
        let next_to = folders.iter().find(|other| **other == folder(script));
        let Some(folder) = next_to.or(folders.first()) else { continue };
        for fact in &script.script.bundle_facts {
            if let BundleFact::StencilChunk(name, span) = fact {
                loads.push((index, load(format!("{folder}{name}.entry.js"), span.clone())));
            }
        }
    }
    loads
}

fn folder(script: &BundledScript) -> &str {
    SitePath::new(script.path.as_str()).folder_with_slash()
}

fn load(address: String, span: Range<u32>) -> ScriptLoad {
    ScriptLoad { goal: Some(Goal::Module), ..ScriptLoad::new(LoadKind::Chunk, address, span) }
}
