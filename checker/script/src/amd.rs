//! Defines the facts of AMD modules, and determines the URLs of modules by their names, as `RequireJS` does.

use std::ops::Range;

use super::load::{Grade, LoadKind};

/// Modules, their dependencies and the configuration of the loader in one script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmdScript {
    /// Configurations.
    pub configs: Vec<AmdConfig>,
    /// Dependencies, by position.
    pub dependencies: Vec<AmdDependency>,
    /// Names of modules that the script contains.
    pub defined: Vec<Box<str>>,
    /// Whether it contains modules with computed names.
    pub defines_computed: bool,
    /// Whether it is a loader.
    pub is_loader: bool,
}

/// A dependency with a literal name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmdDependency {
    /// The name of the module, perhaps with a plugin: `text!page.html`.
    pub name: Box<str>,
    /// What needs it.
    pub of: DependencyOf,
    /// The call that names it.
    pub kind: LoadKind,
    /// The consequence if it is missing.
    pub grade: Grade,
    /// Location in bytes of the script.
    pub span: Range<u32>,
}

/// The part of a script that needs a dependency. Relative names are relative to a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DependencyOf {
    /// The script itself, by the global `require([…])`.
    Script,
    /// The module without a name, which only runs if the loader loads the script: `define([…])`.
    Module,
    /// A module with a name, which only runs if something requires it: `define("name", […])`.
    Named(Box<str>),
    /// A file without a module, by the configuration `shim`.
    Shim(Box<str>),
}

/// A configuration of the loader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmdConfig {
    /// The folder of modules.
    pub base_url: Option<Box<str>>,
    /// Files and folders of modules by the first parts of names; none if they are computed.
    pub paths: Vec<(Box<str>, Vec<Box<str>>)>,
    /// Packages, and their main modules.
    pub packages: Vec<(Box<str>, Box<str>)>,
    /// Replacements of names in some modules.
    pub replacements: Vec<AmdReplacement>,
    /// Whether a part of it is unknown, so that any name may have another meaning.
    pub is_computed: bool,
    /// Whether it is the value of the global `require`, which the loader reads first.
    pub is_global: bool,
    /// Whether it ignores `data-main`.
    pub skips_main: bool,
}

/// An entry of the configuration `map`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmdReplacement {
    /// The module that uses the name, or the first parts of its name; `*` for all modules.
    pub user: Box<str>,
    /// The name, or its first parts.
    pub name: Box<str>,
    /// What replaces it.
    pub by: Box<str>,
}

/// The files of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmdFiles {
    /// URLs, the preferred one first.
    pub urls: Vec<String>,
    /// Whether the configuration names the module or its folder.
    pub is_mapped: bool,
}

impl AmdConfig {
    /// Adds another configuration, which has precedence.
    pub fn merge(&mut self, other: &AmdConfig) {
        if other.base_url.is_some() {
            self.base_url.clone_from(&other.base_url);
        }
        self.paths.retain(|(name, _)| other.paths.iter().all(|(new, _)| new != name));
        self.paths.extend(other.paths.iter().cloned());
        self.packages.extend(other.packages.iter().cloned());
        let key = |one: &AmdReplacement| (one.user.clone(), one.name.clone());
        self.replacements.retain(|own| other.replacements.iter().all(|new| key(new) != key(own)));
        self.replacements.extend(other.replacements.iter().cloned());
        self.is_computed |= other.is_computed;
        self.skips_main |= other.skips_main;
    }

    /// Returns the full name of a module that another one names, or of the resource of a plugin: `./b` in `a/x` is
    /// `a/b`.
    pub fn full_name(&self, name: &str, parent: Option<&str>) -> String {
        if let Some((plugin, resource)) = name.split_once('!') {
            let (resource, options) = resource.split_at(resource.find('!').unwrap_or(resource.len()));
            let (plugin, resource) = (self.full_name(plugin, parent), self.full_name(resource, parent));
            return format!("{plugin}!{resource}{options}");
        }
        let name = absolute_name(name, parent);
        let name = self.replaced(&name, parent).unwrap_or(name);
        let main = self.packages.iter().find(|(package, _)| **package == *name);
        main.map_or(name, |(package, main)| format!("{package}/{main}"))
    }

