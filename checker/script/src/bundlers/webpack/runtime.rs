//! What one runtime says of its chunks: where they are, how their files are called, and which of them have one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BinaryOperator, BindingPattern, Expression, FormalParameters, FunctionBody, LogicalOperator,
    UnaryOperator,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::local::{Local, identifier, place};
use super::name::{Call, Map, Scope, Term, map};
use crate::syntax::text;

/// What runtimes have, and little else has several of.
const PROPERTIES: [&str; 22] = [
    "C", "E", "F", "O", "b", "c", "d", "e", "f", "g", "h", "k", "l", "m", "miniCssF", "nc", "o", "p", "r",
    "t", "u", "v",
];

/// So many of them make a runtime.
const ENOUGH: usize = 3;

/// Where the public path is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Public {
    /// This; where it is relative, to the document.
    Written(Box<str>),
    /// The folder of the runtime's own script, and then this.
    Folder(Box<str>),
    /// Only known when it runs.
    Computed,
}

/// A runtime, without what it does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Runtime {
    name: Box<str>,
    /// Where the function or the block begins that it is declared in.
    scope: u32,
    pub public: Public,
    /// Whether it loads chunks by `importScripts`.
    pub is_worker: bool,
    /// What goes before a chunk's name instead of the public path, relative to the script: chunks are modules then.
    pub module_folder: Option<Box<str>>,
    script: Option<Term>,
    /// The chunks that it knows the files of, in order.
    ids: Vec<Box<str>>,
    /// What must hold of an id that has a script.
    conditions: Vec<Term>,
    style: Option<Term>,
    styled: HashSet<Box<str>>,
    wasm: Option<Term>,
    build_hash: Option<Box<str>>,
    /// Where the names of scripts are.
    pub span: Range<u32>,
}

impl Runtime {
    /// Its name, and where the function or the block begins that it is declared in.
    pub fn local(&self) -> Local<'_> {
        (&self.name, self.scope)
    }

    /// The name of a chunk's script.
    pub fn script(&self, id: &str) -> Option<String> {
        let has_script = self.conditions.iter().all(|condition| condition.holds(id) != Some(false));
        has_script.then(|| self.named(self.script.as_ref()?, &[Some(id)])).flatten()
    }

    /// The name of a worker's script, or of another that is asked for by its name only.
    pub fn file(&self, id: &str) -> Option<String> {
        self.named(self.script.as_ref()?, &[Some(id)])
    }

    /// The name of a chunk's style sheet.
    pub fn style(&self, id: &str) -> Option<String> {
        self.styled.contains(id).then(|| self.named(self.style.as_ref()?, &[Some(id)])).flatten()
    }

    /// The name of a WebAssembly file, and whether the public path goes before it: else it is in it.
    pub fn wasm(&self, arguments: &[Option<Box<str>>]) -> Option<(String, bool)> {
        let arguments: Vec<_> = arguments.iter().map(Option::as_deref).collect();
        let wasm = self.wasm.as_ref()?;
        Some((self.named(wasm, &arguments)?, wasm.has_public_path()))
    }

    /// The chunks that it knows the files of, whoever asks for them.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(|id| &**id)
    }

    /// The chunks that it knows by their ids.
    pub fn known(&self) -> impl Iterator<Item = &str> {
        self.ids().chain(self.styled.iter().map(|id| &**id))
    }

    /// Whether it knows a chunk by its id: a name can be made of any other id too.
    pub fn knows(&self, id: &str) -> bool {
        self.styled.contains(id) || self.ids.binary_search_by(|known| (**known).cmp(id)).is_ok()
    }

    fn named(&self, term: &Term, arguments: &[Option<&str>]) -> Option<String> {
        term.name(&Call { arguments, build_hash: self.build_hash.as_deref() })
    }
}

/// The runtimes of a script, while it is read.
#[derive(Default)]
pub(super) struct Runtimes<'a> {
    /// What is set: of whom, which property, to what.
    set: Vec<(Local<'a>, &'a str, &'a Expression<'a>)>,
    loaders: Vec<(Local<'a>, &'a str, &'a Expression<'a>)>,
    /// `import("./" + r.u(id))`: whose names, and what goes before them.
    imports: Vec<(&'a str, Option<&'a str>)>,
    knows_own_address: bool,
}

/// What is said of runtimes beside their own properties, by whom it is about.
#[derive(Default)]
struct Asides<'a> {
    loaders: HashMap<Local<'a>, Vec<(&'a str, &'a Expression<'a>)>>,
    imports: HashMap<&'a str, Option<&'a str>>,
}

