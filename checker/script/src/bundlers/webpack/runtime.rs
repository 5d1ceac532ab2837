//! Reads a webpack runtime: the public path, the names of chunk files, and which chunks have a file.

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

use super::name::{Call, Map, Scope, Term, map};
use crate::syntax::text;

/// Properties of runtimes. Few other objects have several of them.
const PROPERTIES: [&str; 22] = [
    "C", "E", "F", "O", "b", "c", "d", "e", "f", "g", "h", "k", "l", "m", "miniCssF", "nc", "o", "p", "r",
    "t", "u", "v",
];

/// Minimum number of properties for an object to count as a webpack runtime.
const MIN_PROPERTIES: usize = 3;

/// The public path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PublicPath {
    /// A literal; if it is relative, to the document.
    Written(Box<str>),
    /// The folder of the runtime's own script, and a suffix.
    Folder(Box<str>),
    /// Only known at run time.
    Computed,
}

/// A runtime; unknown properties are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Runtime {
    name: Box<str>,
    /// Start of the function or block that declares it.
    scope: u32,
    pub public_path: PublicPath,
    /// Whether an entry in the same script sets another public path.
    pub changes_public_path: bool,
    /// Whether it loads chunks by `importScripts`.
    pub is_worker: bool,
    /// Prefix of chunk names instead of the public path, relative to the script; chunks are then modules.
    pub module_folder: Option<Box<str>>,
    script: Option<Term>,
    /// Chunks with known files, sorted.
    ids: Vec<Box<str>>,
    /// Conditions for an id to have a script.
    conditions: Vec<Term>,
    style: Option<Term>,
    styled: HashSet<Box<str>>,
    wasm: Option<Term>,
    build_hash: Option<Box<str>>,
    /// Location of the names of scripts.
    pub span: Range<u32>,
}

impl Runtime {
    /// Returns its name, and the start of the function or block that declares it.
    pub fn local(&self) -> Local<'_> {
        (&self.name, self.scope)
    }

    /// Returns the name of a chunk's script.
    pub fn script(&self, id: &str) -> Option<String> {
        let has_script = self.conditions.iter().all(|condition| condition.holds(id) != Some(false));
        has_script.then(|| self.name_of(self.script.as_ref()?, &[Some(id)])).flatten()
    }

    /// Returns the name of a worker's script, or of another script that is used by name only.
    pub fn file(&self, id: &str) -> Option<String> {
        self.name_of(self.script.as_ref()?, &[Some(id)])
    }

    /// Returns the name of a chunk's style sheet.
    pub fn style(&self, id: &str) -> Option<String> {
        self.styled.contains(id).then(|| self.name_of(self.style.as_ref()?, &[Some(id)])).flatten()
    }

    /// Returns the name of a WebAssembly file, and whether the public path must be prepended.
    pub fn wasm(&self, arguments: &[Option<Box<str>>]) -> Option<(String, bool)> {
        let arguments: Vec<_> = arguments.iter().map(Option::as_deref).collect();
        let wasm = self.wasm.as_ref()?;
        Some((self.name_of(wasm, &arguments)?, wasm.has_public_path()))
    }

    /// Returns the chunks with known files, with or without calls.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(|id| &**id)
    }

    /// Returns the chunks that it knows by id.
    pub fn known(&self) -> impl Iterator<Item = &str> {
        self.ids().chain(self.styled.iter().map(|id| &**id))
    }

    /// Whether it knows a chunk by id. It can make a name of any other id, too.
    pub fn knows(&self, id: &str) -> bool {
        self.styled.contains(id) || self.ids.binary_search_by(|known| (**known).cmp(id)).is_ok()
    }

    fn name_of(&self, term: &Term, arguments: &[Option<&str>]) -> Option<String> {
        term.name(&Call { arguments, build_hash: self.build_hash.as_deref() })
    }
}