    /// Replaces a name by the longest prefix of whole parts. Entries for one module precede those for all.
    fn replaced(&self, name: &str, parent: Option<&str>) -> Option<String> {
        let entry = |user: &str, prefix: &str| {
            self.replacements.iter().find(|entry| *entry.user == *user && *entry.name == *prefix)
        };
        let own = |prefix| prefixes(parent?).find_map(|user| entry(user, prefix));
        let found = prefixes(name).find_map(own);
        let found = found.or_else(|| prefixes(name).find_map(|prefix| entry("*", prefix)))?;
        Some(format!("{}{}", found.by, &name[found.name.len()..]))
    }

    /// Returns the files of a module below a base URL that is empty or ends with `/`; `None` if they are unknown.
    pub fn files(&self, name: &str, base: &str) -> Option<AmdFiles> {
        self.files_with(name, None, base)
    }

    /// Returns the files of a resource that a plugin loads, as [`AmdConfig::files`]. Its name has an extension.
    pub fn resource_files(&self, name: &str, base: &str) -> Option<AmdFiles> {
        let name = name.split('!').next().unwrap_or(name);
        let dot = name.rfind('.').filter(|dot| *dot > 1 || !name.starts_with('.'));
        let (name, extension) = name.split_at(dot.unwrap_or(name.len()));
        self.files_with(name, Some(extension), base)
    }

    fn files_with(&self, name: &str, extension: Option<&str>, base: &str) -> Option<AmdFiles> {
        if self.is_computed {
            return None;
        }
        if is_url(name) {
            return Some(AmdFiles {
                urls: vec![format!("{name}{}", extension.unwrap_or_default())],
                is_mapped: true,
            });
        }
        let known = |prefix: &str| self.paths.iter().find(|(path, _)| **path == *prefix);
        let mapped = prefixes(name).find_map(|prefix| Some((prefix.len(), known(prefix)?)));
        let urls = match mapped {
            Some((_, (_, files))) if files.is_empty() => return None,
            Some((end, (_, files))) => files.iter().map(|file| format!("{file}{}", &name[end..])).collect(),
            None => vec![name.to_owned()],
        };
        let url = |path: String| {
            let has_own = path.contains('?') || path.starts_with("data:");
            let extension = extension.unwrap_or(if has_own { "" } else { ".js" });
            let base = if path.starts_with('/') || has_scheme(&path) { "" } else { base };
            format!("{base}{path}{extension}")
        };
        Some(AmdFiles { urls: urls.into_iter().map(url).collect(), is_mapped: mapped.is_some() })
    }
}

/// Returns the prefixes of a name that consist of whole parts, the longest first.
fn prefixes(name: &str) -> impl Iterator<Item = &str> {
    let ends = std::iter::once(name.len()).chain(name.rmatch_indices('/').map(|(at, _)| at));
    ends.map(|end| &name[..end])
}

/// Whether a name is a URL relative to the document, not a module's.
fn is_url(name: &str) -> bool {
    name.starts_with('/') || name.contains([':', '?']) || name.ends_with(".js")
}

fn has_scheme(path: &str) -> bool {
    path.split_once(':').is_some_and(|(scheme, _)| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '+' | '.' | '-' | '_');
        !scheme.is_empty() && scheme.chars().all(is_part)
    })
}