impl<'a> Runtimes<'a> {
    pub fn node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::MetaProperty(_) => self.knows_own_address = true,
            AstKind::StaticMemberExpression(member) => {
                let name = member.property.name.as_str();
                self.knows_own_address |= matches!(name, "currentScript" | "importScripts");
            }
            AstKind::ImportExpression(import) => {
                if let Expression::BinaryExpression(sum) = &import.source
                    && let Expression::CallExpression(call) = &sum.right
                    && let Expression::StaticMemberExpression(member) = &call.callee
                    && member.property.name == "u"
                    && let Some(name) = identifier(&member.object)
                {
                    self.imports.push((name, text(&sum.left).map(|(_, folder)| folder)));
                }
            }
            _ => {}
        }
    }

    /// A property is set, of something that is no parameter.
    pub fn set(&mut self, object: Local<'a>, property: &'a str, value: &'a Expression<'a>) {
        if PROPERTIES.binary_search(&property).is_ok() {
            self.set.push((object, property, value));
        }
    }

    /// `r.f.j = …`.
    pub fn set_loader(&mut self, object: Local<'a>, name: &'a str, value: &'a Expression<'a>) {
        self.loaders.push((object, name, value));
    }

    pub fn finish(self) -> Vec<Runtime> {
        let mut asides = Asides::default();
        for &(of, name, value) in &self.loaders {
            asides.loaders.entry(of).or_default().push((name, value));
        }
        for &(name, folder) in &self.imports {
            asides.imports.entry(name).or_insert(folder);
        }
        let mut of: HashMap<Local<'a>, HashMap<&str, &'a Expression<'a>>> = HashMap::new();
        let mut names = Vec::new();
        for &(object, property, value) in &self.set {
            let properties = of.entry(object).or_insert_with(|| {
                names.push(object);
                HashMap::new()
            });
            properties.entry(property).or_insert(value);
        }
        // Libraries in a bundle may have a smaller runtime; modules that do not name theirs mean the full one.
        names.sort_by_key(|name| std::cmp::Reverse(of.get(name).map_or(0, HashMap::len)));
        names.into_iter().filter_map(|name| self.runtime(name, of.get(&name)?, &asides)).collect()
    }

    fn runtime(
        &self,
        local: Local<'a>,
        properties: &HashMap<&str, &'a Expression<'a>>,
        asides: &Asides<'a>,
    ) -> Option<Runtime> {
        let (name, scope) = local;
        let says_something = ["miniCssF", "p", "u"].iter().any(|property| properties.contains_key(property));
        if properties.len() < ENOUGH || !says_something {
            return None;
        }
        let function = |property: &str| Parts::of(properties.get(property)?)?.returned();
        let loaders = asides.loaders.get(&local).map(Vec::as_slice).unwrap_or_default();
        let find_loader = |wanted: &[&str]| {
            let (_, found) = loaders.iter().find(|(loader, _)| wanted.contains(loader))?;
            Loader::of(found, name)
        };
        let import = asides.imports.get(name);
        let script = function("u");
        let scripts = find_loader(&["j", "i", "require"]);
        let styles = find_loader(&["miniCss"]);
        let build_hash = function("h").and_then(|hash| hash.name(&Call { arguments: &[], build_hash: None }));
        Some(Runtime {
            name: name.into(),
            scope,
            public: self.public(properties.get("p").copied()),
            is_worker: loaders.iter().any(|(loader, _)| *loader == "i"),
            module_folder: import.map(|folder| folder.unwrap_or_default().into()),
            ids: script.as_ref().map(Term::ids).unwrap_or_default().into_iter().map(Into::into).collect(),
            script,
            conditions: scripts.map(Loader::conditions).unwrap_or_default(),
            style: function("miniCssF"),
            styled: styles.map(|styles| styles.listed).unwrap_or_default(),
            wasm: properties.get("v").and_then(|fetch| Loader::of(fetch, name)?.fetched),
            build_hash: build_hash.map(Into::into),
            span: properties.get("u").map_or(0..0, |names| place(names)),
        })
    }

    /// `"/"`, `""`, or `(script.src without its name) + "../"`.
    fn public(&self, path: Option<&Expression<'_>>) -> Public {
        let Some(path) = path else { return Public::Written("".into()) };
        let suffix = match path {
            Expression::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => text(&sum.right),
            _ => None,
        };
        match (text(path), suffix) {
            (Some((_, path)), _) => Public::Written(path.into()),
            (None, Some((_, suffix))) if self.knows_own_address => Public::Folder(suffix.into()),
            (None, None) if self.knows_own_address => Public::Folder("".into()),
            _ => Public::Computed,
        }
    }
}

/// A function, in one of its ways of writing.
struct Parts<'a> {
    parameters: &'a FormalParameters<'a>,
    body: &'a FunctionBody<'a>,
    is_expression: bool,
}

