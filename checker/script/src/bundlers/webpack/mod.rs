//! webpack 5 and what writes like it: chunks by number, style sheets, workers, files and WebAssembly. Seen with webpack 5.112
//! (every public path, ES modules too), Rspack 2.3, Docusaurus 3.10 and Next.js 16 built by webpack (both routers).
//!
//! The runtime is one function with everything in its properties, which every module gets as its third parameter:
//! `r.p` is the public path, `r.u(id)` the name of a chunk's file, `r.miniCssF(id)` that of its style sheet, which the chunks
//! in a map inside of `r.f.miniCss` have. A module asks for a chunk by `r.e(407)`, for a worker by
//! `new Worker(new URL(r.p + r.u(495), r.b))`, for a file by `r.p + "media/photo.12d2c550.svg"`, and for WebAssembly by
//! `r.v(exports, module.id, "faba6ceecfba607fc2b8")`. A chunk puts itself into a global, which tells builds apart:
//! `(self.webpackChunk_N_E = self.webpackChunk_N_E || []).push([[40], { 40(module, exports, r) { … } }])`; as an ES module it
//! exports `__webpack_esm_ids__`. Modules that are asked for by a computed path stand in a map: `{ "./a.js": [709, [709]] }`.

mod build;
mod contexts;
mod local;
mod name;
pub(crate) mod part;
mod runtime;

use std::collections::{HashMap, HashSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, BinaryExpression, BinaryOperator, BindingPattern,
    CallExpression, Expression, FormalParameters, NewExpression, TemplateLiteral,
};
use oxc_span::Span;

use crate::facts::{BundlePiece, Script};
use crate::load::Goal;
use crate::syntax::{property, text};
pub(super) use build::loads;
use contexts::Contexts;
use local::Who;
use name::id;
use part::{Ask, Part, What};
use runtime::Runtimes;

/// A function or a block around the node at hand.
struct Around<'a> {
    span: Span,
    is_function: bool,
    parameters: Vec<Option<&'a str>>,
    /// What it declares, so far.
    declared: HashSet<&'a str>,
}

#[derive(Default)]
pub(super) struct Webpack<'a> {
    around: Vec<Around<'a>>,
    runtimes: Runtimes<'a>,
    contexts: Contexts<'a>,
    globals: Vec<Box<str>>,
    /// Whether it is a chunk, by what it does first.
    is_chunk: bool,
    brings: Vec<Box<str>>,
    asks: Vec<(Who<'a>, What, Span)>,
    /// The workers around the node at hand, and as what they are run.
    workers: Vec<(Span, Goal)>,
    /// A sum that goes on.
    continued: Option<Span>,
    moves_public_path: bool,
}