/// Resolves the dots of a name. Without a parent, a relative name is relative to the base URL.
fn absolute_name(name: &str, parent: Option<&str>) -> String {
    let parent = parent.filter(|_| name.starts_with('.'));
    let mut parts: Vec<&str> = parent.map_or_else(Vec::new, |parent| parent.split('/').collect());
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::AmdConfig;
    use crate::{Memory, read_script};

    /// Returns the configuration of a script.
    fn config(script: &str) -> AmdConfig {
        let read = read_script(script, &mut Memory::default());
        let mut config = AmdConfig::default();
        read.amd().unwrap().configs.iter().for_each(|part| config.merge(part));
        config
    }

    #[test]
    fn finds_files_of_modules_as_requirejs_does() {
        let known = config(
            "requirejs.config({ baseUrl: 'js/lib', paths: { app: '../app', 'app/deep': 'deep',
             jquery: ['//cdn.example/j', 'own/j'],
              q: 'lib.js?x', abs: '/abs', one: name }, packages: ['plain', { name: 'pack', location: 'p',
             main: './start.js' }] }); require.config({ paths: { jquery: ['https://cdn.example/jquery', 'own/j'] } });",
        );
        assert_eq!(known.base_url.as_deref(), Some("js/lib"));
        for (name, expected) in [
            ("x", "js/x.js"),
            ("a/b.min", "js/a/b.min.js"),
            ("app", "js/../app.js"),
            ("app/x", "js/../app/x.js"),
            ("application", "js/application.js"),
            ("app/deep/x", "js/deep/x.js"),
            ("jquery", "https://cdn.example/jquery.js js/own/j.js"),
            ("q", "js/lib.js?x"),
            ("abs/x", "/abs/x.js"),
            ("plain", "js/plain/main.js"),
            ("pack", "js/p/start.js"),
            ("pack/x", "js/p/x.js"),
            ("/root.js", "/root.js"),
            ("near.js", "near.js"),
            ("https://cdn.example/x", "https://cdn.example/x"),
        ] {
            let name = known.full_name(name, None);
            assert_eq!(known.files(&name, "js/").unwrap().urls.join(" "), expected, "{name}");
        }
        for (name, expected) in [
            ("page.html", "js/page.html"),
            ("app/page.html!strip", "js/../app/page.html"),
            ("../page", "js/../page"),
            ("jquery.txt", "https://cdn.example/jquery.txt js/own/j.txt"),
            ("/root.html", "/root.html"),
        ] {
            assert_eq!(known.resource_files(name, "js/").unwrap().urls.join(" "), expected, "{name}");
        }
        assert_eq!(known.files("one/x", "js/"), None, "computed");
    }

    #[test]
    fn a_computed_configuration_makes_all_files_unknown() {
        for script in [
            "require.config(settings)",
            "require.config({ baseUrl: root + '/js' })",
            "require.config({ paths: names })",
            "require.config({ paths: { ...names } })",
            "require.config({ map: { '*': names } })",
            "require.config({ map: { '*': { a: name } } })",
            "require.config({ bundles: { app: ['a'] } })",
            "require.config({ packages: [{ name: 'a', location: folder }] })",
            "require.config({ ...settings })",
        ] {
            assert_eq!(config(&format!("{script};")).files("a", ""), None, "{script}");
        }
        assert!(config("var require = { shim: {}, urlArgs: '1', map: {} };").files("a", "").is_some());
    }

    #[test]
    fn names_are_relative_to_the_module_that_needs_them() {
        let config = config("require.config({ packages: ['pack'] });");
        for (name, parent, expected) in [
            ("b", Some("a/x"), "b"),
            ("./b", Some("a/x"), "a/b"),
            ("../b", Some("a/x"), "b"),
            ("../../b", Some("a/x"), "../b"),
            ("./b", Some("x"), "b"),
            ("./b", None, "b"),
            ("../b", None, "../b"),
            ("./b", Some("/js/x.js?v=1"), "/js/b"),
            ("text!./b.html!strip", Some("a/x"), "text!a/b.html!strip"),
            ("pack", None, "pack/main"),
        ] {
            assert_eq!(config.full_name(name, parent), expected, "{name}");
        }
    }

    #[test]
    fn a_map_replaces_names_in_some_modules() {
        let config = config(
            "require.config({ map: { '*': { a: 'a1', 'a/b': 'b1', css: 'lib/css' }, 'old/app': { a: 'a2' } } });
             require.config({ map: { '*': { a: 'a3', view: 'text!view.html' } } });",
        );
        for (name, parent, expected) in [
            ("a", None, "a3"),
            ("a/b/c", None, "b1/c"),
            ("a/c", Some("app"), "a3/c"),
            ("a/b", Some("old/app/x"), "a2/b"),
            ("ab", None, "ab"),
            ("css!./x", Some("old/x"), "lib/css!old/x"),
            ("view", None, "text!view.html"),
        ] {
            assert_eq!(config.full_name(name, parent), expected, "{name}");
        }
    }
}
