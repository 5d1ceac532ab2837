//! Evaluates the names of chunks. webpack 5 and Rspack write a function from a chunk's id to its file name, which is
//! small enough to run from its syntax tree. It may contain concatenated texts, maps of names and hashes with and
//! without a fallback, `||`, `&&`, `?:`, `===` and `!=`, regular expressions, `if` and `return`.
//!
//! ```js
//! r.u = e => "js/" + (407 === e ? "panel" : e) + "." + { 407: "ace2c474", 469: "165aef10" }[e] + ".js"
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use oxc_ast::ast::{
    BinaryOperator, Expression, FunctionBody, LogicalOperator, ObjectExpression, ObjectPropertyKind,
    Statement, TemplateLiteral, UnaryOperator,
};
use regex::Regex;

/// Maximum depth of nested terms.
const MAX_DEPTH: usize = 1_000;

/// A term of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Value(TermValue),
    /// An argument of the function: the first, the second, …
    Parameter(usize),
    /// The hash of the whole build: `r.h()`.
    BuildHash,
    /// `r.p`, which is prepended to the name separately.
    PublicPath,
    Sum(Box<Term>, Box<Term>),
    Entry(Arc<Map>, Box<Term>),
    Or(Box<Term>, Box<Term>),
    And(Box<Term>, Box<Term>),
    Not(Box<Term>),
    Equal(Box<Term>, Box<Term>),
    Matches(NamePattern, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TermValue {
    Text(Box<str>),
    Number(Box<str>),
    Truth(bool),
    Nothing,
}

pub(super) type Map = HashMap<Box<str>, TermValue>;

/// A regular expression. Those of bundlers have the same meaning in Rust.
#[derive(Clone, Debug)]
pub(super) struct NamePattern(Regex);

impl PartialEq for NamePattern {
    fn eq(&self, other: &NamePattern) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for NamePattern {}

/// The names inside a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'a> {
    pub parameters: Vec<Option<&'a str>>,
    /// Variables that are maps.
    pub maps: HashMap<&'a str, Arc<Map>>,
}

/// The known arguments of a function, and the hash of its build.
pub(super) struct Call<'c> {
    pub arguments: &'c [Option<&'c str>],
    pub build_hash: Option<&'c str>,
}

impl TermValue {
    fn is_true(&self) -> bool {
        match self {
            TermValue::Text(text) => !text.is_empty(),
            TermValue::Number(number) => &**number != "0",
            TermValue::Truth(truth) => *truth,
            TermValue::Nothing => false,
        }
    }

    /// Returns the value as a part of a name; `None` for `undefined` and booleans.
    fn text(&self) -> Option<&str> {
        match self {
            TermValue::Text(text) | TermValue::Number(text) => Some(text),
            TermValue::Truth(_) | TermValue::Nothing => None,
        }
    }
}

impl Term {
    /// Returns the result of a function body as a term.
    pub fn parse_body(body: &FunctionBody<'_>, is_expression: bool, scope: &Scope<'_>) -> Option<Term> {
        match (is_expression, body.statements.first()) {
            (true, Some(Statement::ExpressionStatement(only))) => Term::parse(&only.expression, scope),
            (true, _) => None,
            (false, _) => result_term(&body.statements, scope, 0),
        }
    }

    /// Parses an expression as a term.
    pub fn parse(expression: &Expression<'_>, scope: &Scope<'_>) -> Option<Term> {
        term(expression, scope, 0)
    }

    /// Evaluates the name; `None` if there is none, or if it is unknown.
    pub fn name(&self, call: &Call<'_>) -> Option<String> {
        let value = self.value(call)?;
        value.text().filter(|name| !name.is_empty()).map(str::to_owned)
    }

    /// Evaluates a condition; `None` if the result is unknown.
    pub fn holds(&self, id: &str) -> Option<bool> {
        let call = Call { arguments: &[Some(id)], build_hash: None };
        self.value(&call).map(|value| value.is_true())
    }

