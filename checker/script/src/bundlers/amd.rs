//! Finds modules of the Asynchronous Module Definition (AMD) and their configuration, which `RequireJS` and the loader
//! of the Monaco editor run. Verified with `RequireJS` 2.3, r.js, and documentation by Documenter.jl.
//!
//! A module is `define("name", ["dependency"], factory)`; the name and the list are optional. A factory without a list
//! may call `require("dependency")`. `require(["dependency"], callback)` loads modules, and
//! `require.config({ baseUrl: "js", paths: { name: "file" } })` determines their files. A module's own `require`, a
//! parameter of its factory, resolves relative names; the global one does not.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrayExpression, ArrayExpressionElement, AssignmentTarget, BindingPattern, CallExpression,
    Expression, ObjectExpression, ObjectPropertyKind, PropertyKey,
};
use oxc_span::{GetSpan, Span};

use crate::amd::{AmdConfig, AmdDependency, AmdReplacement, AmdScript, DependencyOf};
use crate::facts::Script;
use crate::load::{Grade, LoadKind};
use crate::syntax::{property, range, text};

#[derive(Default)]
pub(super) struct Amd<'a> {
    found: AmdScript,
    /// Factories around the current node.
    factories: Vec<Factory<'a>>,
    /// Spans of the scripts that a worker imports.
    worker_imports: Vec<Span>,
}

/// A function that makes a module, and has a `require` of its own.
struct Factory<'a> {
    span: Span,
    /// The name of its `require`.
    require: &'a str,
    module: DependencyOf,
    /// Whether `require("dependency")` declares a dependency, because there is no list.
    declares: bool,
}

