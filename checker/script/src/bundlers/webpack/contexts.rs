//! Reads modules that are imported by a computed path: `import("./notes/" + name)`. webpack writes a module with a map
//! of all paths, and a call that picks chunks from it.
//!
//! ```js
//! const map = { "./first.js": [709, [709]], "./second.js": [679, [692, 679]] }
//! … r.e(map[path][1][0]) …, or Promise.all(map[path].slice(1).map(r.e))
//! ```

use std::collections::HashMap;
use std::ops::Range;

use oxc_ast::ast::{ArrayExpression, Expression, ObjectExpression, ObjectPropertyKind};
use oxc_span::Span;

use super::name::id;
use super::runtime::Binding;

/// Maximum number of chunks that computed paths may load: each call loads all chunks in the maps of its module.
const MAX_CHUNKS: usize = 20_000;

#[derive(Default)]
pub(super) struct Contexts<'a> {
    /// Maps of paths, and their modules.
    maps: Vec<(&'a ObjectExpression<'a>, Span)>,
    calls: Vec<(Pick, Binding<'a>, Span, Span)>,
}

/// Selects the chunks of a list.
#[derive(Clone, Copy)]
enum Pick {
    At(usize),
    From(usize),
    /// The list in an entry, or one entry of that list.
    Inside(usize, Option<usize>),
}

impl<'a> Contexts<'a> {
    pub fn read_object(&mut self, object: &'a ObjectExpression<'a>, module: Option<Span>) {
        let is_path = |property: &ObjectPropertyKind<'a>| match property {
            ObjectPropertyKind::ObjectProperty(property) => {
                property.key.static_name().is_some_and(|name| name.starts_with('.'))
                    && matches!(property.value, Expression::ArrayExpression(_))
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        };
        if let Some(module) = module
            && object.properties.first().is_some_and(is_path)
        {
            self.maps.push((object, module));
        }
    }

    /// Reads `r.e(list[1])`, `r.e(list[1][0])`.
    pub fn read_call(
        &mut self,
        picked: &Expression<'a>,
        binding: Binding<'a>,
        module: Option<Span>,
        span: Span,
    ) {
        let Some(module) = module else { return };
        let Some((list, at)) = entry(picked) else { return };
        let pick = match entry(list) {
            Some((_, outer)) => Pick::Inside(outer, Some(at)),
            None => Pick::At(at),
        };
        self.calls.push((pick, binding, module, span));
    }

    /// Reads `list.slice(1).map(r.e)`, `list[1].map(r.e)`.
    pub fn read_each(
        &mut self,
        list: &Expression<'a>,
        binding: Binding<'a>,
        module: Option<Span>,
        span: Span,
    ) {
        let Some(module) = module else { return };
        let pick = match list {
            Expression::CallExpression(call) => {
                let Expression::StaticMemberExpression(member) = &call.callee else { return };
                if member.property.name != "slice" {
                    return;
                }
                let from = call.arguments.first().and_then(|first| number(first.as_expression()?));
                let Some(from) = from else { return };
                Pick::From(from)
            }
            other => match entry(other) {
                Some((_, at)) => Pick::Inside(at, None),
                None => return,
            },
        };
        self.calls.push((pick, binding, module, span));
    }

    /// Returns the chunks with their binding and location. Adds calls beyond the limit to `computed`.
    pub fn chunks(&self, computed: &mut Vec<Range<u32>>) -> Vec<(Binding<'a>, Box<str>, Span)> {
        let mut maps: HashMap<Span, Vec<&'a ObjectExpression<'a>>> = HashMap::new();
        for &(map, module) in &self.maps {
            maps.entry(module).or_default().push(map);
        }
        let mut chunks = Vec::new();
        for &(pick, binding, module, span) in &self.calls {
            if chunks.len() > MAX_CHUNKS {
                computed.push(span.start..span.end);
                continue;
            }
            for property in maps.get(&module).into_iter().flatten().flat_map(|map| &map.properties) {
                if let ObjectPropertyKind::ObjectProperty(property) = property
                    && let Expression::ArrayExpression(list) = &property.value
                {
                    chunks.extend(pick.ids(list).into_iter().map(|id| (binding, id, span)));
                }
            }
        }
        chunks
    }
}

impl Pick {
    fn ids(self, entries: &ArrayExpression<'_>) -> Vec<Box<str>> {
        let all = |list: &ArrayExpression<'_>, from: usize| -> Vec<Box<str>> {
            let listed = list.elements.iter().skip(from);
            listed.filter_map(|entry| Some(id(entry.as_expression()?)?.into())).collect()
        };
        match self {
            Pick::From(from) => all(entries, from),
            Pick::At(at) => all(entries, at).into_iter().take(1).collect(),
            Pick::Inside(outer, at) => {
                match entries.elements.get(outer).and_then(|entry| entry.as_expression()) {
                    Some(Expression::ArrayExpression(list)) => {
                        let ids = all(list, at.unwrap_or(0)).into_iter();
                        ids.take(at.map_or(usize::MAX, |_| 1)).collect()
                    }
                    _ => Vec::new(),
                }
            }
        }
    }
}

/// Parses `list[1]`.
fn entry<'e, 'a>(expression: &'e Expression<'a>) -> Option<(&'e Expression<'a>, usize)> {
    let Expression::ComputedMemberExpression(member) = expression.get_inner_expression() else { return None };
    Some((&member.object, number(&member.expression)?))
}

fn number(expression: &Expression<'_>) -> Option<usize> {
    match expression {
        Expression::NumericLiteral(number) => Some(number.value as usize),
        _ => None,
    }
}
