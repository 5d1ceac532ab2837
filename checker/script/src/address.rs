//! Evaluates expressions to URLs, as far as that is possible without running them.

use std::cell::OnceCell;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, AssignmentTarget, AssignmentTargetMaybeDefault, BindingPattern, CallExpression, Expression,
    ForInStatement, ForOfStatement, ForStatementLeft, NewExpression, Program,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::load::RelativeTo;
use super::syntax;

/// Maximum depth of constants that refer to constants.
const MAX_DEPTH: usize = 8;

/// Maximum length of a URL in bytes.
const MAX_LENGTH: usize = 4096;

/// A URL as written, and its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub text: String,
    pub relative_to: RelativeTo,
}

/// Evaluates expressions of one script to URLs.
pub(super) struct AddressReader<'p, 'a> {
    program: &'p Program<'a>,
    source: &'p str,
    constants: OnceCell<Constants<'a>>,
}

impl<'p, 'a> AddressReader<'p, 'a> {
    pub fn new(program: &'p Program<'a>, source: &'p str) -> Self {
        AddressReader { program, source, constants: OnceCell::new() }
    }

    /// Returns the source of a span.
    pub fn text(&self, span: Span) -> &'p str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Whether the source contains a text.
    pub fn contains(&self, text: &str) -> bool {
        memchr::memmem::find(self.source.as_bytes(), text.as_bytes()).is_some()
    }

    /// Evaluates an argument.
    pub fn argument(&self, argument: Option<&Argument<'a>>) -> Option<Address> {
        self.expression(argument?.as_expression()?, 0)
    }

    /// Evaluates an expression.
    pub fn evaluate(&self, expression: &Expression<'a>) -> Option<Address> {
        self.expression(expression, 0)
    }

    /// Evaluates a `new URL`.
    pub fn new_url(&self, url: &NewExpression<'a>) -> Option<Address> {
        self.url(url, 0)
    }

    fn expression(&self, expression: &Expression<'a>, depth: usize) -> Option<Address> {
        if depth > MAX_DEPTH {
            return None;
        }
        let written = |text: &str| {
            (text.len() <= MAX_LENGTH)
                .then(|| Address { text: text.to_owned(), relative_to: RelativeTo::Document })
        };
        match expression.get_inner_expression() {
            Expression::StringLiteral(text) => written(&text.value),
            Expression::TemplateLiteral(text) => written(&text.single_quasi()?),
            Expression::BinaryExpression(sum) if sum.operator.as_str() == "+" => {
                let left = self.expression(&sum.left, depth + 1)?;
                let right = self.expression(&sum.right, depth + 1)?;
                if left.text.len() + right.text.len() > MAX_LENGTH {
                    return None;
                }
                let relative_to = match (left.text.is_empty(), right.text.is_empty()) {
                    (true, _) => right.relative_to,
                    (_, true) => left.relative_to,
                    _ if left.relative_to == right.relative_to => left.relative_to,
                    _ => return None,
                };
                Some(Address { text: left.text + &right.text, relative_to })
            }
            Expression::NewExpression(url) => self.url(url, depth),
            Expression::CallExpression(call) => self.call(call, depth),
            Expression::StaticMemberExpression(member) if is_whole_url(&member.property.name) => {
                self.expression(&member.object, depth + 1)
            }
            Expression::Identifier(name) => {
                let value = self.constant(name.name.as_str())?;
                self.expression(value, depth + 1)
            }
            _ => None,
        }
    }

    /// Evaluates `new URL(url, base)`.
    fn url(&self, url: &NewExpression<'a>, depth: usize) -> Option<Address> {
        if !matches!(&url.callee, Expression::Identifier(name) if name.name == "URL") {
            return None;
        }
        let address = self.expression(url.arguments.first()?.as_expression()?, depth + 1)?;
        let Some(base) = url.arguments.get(1) else { return Some(address) };
        match address.relative_to {
            RelativeTo::Document => {
                Some(Address { relative_to: self.base(base.as_expression()?, depth + 1)?, ..address })
            }
            _ => Some(address),
        }
    }

