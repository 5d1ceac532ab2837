//! Finds the loads that ECMAScript and HTML define: imports, workers, and files relative to a script.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, CallExpression, Expression, ImportAttributeKey, ImportExpression, NewExpression, Program,
    StringLiteral, WithClause,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use sitegate_address::{SitePath, UrlReference};

use super::address::{Address, AddressReader, with_unknown_parts};
use super::bundlers::{Recognizers, is_runtime_import};
use super::facts::{BundleFact, Script, WorkerScope};
use super::load::{Goal, Grade, LoadKind, RelativeTo, ScriptLoad};
use super::syntax::{property, range, text};

/// Maximum number of ancestors to search for the grade of a load.
const MAX_ANCESTORS: usize = 1_000;

/// Returns the facts of a parsed program.
pub(super) fn read_program(program: &Program<'_>, source: &str) -> Script {
    let mut reader = Reader {
        script: Script::default(),
        addresses: AddressReader::new(program, source),
        ancestors: Vec::new(),
        recognizers: Recognizers::default(),
    };
    reader.visit_program(program);
    reader.source_map(program, source);
    let Reader { mut script, recognizers, .. } = reader;
    recognizers.add_loads(&mut script);
    script.loads.sort_by_key(|load| (load.span.start, load.span.end));
    script
}

struct Reader<'p, 'a> {
    script: Script,
    addresses: AddressReader<'p, 'a>,
    /// The ancestors of the current node, outermost first.
    ancestors: Vec<AstKind<'a>>,
    recognizers: Recognizers<'a>,
}

impl<'a> Visit<'a> for Reader<'_, 'a> {
    fn enter_node(&mut self, node: AstKind<'a>) {
        let known = self.script.loads.len();
        match node {
            AstKind::ImportDeclaration(import) => {
                self.module_syntax(import.span);
                self.import(&import.source, import.with_clause.as_deref());
            }
            AstKind::ExportNamedDeclaration(export) => {
                self.module_syntax(export.span);
                if let Some(source) = &export.source {
                    self.import(source, export.with_clause.as_deref());
                }
            }
            AstKind::ExportAllDeclaration(export) => {
                self.module_syntax(export.span);
                self.import(&export.source, export.with_clause.as_deref());
            }
            AstKind::ExportDefaultDeclaration(export) => self.module_syntax(export.span),
            AstKind::MetaProperty(meta) if meta.meta.name == "import" => self.module_syntax(meta.span),
            AstKind::ImportExpression(import) => self.dynamic_import(import),
            AstKind::NewExpression(new) => self.new_object(new),
            AstKind::CallExpression(call) => self.call(call),
            _ => {}
        }
        self.recognizers.read_node(node, &self.addresses, &mut self.script);
        if self.script.loads.len() > known && self.is_for_one_host() {
            self.script.loads[known..].iter_mut().for_each(|load| load.grade = Grade::Uncertain);
        }
        self.ancestors.push(node);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.ancestors.pop();
    }
}

