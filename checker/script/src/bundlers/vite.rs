//! Vite's lists of what a dynamic import brings along. Seen with Vite 5.4, 6.4, 7 and 8.3, with every kind of `base`, and
//! with `build.modulePreload` off; SvelteKit, Astro, VitePress, vike and Nuxt are built by it.
//!
//! An import is wrapped: `preload(() => import("./page.js"), __vite__mapDeps([0, 1]))`. The numbers stand for entries of
//! one list in the script. An entry that begins with `./` or `../` is relative to the script; any other is put behind the
//! base, which stands in the function that the bundle's preload helper has for it: `function (dep) { return "/" + dep }`.
//! Without a style sheet of the list the import is rejected; without a script only time is lost.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, Expression, Function, Statement};
use oxc_span::{GetSpan, Span};

use crate::facts::Script;
use crate::facts::{BundlePiece, Bundled};
use crate::load::{Against, Grade, LoadKind, ScriptLoad};
use crate::syntax::text;

/// The name of the function with the list, which no minifier changes.
const LIST: &str = "__vite__mapDeps";

#[derive(Default)]
pub(super) struct Vite {
    /// Where the function with the list is.
    list: Option<Span>,
    /// What may be the base: a function that puts a text before its parameter.
    base: Option<String>,
    has_helper: bool,
}

impl Vite {
    pub fn node(&mut self, node: AstKind<'_>, script: &mut Script) {
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
                self.base = self.base.take().or_else(|| base_of(function));
            }
            AstKind::ArrayExpression(list)
                if self.list.is_some_and(|span| span.contains_inclusive(list.span)) =>
            {
                let entries = list.elements.iter().filter_map(|entry| text(entry.as_expression()?));
                entries.for_each(|(span, entry)| keep(entry, span, script));
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

    pub fn finish(self, script: &mut Script) {
        if let Some(base) = self.base
            && self.has_helper
        {
            script.pieces.push(BundlePiece::ViteBase(base.into()));
        }
    }
}

/// Keeps an entry of a list.
fn keep(entry: &str, span: Span, script: &mut Script) {
    let place = span.start..span.end;
    if entry.starts_with("./") || entry.starts_with("../") {
        script.loads.push(load(entry.into(), Against::Script, place));
    } else {
        script.pieces.push(BundlePiece::ViteEntry(entry.into(), place));
    }
}

fn load(address: Box<str>, against: Against, span: Range<u32>) -> ScriptLoad {
    let is_style = address.split(['?', '#']).next().is_some_and(|path| path.ends_with(".css"));
    let (kind, grade) =
        if is_style { (LoadKind::Style, Grade::Needed) } else { (LoadKind::Preload, Grade::Spare) };
    ScriptLoad { kind, address, against, grade, goal: None, span }
}

/// `function (dep) { return "/base/" + dep }`, where it ends as a base does.
fn base_of(function: &Function<'_>) -> Option<String> {
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

/// What the lists name, once the bases are known: a script's is the longest that its own path begins with.
pub(super) fn loads(scripts: &[Bundled]) -> Vec<(usize, ScriptLoad)> {
    let pieces = scripts.iter().flat_map(|bundled| &bundled.script.pieces);
    let bases: Vec<&str> = pieces
        .filter_map(|piece| match piece {
            BundlePiece::ViteBase(base) => Some(&**base),
            _ => None,
        })
        .collect();
    let mut loads = Vec::new();
    for (index, bundled) in scripts.iter().enumerate() {
        let own = bases.iter().filter(|base| bundled.path.starts_with(**base)).max_by_key(|base| base.len());
        let Some(base) = own.or(bases.first()) else { continue };
        for piece in &bundled.script.pieces {
            if let BundlePiece::ViteEntry(entry, span) = piece {
                let address = format!("{base}{entry}").into();
                loads.push((index, load(address, Against::Document, span.clone())));
            }
        }
    }
    loads
}
