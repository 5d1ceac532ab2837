//! Modules that are asked for by a path that is only known when the script runs: `import("./notes/" + name)`. webpack writes
//! a module with a map of all paths, and one call that picks chunks from it.
//!
//! ```js
//! const map = { "./first.js": [709, [709]], "./second.js": [679, [692, 679]] }
//! … r.e(map[path][1][0]) …, or Promise.all(map[path].slice(1).map(r.e))
//! ```

use std::collections::HashMap;
use std::ops::Range;

use oxc_ast::ast::{ArrayExpression, Expression, ObjectExpression, ObjectPropertyKind};
use oxc_span::Span;

use super::local::Who;
use super::name::id;

/// Chunks that a script asks for by computed paths, at the most: each call asks for all that are in the maps of its module.
const MOST_ASKED: usize = 20_000;

#[derive(Default)]
pub(super) struct Contexts<'a> {
    /// The maps, and the modules they stand in.
    maps: Vec<(&'a ObjectExpression<'a>, Span)>,
    calls: Vec<(Pick, Who<'a>, Span, Span)>,
}

/// Which entries of a list are chunks.
#[derive(Clone, Copy)]
enum Pick {
    At(usize),
    From(usize),
    /// The list that is an entry itself, or one entry of that.
    Inside(usize, Option<usize>),
}

impl<'a> Contexts<'a> {
    pub fn object(&mut self, object: &'a ObjectExpression<'a>, module: Option<Span>) {
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

    /// `r.e(list[1])`, `r.e(list[1][0])`.
    pub fn call(&mut self, picked: &Expression<'a>, who: Who<'a>, module: Option<Span>, span: Span) {
        let Some(module) = module else { return };
        let Some((list, at)) = entry(picked) else { return };
        let pick = match entry(list) {
            Some((_, outer)) => Pick::Inside(outer, Some(at)),
            None => Pick::At(at),
        };
        self.calls.push((pick, who, module, span));
    }

    /// `list.slice(1).map(r.e)`, `list[1].map(r.e)`.
    pub fn each(&mut self, list: &Expression<'a>, who: Who<'a>, module: Option<Span>, span: Span) {
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
        self.calls.push((pick, who, module, span));
    }

    /// The chunks that are asked for, by whom and where. Calls beyond what is followed are added to `computed`.
    pub fn asked(&self, computed: &mut Vec<Range<u32>>) -> Vec<(Who<'a>, Box<str>, Span)> {
        let mut maps: HashMap<Span, Vec<&'a ObjectExpression<'a>>> = HashMap::new();
        for &(map, module) in &self.maps {
            maps.entry(module).or_default().push(map);
        }
        let mut asked = Vec::new();
        for &(pick, who, module, span) in &self.calls {
            if asked.len() > MOST_ASKED {
                computed.push(span.start..span.end);
                continue;
            }
            for property in maps.get(&module).into_iter().flatten().flat_map(|map| &map.properties) {
                if let ObjectPropertyKind::ObjectProperty(property) = property
                    && let Expression::ArrayExpression(list) = &property.value
                {
                    asked.extend(pick.of(list).into_iter().map(|id| (who, id, span)));
                }
            }
        }
        asked
    }
}

impl Pick {
    fn of(self, entries: &ArrayExpression<'_>) -> Vec<Box<str>> {
        let all = |list: &ArrayExpression<'_>, from: usize| -> Vec<Box<str>> {
            let wanted = list.elements.iter().skip(from);
            wanted.filter_map(|entry| Some(id(entry.as_expression()?)?.into())).collect()
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

/// `list[1]`.
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