/// The runtimes of a script, while it is read.
#[derive(Default)]
pub(super) struct Runtimes<'a> {
    /// Assigned properties: the object, the property, and the value.
    set: Vec<(Local<'a>, &'a str, &'a Expression<'a>)>,
    loaders: Vec<(Local<'a>, &'a str, &'a Expression<'a>)>,
    /// `import("./" + r.u(id))`: the runtime, and the prefix of the names.
    imports: Vec<(&'a str, Option<&'a str>)>,
    uses_own_url: bool,
}

/// Additional facts about runtimes, by name.
#[derive(Default)]
struct RuntimeExtras<'a> {
    loaders: HashMap<Local<'a>, Vec<(&'a str, &'a Expression<'a>)>>,
    imports: HashMap<&'a str, Option<&'a str>>,
}

impl<'a> Runtimes<'a> {
    pub fn read_node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::MetaProperty(_) => self.uses_own_url = true,
            AstKind::StaticMemberExpression(member) => {
                let name = member.property.name.as_str();
                self.uses_own_url |= matches!(name, "currentScript" | "importScripts");
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

    /// Records an assigned property of an object that is not a parameter.
    pub fn set(&mut self, object: Local<'a>, property: &'a str, value: &'a Expression<'a>) {
        if PROPERTIES.binary_search(&property).is_ok() {
            self.set.push((object, property, value));
        }
    }

    /// Records `r.f.j = …`.
    pub fn set_loader(&mut self, object: Local<'a>, name: &'a str, value: &'a Expression<'a>) {
        self.loaders.push((object, name, value));
    }

    pub fn into_runtimes(self) -> Vec<Runtime> {
        let mut extras = RuntimeExtras::default();
        for &(of, name, value) in &self.loaders {
            extras.loaders.entry(of).or_default().push((name, value));
        }
        for &(name, folder) in &self.imports {
            extras.imports.entry(name).or_insert(folder);
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
        // Libraries in a bundle may have a smaller runtime; modules use the full one.
        names.sort_by_key(|name| std::cmp::Reverse(of.get(name).map_or(0, HashMap::len)));
        names.into_iter().filter_map(|name| self.runtime(name, of.get(&name)?, &extras)).collect()
    }

    fn runtime(
        &self,
        local: Local<'a>,
        properties: &HashMap<&str, &'a Expression<'a>>,
        extras: &RuntimeExtras<'a>,
    ) -> Option<Runtime> {
        let (name, scope) = local;
        let is_runtime = ["miniCssF", "p", "u"].iter().any(|property| properties.contains_key(property));
        if properties.len() < MIN_PROPERTIES || !is_runtime {
            return None;
        }
        let function = |property: &str| FunctionParts::parse(properties.get(property)?)?.returned();
        let loaders = extras.loaders.get(&local).map(Vec::as_slice).unwrap_or_default();
        let find_loader = |names: &[&str]| {
            let (_, found) = loaders.iter().find(|(loader, _)| names.contains(loader))?;
            Loader::read(found, name)
        };
        let import = extras.imports.get(name);
        let script = function("u");
        let scripts = find_loader(&["j", "i", "require"]);
        let styles = find_loader(&["miniCss"]);
        let build_hash = function("h").and_then(|hash| hash.name(&Call { arguments: &[], build_hash: None }));
        let public_paths = self.set.iter().filter(|(of, property, _)| *of == local && *property == "p");
        Some(Runtime {
            name: name.into(),
            scope,
            public_path: self.public_path(properties.get("p").copied()),
            changes_public_path: public_paths.count() > 1,
            is_worker: loaders.iter().any(|(loader, _)| *loader == "i"),
            module_folder: import.map(|folder| folder.unwrap_or_default().into()),
            ids: script.as_ref().map(Term::ids).unwrap_or_default().into_iter().map(Into::into).collect(),
            script,
            conditions: scripts.map(Loader::conditions).unwrap_or_default(),
            style: function("miniCssF"),
            styled: styles.map(|styles| styles.listed).unwrap_or_default(),
            wasm: properties.get("v").and_then(|fetch| Loader::read(fetch, name)?.fetched),
            build_hash: build_hash.map(Into::into),
            span: properties.get("u").map_or(0..0, |names| range_of(names)),
        })
    }

    /// Parses `"/"`, `""`, or `(script.src without its name) + "../"`.
    fn public_path(&self, path: Option<&Expression<'_>>) -> PublicPath {
        let Some(path) = path else { return PublicPath::Written("".into()) };
        let suffix = match path {
            Expression::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => text(&sum.right),
            _ => None,
        };
        match (text(path), suffix) {
            (Some((_, path)), _) => PublicPath::Written(path.into()),
            (None, Some((_, suffix))) if self.uses_own_url => PublicPath::Folder(suffix.into()),
            (None, None) if self.uses_own_url => PublicPath::Folder("".into()),
            _ => PublicPath::Computed,
        }
    }
}

/// The parts of a function, in any syntax.
struct FunctionParts<'a> {
    parameters: &'a FormalParameters<'a>,
    body: &'a FunctionBody<'a>,
    is_expression: bool,
}

impl<'a> FunctionParts<'a> {
    fn parse(expression: &'a Expression<'a>) -> Option<FunctionParts<'a>> {
        match expression.get_inner_expression() {
            Expression::ArrowFunctionExpression(arrow) => Some(FunctionParts {
                parameters: &arrow.params,
                body: &arrow.body,
                is_expression: arrow.expression,
            }),
            Expression::FunctionExpression(function) => Some(FunctionParts {
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
        Term::parse_body(self.body, self.is_expression, &self.scope())
    }
}

/// Reads the conditions in a function that loads chunks.
struct Loader<'a> {
    scope: Scope<'a>,
    /// The runtime's name.
    runtime: &'a str,
    /// Conditions, and the ranges in which they are true.
    guards: Vec<(Term, Span)>,
    /// Location of the call that names a script.
    naming_call: Option<Span>,
    /// Ids of a map that is tested for an id.
    listed: HashSet<Box<str>>,
    fetched: Option<Term>,
}

impl<'a> Loader<'a> {
    fn read(expression: &'a Expression<'a>, runtime: &'a str) -> Option<Loader<'a>> {
        let parts = FunctionParts::parse(expression)?;
        let mut loader = Loader {
            scope: parts.scope(),
            runtime,
            guards: Vec::new(),
            naming_call: None,
            listed: HashSet::new(),
            fetched: None,
        };
        loader.visit_function_body(parts.body);
        Some(loader)
    }

    /// Returns the conditions for the call that names a script.
    fn conditions(self) -> Vec<Term> {
        let Some(naming_call) = self.naming_call else { return Vec::new() };
        let around = self.guards.into_iter().filter(|(_, span)| span.contains_inclusive(naming_call));
        around.map(|(condition, _)| condition).collect()
    }

    /// Records the result of a test within a range.
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
                let Some(term) = Term::parse(test, &self.scope).filter(Term::has_parameter) else { return };
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
                    self.naming_call.get_or_insert(call.span);
                }
                Expression::Identifier(name) if name.name == "fetch" => {
                    let fetched = call.arguments.first().and_then(|first| first.as_expression());
                    self.fetched = self.fetched.take().or_else(|| Term::parse(fetched?, &self.scope));
                }
                _ => {}
            },
            _ => {}
        }
    }
}

/// The meaning of an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding<'a> {
    /// The third parameter of a module: the runtime.
    Module,
    /// The only parameter of the function that a chunk runs last.
    LastParameter,
    /// A variable or a function, which may be the runtime itself.
    Local(Local<'a>),
}

/// A name, and the start of the function or block that declares it. Bundles may contain libraries that are bundles
/// themselves, with the same short names.
pub(super) type Local<'a> = (&'a str, u32);

/// Returns the name of an identifier.
pub(super) fn identifier<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    match expression {
        Expression::Identifier(name) => Some(name.name.as_str()),
        _ => None,
    }
}

/// Returns the range of an expression.
pub(super) fn range_of(expression: &Expression<'_>) -> Range<u32> {
    let span = expression.span();
    span.start..span.end
}