impl<'a> Webpack<'a> {
    pub fn node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::Function(function) => {
                if let Some(name) = &function.id
                    && function.is_declaration()
                {
                    self.declare(name.name.as_str(), false, function.span);
                }
                self.enter(function.span, Some(&function.params));
            }
            AstKind::ArrowFunctionExpression(arrow) => self.enter(arrow.span, Some(&arrow.params)),
            AstKind::BlockStatement(block) => self.enter(block.span, None),
            AstKind::ForStatement(repeat) => self.enter(repeat.span, None),
            AstKind::ForInStatement(repeat) => self.enter(repeat.span, None),
            AstKind::ForOfStatement(repeat) => self.enter(repeat.span, None),
            AstKind::AssignmentExpression(set) => self.assignment(set),
            AstKind::CallExpression(call) => self.call(call),
            AstKind::NewExpression(new) => self.new_object(new),
            AstKind::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => self.sum(sum),
            AstKind::TemplateLiteral(text) => self.template(text),
            AstKind::ObjectExpression(object) => {
                let module = self.module(object.span);
                self.contexts.object(object, module);
            }
            AstKind::VariableDeclarator(declared) => {
                if let BindingPattern::BindingIdentifier(name) = &declared.id {
                    self.is_chunk |= name.name == "__webpack_esm_ids__";
                    self.declare(name.name.as_str(), declared.kind.is_var(), declared.span);
                }
            }
            _ => {}
        }
        self.runtimes.node(node);
    }

    /// Into a function, or into a block.
    fn enter(&mut self, span: Span, parameters: Option<&'a FormalParameters<'a>>) {
        self.leave(span);
        let name = |pattern: &'a BindingPattern<'a>| match pattern {
            BindingPattern::BindingIdentifier(name) => Some(name.name.as_str()),
            _ => None,
        };
        let items = parameters.iter().flat_map(|parameters| &parameters.items);
        self.around.push(Around {
            span,
            is_function: parameters.is_some(),
            parameters: items.map(|parameter| name(&parameter.pattern)).collect(),
            declared: HashSet::new(),
        });
    }

    fn declare(&mut self, name: &'a str, is_var: bool, at: Span) {
        self.leave(at);
        let mut around = self.around.iter_mut().rev();
        if let Some(around) = around.find(|around| !is_var || around.is_function) {
            around.declared.insert(name);
        }
    }

    /// Forgets what ended before a place.
    fn leave(&mut self, at: Span) {
        while self.around.last().is_some_and(|around| around.span.end <= at.start) {
            self.around.pop();
        }
    }

    /// Who a name is in a place; `None` where it is nobody of interest.
    fn who(&mut self, name: &'a str, at: Span) -> Option<Who<'a>> {
        self.leave(at);
        for around in self.around.iter().rev() {
            if around.declared.contains(name) {
                return Some(Who::Local((name, around.span.start + 1)));
            }
            let place = around.parameters.iter().rposition(|parameter| *parameter == Some(name));
            match (place, around.parameters.len()) {
                (Some(2), 3) => return Some(Who::Module),
                (Some(0), 1) => return Some(Who::Last),
                (Some(_), _) => return None,
                (None, _) => {}
            }
        }
        Some(Who::Local((name, 0)))
    }

    /// The module around a place.
    fn module(&mut self, at: Span) -> Option<Span> {
        self.leave(at);
        self.around.iter().rev().find(|around| around.parameters.len() == 3).map(|around| around.span)
    }

    fn assignment(&mut self, set: &'a AssignmentExpression<'a>) {
        if let Some(global) = global(set) {
            self.globals.push(global.into());
        }
        let AssignmentTarget::StaticMemberExpression(member) = &set.left else { return };
        let name = member.property.name.as_str();
        match &member.object {
            Expression::Identifier(object) => match self.who(object.name.as_str(), set.span) {
                Some(Who::Local(object)) => self.runtimes.set(object, name, &set.right),
                Some(Who::Module) if name == "p" => self.moves_public_path = true,
                _ => {}
            },
            Expression::StaticMemberExpression(loaders) if loaders.property.name == "f" => {
                if let Expression::Identifier(object) = &loaders.object
                    && let Some(Who::Local(object)) = self.who(object.name.as_str(), set.span)
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
            if let Some(ids) = chunks(&member.object, first) {
                self.is_chunk = true;
                self.brings.extend(ids);
            }
        } else if name == "map" {
            self.each(&member.object, first, call.span);
        } else if let Expression::Identifier(object) = &member.object
            && matches!(name, "e" | "E" | "u" | "v")
            && let Some(first) = first
            && let Some(who) = self.who(object.name.as_str(), call.span)
        {
            match (name, id(first)) {
                ("v", _) => {
                    let texts = call
                        .arguments
                        .iter()
                        .map(|argument| argument.as_expression().and_then(text).map(|(_, text)| text.into()));
                    self.asks.push((who, What::Wasm(texts.collect()), call.span));
                }
                ("e", None) => {
                    let module = self.module(call.span);
                    self.contexts.call(first, who, module, call.span);
                }
                ("e", Some(id)) => self.asks.push((who, What::Chunk(id.into()), call.span)),
                ("E", Some(id)) => self.asks.push((who, What::Ahead(id.into()), call.span)),
                ("u", Some(id)) => {
                    while self.workers.pop_if(|(span, _)| span.end <= call.span.start).is_some() {}
                    let around = |(span, _): &&(Span, Goal)| span.contains_inclusive(call.span);
                    let what = match self.workers.last().filter(around) {
                        Some((_, goal)) => What::Worker(id.into(), *goal),
                        None => What::File(id.into()),
                    };
                    self.asks.push((who, what, call.span));
                }
                _ => {}
            }
        }
    }

    /// `[692, 407].map(r.e)`, or some entries of a map of modules.
    fn each(&mut self, list: &'a Expression<'a>, loader: Option<&'a Expression<'a>>, span: Span) {
        let Some(Expression::StaticMemberExpression(member)) = loader else { return };
        let Expression::Identifier(object) = &member.object else { return };
        let name = member.property.name.as_str();
        let Some(who) = self.who(object.name.as_str(), span) else { return };
        if !matches!(name, "e" | "E") {
            return;
        }
        if let Expression::ArrayExpression(list) = list {
            let ids = list.elements.iter().filter_map(|entry| id(entry.as_expression()?));
            let what = if name == "e" { What::Chunk } else { What::Ahead };
            self.asks.extend(ids.map(|id| (who, what(id.into()), span)));
        } else if name == "e" {
            let module = self.module(span);
            self.contexts.each(list, who, module, span);
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

    /// `r.p + "media/photo.svg"`.
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
            && names_file(path)
            && let Some(who) = self.who(object.name.as_str(), span)
        {
            self.asks.push((who, What::Asset(path.into()), span));
        }
    }

    pub fn finish(mut self, script: &mut Script) {
        for (who, id, span) in self.contexts.asked(&mut script.computed) {
            self.asks.push((who, What::Chunk(id), span));
        }
        let runtimes = self.runtimes.finish();
        if !self.is_chunk && runtimes.is_empty() {
            return;
        }
        let mut by_name = HashMap::new();
        for (index, runtime) in runtimes.iter().enumerate() {
            by_name.entry(runtime.local()).or_insert(index);
        }
        let asks = self.asks.into_iter().filter_map(|(who, what, span)| {
            let runtime = match who {
                Who::Local(local) => Some(*by_name.get(&local)?),
                Who::Module => None,
                Who::Last if matches!(what, What::Ahead(_)) => None,
                Who::Last => return None,
            };
            Some(Ask { what, runtime, span: span.start..span.end })
        });
        let asks: Vec<Ask> = asks.collect();
        let Webpack { globals, brings, moves_public_path, .. } = self;
        let part = Part { globals, brings, runtimes, asks, moves_public_path };
        script.pieces.push(BundlePiece::Webpack(Box::new(part)));
    }
}

/// The global of `self.webpackChunkapp = self.webpackChunkapp || []`.
fn global<'a>(set: &'a AssignmentExpression<'a>) -> Option<&'a str> {
    let name = match &set.left {
        AssignmentTarget::StaticMemberExpression(member) => member.property.name.as_str(),
        AssignmentTarget::ComputedMemberExpression(member) => text(&member.expression)?.1,
        _ => return None,
    };
    let Expression::LogicalExpression(either) = set.right.get_inner_expression() else { return None };
    let Expression::ArrayExpression(none) = &either.right else { return None };
    let is_same = match either.left.get_inner_expression() {
        Expression::StaticMemberExpression(member) => member.property.name == name,
        Expression::ComputedMemberExpression(member) => {
            text(&member.expression).is_some_and(|(_, text)| text == name)
        }
        _ => false,
    };
    (is_same && none.elements.is_empty()).then_some(name)
}

/// The ids in `(self.webpackChunkapp = …).push([[40], …])`.
fn chunks(list: &Expression<'_>, pushed: Option<&Expression<'_>>) -> Option<Vec<Box<str>>> {
    let Expression::AssignmentExpression(set) = list.get_inner_expression() else { return None };
    let Some(Expression::ArrayExpression(pushed)) = pushed else { return None };
    global(set)?;
    match pushed.elements.first()?.as_expression()? {
        Expression::ArrayExpression(ids) => {
            Some(ids.elements.iter().filter_map(|one| Some(id(one.as_expression()?)?.into())).collect())
        }
        _ => None,
    }
}

/// Whether what stands behind the public path names a file, and not a folder or the beginning of a name.
fn names_file(path: &str) -> bool {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..=8).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::loads;
    use crate::load::{Against, Grade};
    use crate::{Bundled, Memory, read_script};

    /// A runtime as webpack 5 writes it, shortened.
    const RUNTIME: &str = r#"(()=>{var e={284(e,t,n){e.exports=n.p+"media/photo.12d2c550.svg"}};const t={};
        function n(r){return e[r](t[r],t[r].exports,n),t[r].exports}n.m=e,n.f={},
        n.e=e=>Promise.all(Object.keys(n.f).reduce((t,r)=>(n.f[r](e,t),t),[])),
        n.u=e=>"js/"+(407===e?"panel":e)+"."+{40:"60787cef",407:"ace2c474",495:"3ceac8ce",500:"deadbeef"}[e]+".js",
        n.miniCssF=e=>"css/"+(407===e?"panel":e)+"."+{407:"7808eecb",645:"5da8793d"}[e]+".css",
        n.v=(e,t,r,o)=>{var s=fetch(n.p+""+r+".module.wasm");return s},PUBLIC,
        n.f.miniCss=(t,r)=>{0!==e[t]&&{407:1}[t]&&r.push(e[t]=(e=>n.miniCssF(e))(t))},
        n.f.j=(t,r)=>{let o=e[t];if(0!==o)if(o)r.push(o[2]);else if(/^(645|500)$/.test(t))e[t]=0;else{n.l(n.p+n.u(t))}};
        (self.webpackChunkapp=self.webpackChunkapp||[]).forEach(e)})();"#;

    /// What scripts ask for: the address, how sure it is, and the first words that say so.
    fn asked(scripts: &[(&str, &str)], is_all: bool) -> Vec<(String, Grade, String)> {
        let mut memory = Memory::default();
        let bundled: Vec<Bundled> = scripts
            .iter()
            .map(|(path, text)| Bundled {
                script: Arc::new(read_script(text, &mut memory)),
                path: (*path).to_owned(),
                is_entry: path.contains("vendor"),
            })
            .collect();
        let mut asked: Vec<_> = loads(&bundled, is_all)
            .into_iter()
            .map(|(index, load)| {
                assert_eq!(load.against, Against::Document);
                let words = &scripts[index].1[load.span.start as usize..load.span.end as usize];
                (load.address.to_string(), load.grade, words.chars().take(8).collect())
            })
            .collect();
        asked.sort();
        asked
    }

    fn needed(of: &[(&str, &str)]) -> Vec<(String, Grade, String)> {
        of.iter().map(|(path, words)| ((*path).to_owned(), Grade::Needed, (*words).to_owned())).collect()
    }

    #[test]
    fn chunks_are_asked_for_in_one_script_and_named_in_another() {
        let runtime = RUNTIME.replace("PUBLIC", r#"n.p="/docs/""#);
        let main = r#"(self.webpackChunkapp=self.webpackChunkapp||[]).push([[792],{164(e,t,n){
            Promise.all([n.e(645),n.e(407)]).then(()=>n(723));new Worker(new URL(n.p+n.u(495),n.b));
            n.v(t,e.id,"faba6cee");other.e(40)}}]);"#;
        let found = asked(&[("/docs/js/runtime.js", &runtime), ("/docs/js/main.js", main)], false);
        let expected = needed(&[
            ("/docs/css/panel.7808eecb.css", "n.e(407)"),
            ("/docs/faba6cee.module.wasm", "n.v(t,e."),
            ("/docs/js/495.3ceac8ce.js", "n.u(495)"),
            ("/docs/js/panel.ace2c474.js", "n.e(407)"),
            ("/docs/media/photo.12d2c550.svg", "n.p+\"med"),
        ]);
        assert_eq!(found, expected);
        let all = asked(&[("/docs/js/runtime.js", &runtime), ("/docs/js/main.js", main)], true);
        let leftover: Vec<_> = all.iter().filter(|(_, grade, _)| *grade == Grade::Spare).collect();
        assert_eq!(leftover.len(), 1, "500 is no script: {leftover:?}");
        assert_eq!(leftover[0].0, "/docs/js/40.60787cef.js");
    }

    #[test]
    fn an_automatic_public_path_is_beside_the_runtime() {
        let automatic = r#"(()=>{let e=document.currentScript.src;if(!e){const n=document.scripts;e=n[0].src}
            n.p=e.replace(/\/[^/]+$/,"/")+"../"})()"#;
        let runtime = RUNTIME.replace("PUBLIC", automatic);
        let chunk = r"(self.webpackChunkapp=self.webpackChunkapp||[]).push([[1],{2:(e,t,n)=>{n.e(40)}}])";
        let found = asked(&[("/x/js/runtime.js", &runtime), ("/x/js/deep/1.js", chunk)], false);
        let expected =
            needed(&[("/x/js/40.60787cef.js", "n.e(40)"), ("/x/media/photo.12d2c550.svg", "n.p+\"med")]);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_bundle_in_a_bundle_is_another_runtime() {
        let inner = r#"var lib=function(e){function n(r){}return n.m=e,n.c={},n.p="",n(0)}([]);n.p="/""#;
        let runtime = RUNTIME.replace("PUBLIC", "0").replace("n.m=e,", &format!("n.m=e;{inner};"));
        let found = asked(&[("/js/runtime.js", &runtime)], false);
        assert_eq!(found, needed(&[("/media/photo.12d2c550.svg", "n.p+\"med")]));
    }

    #[test]
    fn chunks_of_another_build_are_not_named_by_this_one() {
        let runtime = RUNTIME.replace("PUBLIC", r#"n.p="/""#);
        let chunk = r"(self.webpackChunkother=self.webpackChunkother||[]).push([[1],{2:(e,t,n)=>{n.e(40)}}])";
        let found = asked(&[("/js/runtime.js", &runtime), ("/1.js", chunk)], false);
        assert_eq!(found, needed(&[("/media/photo.12d2c550.svg", "n.p+\"med")]));
    }

    #[test]
    fn a_map_of_paths_asks_for_all_of_its_chunks() {
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
            let found = asked(&[("/runtime.js", &runtime), ("/1.js", &chunk)], false);
            assert!(found.iter().any(|(path, ..)| path == "js/40.60787cef.js"), "{list} {picked}: {found:?}");
        }
    }

    #[test]
    fn scripts_that_no_bundler_wrote_ask_for_nothing() {
        let plain = r#"a.p="x/";a.u=e=>e+".js";a.e(5);function f(e,t,n){n.e(6);return n.p+"a.png"}"#;
        assert_eq!(asked(&[("/a.js", plain)], true), []);
    }
}
