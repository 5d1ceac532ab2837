//! What an expression is as an address, where that can be told without running it.

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

use super::load::Against;

/// Names that stand for names that stand for names … deeper than this are not looked up.
const MAX_DEPTH: usize = 8;

/// No address is longer than this, in bytes.
const LONGEST: usize = 4096;

/// An address as it is written, and what it is relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub text: String,
    pub against: Against,
}

/// Reads expressions of one script as addresses.
pub(super) struct AddressReader<'p, 'a> {
    program: &'p Program<'a>,
    source: &'p str,
    constants: OnceCell<Constants<'a>>,
}

impl<'p, 'a> AddressReader<'p, 'a> {
    pub fn new(program: &'p Program<'a>, source: &'p str) -> Self {
        AddressReader { program, source, constants: OnceCell::new() }
    }

    /// The bytes of a place.
    pub fn text(&self, span: Span) -> &'p str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The address that an argument is.
    pub fn argument(&self, argument: Option<&Argument<'a>>) -> Option<Address> {
        self.expression(argument?.as_expression()?, 0)
    }

    /// The address that an expression is.
    pub fn of(&self, expression: &Expression<'a>) -> Option<Address> {
        self.expression(expression, 0)
    }

    /// The address that a `new URL` is.
    pub fn of_url(&self, url: &NewExpression<'a>) -> Option<Address> {
        self.url(url, 0)
    }

    fn expression(&self, expression: &Expression<'a>, depth: usize) -> Option<Address> {
        if depth > MAX_DEPTH {
            return None;
        }
        let written = |text: &str| {
            (text.len() <= LONGEST).then(|| Address { text: text.to_owned(), against: Against::Document })
        };
        match expression.get_inner_expression() {
            Expression::StringLiteral(text) => written(&text.value),
            Expression::TemplateLiteral(text) => written(&text.single_quasi()?),
            Expression::BinaryExpression(sum) if sum.operator.as_str() == "+" => {
                let left = self.expression(&sum.left, depth + 1)?;
                let right = self.expression(&sum.right, depth + 1)?;
                if left.text.len() + right.text.len() > LONGEST {
                    return None;
                }
                let against = match (left.text.is_empty(), right.text.is_empty()) {
                    (true, _) => right.against,
                    (_, true) => left.against,
                    _ if left.against == right.against => left.against,
                    _ => return None,
                };
                Some(Address { text: left.text + &right.text, against })
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

    /// `new URL(address, base)`.
    fn url(&self, url: &NewExpression<'a>, depth: usize) -> Option<Address> {
        if !matches!(&url.callee, Expression::Identifier(name) if name.name == "URL") {
            return None;
        }
        let address = self.expression(url.arguments.first()?.as_expression()?, depth + 1)?;
        let Some(base) = url.arguments.get(1) else { return Some(address) };
        match address.against {
            Against::Document => {
                Some(Address { against: self.base(base.as_expression()?, depth + 1)?, ..address })
            }
            _ => Some(address),
        }
    }

    /// `x.toString()`, `String(x)`, `import.meta.resolve("x")`, and the script's URL of trusted types.
    fn call(&self, call: &CallExpression<'a>, depth: usize) -> Option<Address> {
        let argument = || self.expression(call.arguments.first()?.as_expression()?, depth + 1);
        match &call.callee {
            Expression::Identifier(name) if name.name == "String" => argument(),
            Expression::StaticMemberExpression(member) => match member.property.name.as_str() {
                "toString" => self.expression(&member.object, depth + 1),
                "resolve" if self.text(member.object.span()) == "import.meta" => {
                    argument().map(|address| Address { against: Against::Specifier, ..address })
                }
                "createScriptURL" | "tu" => argument(),
                _ => None,
            },
            _ => None,
        }
    }

    /// What the base of `new URL` is: the words for a script's own URL are many, and none stands for anything else.
    fn base(&self, base: &Expression<'a>, depth: usize) -> Option<Against> {
        if depth > MAX_DEPTH {
            return None;
        }
        let words = self.text(base.span());
        if words.len() > LONGEST {
            return None;
        }
        if words.contains("meta.url") || words.contains("currentScript") {
            Some(Against::Script)
        } else if words.contains("baseURI") || words.contains("location") {
            Some(Against::Document)
        } else if let Expression::Identifier(name) = base {
            self.base(self.constant(name.name.as_str())?, depth + 1)
        } else {
            None
        }
    }

    /// The value of a name that has only one.
    fn constant(&self, name: &str) -> Option<&'a Expression<'a>> {
        let collect = || {
            let mut constants = Constants::default();
            constants.visit_program(self.program);
            constants
        };
        self.constants.get_or_init(collect).of.get(name)?.value()
    }
}

/// Whether a property of a `URL` is all of it.
fn is_whole_url(property: &str) -> bool {
    matches!(property, "href" | "pathname")
}

/// The names of a script, with what is known of their values: scopes need not be known, where a name is declared and given a
/// value in one place only.
#[derive(Default)]
struct Constants<'a> {
    of: HashMap<&'a str, Name<'a>, RandomState>,
    /// The name that was declared last.
    declared: Span,
}

#[derive(Default)]
struct Name<'a> {
    declared: usize,
    values: Vec<&'a Expression<'a>>,
    /// Whether it gets values in other ways too: as a parameter, or out of an object.
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
                    // Without a value it is given one elsewhere, which is that one place then.
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

#[cfg(test)]
mod tests {
    use crate::{Against, Memory, read_script};

    #[test]
    fn expressions_are_addresses_where_that_can_be_told() {
        use Against::{Document, Script, Specifier};
        for (script, expected) in [
            ("import('./a.js')", Some(("./a.js", Specifier))),
            ("import(`./a.js`)", Some(("./a.js", Specifier))),
            ("import(('./a' + '.js'))", Some(("./a.js", Specifier))),
            ("import(String('./a.js'))", Some(("./a.js", Specifier))),
            ("import(`./${a}.js`)", None),
            ("import('./' + a)", None),
            ("import('./a' - '.js')", None),
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
            let found = read.loads.first().map(|load| (&*load.address, load.against));
            assert_eq!(found, expected, "{script}");
        }
    }

    #[test]
    fn addresses_do_not_grow_without_end() {
        let mut script = format!("var a0 = '{}';", "x".repeat(3_000));
        script.extend((0..8).map(|i| format!("var a{} = a{i} + a{i};", i + 1)));
        let read = read_script(&format!("{script} import(a0); import(a8);"), &mut Memory::default());
        assert_eq!((read.loads.len(), read.computed.len()), (1, 1));
    }
}
