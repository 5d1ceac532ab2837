//! Finds Vite's lists of files to preload for a dynamic import. Verified with Vite 5.4, 6.4, 7 and 8.3, with all kinds
//! of `base`, and with `build.modulePreload` off. SvelteKit, Astro, VitePress, vike and Nuxt use Vite.
//!
//! An import is wrapped: `preload(() => import("./page.js"), __vite__mapDeps([0, 1]))`. The numbers are indexes of one
//! list in the script. An entry that begins with `./` or `../` is relative to the script. Any other is appended to the
//! base, which is in a function of the bundle's preload helper: `function (dep) { return "/" + dep }`.
//!
//! Without a style sheet of the list the import is rejected; without a script it is only slower.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, Expression, Function, Statement};
use oxc_span::{GetSpan, Span};
use sitegate_address::UrlReference;

use crate::facts::Script;
use crate::facts::{BundleFact, BundledScript};
use crate::load::{Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::{range, text};

/// The name of the function with the list, which minifiers keep.
const LIST: &str = "__vite__mapDeps";

#[derive(Default)]
pub(super) struct Vite {
    /// The function with the list.
    list: Option<Span>,
    /// A possible base, from a function that prepends a text to its parameter.
    base: Option<String>,
    has_helper: bool,
}

impl Vite {
    pub fn read_node(&mut self, node: AstKind<'_>, script: &mut Script) {
        match node {
            AstKind::VariableDeclarator(declared) => {
                if let BindingPattern::BindingIdentifier(name) = &declared.id
                    && name.name == LIST
                {
                    self.list = Some(declared.span);
                }
            }
            AstKind::Function(function) => {
                if function.id.as_ref().is_some_and(|name| name.name == LIST) {
                    self.list = Some(function.span);
                }
                self.base = self.base.take().or_else(|| base_in(function));
            }
            AstKind::ArrayExpression(list)
                if self.list.is_some_and(|span| span.contains_inclusive(list.span)) =>
            {
                let entries = list.elements.iter().filter_map(|entry| text(entry.as_expression()?));
                entries.for_each(|(span, entry)| add_entry(entry, span, script));
            }
            AstKind::StringLiteral(text) if text.value == "modulepreload" => self.has_helper = true,
            AstKind::TemplateLiteral(text)
                if text.single_quasi().is_some_and(|text| text == "modulepreload") =>
            {
                self.has_helper = true;
            }
            _ => {}
        }
    }

    pub fn add_fact(self, script: &mut Script) {
        if let Some(base) = self.base
            && self.has_helper
        {
            script.bundle_facts.push(BundleFact::ViteBase(base.into()));
        }
    }
}

/// Adds an entry of a list.
fn add_entry(entry: &str, span: Span, script: &mut Script) {
    let range = range(span);
    if entry.starts_with("./") || entry.starts_with("../") {
        script.loads.push(load(entry.into(), RelativeTo::Script, range));
    } else {
        script.bundle_facts.push(BundleFact::ViteEntry(entry.into(), range));
    }
}

fn load(address: Box<str>, relative_to: RelativeTo, span: Range<u32>) -> ScriptLoad {
    let is_style = UrlReference::new(&*address).path().ends_with(".css");
    let (kind, grade) =
        if is_style { (LoadKind::Style, Grade::Required) } else { (LoadKind::Preload, Grade::Optional) };
    ScriptLoad { relative_to, grade, ..ScriptLoad::new(kind, address, span) }
}

/// Returns the base in `function (dep) { return "/base/" + dep }`, if it ends with a slash.
fn base_in(function: &Function<'_>) -> Option<String> {
    let [parameter] = function.params.items.as_slice() else { return None };
    let BindingPattern::BindingIdentifier(parameter) = &parameter.pattern else { return None };
    let [Statement::ReturnStatement(returned)] = function.body.as_ref()?.statements.as_slice() else {
        return None;
    };
    let Some(Expression::BinaryExpression(sum)) = &returned.argument else { return None };
    let (_, base) = text(&sum.left)?;
    let is_parameter = matches!(&sum.right, Expression::Identifier(name) if name.name == parameter.name);
    (is_parameter && base.ends_with('/') && sum.span().size() > 0).then(|| base.to_owned())
}

/// Returns the loads of the lists. The base of a script is the longest one that its path begins with.
pub(super) fn loads(scripts: &[BundledScript]) -> Vec<(usize, ScriptLoad)> {
    let bundle_facts = scripts.iter().flat_map(|bundled| &bundled.script.bundle_facts);
    let bases: Vec<&str> = bundle_facts
        .filter_map(|piece| match piece {
            BundleFact::ViteBase(base) => Some(&**base),
            _ => None,
        })
        .collect();
    let mut loads = Vec::new();
    for (index, bundled) in scripts.iter().enumerate() {
        let own = bases.iter().filter(|base| bundled.path.starts_with(**base)).max_by_key(|base| base.len());
        let Some(base) = own.or(bases.first()) else { continue };
        for piece in &bundled.script.bundle_facts {
            if let BundleFact::ViteEntry(entry, span) = piece {
                let address = format!("{base}{entry}").into();
                loads.push((index, load(address, RelativeTo::Document, span.clone())));
            }
        }
    }
    loads
}