impl<'a> Reader<'_, 'a> {
    fn module_syntax(&mut self, span: Span) {
        self.script.module_syntax.get_or_insert(range(span));
    }

    fn load(&mut self, kind: LoadKind, address: Address, grade: Grade, goal: Option<Goal>, span: Span) {
        let Address { text, relative_to } = address;
        let span = self.without_quotes(span);
        let load = ScriptLoad { kind, address: text.into(), relative_to, grade, goal, span };
        self.script.loads.push(load);
    }

    /// Returns the location of a text without its quotes.
    fn without_quotes(&self, span: Span) -> Range<u32> {
        let quotes = ['"', '\'', '`'];
        let text = self.addresses.text(span);
        if text.len() > 1 && text.starts_with(quotes) && text.ends_with(quotes) {
            span.start + 1..span.end - 1
        } else {
            range(span)
        }
    }

    /// Adds a static import or a re-export.
    fn import(&mut self, source: &StringLiteral<'a>, with: Option<&WithClause<'a>>) {
        let is_type = |key: &ImportAttributeKey<'_>| match key {
            ImportAttributeKey::Identifier(name) => name.name == "type",
            ImportAttributeKey::StringLiteral(name) => name.value == "type",
        };
        let is_data = with.is_some_and(|with| with.with_entries.iter().any(|entry| is_type(&entry.key)));
        let address = Address { text: source.value.to_string(), relative_to: RelativeTo::Specifier };
        let goal = (!is_data).then_some(Goal::Module);
        self.load(LoadKind::Import, address, Grade::Required, goal, source.span);
    }

    fn dynamic_import(&mut self, import: &ImportExpression<'a>) {
        if is_runtime_import(&import.source) {
            self.script.bundle_facts.push(BundleFact::StencilRuntime);
            return;
        }
        let Some(address) = self.addresses.evaluate(&import.source) else {
            self.script.computed.push(range(import.span));
            return;
        };
        let is_data = import.options.as_ref().is_some_and(|options| is_typed(options));
        // `new URL` makes a URL, which is no specifier.
        let relative_to = match address.relative_to {
            RelativeTo::Document => RelativeTo::Specifier,
            other => other,
        };
        let grade = if self.is_caught() { Grade::Optional } else { Grade::Required };
        let goal = (!is_data).then_some(Goal::Module);
        let address = Address { relative_to, ..address };
        self.load(LoadKind::DynamicImport, address, grade, goal, import.source.span());
    }

    /// Adds workers, and `new URL(…, import.meta.url)`.
    fn new_object(&mut self, new: &NewExpression<'a>) {
        let name = match &new.callee {
            Expression::Identifier(name) => name.name.as_str(),
            Expression::StaticMemberExpression(member) => member.property.name.as_str(),
            _ => return,
        };
        let Some(first) = new.arguments.first() else { return };
        match name {
            "Worker" | "SharedWorker" => {
                let Some(address) = self.addresses.argument(Some(first)) else { return };
                let goal = worker_goal(new.arguments.get(1));
                self.load(LoadKind::Worker, address, self.grade(), Some(goal), first.span());
            }
            "URL" if !self.is_part_of_load(new.span) => {
                let Some(expression) = new.arguments.get(1).and(self.addresses.new_url(new)) else { return };
                // The inner `new URL` was already added.
                if self
                    .addresses
                    .argument(Some(first))
                    .is_some_and(|inner| inner.relative_to == RelativeTo::Script)
                {
                    return;
                }
                if expression.relative_to == RelativeTo::Script && is_file_url(&expression.text) {
                    let grade = if self.is_conditional() { Grade::Optional } else { Grade::Required };
                    let goal = expression.text.ends_with(".js").then_some(Goal::Module);
                    self.load(LoadKind::NewUrl, expression, grade, goal, first.span());
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &CallExpression<'a>) {
        let first = call.arguments.first();
        match &call.callee {
            Expression::Identifier(name) if name.name == "importScripts" => {
                for argument in &call.arguments {
                    match self.addresses.argument(Some(argument)) {
                        Some(address) => self.load(
                            LoadKind::ImportScripts,
                            address,
                            self.grade(),
                            Some(Goal::Script),
                            argument.span(),
                        ),
                        None => self.script.computed.push(range(argument.span())),
                    }
                }
            }
            Expression::Identifier(name) if name.name == "fetch" => self.fetch(call),
            Expression::StaticMemberExpression(member) => {
                let object = self.addresses.text(member.object.span());
                match member.property.name.as_str() {
                    "register" if object.ends_with("serviceWorker") => {
                        let Some(address) = self.addresses.argument(first) else { return };
                        let goal = worker_goal(call.arguments.get(1));
                        if let Some(options) = call.arguments.get(1).and_then(Argument::as_expression)
                            && let Some((span, scope)) = property(options, "scope").and_then(text)
                            && address.relative_to == RelativeTo::Document
                        {
                            let (script, scope) = (address.text.as_str().into(), scope.into());
                            self.script.worker_scopes.push(WorkerScope { script, scope, span: range(span) });
                        }
                        let grade = if self.is_caught() { Grade::Optional } else { Grade::Required };
                        let span = call.arguments[0].span();
                        self.load(LoadKind::ServiceWorker, address, grade, Some(goal), span);
                    }
                    "addModule" if ends_with_worklet(object) => {
                        if let Some(address) = self.addresses.argument(first) {
                            self.load(
                                LoadKind::Worklet,
                                address,
                                self.grade(),
                                Some(Goal::Module),
                                call.span,
                            );
                        }
                    }
                    "resolve" if object == "import.meta" => self.resolve_call(call),
                    "fetch" if matches!(object, "window" | "self" | "globalThis") => self.fetch(call),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Adds `import.meta.resolve("x")`, whose result may have any use.
    fn resolve_call(&mut self, call: &CallExpression<'a>) {
        let Some(first) = call.arguments.first() else { return };
        if self.is_part_of_load(call.span) {
            return;
        }
        if let Some(address) =
            self.addresses.argument(Some(first)).filter(|address| is_file_url(&address.text))
        {
            // A bare name is an entry of an import map; any other URL is often only for developer tools.
            let is_name = !address.text.starts_with(['.', '/']) && !address.text.contains(':');
            let grade = if is_name { Grade::Required } else { Grade::Uncertain };
            let address = Address { relative_to: RelativeTo::Specifier, ..address };
            self.load(LoadKind::Resolve, address, grade, Some(Goal::Module), first.span());
        }
    }

    /// Adds a fetch. It may be a file or an API, so a URL without a file extension only counts if the file exists.
    /// WebAssembly that is compiled at once is a file.
    fn fetch(&mut self, call: &CallExpression<'a>) {
        let first = call.arguments.first();
        let Some(address) = self.addresses.argument(first) else {
            // Others are mostly APIs, or functions that wrap `fetch`.
            if first.and_then(Argument::as_expression).is_some_and(is_computed_file) {
                self.script.computed.push(range(call.span));
            }
            return;
        };
        if address.relative_to == RelativeTo::Document {
            let is_plain = call.arguments.len() == 1 && has_file_extension(&address.text);
            let grade = match is_plain {
                true if self.is_compiled() && !self.is_caught() => Grade::Required,
                true => Grade::Optional,
                false => Grade::Uncertain,
            };
            let span = call.arguments[0].span();
            self.load(LoadKind::Fetch, address, grade, None, span);
        }
    }

    /// Whether the current node is the response that `WebAssembly.instantiateStreaming` or `compileStreaming` compiles.
    fn is_compiled(&self) -> bool {
        let outer = self.nearest_ancestors().find(|node| !matches!(node, AstKind::AwaitExpression(_)));
        let Some(AstKind::CallExpression(call)) = outer else { return false };
        let callee = self.addresses.text(call.callee.span());
        matches!(callee, "WebAssembly.instantiateStreaming" | "WebAssembly.compileStreaming")
    }

    /// Adds the last `sourceMappingURL` comment (ECMA-426, 11.1.2).
    fn source_map(&mut self, program: &Program<'a>, source: &str) {
        const NAME: &str = "sourceMappingURL=";
        let url = program.comments.iter().rev().find_map(|comment| {
            let text = self.addresses.text(comment.content_span()).strip_prefix(['#', '@'])?;
            text.trim_start().strip_prefix(NAME)
        });
        let Some(url) = url else { return };
        let url = url.trim();
        if !url.is_empty() && !url.starts_with("data:") {
            let start = (url.as_ptr() as usize - source.as_ptr() as usize) as u32;
            let address = Address { text: url.to_owned(), relative_to: RelativeTo::Script };
            let span = Span::new(start, start + url.len() as u32);
            self.load(LoadKind::SourceMap, address, Grade::Optional, None, span);
        }
    }

    /// Returns the ancestors of the current node, innermost first, up to a limit.
    fn nearest_ancestors(&self) -> impl Iterator<Item = &AstKind<'a>> {
        self.ancestors.iter().rev().take(MAX_ANCESTORS)
    }

    /// Returns the grade of a load that fails synchronously.
    fn grade(&self) -> Grade {
        if self.is_in_try() { Grade::Optional } else { Grade::Required }
    }

    /// Whether the current node is a `new URL` in another load, which is more specific.
    fn is_part_of_load(&self, url: Span) -> bool {
        let mut inner = url;
        for node in self.nearest_ancestors() {
            match node {
                AstKind::ImportExpression(_) => return true,
                AstKind::NewExpression(new) => match &new.callee {
                    Expression::Identifier(name) => match name.name.as_str() {
                        // The base of another URL need not exist.
                        "URL" if new.arguments.get(1).is_some_and(|base| base.span() == inner) => {
                            return true;
                        }
                        "URL" => {}
                        name => return matches!(name, "Worker" | "SharedWorker"),
                    },
                    _ => return false,
                },
                AstKind::CallExpression(call) => {
                    let callee = self.addresses.text(call.callee.span());
                    if callee == "importScripts" || callee.ends_with("serviceWorker.register") {
                        return true;
                    }
                }
                AstKind::StaticMemberExpression(_) | AstKind::BinaryExpression(_) => {}
                _ => return false,
            }
            inner = node.span();
        }
        false
    }

    /// Whether the current node is in a `try` with a `catch`, in the same function.
    fn is_in_try(&self) -> bool {
        let mut inner: Option<Span> = None;
        for node in self.nearest_ancestors() {
            match node {
                AstKind::TryStatement(attempt)
                    if attempt.handler.is_some() && inner == Some(attempt.block.span) =>
                {
                    return true;
                }
                AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => return false,
                _ => {}
            }
            inner = Some(node.span());
        }
        false
    }

    /// Whether the script handles a failure of the current import: it is awaited in a `try`, or its promise has a
    /// `catch`. A function may pass the promise to its caller, as loaders of bundlers do.
    fn is_caught(&self) -> bool {
        let mut inner: Option<Span> = None;
        let (mut is_awaited, mut is_returned) = (false, false);
        let mut ancestors = self.nearest_ancestors().peekable();
        while let Some(node) = ancestors.next() {
            let outer = ancestors.peek();
            match node {
                AstKind::AwaitExpression(_) => is_awaited = true,
                AstKind::ReturnStatement(_) => is_returned = true,
                AstKind::TryStatement(attempt)
                    if is_awaited && attempt.handler.is_some() && inner == Some(attempt.block.span) =>
                {
                    return true;
                }
                // An awaited promise fails before the promises derived from it.
                AstKind::StaticMemberExpression(member) if !is_awaited => {
                    if let Some(AstKind::CallExpression(call)) = outer
                        && call.callee.span() == member.span
                    {
                        match member.property.name.as_str() {
                            "catch" if !call.arguments.is_empty() => return true,
                            "then" if call.arguments.len() > 1 => return true,
                            _ => {}
                        }
                    }
                }
                // An import in an object, such as the routes of a router, fails later.
                AstKind::ObjectProperty(_) => return false,
                AstKind::ArrowFunctionExpression(arrow) if arrow.expression => is_awaited = false,
                AstKind::ArrowFunctionExpression(_) | AstKind::Function(_) => {
                    let is_called = matches!(outer, Some(AstKind::CallExpression(_)));
                    if !is_called || !(is_awaited || is_returned) {
                        return false;
                    }
                    (is_awaited, is_returned) = (false, false);
                }
                _ => {}
            }
            inner = Some(node.span());
        }
        false
    }

    /// Whether the current node only runs on a host that the script names: `if (location.hostname === "example.com")`.
    fn is_for_one_host(&self) -> bool {
        let mut inner = Span::default();
        for node in self.nearest_ancestors() {
            if let AstKind::IfStatement(either) = node
                && either.consequent.span() == inner
            {
                let test = self.addresses.text(either.test.span());
                if ["location.host", "document.domain"].iter().any(|host| test.contains(host))
                    && test.contains("==")
                    && !test.contains("!=")
                {
                    return true;
                }
            }
            inner = node.span();
        }
        false
    }

    /// Whether the current node is a default, which is only used if there is nothing else.
    fn is_conditional(&self) -> bool {
        let mut inner = Span::default();
        for node in self.nearest_ancestors() {
            match node {
                AstKind::IfStatement(either) if either.test.span() != inner => return true,
                AstKind::ConditionalExpression(either) if either.test.span() != inner => return true,
                AstKind::LogicalExpression(either) if either.left.span() != inner => return true,
                AstKind::AssignmentExpression(set) if set.operator.is_logical() => return true,
                AstKind::FormalParameter(_) | AstKind::AssignmentPattern(_) => return true,
                AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => return false,
                _ => {}
            }
            inner = node.span();
        }
        false
    }
}

/// Whether the object of `.addModule` is a worklet, in any case.
fn ends_with_worklet(object: &str) -> bool {
    const NAME: &str = "worklet";
    let end = object.len().checked_sub(NAME.len()).and_then(|start| object.get(start..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(NAME))
}

/// Whether a URL is a file, not a folder to append names to, nor an endpoint of a server: builds for production keep
/// `new URL("/__vite_rsc_findSourceMapURL", import.meta.url)` of Vite's server components (Waku 0.27).
fn is_file_url(address: &str) -> bool {
    let path = SitePath::new(UrlReference::new(address).path());
    let is_endpoint = address.starts_with('/') && path.extension().is_none();
    !is_endpoint && !matches!(path.name(), "" | "." | "..")
}

/// Whether a URL has the extension of a static file, which APIs rarely have.
fn has_file_extension(address: &str) -> bool {
    let path = SitePath::new(UrlReference::new(address).path());
    matches!(
        path.extension().unwrap_or_default(),
        "json"
            | "wasm"
            | "svg"
            | "html"
            | "txt"
            | "csv"
            | "md"
            | "bin"
            | "geojson"
            | "glb"
            | "pmtiles"
            | "xml"
    )
}

/// Whether the literal parts of a computed address say that it is a file of this site: `"/data/" + name + ".json"`.
fn is_computed_file(address: &Expression<'_>) -> bool {
    let written = with_unknown_parts(address, 0);
    !written.contains("//") && has_file_extension(&written)
}

/// Returns the goal of a worker from its options: `{ type: "module" }`.
fn worker_goal(options: Option<&Argument<'_>>) -> Goal {
    let kind = options.and_then(Argument::as_expression).and_then(|options| text(property(options, "type")?));
    match kind {
        Some((_, "module")) => Goal::Module,
        _ => Goal::Script,
    }
}

/// Whether the options of an import declare that it is not a script: `{ with: { type: … } }`.
fn is_typed(options: &Expression<'_>) -> bool {
    property(options, "with").is_some_and(|with| property(with, "type").is_some())
}