    fn value(&self, call: &Call<'_>) -> Option<TermValue> {
        Some(match self {
            Term::Value(value) => value.clone(),
            Term::Parameter(index) => TermValue::Text((*call.arguments.get(*index)?)?.into()),
            Term::BuildHash => TermValue::Text(call.build_hash?.into()),
            Term::PublicPath => TermValue::Text("".into()),
            Term::Sum(left, right) => {
                let (left, right) = (left.value(call)?, right.value(call)?);
                match (left.text(), right.text()) {
                    (Some(left), Some(right)) => TermValue::Text(format!("{left}{right}").into()),
                    _ => TermValue::Nothing,
                }
            }
            Term::Entry(map, key) => {
                let key = key.value(call)?;
                key.text().and_then(|key| map.get(key)).cloned().unwrap_or(TermValue::Nothing)
            }
            Term::Or(left, right) => match left.value(call)? {
                value if value.is_true() => value,
                _ => right.value(call)?,
            },
            Term::And(left, right) => match left.value(call)? {
                value if value.is_true() => right.value(call)?,
                value => value,
            },
            Term::Not(term) => TermValue::Truth(!term.value(call)?.is_true()),
            // An id may be a number or a text, but it is the same in one build.
            Term::Equal(left, right) => {
                TermValue::Truth(left.value(call)?.text() == right.value(call)?.text())
            }
            Term::Matches(pattern, term) => {
                TermValue::Truth(term.value(call)?.text().is_some_and(|text| pattern.0.is_match(text)))
            }
            Term::If(test, then, otherwise) => {
                if test.value(call)?.is_true() {
                    then.value(call)?
                } else {
                    otherwise.value(call)?
                }
            }
        })
    }

    /// Whether it depends on an argument.
    pub fn has_parameter(&self) -> bool {
        self.has(&|term| matches!(term, Term::Parameter(_)))
    }

    /// Whether it contains the public path.
    pub fn has_public_path(&self) -> bool {
        self.has(&|term| *term == Term::PublicPath)
    }

    fn has(&self, matches: &dyn Fn(&Term) -> bool) -> bool {
        let has = |terms: &[&Term]| terms.iter().any(|term| term.has(matches));
        matches(self)
            || match self {
                Term::Value(_) | Term::Parameter(_) | Term::BuildHash | Term::PublicPath => false,
                Term::Entry(_, term) | Term::Not(term) | Term::Matches(_, term) => term.has(matches),
                Term::Sum(left, right)
                | Term::Or(left, right)
                | Term::And(left, right)
                | Term::Equal(left, right) => has(&[left, right]),
                Term::If(test, then, otherwise) => has(&[test, then, otherwise]),
            }
    }

    /// Returns the ids that it knows: the keys of maps without a fallback.
    pub fn ids(&self) -> Vec<&str> {
        let mut ids = Vec::new();
        self.collect_ids(&mut ids);
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn collect_ids<'t>(&'t self, ids: &mut Vec<&'t str>) {
        match self {
            Term::Entry(map, key) if **key == Term::Parameter(0) => ids.extend(map.keys().map(|id| &**id)),
            Term::Sum(left, right) => {
                left.collect_ids(ids);
                right.collect_ids(ids);
            }
            Term::If(test, then, otherwise) => {
                if let Term::Equal(left, right) = &**test {
                    ids.extend([left, right].into_iter().filter_map(|term| match &**term {
                        Term::Value(value) => value.text(),
                        _ => None,
                    }));
                }
                then.collect_ids(ids);
                otherwise.collect_ids(ids);
            }
            _ => {}
        }
    }
}

/// Returns the result of statements as a term.
fn result_term(statements: &[Statement<'_>], scope: &Scope<'_>, depth: usize) -> Option<Term> {
    if depth > MAX_DEPTH {
        return None;
    }
    let Some((first, rest)) = statements.split_first() else { return Some(Term::Value(TermValue::Nothing)) };
    match first {
        Statement::ReturnStatement(returned) => match &returned.argument {
            Some(value) => term(value, scope, depth + 1),
            None => Some(Term::Value(TermValue::Nothing)),
        },
        Statement::IfStatement(either) => {
            let test = term(&either.test, scope, depth + 1)?;
            let then = result_term(statements_of(&either.consequent), scope, depth + 1)?;
            let otherwise = match &either.alternate {
                Some(otherwise) => result_term(statements_of(otherwise), scope, depth + 1)?,
                None => result_term(rest, scope, depth + 1)?,
            };
            Some(Term::If(Box::new(test), Box::new(then), Box::new(otherwise)))
        }
        Statement::EmptyStatement(_) => result_term(rest, scope, depth + 1),
        _ => None,
    }
}

fn statements_of<'s, 'a>(statement: &'s Statement<'a>) -> &'s [Statement<'a>] {
    match statement {
        Statement::BlockStatement(block) => &block.body,
        other => std::slice::from_ref(other),
    }
}