impl<'a> Parts<'a> {
    fn of(expression: &'a Expression<'a>) -> Option<Parts<'a>> {
        match expression.get_inner_expression() {
            Expression::ArrowFunctionExpression(arrow) => {
                Some(Parts { parameters: &arrow.params, body: &arrow.body, is_expression: arrow.expression })
            }
            Expression::FunctionExpression(function) => Some(Parts {
                parameters: &function.params,
                body: function.body.as_deref()?,
                is_expression: false,
            }),
            _ => None,
        }
    }

    fn scope(&self) -> Scope<'a> {
        let parameters = self.parameters.items.iter().map(|parameter| match &parameter.pattern {
            BindingPattern::BindingIdentifier(name) => Some(name.name.as_str()),
            _ => None,
        });
        Scope { parameters: parameters.collect(), ..Scope::default() }
    }

    fn returned(&self) -> Option<Term> {
        Term::of_body(self.body, self.is_expression, &self.scope())
    }
}

/// What a function that loads something says in its conditions.
struct Loader<'a> {
    scope: Scope<'a>,
    /// The runtime's name.
    runtime: &'a str,
    /// What must hold in which places.
    guards: Vec<(Term, Span)>,
    /// Where the name of a script is made.
    named: Option<Span>,
    /// The ids of a map that is asked whether it has an id.
    listed: HashSet<Box<str>>,
    fetched: Option<Term>,
}

impl<'a> Loader<'a> {
    fn of(expression: &'a Expression<'a>, runtime: &'a str) -> Option<Loader<'a>> {
        let parts = Parts::of(expression)?;
        let mut loader = Loader {
            scope: parts.scope(),
            runtime,
            guards: Vec::new(),
            named: None,
            listed: HashSet::new(),
            fetched: None,
        };
        loader.visit_function_body(parts.body);
        Some(loader)
    }

    /// What must hold where the name of a script is made.
    fn conditions(self) -> Vec<Term> {
        let Some(named) = self.named else { return Vec::new() };
        let around = self.guards.into_iter().filter(|(_, span)| span.contains_inclusive(named));
        around.map(|(condition, _)| condition).collect()
    }

    /// In a place, a test has had one of its results.
    fn guard(&mut self, test: &'a Expression<'a>, result: bool, span: Span) {
        match test.get_inner_expression() {
            Expression::LogicalExpression(both)
                if (both.operator == LogicalOperator::And && result)
                    || (both.operator == LogicalOperator::Or && !result) =>
            {
                self.guard(&both.left, result, span);
                self.guard(&both.right, result, span);
            }
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => {
                self.guard(&not.argument, !result, span);
            }
            test => {
                let Some(term) = Term::of(test, &self.scope).filter(Term::has_parameter) else { return };
                if let (Term::Entry(map, key), true) = (&term, result)
                    && **key == Term::Parameter(0)
                {
                    self.listed.extend(map.keys().cloned());
                }
                let term = if result { term } else { Term::Not(Box::new(term)) };
                self.guards.push((term, span));
            }
        }
    }
}

impl<'a> Visit<'a> for Loader<'a> {
    fn enter_node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::VariableDeclarator(declared) => {
                if let BindingPattern::BindingIdentifier(name) = &declared.id
                    && let Some(Expression::ObjectExpression(object)) = &declared.init
                    && let Some(map) = map(object).filter(|map: &Map| !map.is_empty())
                {
                    self.scope.maps.insert(name.name.as_str(), Arc::new(map));
                }
            }
            AstKind::IfStatement(either) => {
                self.guard(&either.test, true, either.consequent.span());
                if let Some(otherwise) = &either.alternate {
                    self.guard(&either.test, false, otherwise.span());
                }
            }
            AstKind::ConditionalExpression(either) => {
                self.guard(&either.test, true, either.consequent.span());
                self.guard(&either.test, false, either.alternate.span());
            }
            AstKind::LogicalExpression(logical) => {
                self.guard(&logical.left, logical.operator == LogicalOperator::And, logical.right.span());
            }
            AstKind::CallExpression(call) => match &call.callee {
                Expression::StaticMemberExpression(member)
                    if member.property.name == "u" && identifier(&member.object) == Some(self.runtime) =>
                {
                    self.named.get_or_insert(call.span);
                }
                Expression::Identifier(name) if name.name == "fetch" => {
                    let fetched = call.arguments.first().and_then(|first| first.as_expression());
                    self.fetched = self.fetched.take().or_else(|| Term::of(fetched?, &self.scope));
                }
                _ => {}
            },
            _ => {}
        }
    }
}
