//! Finds the loads of webpack 5 and compatible bundlers: chunks by number, style sheets, workers, files and
//! WebAssembly. Verified with webpack 5.113 (all public paths, ES modules too), Rspack 2.3, Docusaurus 3.10 and
//! Next.js 16 built by webpack (both routers).
//!
//! The runtime is a function with properties, which every module gets as its third parameter:
//! - `r.p` is the public path, `r.u(id)` the name of a chunk's file, `r.miniCssF(id)` that of its style sheet.
//! - A map in `r.f.miniCss` lists the chunks with a style sheet.
//!
//! A module loads a chunk by `r.e(407)`, a worker by `new Worker(new URL(r.p + r.u(495), r.b))`, a file by
//! `r.p + "media/photo.12d2c550.svg"`, and WebAssembly by `r.v(exports, module.id, "faba6ceecfba607fc2b8")`.
//!
//! A chunk adds itself to a global, which identifies the build:
//! `(self.webpackChunk_N_E = self.webpackChunk_N_E || []).push([[40], { 40(module, exports, r) { … } }])`; since webpack
//! 5.113, `(Array.isArray(self.webpackChunk_N_E) ? self.webpackChunk_N_E : self.webpackChunk_N_E = [])`. As an ES module
//! it exports `__webpack_esm_ids__`. Modules for computed paths contain a map: `{ "./a.js": [709, [709]] }`.

mod build;
mod contexts;
mod name;
mod runtime;
pub(crate) mod webpack_script;

use std::collections::{HashMap, HashSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, BinaryExpression, BinaryOperator, BindingPattern,
    CallExpression, ConditionalExpression, Expression, FormalParameters, NewExpression, TemplateLiteral,
};
use oxc_span::Span;
use sitegate_address::{SitePath, UrlReference};

use crate::facts::{BundleFact, Script};
use crate::load::Goal;
use crate::syntax::{property, text};
pub(super) use build::loads;
use contexts::Contexts;
use name::id;
use runtime::{Binding, Runtimes};
use webpack_script::{CallKind, RuntimeCall, WebpackScript};

/// A function or a block around the current node.
struct EnclosingScope<'a> {
    span: Span,
    is_function: bool,
    parameters: Vec<Option<&'a str>>,
    /// Names that it declares, so far.
    declared: HashSet<&'a str>,
}

#[derive(Default)]
pub(super) struct Webpack<'a> {
    scopes: Vec<EnclosingScope<'a>>,
    runtimes: Runtimes<'a>,
    contexts: Contexts<'a>,
    globals: Vec<Box<str>>,
    /// Whether the script is a chunk.
    is_chunk: bool,
    chunks: Vec<Box<str>>,
    calls: Vec<(Binding<'a>, CallKind, Span)>,
    /// Workers around the current node, and how they are run.
    workers: Vec<(Span, Goal)>,
    /// The left operand of a sum that continues.
    continued: Option<Span>,
    changes_public_path: bool,
}