fn term(expression: &Expression<'_>, scope: &Scope<'_>, depth: usize) -> Option<Term> {
    if depth > MAX_DEPTH {
        return None;
    }
    let of = |operand: &Expression<'_>| term(operand, scope, depth + 1).map(Box::new);
    Some(match expression.get_inner_expression() {
        Expression::StringLiteral(text) => Term::Value(TermValue::Text(text.value.as_str().into())),
        Expression::NumericLiteral(number) => Term::Value(TermValue::Number(number.value.to_string().into())),
        Expression::BooleanLiteral(truth) => Term::Value(TermValue::Truth(truth.value)),
        Expression::TemplateLiteral(text) => template(text, scope, depth)?,
        Expression::Identifier(name) if name.name == "undefined" => Term::Value(TermValue::Nothing),
        Expression::Identifier(name) => {
            let identifier = Some(name.name.as_str());
            Term::Parameter(scope.parameters.iter().position(|parameter| *parameter == identifier)?)
        }
        Expression::StaticMemberExpression(member) if member.property.name == "p" => Term::PublicPath,
        Expression::ComputedMemberExpression(member) => {
            let map = match member.object.get_inner_expression() {
                Expression::ObjectExpression(object) => Arc::new(map(object)?),
                Expression::Identifier(name) => Arc::clone(scope.maps.get(name.name.as_str())?),
                _ => return None,
            };
            Term::Entry(map, of(&member.expression)?)
        }
        Expression::BinaryExpression(binary) => {
            let pair = || Some((of(&binary.left)?, of(&binary.right)?));
            match binary.operator {
                BinaryOperator::Addition => pair().map(|(left, right)| Term::Sum(left, right))?,
                BinaryOperator::Equality | BinaryOperator::StrictEquality => {
                    pair().map(|(left, right)| Term::Equal(left, right))?
                }
                BinaryOperator::Inequality | BinaryOperator::StrictInequality => {
                    pair().map(|(left, right)| Term::Not(Box::new(Term::Equal(left, right))))?
                }
                _ => return None,
            }
        }
        Expression::LogicalExpression(logical) => {
            let (left, right) = (of(&logical.left)?, of(&logical.right)?);
            match logical.operator {
                LogicalOperator::Or | LogicalOperator::Coalesce => Term::Or(left, right),
                LogicalOperator::And => Term::And(left, right),
            }
        }
        Expression::UnaryExpression(unary) => match unary.operator {
            UnaryOperator::LogicalNot => Term::Not(of(&unary.argument)?),
            UnaryOperator::Void => Term::Value(TermValue::Nothing),
            _ => return None,
        },
        Expression::ConditionalExpression(either) => {
            Term::If(of(&either.test)?, of(&either.consequent)?, of(&either.alternate)?)
        }
        Expression::CallExpression(call) => match (&call.callee, call.arguments.as_slice()) {
            (Expression::StaticMemberExpression(member), []) if member.property.name == "h" => {
                Term::BuildHash
            }
            (Expression::StaticMemberExpression(member), [argument]) if member.property.name == "test" => {
                let Expression::RegExpLiteral(pattern) = &member.object else { return None };
                let pattern = Regex::new(pattern.regex.pattern.text.as_str()).ok()?;
                Term::Matches(NamePattern(pattern), of(argument.as_expression()?)?)
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn template(text: &TemplateLiteral<'_>, scope: &Scope<'_>, depth: usize) -> Option<Term> {
    let plain = |index: usize| {
        let text = text.quasis.get(index)?.value.cooked.as_ref()?;
        Some(Term::Value(TermValue::Text(text.as_str().into())))
    };
    let mut sum = plain(0)?;
    for (index, expression) in text.expressions.iter().enumerate() {
        let value = term(expression, scope, depth + 1)?;
        sum = Term::Sum(Box::new(sum), Box::new(value));
        sum = Term::Sum(Box::new(sum), Box::new(plain(index + 1)?));
    }
    Some(sum)
}

/// Parses a map with only known values.
pub(super) fn map(object: &ObjectExpression<'_>) -> Option<Map> {
    let mut map = Map::with_capacity(object.properties.len());
    for property in &object.properties {
        let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
        if property.computed {
            return None;
        }
        let key = property.key.static_name()?;
        let value = match property.value.get_inner_expression() {
            Expression::StringLiteral(text) => TermValue::Text(text.value.as_str().into()),
            Expression::NumericLiteral(number) => TermValue::Number(number.value.to_string().into()),
            Expression::TemplateLiteral(text) => TermValue::Text(text.single_quasi()?.as_str().into()),
            _ => return None,
        };
        map.insert(key.into(), value);
    }
    Some(map)
}

/// Returns the id of a chunk, if it is a literal.
pub(super) fn id<'e>(expression: &'e Expression<'_>) -> Option<Cow<'e, str>> {
    match expression.get_inner_expression() {
        Expression::StringLiteral(text) => Some(Cow::Borrowed(text.value.as_str())),
        Expression::NumericLiteral(number) => Some(Cow::Owned(number.value.to_string())),
        Expression::TemplateLiteral(text) => Some(Cow::Owned(text.single_quasi()?.to_string())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use oxc_allocator::Allocator;
    use oxc_parser::Parser;
    use oxc_span::SourceType;

    use super::*;

    /// Returns the term of an arrow function with the parameter `e`.
    fn parse_term(source: &str) -> Option<Term> {
        let memory = Allocator::default();
        let parsed = Parser::new(&memory, source, SourceType::script()).parse();
        let Some(Statement::ExpressionStatement(only)) = parsed.program.body.first() else { return None };
        let Expression::ArrowFunctionExpression(arrow) = &only.expression else { return None };
        let scope = Scope { parameters: vec![Some("e")], ..Scope::default() };
        Term::parse_body(&arrow.body, arrow.expression, &scope)
    }

    fn name(source: &str, id: &str) -> Option<String> {
        parse_term(source).unwrap().name(&Call { arguments: &[Some(id)], build_hash: Some("abc") })
    }

    #[test]
    fn evaluates_names_like_the_bundle() {
        let webpack =
            r#"e=>"js/"+(407===e?"panel":e)+"."+{40:"60787cef",407:"ace2c474",495:"3ceac8ce"}[e]+".js""#;
        assert_eq!(name(webpack, "407").as_deref(), Some("js/panel.ace2c474.js"));
        assert_eq!(name(webpack, "40").as_deref(), Some("js/40.60787cef.js"));
        assert_eq!(name(webpack, "645"), None, "it has no hash, so that it is no file");
        let docusaurus = r#"e=>"assets/js/"+({48:"a94703ab",401:"17896441"}[e]||e)+"."+{48:"a661c889",237:"3506bbbc",401:"17541c91"}[e]+".js""#;
        assert_eq!(name(docusaurus, "401").as_deref(), Some("assets/js/17896441.17541c91.js"));
        assert_eq!(name(docusaurus, "237").as_deref(), Some("assets/js/237.3506bbbc.js"));
        assert_eq!(name(docusaurus, "869"), None);
        let rspack = r#"e=>{if("a"===e||"b"==e)return`x/${e}.js`;return""+({220:"cc4f"})[e]+".js?"+r.h()}"#;
        assert_eq!(name(rspack, "b").as_deref(), Some("x/b.js"));
        assert_eq!(name(rspack, "220").as_deref(), Some("cc4f.js?abc"));
        assert_eq!(name("e=>{}", "1"), None);
        assert_eq!(name(r#"e=>"static/css/one.css""#, "404").as_deref(), Some("static/css/one.css"));
        assert!(parse_term("e=>decodeURI(e)+1").is_none());
    }

    #[test]
    fn evaluates_conditions_of_chunks() {
        let numbers = parse_term("e=>/^(354|8(2|6)9)$/.test(e)").unwrap();
        assert_eq!((numbers.holds("869"), numbers.holds("86")), (Some(true), Some(false)));
        let runtime = parse_term(r#"e=>"481"!=e"#).unwrap();
        assert_eq!((runtime.holds("481"), runtime.holds("48")), (Some(false), Some(true)));
        let styled = parse_term("e=>!({404:1})[e]").unwrap();
        assert_eq!((styled.holds("404"), styled.holds("405")), (Some(false), Some(true)));
    }

    #[test]
    fn only_maps_without_a_fallback_know_their_ids() {
        let term =
            parse_term(r#"e=>7===e?"x.js":({48:"a",49:"b"}[e]||e)+"."+{48:"c",237:"d"}[e]+".js""#).unwrap();
        assert_eq!(term.ids(), ["237", "48", "7"]);
    }
}