    /// Evaluates `x.toString()`, `String(x)`, `import.meta.resolve("x")`, and script URLs of trusted types.
    fn call(&self, call: &CallExpression<'a>, depth: usize) -> Option<Address> {
        let argument = || self.expression(call.arguments.first()?.as_expression()?, depth + 1);
        match &call.callee {
            Expression::Identifier(name) if name.name == "String" => argument(),
            Expression::StaticMemberExpression(member) => match member.property.name.as_str() {
                "toString" => self.expression(&member.object, depth + 1),
                "resolve" if self.text(member.object.span()) == "import.meta" => {
                    argument().map(|address| Address { relative_to: RelativeTo::Specifier, ..address })
                }
                "createScriptURL" | "tu" => argument(),
                "replace" => self.without_final_slash(call, &member.object, depth),
                _ => None,
            },
            _ => None,
        }
    }

    /// Evaluates `"/docs/".replace(/\/$/, "")`, as `import.meta.env.BASE_URL` is often used.
    fn without_final_slash(
        &self,
        call: &CallExpression<'a>,
        text: &Expression<'a>,
        depth: usize,
    ) -> Option<Address> {
        let [Argument::RegExpLiteral(pattern), by] = call.arguments.as_slice() else { return None };
        let (_, by) = syntax::text(by.as_expression()?)?;
        let is_final_slash = matches!(pattern.regex.pattern.text.as_str(), r"\/$" | r"\/+$");
        let mut address = self.expression(text, depth + 1).filter(|_| is_final_slash && by.is_empty())?;
        address.text.truncate(address.text.trim_end_matches('/').len());
        Some(address)
    }

    /// Returns the base in `new URL`. There are many expressions for a script's own URL, and they have no other
    /// meaning.
    fn base(&self, base: &Expression<'a>, depth: usize) -> Option<RelativeTo> {
        if depth > MAX_DEPTH {
            return None;
        }
        let words = self.text(base.span());
        if words.len() > MAX_LENGTH {
            return None;
        }
        if words.contains("meta.url") || words.contains("currentScript") {
            Some(RelativeTo::Script)
        } else if words.contains("baseURI") || words.contains("location") {
            Some(RelativeTo::Document)
        } else if let Expression::Identifier(name) = base {
            self.base(self.constant(name.name.as_str())?, depth + 1)
        } else {
            None
        }
    }

    /// Returns the value of a name that has only one.
    fn constant(&self, name: &str) -> Option<&'a Expression<'a>> {
        let collect = || {
            let mut constants = Constants::default();
            constants.visit_program(self.program);
            constants
        };
        self.constants.get_or_init(collect).of.get(name)?.value()
    }
}

/// Whether a property of a `URL` is the whole URL.
fn is_whole_url(property: &str) -> bool {
    matches!(property, "href" | "pathname")
}

/// The names of a script, and their values. Scopes are ignored: a name has a known value if it is declared and
/// assigned only once.
#[derive(Default)]
struct Constants<'a> {
    of: HashMap<&'a str, Name<'a>, RandomState>,
    /// The span of the last declared name.
    declared: Span,
}

#[derive(Default)]
struct Name<'a> {
    declared: usize,
    values: Vec<&'a Expression<'a>>,
    /// Whether it is also set in other ways: as a parameter, or by destructuring.
    is_unknown: bool,
}

impl<'a> Name<'a> {
    fn value(&self) -> Option<&'a Expression<'a>> {
        match self.values.as_slice() {
            [value] if self.declared <= 1 && !self.is_unknown => Some(value),
            _ => None,
        }
    }
}