impl<'a> Webpack<'a> {
    pub fn read_node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::Function(function) => {
                if let Some(name) = &function.id
                    && function.is_declaration()
                {
                    self.declare(name.name.as_str(), false, function.span);
                }
                self.enter_scope(function.span, Some(&function.params));
            }
            AstKind::ArrowFunctionExpression(arrow) => self.enter_scope(arrow.span, Some(&arrow.params)),
            AstKind::BlockStatement(block) => self.enter_scope(block.span, None),
            AstKind::ForStatement(repeat) => self.enter_scope(repeat.span, None),
            AstKind::ForInStatement(repeat) => self.enter_scope(repeat.span, None),
            AstKind::ForOfStatement(repeat) => self.enter_scope(repeat.span, None),
            AstKind::AssignmentExpression(set) => self.assignment(set),
            AstKind::ConditionalExpression(choice) => {
                self.globals.extend(chosen_global(choice).map(Box::from));
            }
            AstKind::CallExpression(call) => self.call(call),
            AstKind::NewExpression(new) => self.new_object(new),
            AstKind::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => self.sum(sum),
            AstKind::TemplateLiteral(text) => self.template(text),
            AstKind::ObjectExpression(object) => {
                let module = self.module(object.span);
                self.contexts.read_object(object, module);
            }
            AstKind::VariableDeclarator(declared) => {
                if let BindingPattern::BindingIdentifier(name) = &declared.id {
                    self.is_chunk |= name.name == "__webpack_esm_ids__";
                    self.declare(name.name.as_str(), declared.kind.is_var(), declared.span);
                }
            }
            _ => {}
        }
        self.runtimes.read_node(node);
    }

    /// Enters a function or a block.
    fn enter_scope(&mut self, span: Span, parameters: Option<&'a FormalParameters<'a>>) {
        self.leave_scopes(span);
        let name = |pattern: &'a BindingPattern<'a>| match pattern {
            BindingPattern::BindingIdentifier(name) => Some(name.name.as_str()),
            _ => None,
        };
        let items = parameters.iter().flat_map(|parameters| &parameters.items);
        self.scopes.push(EnclosingScope {
            span,
            is_function: parameters.is_some(),
            parameters: items.map(|parameter| name(&parameter.pattern)).collect(),
            declared: HashSet::new(),
        });
    }

    fn declare(&mut self, name: &'a str, is_var: bool, at: Span) {
        self.leave_scopes(at);
        let mut scopes = self.scopes.iter_mut().rev();
        if let Some(scopes) = scopes.find(|scopes| !is_var || scopes.is_function) {
            scopes.declared.insert(name);
        }
    }

    /// Leaves the scopes that end before a location.
    fn leave_scopes(&mut self, at: Span) {
        while self.scopes.last().is_some_and(|scopes| scopes.span.end <= at.start) {
            self.scopes.pop();
        }
    }

    /// Returns the meaning of a name; `None` if it is not relevant.
    fn binding(&mut self, name: &'a str, at: Span) -> Option<Binding<'a>> {
        self.leave_scopes(at);
        for scopes in self.scopes.iter().rev() {
            if scopes.declared.contains(name) {
                return Some(Binding::Local((name, scopes.span.start + 1)));
            }
            let index = scopes.parameters.iter().rposition(|parameter| *parameter == Some(name));
            match (index, scopes.parameters.len()) {
                (Some(2), 3) => return Some(Binding::Module),
                (Some(0), 1) => return Some(Binding::LastParameter),
                (Some(_), _) => return None,
                (None, _) => {}
            }
        }
        Some(Binding::Local((name, 0)))
    }

    /// Returns the module around a location.
    fn module(&mut self, at: Span) -> Option<Span> {
        self.leave_scopes(at);
        self.scopes.iter().rev().find(|scopes| scopes.parameters.len() == 3).map(|scopes| scopes.span)
    }

    fn assignment(&mut self, set: &'a AssignmentExpression<'a>) {
        if let Some(global) = global(set) {
            self.globals.push(global.into());
        }
        let AssignmentTarget::StaticMemberExpression(member) = &set.left else { return };
        let name = member.property.name.as_str();
        match &member.object {
            Expression::Identifier(object) => match self.binding(object.name.as_str(), set.span) {
                Some(Binding::Local(object)) => self.runtimes.set(object, name, &set.right),
                Some(Binding::Module) if name == "p" => self.changes_public_path = true,
                _ => {}
            },
            Expression::StaticMemberExpression(loaders) if loaders.property.name == "f" => {
                if let Expression::Identifier(object) = &loaders.object
                    && let Some(Binding::Local(object)) = self.binding(object.name.as_str(), set.span)
                {
                    self.runtimes.set_loader(object, name, &set.right);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &'a CallExpression<'a>) {
        let Expression::StaticMemberExpression(member) = &call.callee else { return };
        let name = member.property.name.as_str();
        let first = call.arguments.first().and_then(Argument::as_expression);
        if name == "push" {
            if let Some(ids) = pushed_chunks(&member.object, first) {
                self.is_chunk = true;
                self.chunks.extend(ids);
            }
        } else if name == "map" {
            self.each(&member.object, first, call.span);
        } else if let Expression::Identifier(object) = &member.object
            && matches!(name, "e" | "E" | "u" | "v")
            && let Some(first) = first
            && let Some(binding) = self.binding(object.name.as_str(), call.span)
        {
            match (name, id(first)) {
                ("v", _) => {
                    let texts = call
                        .arguments
                        .iter()
                        .map(|argument| argument.as_expression().and_then(text).map(|(_, text)| text.into()));
                    self.calls.push((binding, CallKind::Wasm(texts.collect()), call.span));
                }
                ("e", None) => {
                    let module = self.module(call.span);
                    self.contexts.read_call(first, binding, module, call.span);
                }
                ("e", Some(id)) => self.calls.push((binding, CallKind::Chunk(id.into()), call.span)),
                ("E", Some(id)) => self.calls.push((binding, CallKind::Prefetch(id.into()), call.span)),
                ("u", Some(id)) => {
                    while self.workers.pop_if(|(span, _)| span.end <= call.span.start).is_some() {}
                    let scopes = |(span, _): &&(Span, Goal)| span.contains_inclusive(call.span);
                    let kind = match self.workers.last().filter(scopes) {
                        Some((_, goal)) => CallKind::Worker(id.into(), *goal),
                        None => CallKind::File(id.into()),
                    };
                    self.calls.push((binding, kind, call.span));
                }
                _ => {}
            }
        }
    }

    /// Reads `[692, 407].map(r.e)`, or some entries of a map of modules.
    fn each(&mut self, list: &'a Expression<'a>, loader: Option<&'a Expression<'a>>, span: Span) {
        let Some(Expression::StaticMemberExpression(member)) = loader else { return };
        let Expression::Identifier(object) = &member.object else { return };
        let name = member.property.name.as_str();
        let Some(binding) = self.binding(object.name.as_str(), span) else { return };
        if !matches!(name, "e" | "E") {
            return;
        }
        if let Expression::ArrayExpression(list) = list {
            let ids = list.elements.iter().filter_map(|entry| id(entry.as_expression()?));
            let kind = if name == "e" { CallKind::Chunk } else { CallKind::Prefetch };
            self.calls.extend(ids.map(|id| (binding, kind(id.into()), span)));
        } else if name == "e" {
            let module = self.module(span);
            self.contexts.read_each(list, binding, module, span);
        }
    }

    fn new_object(&mut self, new: &'a NewExpression<'a>) {
        let Expression::Identifier(name) = &new.callee else { return };
        if matches!(name.name.as_str(), "Worker" | "SharedWorker") {
            let options = new.arguments.get(1).and_then(Argument::as_expression);
            let kind = options.and_then(|options| property(options, "type"));
            let is_module = kind.and_then(text).is_some_and(|(_, kind)| kind == "module");
            self.workers.push((new.span, if is_module { Goal::Module } else { Goal::Script }));
        }
    }

    /// Reads `r.p + "media/photo.svg"`.
    fn sum(&mut self, sum: &'a BinaryExpression<'a>) {
        let is_continued = self.continued == Some(sum.span);
        if let Expression::BinaryExpression(left) = &sum.left
            && !text(&sum.right).is_some_and(|(_, text)| text.starts_with(['?', '#']))
        {
            self.continued = Some(left.span);
        }
        if let Some((_, path)) = text(&sum.right)
            && !is_continued
        {
            self.asset(&sum.left, path, sum.span);
        }
    }

    fn template(&mut self, template: &'a TemplateLiteral<'a>) {
        if let ([only], [before, after]) = (template.expressions.as_slice(), template.quasis.as_slice())
            && before.value.raw.is_empty()
            && let Some(path) = &after.value.cooked
        {
            self.asset(only, path, template.span);
        }
    }

    fn asset(&mut self, public: &'a Expression<'a>, path: &str, span: Span) {
        if let Expression::StaticMemberExpression(member) = public
            && let Expression::Identifier(object) = &member.object
            && member.property.name == "p"
            && is_file_path(path)
            && let Some(binding) = self.binding(object.name.as_str(), span)
        {
            self.calls.push((binding, CallKind::Asset(path.into()), span));
        }
    }

    pub fn add_facts(mut self, script: &mut Script) {
        for (binding, id, span) in self.contexts.chunks(&mut script.computed) {
            self.calls.push((binding, CallKind::Chunk(id), span));
        }
        let runtimes = self.runtimes.into_runtimes();
        if !self.is_chunk && runtimes.is_empty() {
            return;
        }
        let mut by_name = HashMap::new();
        for (index, runtime) in runtimes.iter().enumerate() {
            by_name.entry(runtime.local()).or_insert(index);
        }
        let calls = self.calls.into_iter().filter_map(|(binding, kind, span)| {
            let runtime = match binding {
                Binding::Local(local) => Some(*by_name.get(&local)?),
                Binding::Module => None,
                Binding::LastParameter if matches!(kind, CallKind::Prefetch(_)) => None,
                Binding::LastParameter => return None,
            };
            Some(RuntimeCall { kind, runtime, span: span.start..span.end })
        });
        let calls: Vec<RuntimeCall> = calls.collect();
        let changes_public_path =
            self.changes_public_path || runtimes.iter().any(|runtime| runtime.changes_public_path);
        let Webpack { globals, chunks, .. } = self;
        let webpack_script = WebpackScript { globals, chunks, runtimes, calls, changes_public_path };
        script.bundle_facts.push(BundleFact::Webpack(Box::new(webpack_script)));
    }
}

/// Returns the global in `self.webpackChunkapp = self.webpackChunkapp || []`.
fn global<'a>(set: &'a AssignmentExpression<'a>) -> Option<&'a str> {
    let name = assigned_property(set)?;
    let Expression::LogicalExpression(either) = set.right.get_inner_expression() else { return None };
    (is_empty_list(&either.right) && is_property(&either.left, name)).then_some(name)
}

/// Returns the global in `Array.isArray(self.webpackChunkapp) ? self.webpackChunkapp : self.webpackChunkapp = []`.
fn chosen_global<'a>(choice: &'a ConditionalExpression<'a>) -> Option<&'a str> {
    let Expression::AssignmentExpression(set) = choice.alternate.get_inner_expression() else { return None };
    let name = assigned_property(set)?;
    (is_empty_list(&set.right) && is_property(&choice.consequent, name)).then_some(name)
}

/// Returns the name of the property that is set.
fn assigned_property<'a>(set: &'a AssignmentExpression<'a>) -> Option<&'a str> {
    match &set.left {
        AssignmentTarget::StaticMemberExpression(member) => Some(member.property.name.as_str()),
        AssignmentTarget::ComputedMemberExpression(member) => Some(text(&member.expression)?.1),
        _ => None,
    }
}

/// Whether an expression is a property of this name.
fn is_property(expression: &Expression<'_>, name: &str) -> bool {
    match expression.get_inner_expression() {
        Expression::StaticMemberExpression(member) => member.property.name == name,
        Expression::ComputedMemberExpression(member) => {
            text(&member.expression).is_some_and(|(_, text)| text == name)
        }
        _ => false,
    }
}

fn is_empty_list(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::ArrayExpression(list) if list.elements.is_empty())
}

/// Returns the ids in `(self.webpackChunkapp = …).push([[40], …])`.
fn pushed_chunks(list: &Expression<'_>, pushed: Option<&Expression<'_>>) -> Option<Vec<Box<str>>> {
    let Some(Expression::ArrayExpression(pushed)) = pushed else { return None };
    match list.get_inner_expression() {
        Expression::AssignmentExpression(set) => global(set)?,
        Expression::ConditionalExpression(choice) => chosen_global(choice)?,
        _ => return None,
    };
    match pushed.elements.first()?.as_expression()? {
        Expression::ArrayExpression(ids) => {
            Some(ids.elements.iter().filter_map(|one| Some(id(one.as_expression()?)?.into())).collect())
        }
        _ => None,
    }
}

/// Whether a path after the public path is a file, not a folder or the start of a name.
fn is_file_path(path: &str) -> bool {
    SitePath::new(UrlReference::new(path).path()).extension().is_some_and(|extension| {
        (1..=8).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::loads;
    use crate::load::{Grade, RelativeTo};
    use crate::{BundledScript, Memory, read_script};

    /// A shortened runtime of webpack 5.
    const RUNTIME: &str = r#"(()=>{var e={284(e,t,n){e.exports=n.p+"media/photo.12d2c550.svg"}};const t={};
        function n(r){return e[r](t[r],t[r].exports,n),t[r].exports}n.m=e,n.f={},
        n.e=e=>Promise.all(Object.keys(n.f).reduce((t,r)=>(n.f[r](e,t),t),[])),
        n.u=e=>"js/"+(407===e?"panel":e)+"."+{40:"60787cef",407:"ace2c474",495:"3ceac8ce",500:"deadbeef"}[e]+".js",
        n.miniCssF=e=>"css/"+(407===e?"panel":e)+"."+{407:"7808eecb",645:"5da8793d"}[e]+".css",
        n.v=(e,t,r,o)=>{var s=fetch(n.p+""+r+".module.wasm");return s},PUBLIC,
        n.f.miniCss=(t,r)=>{0!==e[t]&&{407:1}[t]&&r.push(e[t]=(e=>n.miniCssF(e))(t))},
        n.f.j=(t,r)=>{let o=e[t];if(0!==o)if(o)r.push(o[2]);else if(/^(645|500)$/.test(t))e[t]=0;else{n.l(n.p+n.u(t))}};
        (self.webpackChunkapp=self.webpackChunkapp||[]).forEach(e)})();"#;

    /// Returns the loads of scripts: the URL, the grade, and the start of the call.
    fn found_loads(scripts: &[(&str, &str)], is_all: bool) -> Vec<(String, Grade, String)> {
        let mut memory = Memory::default();
        let bundled: Vec<BundledScript> = scripts
            .iter()
            .map(|(path, text)| BundledScript {
                script: Arc::new(read_script(text, &mut memory)),
                path: (*path).to_owned(),
                is_entry: path.contains("vendor"),
            })
            .collect();
        let mut found: Vec<_> = loads(&bundled, is_all)
            .into_iter()
            .map(|(index, load)| {
                assert_eq!(load.relative_to, RelativeTo::Document);
                let words = &scripts[index].1[load.span.start as usize..load.span.end as usize];
                (load.address.to_string(), load.grade, words.chars().take(8).collect())
            })
            .collect();
        found.sort();
        found
    }

    fn needed(of: &[(&str, &str)]) -> Vec<(String, Grade, String)> {
        of.iter().map(|(path, words)| ((*path).to_owned(), Grade::Required, (*words).to_owned())).collect()
    }

    #[test]
    fn resolves_chunks_of_one_script_by_the_runtime_in_another() {
        let runtime = RUNTIME.replace("PUBLIC", r#"n.p="/docs/""#);
        let main = r#"(self.webpackChunkapp=self.webpackChunkapp||[]).push([[792],{164(e,t,n){
            Promise.all([n.e(645),n.e(407)]).then(()=>n(723));new Worker(new URL(n.p+n.u(495),n.b));
            n.v(t,e.id,"faba6cee");other.e(40)}}]);"#;
        let found = found_loads(&[("/docs/js/runtime.js", &runtime), ("/docs/js/main.js", main)], false);
        let expected = needed(&[
            ("/docs/css/panel.7808eecb.css", "n.e(407)"),
            ("/docs/faba6cee.module.wasm", "n.v(t,e."),
            ("/docs/js/495.3ceac8ce.js", "n.u(495)"),
            ("/docs/js/panel.ace2c474.js", "n.e(407)"),
            ("/docs/media/photo.12d2c550.svg", "n.p+\"med"),
        ]);
        assert_eq!(found, expected);
        let all = found_loads(&[("/docs/js/runtime.js", &runtime), ("/docs/js/main.js", main)], true);
        let uncalled: Vec<_> = all.iter().filter(|(_, grade, _)| *grade == Grade::Optional).collect();
        assert_eq!(uncalled.len(), 1, "500 is no script: {uncalled:?}");
        assert_eq!(uncalled[0].0, "/docs/js/40.60787cef.js");
    }

    #[test]
    fn the_list_of_chunks_may_be_a_choice() {
        let choice = "Array.isArray(self.webpackChunkapp)?self.webpackChunkapp:self.webpackChunkapp=[]";
        let runtime = RUNTIME
            .replace("PUBLIC", r#"n.p="/""#)
            .replace("self.webpackChunkapp=self.webpackChunkapp||[]", choice);
        let main = format!("({choice}).push([[792],{{164(e,t,n){{n.e(407)}}}}])");
        let found = found_loads(&[("/js/runtime.js", &runtime), ("/js/main.js", &main)], false);
        let expected = needed(&[
            ("/css/panel.7808eecb.css", "n.e(407)"),
            ("/js/panel.ace2c474.js", "n.e(407)"),
            ("/media/photo.12d2c550.svg", "n.p+\"med"),
        ]);
        assert_eq!(found, expected);
    }

    #[test]
    fn an_automatic_public_path_is_relative_to_the_runtime() {
        let automatic = r#"(()=>{let e=document.currentScript.src;if(!e){const n=document.scripts;e=n[0].src}
            n.p=e.replace(/\/[^/]+$/,"/")+"../"})()"#;
        let runtime = RUNTIME.replace("PUBLIC", automatic);
        let chunk = r"(self.webpackChunkapp=self.webpackChunkapp||[]).push([[1],{2:(e,t,n)=>{n.e(40)}}])";
        let found = found_loads(&[("/x/js/runtime.js", &runtime), ("/x/js/deep/1.js", chunk)], false);
        let expected =
            needed(&[("/x/js/40.60787cef.js", "n.e(40)"), ("/x/media/photo.12d2c550.svg", "n.p+\"med")]);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_bundle_in_a_bundle_is_another_runtime() {
        let inner = r#"var lib=function(e){function n(r){}return n.m=e,n.c={},n.p="",n(0)}([]);n.p="/""#;
        let runtime = RUNTIME.replace("PUBLIC", "0").replace("n.m=e,", &format!("n.m=e;{inner};"));
        let found = found_loads(&[("/js/runtime.js", &runtime)], false);
        assert_eq!(found, needed(&[("/media/photo.12d2c550.svg", "n.p+\"med")]));
    }

    #[test]
    fn a_runtime_names_only_chunks_of_its_own_build() {
        let runtime = RUNTIME.replace("PUBLIC", r#"n.p="/""#);
        let chunk = r"(self.webpackChunkother=self.webpackChunkother||[]).push([[1],{2:(e,t,n)=>{n.e(40)}}])";
        let found = found_loads(&[("/js/runtime.js", &runtime), ("/1.js", chunk)], false);
        assert_eq!(found, needed(&[("/media/photo.12d2c550.svg", "n.p+\"med")]));
    }

    #[test]
    fn a_map_of_paths_loads_all_of_its_chunks() {
        let runtime = RUNTIME.replace("PUBLIC", r#"n.p="""#);
        for (list, picked) in [
            ("[709,[40]]", "n.e(t[1][0])"),
            ("[709,7,40]", "n.e(t[2])"),
            ("[709,40]", "t.slice(1).map(n.e)"),
            ("[709,[40]]", "t[1].map(n.e)"),
        ] {
            let chunk = r#"(self.webpackChunkapp=self.webpackChunkapp||[]).push([[1],{182(e,t,n){
                const r={"./first.js":LIST};e.exports=function(e){const t=r[e];return PICKED}}}])"#;
            let chunk = chunk.replace("LIST", list).replace("PICKED", picked);
            let found = found_loads(&[("/runtime.js", &runtime), ("/1.js", &chunk)], false);
            assert!(found.iter().any(|(path, ..)| path == "js/40.60787cef.js"), "{list} {picked}: {found:?}");
        }
    }

    #[test]
    fn handwritten_scripts_have_no_chunks() {
        let plain = r#"a.p="x/";a.u=e=>e+".js";a.e(5);function f(e,t,n){n.e(6);return n.p+"a.png"}"#;
        assert_eq!(found_loads(&[("/a.js", plain)], true), []);
    }
}
