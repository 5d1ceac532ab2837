//! Defines the facts of AMD modules, and determines the URLs of modules by their names, as `RequireJS` does.

use std::ops::Range;

use super::load::Grade;

/// Modules, their dependencies and the configuration of the loader in one script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmdScript {
    /// Configurations.
    pub configs: Vec<AmdConfig>,
    /// Dependencies, by position.
    pub dependencies: Vec<AmdDependency>,
    /// Names of modules that the script contains.
    pub defined: Vec<Box<str>>,
}

/// A dependency with a literal name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmdDependency {
    /// The name of the module, perhaps with a plugin: `text!page.html`.
    pub name: Box<str>,
    /// What needs it.
    pub of: DependencyOf,
    /// The consequence if it is missing.
    pub grade: Grade,
    /// Location in bytes of the script.
    pub span: Range<u32>,
}

/// The part of a script that needs a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependencyOf {
    /// A module, which only runs if the loader loads the script: `define([…])`.
    Module,
    /// Any script: `require([…])`.
    Script,
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
    /// Whether a part of it is unknown, so that any name may have another meaning.
    pub is_computed: bool,
    /// Whether it is the value of the global `require`, which the loader reads first.
    pub is_global: bool,
    /// Whether it ignores `data-main`.
    pub skips_main: bool,
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
        self.is_computed |= other.is_computed;
        self.skips_main |= other.skips_main;
    }

    /// Returns the files of a module below a base URL that is empty or ends with `/`; `None` if they are unknown.
    pub fn files(&self, name: &str, base: &str) -> Option<AmdFiles> {
        if self.is_computed {
            return None;
        }
        if is_url(name) {
            return Some(AmdFiles { urls: vec![name.to_owned()], is_mapped: true });
        }
        let main = self.packages.iter().find(|(package, _)| **package == *name);
        let name = main.map_or_else(|| name.to_owned(), |(package, main)| format!("{package}/{main}"));
        // The longest prefix of whole parts counts.
        let ends = std::iter::once(name.len()).chain(name.rmatch_indices('/').map(|(at, _)| at));
        let known = |end: usize| self.paths.iter().find(|(prefix, _)| **prefix == name[..end]);
        let mapped = ends.into_iter().find_map(|end| Some((end, known(end)?)));
        let urls = match mapped {
            Some((_, (_, files))) if files.is_empty() => return None,
            Some((end, (_, files))) => files.iter().map(|file| format!("{file}{}", &name[end..])).collect(),
            None => vec![name.clone()],
        };
        let url = |path: String| {
            let suffix = if path.contains('?') || path.starts_with("data:") { "" } else { ".js" };
            let base = if path.starts_with('/') || has_scheme(&path) { "" } else { base };
            format!("{base}{path}{suffix}")
        };
        Some(AmdFiles { urls: urls.into_iter().map(url).collect(), is_mapped: mapped.is_some() })
    }
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

/// Returns the name of a module that another one names relatively: `./b` in `a/x` is `a/b`. Of `plugin!resource` it is
/// the plugin.
pub fn module_name(name: &str, parent: Option<&str>) -> String {
    let name = name.split_once('!').map_or(name, |(plugin, _)| plugin);
    let Some(parent) = parent.filter(|_| name.starts_with('.')) else { return name.to_owned() };
    let mut parts: Vec<&str> = parent.split('/').collect();
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

    use super::{AmdConfig, module_name};
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
            assert_eq!(known.files(name, "js/").unwrap().urls.join(" "), expected, "{name}");
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
            "require.config({ map: { '*': { a: 'b' } } })",
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
        for (name, parent, expected) in [
            ("b", Some("a/x"), "b"),
            ("./b", Some("a/x"), "a/b"),
            ("../b", Some("a/x"), "b"),
            ("../../b", Some("a/x"), "../b"),
            ("./b", Some("x"), "b"),
            ("./b", None, "./b"),
            ("text!./b.html", Some("a/x"), "text"),
        ] {
            assert_eq!(module_name(name, parent), expected, "{name}");
        }
    }
}