impl<'a> Amd<'a> {
    pub fn read_node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::CallExpression(call) => self.call(call),
            AstKind::VariableDeclarator(declared) => {
                if let (BindingPattern::BindingIdentifier(name), Some(value)) = (&declared.id, &declared.init)
                {
                    self.global(&name.name, value);
                }
            }
            AstKind::AssignmentExpression(set) => match &set.left {
                AssignmentTarget::AssignmentTargetIdentifier(name) => self.global(&name.name, &set.right),
                // `define.amd = { … }`, which the standard demands.
                AssignmentTarget::StaticMemberExpression(member) if member.property.name == "amd" => {
                    self.found.is_loader = true;
                }
                AssignmentTarget::StaticMemberExpression(member) if is_window(&member.object) => {
                    self.global(&member.property.name, &set.right);
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Reads `var require = { … }`, a configuration before the loader runs.
    fn global(&mut self, name: &str, value: &Expression<'a>) {
        if let (true, Expression::ObjectExpression(object)) = (is_require(name), value) {
            self.config(object, true);
        }
    }

    fn call(&mut self, call: &'a CallExpression<'a>) {
        match &call.callee {
            Expression::Identifier(name) if name.name == "define" => self.define(call),
            Expression::Identifier(name) if name.name == "importScripts" => {
                self.worker_imports.extend(call.arguments.iter().map(GetSpan::span));
            }
            Expression::Identifier(name) => self.require(&name.name, call),
            Expression::StaticMemberExpression(member) => {
                let name = member.property.name.as_str();
                match &member.object {
                    Expression::Identifier(object) if name == "config" && is_require(&object.name) => {
                        self.require_config(call);
                    }
                    object if is_window(object) && is_require(name) => self.require(name, call),
                    Expression::StaticMemberExpression(inner)
                        if name == "config"
                            && is_require(&inner.property.name)
                            && is_window(&inner.object) =>
                    {
                        self.require_config(call);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn require_config(&mut self, call: &'a CallExpression<'a>) {
        match call.arguments.first() {
            Some(Argument::ObjectExpression(object)) => self.config(object, false),
            Some(_) => self.found.configs.push(AmdConfig { is_computed: true, ..AmdConfig::default() }),
            None => {}
        }
    }

    fn require(&mut self, name: &str, call: &'a CallExpression<'a>) {
        while self.factories.pop_if(|factory| factory.span.end <= call.span.start).is_some() {}
        let factory = self.factories.iter().rev().find(|factory| factory.require == name);
        let is_known = factory.is_some() || is_require(name);
        let of = factory.map_or(DependencyOf::Script, |factory| factory.module.clone());
        let list = match call.arguments.first() {
            Some(Argument::ArrayExpression(list)) if is_known => list,
            Some(Argument::ObjectExpression(object)) if is_require(name) => {
                self.config(object, false);
                let Some(Argument::ArrayExpression(list)) = call.arguments.get(1) else { return };
                list
            }
            Some(module) => {
                if let Some((span, module)) = module.as_expression().and_then(text)
                    && call.arguments.len() == 1
                    && factory.is_some_and(|factory| factory.declares)
                {
                    self.depend(module, span, (of, LoadKind::AmdRequire, Grade::Required));
                }
                return;
            }
            None => return,
        };
        let has_error_handler = call.arguments.len() > 2;
        let grade = if has_error_handler { Grade::Optional } else { Grade::Required };
        self.dependencies(list, &of, LoadKind::AmdRequire, grade);
    }

    fn define(&mut self, call: &'a CallExpression<'a>) {
        let mut arguments = call.arguments.iter().peekable();
        let name = call.arguments.first().and_then(|first| text(first.as_expression()?));
        let module = if let Some((_, name)) = name {
            arguments.next();
            self.found.defined.push(name.into());
            DependencyOf::Named(name.into())
        } else {
            self.found.defines_computed |= call.arguments.len() > 2;
            DependencyOf::Module
        };
        let list = match arguments.next_if(|next| matches!(next, Argument::ArrayExpression(_))) {
            Some(Argument::ArrayExpression(list)) => Some(list),
            _ => None,
        };
        if let Some(list) = list {
            self.dependencies(list, &module, LoadKind::AmdDefine, Grade::Required);
        }
        let (span, parameters) = match arguments.next() {
            Some(Argument::FunctionExpression(function)) => (function.span, &function.params),
            Some(Argument::ArrowFunctionExpression(arrow)) => (arrow.span, &arrow.params),
            _ => return,
        };
        let is_own_require = |entry: &ArrayExpressionElement<'a>| {
            entry.as_expression().and_then(text).is_some_and(|(_, entry)| entry == "require")
        };
        let position = list.map_or(Some(0), |list| list.elements.iter().position(is_own_require));
        let parameter = position.and_then(|position| parameters.items.get(position));
        if let Some(BindingPattern::BindingIdentifier(require)) = parameter.map(|one| &one.pattern) {
            let declares = list.is_none();
            self.factories.push(Factory { span, require: require.name.as_str(), module, declares });
        }
    }

    fn dependencies(&mut self, list: &ArrayExpression<'a>, of: &DependencyOf, kind: LoadKind, grade: Grade) {
        for (span, name) in list.elements.iter().filter_map(|entry| text(entry.as_expression()?)) {
            self.depend(name, span, (of.clone(), kind, grade));
        }
    }

    fn depend(&mut self, name: &str, span: Span, (of, kind, grade): (DependencyOf, LoadKind, Grade)) {
        if !matches!(name, "require" | "exports" | "module" | "") {
            let span = range(span);
            self.found.dependencies.push(AmdDependency { name: name.into(), of, kind, grade, span });
        }
    }

    fn config(&mut self, object: &ObjectExpression<'a>, is_global: bool) {
        let mut config = AmdConfig { is_global, ..AmdConfig::default() };
        for entry in &object.properties {
            let ObjectPropertyKind::ObjectProperty(entry) = entry else {
                config.is_computed = true;
                continue;
            };
            let Some(key) = key(&entry.key) else {
                config.is_computed = true;
                continue;
            };
            match (&*key, &entry.value) {
                // Another context has its own modules.
                ("context", _) => return,
                ("baseUrl", value) => match text(value) {
                    Some((_, base)) => config.base_url = Some(base.into()),
                    None => config.is_computed = true,
                },
                ("skipDataMain", _) => config.skips_main = true,
                ("paths", Expression::ObjectExpression(paths)) => read_paths(paths, &mut config),
                ("packages", Expression::ArrayExpression(packages)) => read_packages(packages, &mut config),
                ("map", Expression::ObjectExpression(map)) => read_map(map, &mut config),
                ("shim", Expression::ObjectExpression(shim)) => self.shim(shim),
                ("map" | "bundles" | "packages" | "paths", value) => match value {
                    Expression::ObjectExpression(names) if names.properties.is_empty() => {}
                    _ => config.is_computed = true,
                },
                ("deps", Expression::ArrayExpression(list)) => {
                    self.dependencies(list, &DependencyOf::Script, LoadKind::AmdRequire, Grade::Required);
                }
                _ => {}
            }
        }
        self.found.configs.push(config);
    }

    /// Reads the dependencies of files without modules: `{ name: ["dependency"] }`, or
    /// `{ name: { deps: ["dependency"] } }`.
    fn shim(&mut self, shim: &ObjectExpression<'a>) {
        for entry in &shim.properties {
            let ObjectPropertyKind::ObjectProperty(entry) = entry else { continue };
            let list = property(&entry.value, "deps").unwrap_or(&entry.value);
            if let (Some(name), Expression::ArrayExpression(list)) = (key(&entry.key), list) {
                let of = DependencyOf::Shim(name);
                self.dependencies(list, &of, LoadKind::AmdRequire, Grade::Required);
            }
        }
    }

    pub fn add_facts(self, script: &mut Script) {
        if self.found.is_loader {
            // A loader imports modules in workers, and these are checked by their names.
            let imports: Vec<_> = self.worker_imports.into_iter().map(range).collect();
            script.computed.retain(|span| !imports.contains(span));
        }
        if self.found != AmdScript::default() {
            script.amd = Some(Box::new(self.found));
        }
    }
}

/// Reads the files of modules. A list has the file first, and then its replacements.
fn read_paths(paths: &ObjectExpression<'_>, config: &mut AmdConfig) {
    for entry in &paths.properties {
        let ObjectPropertyKind::ObjectProperty(entry) = entry else {
            config.is_computed = true;
            continue;
        };
        let Some(name) = key(&entry.key) else {
            config.is_computed = true;
            continue;
        };
        let files = match &entry.value {
            Expression::ArrayExpression(list) => {
                let files = list.elements.iter().map(|file| text(file.as_expression()?));
                files.collect::<Option<Vec<_>>>()
            }
            value => text(value).map(|file| vec![file]),
        };
        let files = files.unwrap_or_default().into_iter().map(|(_, file)| file.into()).collect();
        config.paths.push((name, files));
    }
}

/// Reads packages: `"name"`, or `{ name, location, main }`.
fn read_packages(packages: &ArrayExpression<'_>, config: &mut AmdConfig) {
    for package in packages.elements.iter().filter_map(|package| package.as_expression()) {
        let value_of = |name| property(package, name).map(text);
        let name = match text(package) {
            Some((_, name)) => Some(name),
            None => value_of("name").flatten().map(|(_, name)| name),
        };
        let (Some(name), None | Some(Some(_)), None | Some(Some(_))) =
            (name, value_of("location"), value_of("main"))
        else {
            config.is_computed = true;
            continue;
        };
        let value_of = |key, default| value_of(key).flatten().map_or(default, |(_, value)| value);
        let main = value_of("main", "main");
        let main = main.strip_prefix("./").unwrap_or(main);
        config.packages.push((name.into(), main.strip_suffix(".js").unwrap_or(main).into()));
        config.paths.push((name.into(), vec![value_of("location", name).into()]));
    }
}

/// Reads replacements of names: `{ "*": { name: "other" }, "module": { name: "another" } }`.
fn read_map(map: &ObjectExpression<'_>, config: &mut AmdConfig) {
    for entry in &map.properties {
        let names = match entry {
            ObjectPropertyKind::ObjectProperty(entry) => key(&entry.key).zip(properties(&entry.value)),
            ObjectPropertyKind::SpreadProperty(_) => None,
        };
        let Some((user, names)) = names else {
            config.is_computed = true;
            continue;
        };
        for replacement in names {
            let literal = match replacement {
                ObjectPropertyKind::ObjectProperty(pair) => key(&pair.key).zip(text(&pair.value)),
                ObjectPropertyKind::SpreadProperty(_) => None,
            };
            match literal {
                Some((name, (_, by))) => {
                    config.replacements.push(AmdReplacement { user: user.clone(), name, by: by.into() });
                }
                None => config.is_computed = true,
            }
        }
    }
}

fn properties<'e, 'a>(object: &'e Expression<'a>) -> Option<&'e [ObjectPropertyKind<'a>]> {
    let Expression::ObjectExpression(object) = object else { return None };
    Some(&object.properties)
}

fn key(key: &PropertyKey<'_>) -> Option<Box<str>> {
    key.static_name().map(|name| (*name).into())
}

/// Whether a name is the loader's function.
fn is_require(name: &str) -> bool {
    matches!(name, "require" | "requirejs")
}

fn is_window(object: &Expression<'_>) -> bool {
    matches!(object, Expression::Identifier(name) if matches!(name.name.as_str(), "window" | "self" | "globalThis"))
}

#[cfg(test)]
mod tests {
    use crate::{DependencyOf, Grade, Memory, read_script};

    fn dependencies(script: &str) -> String {
        let read = read_script(&format!("{script};"), &mut Memory::default());
        let Some(amd) = read.amd() else { return String::new() };
        let names = amd.dependencies.iter().map(|one| {
            let of = match &one.of {
                DependencyOf::Script => "",
                DependencyOf::Module => "@",
                DependencyOf::Named(name) | DependencyOf::Shim(name) => &format!("{name}@"),
            };
            let mark = if one.grade == Grade::Required { "" } else { "?" };
            format!("{of}{}{mark}", one.name)
        });
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn finds_dependencies_of_modules_and_calls() {
        for (script, expected) in [
            ("define(['a', \"./b\"], function (a, b) {})", "@a @./b"),
            ("define(['require', 'exports', 'module', 'a'], function () {})", "@a"),
            ("define('bundled', ['a'], function () {})", "bundled@a"),
            ("define('bundled', function (require) { require('a') })", "bundled@a"),
            ("define(function (require) { var a = require('a'); if (a) require('./b') })", "@a @./b"),
            ("define((r) => r('a'))", "@a"),
            ("define(function () { require('a') }); require('b')", ""),
            ("define(function (require) {}); require('b')", ""),
            ("define({ a: 1 })", ""),
            (
                "define(['a', 'require'], function (a, r) { r(['./b']); r('./a'); require(['./c']) })",
                "@a @./b ./c",
            ),
            ("define(function (require) { require(['./b']) }); require(['./c'])", "@./b ./c"),
            ("define('x', ['require'], (require) => { require(['./b'], run, failed) })", "x@./b?"),
            ("require(['a'], run)", "a"),
            ("require(['a'], run, failed)", "a?"),
            ("window.requirejs(['a'])", "a"),
            ("require({ baseUrl: 'js' }, ['a'])", "a"),
            ("requirejs.config({ deps: ['a'] })", "a"),
            (
                "require.config({ shim: { a: ['b'], c: { deps: ['d', 'e'], exports: 'C' }, f: {} } })",
                "a@b c@d c@e",
            ),
            ("require(names); require('a'); other(['a'])", ""),
            ("require([name, 'a' + b, 'c'])", "c"),
        ] {
            assert_eq!(dependencies(script), expected, "{script}");
        }
    }

    #[test]
    fn recognizes_loaders_and_modules_with_computed_names() {
        for (script, is_loader, defines_computed, computed) in [
            ("define.amd = { jQuery: true }; importScripts(url)", true, false, 0),
            ("importScripts(url); if (define.amd) define(factory)", false, false, 1),
            ("define.amd = {}; import(url)", true, false, 1),
            ("define(name, ['a'], factory)", false, true, 0),
            ("define(['a'], factory); define('a', ['b'], factory)", false, false, 0),
        ] {
            let read = read_script(&format!("{script};"), &mut Memory::default());
            let amd = read.amd().cloned().unwrap_or_default();
            assert_eq!((amd.is_loader, amd.defines_computed), (is_loader, defines_computed), "{script}");
            assert_eq!(read.computed.len(), computed, "{script}");
        }
    }
}