impl<'a> Constants<'a> {
    fn name(&mut self, name: &'a str) -> &mut Name<'a> {
        self.of.entry(name).or_default()
    }
}

impl<'a> Visit<'a> for Constants<'a> {
    fn enter_node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::VariableDeclarator(declared) => {
                if let BindingPattern::BindingIdentifier(name) = &declared.id {
                    self.declared = name.span;
                    let name = self.name(name.name.as_str());
                    name.declared += 1;
                    // Without an initial value it is assigned later, which then is its only value.
                    name.values.extend(&declared.init);
                }
            }
            AstKind::BindingIdentifier(name) if name.span != self.declared => {
                self.name(name.name.as_str()).is_unknown = true;
            }
            AstKind::AssignmentExpression(set) => {
                if let AssignmentTarget::AssignmentTargetIdentifier(name) = &set.left {
                    let name = self.name(name.name.as_str());
                    name.values.push(&set.right);
                    name.is_unknown |= !set.operator.is_assign();
                }
            }
            AstKind::AssignmentTargetPropertyIdentifier(set) => {
                self.name(set.binding.name.as_str()).is_unknown = true;
            }
            AstKind::ArrayAssignmentTarget(list) => {
                for target in list.elements.iter().flatten() {
                    if let AssignmentTargetMaybeDefault::AssignmentTargetIdentifier(name) = target {
                        self.name(name.name.as_str()).is_unknown = true;
                    }
                }
            }
            AstKind::ForOfStatement(ForOfStatement { left, .. })
            | AstKind::ForInStatement(ForInStatement { left, .. }) => match left {
                ForStatementLeft::AssignmentTargetIdentifier(name) => {
                    self.name(name.name.as_str()).is_unknown = true;
                }
                ForStatementLeft::VariableDeclaration(each) => {
                    for name in each.declarations.iter().flat_map(|each| each.id.get_binding_identifiers()) {
                        self.name(name.name.as_str()).is_unknown = true;
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
}

/// Maximum depth of sums in a computed address. Chosen: addresses have few parts.
const MAX_PARTS: usize = 16;

/// Returns a computed text, with a letter for each part that is not literal.
pub(super) fn with_unknown_parts(text: &Expression<'_>, depth: usize) -> String {
    const UNKNOWN: &str = "x";
    match text.get_inner_expression() {
        Expression::StringLiteral(text) => text.value.to_string(),
        Expression::TemplateLiteral(text) => {
            text.quasis.iter().map(|part| part.value.raw.as_str()).collect::<Vec<_>>().join(UNKNOWN)
        }
        Expression::BinaryExpression(sum) if sum.operator.as_str() == "+" && depth < MAX_PARTS => {
            with_unknown_parts(&sum.left, depth + 1) + &with_unknown_parts(&sum.right, depth + 1)
        }
        _ => UNKNOWN.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Memory, RelativeTo, read_script};

    #[test]
    fn evaluates_expressions_to_urls() {
        use RelativeTo::{Document, Script, Specifier};
        for (script, expected) in [
            ("import('./a.js')", Some(("./a.js", Specifier))),
            ("import(`./a.js`)", Some(("./a.js", Specifier))),
            ("import(('./a' + '.js'))", Some(("./a.js", Specifier))),
            ("import(String('./a.js'))", Some(("./a.js", Specifier))),
            ("import(`./${a}.js`)", None),
            ("import('./' + a)", None),
            ("import('./a' - '.js')", None),
            (r"import('/a/'.replace(/\/$/, '') + '/b.js')", Some(("/a/b.js", Specifier))),
            (r"import('/a/'.replace(/a$/, '') + '/b.js')", None),
            ("const a = './a.js', b = a; import(b)", Some(("./a.js", Specifier))),
            ("let a = './a.js'; a = './b.js'; import(a)", None),
            ("function f(a) { import(a) } var a = './a.js'", None),
            ("for (const a of b) import(a); function f() { a = './a.js' }", None),
            ("const a = b, b = a; import(a)", None),
            ("new Worker('a.js')", Some(("a.js", Document))),
            ("new Worker(new URL('a.js', import.meta.url))", Some(("a.js", Script))),
            ("new Worker(new URL('a.js', '' + import.meta.url).href)", Some(("a.js", Script))),
            ("new Worker(new URL('a.js', location))", Some(("a.js", Document))),
            ("new Worker(new URL('a.js', unknown))", None),
            ("const u = import.meta.url; new Worker(new URL('a.js', u).toString())", Some(("a.js", Script))),
            (
                "new Worker(new URL(new URL('a.js', import.meta.url).href, location.href))",
                Some(("a.js", Script)),
            ),
            ("new Worker(import.meta.resolve('a'))", Some(("a", Specifier))),
            ("new Worker(new URL('a', import.meta.url) + 'b')", None),
            ("new Worker('' + new URL('a.js', import.meta.url))", Some(("a.js", Script))),
        ] {
            let script = format!("{script};");
            let read = read_script(&script, &mut Memory::default());
            assert_eq!(read.unreadable, None, "{script}");
            let found = read.loads.first().map(|load| (&*load.address, load.relative_to));
            assert_eq!(found, expected, "{script}");
        }
    }

    #[test]
    fn limits_the_length_of_urls() {
        let mut script = format!("var a0 = '{}';", "x".repeat(3_000));
        script.extend((0..8).map(|i| format!("var a{} = a{i} + a{i};", i + 1)));
        let read = read_script(&format!("{script} import(a0); import(a8);"), &mut Memory::default());
        assert_eq!((read.loads.len(), read.computed.len()), (1, 1));
    }
}
