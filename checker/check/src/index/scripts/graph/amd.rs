//! Follows AMD modules from the pages that run their loader: `RequireJS`, or the one of the Monaco editor.
//!
//! Names of modules depend on the configuration, which any script of a page may change. So they are resolved whenever
//! everything known so far has been read, and reported only at the end.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::Graph;
use super::state::{AmdPage, Missing, Node, Steps};
use crate::index::scripts::entry_points::{PageAmdLoader, PageEntryPoints};
use crate::resolve::Target;
use sitegate_address::SitePath;
use sitegate_script::{
    AmdConfig, AmdDependency, AmdFiles, DependencyOf, Goal, Grade, LoadKind, RelativeTo, Script, ScriptLoad,
};

/// A dependency of a module, or of a script.
struct Needed<'s> {
    node: u32,
    /// Whether the loader loads the script.
    is_loaded: bool,
    /// The full name of the module; `None` for a script.
    module: Option<&'s str>,
    dependency: &'s AmdDependency,
    /// The full name of the dependency.
    name: String,
}

impl Graph<'_> {
    /// Adds a page that runs a loader of AMD modules: its own node, and those of its scripts.
    pub(super) fn add_amd_page(
        &mut self,
        page: &PageEntryPoints,
        loader: &PageAmdLoader,
        node: u32,
        entries: Vec<u32>,
    ) {
        self.amd.pages.push(AmdPage {
            base: page.base(self.site),
            page: node,
            loader: loader.clone(),
            entries,
            modules: Vec::new(),
            loaded: HashSet::new(),
            resolved: HashSet::new(),
        });
    }

    /// Follows the modules that are known so far. `is_all` means that there will be no more, and reports the others.
    pub(super) fn follow_amd(&mut self, is_all: bool) {
        let mut pages = std::mem::take(&mut self.amd.pages);
        for page in &mut pages {
            let scripts = page.entries.len() + page.modules.len();
            if self.is_amd_loader(&page.loader) && self.steps.spend(Steps::BUNDLED * scripts) {
                self.follow_amd_page(page, is_all);
            }
        }
        self.amd.pages = pages;
        if is_all {
            let found = std::mem::take(&mut self.amd.found);
            for (key, missing) in std::mem::take(&mut self.amd.missing) {
                if !found.contains(&key) {
                    let Missing { node, load, target, base, url } = missing;
                    self.record_target(node, &load, target, (&base, &url));
                }
            }
        }
    }

    /// Whether a script is a loader, by its name or its content.
    fn is_amd_loader(&self, loader: &PageAmdLoader) -> bool {
        let source = loader.file.and_then(|file| self.source_of.get(&file));
        let script = source.and_then(|source| self.sources[*source as usize].script.as_ref());
        loader.is_named || script.and_then(|script| script.amd()).is_some_and(|amd| amd.is_loader)
    }

    fn script_of(&self, node: u32) -> Option<Arc<Script>> {
        self.sources[self.nodes[node as usize].source as usize].script.clone()
    }

    fn follow_amd_page(&mut self, page: &mut AmdPage, is_all: bool) {
        let nodes = page.entries.iter().map(|node| (*node, None));
        let nodes = nodes.chain(page.modules.iter().map(|(node, name)| (*node, Some(name.clone()))));
        let scripts: Vec<_> =
            nodes.filter_map(|(node, name)| Some((node, name, self.script_of(node)?))).collect();
        let mut early = AmdConfig::default();
        let mut config = AmdConfig::default();
        let mut defined = HashSet::new();
        let mut defines_computed = false;
        for amd in scripts.iter().filter_map(|(.., script)| script.amd()) {
            for part in &amd.configs {
                if part.is_global {
                    early.merge(part);
                }
                config.merge(part);
            }
            defined.extend(amd.defined.iter().map(|name| &**name));
            defines_computed |= amd.defines_computed;
        }
        let main = self.follow_amd_main(page, &mut config, &early, is_all);
        let all = all_needed(&scripts, &config);
        let required = required_modules(&all, main.as_deref());
        // Without a configuration, the base is the page's folder. Other programs may configure an external loader.
        let has_base = config.base_url.is_some() || page.loader.file.is_some();
        let base = config.base_url.as_deref().map_or_else(String::new, with_slash);
        let has_unread_modules = page.loader.has_external_definitions;
        for Needed { node, is_loaded, module, dependency, name } in all {
            let is_required = module.is_none_or(|module| required.contains(module));
            let is_run = match &dependency.of {
                DependencyOf::Shim(file) => is_required && !defined.contains(&**file),
                // A computed name may require a module of a bundle.
                _ => is_required || is_loaded,
            };
            if !is_run || defined.contains(&*name) {
                continue;
            }
            let mut grade = if is_required { dependency.grade } else { Grade::Optional };
            if defines_computed {
                grade = grade.min(Grade::Optional);
            }
            let maximum = |files: &Option<AmdFiles>| {
                maximum_grade(dependency, files.as_ref(), has_base, has_unread_modules)
            };
            let span = dependency.span.clone();
            let Some((plugin, resource)) = name.split_once('!') else {
                let files = config.files(&name, &base);
                let load = amd_load(dependency.kind, &name, grade.min(maximum(&files)), span);
                self.follow_amd_files(page, node, load, files, is_all);
                continue;
            };
            let files = config.files(plugin, &base);
            let is_text = plugin == "text" || files.as_ref().is_some_and(is_text_plugin);
            let load = amd_load(dependency.kind, plugin, Grade::Uncertain, span.clone());
            self.follow_amd_files(page, node, load, files, is_all);
            if is_text {
                let resource_files = config.resource_files(resource, &base);
                let grade = grade.min(maximum(&resource_files));
                let at = dependency.name.find('!').map_or(span.start, |at| span.start + at as u32 + 1);
                let text = amd_load(dependency.kind, resource, grade, at..span.end);
                self.follow_amd_files(page, node, ScriptLoad { goal: None, ..text }, resource_files, is_all);
            }
        }
    }

    /// Follows the main module, and returns its name. Its folder is the default base.
    fn follow_amd_main(
        &mut self,
        page: &mut AmdPage,
        config: &mut AmdConfig,
        early: &AmdConfig,
        is_all: bool,
    ) -> Option<String> {
        let (main, span) = page.loader.main.clone().filter(|_| !config.skips_main)?;
        // The loader reads it before any script calls `require.config`.
        let (folder, name) = main_module(&main, early);
        if config.base_url.is_none() {
            config.base_url = Some(folder.as_str().into());
        }
        let name = early.full_name(&name, None);
        let load = amd_load(LoadKind::AmdRequire, &name, Grade::Required, span);
        self.follow_amd_files(page, page.page, load, early.files(&name, &folder), is_all);
        Some(name)
    }

    /// Follows a module to the first of its files that exists.
    fn follow_amd_files(
        &mut self,
        page: &mut AmdPage,
        node: u32,
        load: ScriptLoad,
        files: Option<AmdFiles>,
        is_all: bool,
    ) {
        let key = (node, load.span.start);
        let Some(files) = files.filter(|_| !page.resolved.contains(&key)) else { return };
        let place = (self.nodes[node as usize].source, load.span.start);
        let mut last = None;
        for url in files.urls {
            if !self.steps.spend(Steps::ADDRESS) {
                return;
            }
            let target = self.resolve(&load, &page.base, &url);
            if matches!(target, Target::Missing(_)) {
                last = Some((target, url));
                continue;
            }
            page.resolved.insert(key);
            self.amd.found.insert(place);
            let base = page.base.clone();
            self.record_target(node, &load, target, (&base, &url));
            if let Target::File { file, .. } = target
                && load.goal.is_some()
                && page.loaded.insert(load.address.to_string())
                && let Some(source) = self.source_of.get(&file).copied()
            {
                let Node { realm, page: first, .. } = self.nodes[node as usize];
                let loaded = self.node(realm, source, (Some(node), first));
                page.modules.push((loaded, load.address.to_string()));
            }
            return;
        }
        if let Some((target, url)) = last.filter(|_| is_all) {
            let base = page.base.clone();
            let grade = load.grade;
            let missing = Missing { node, load, target, base, url };
            let known = self.amd.missing.entry(place).or_insert(missing);
            known.load.grade = known.load.grade.max(grade);
        }
    }
}

/// Returns all dependencies of scripts, and of modules that may run.
fn all_needed<'s>(scripts: &'s [(u32, Option<String>, Arc<Script>)], config: &AmdConfig) -> Vec<Needed<'s>> {
    let mut all = Vec::new();
    for (node, loaded_as, script) in scripts {
        for dependency in script.amd().into_iter().flat_map(|amd| &amd.dependencies) {
            let module = match &dependency.of {
                DependencyOf::Script => None,
                DependencyOf::Module if loaded_as.is_none() => continue,
                DependencyOf::Module => loaded_as.as_deref(),
                DependencyOf::Named(name) | DependencyOf::Shim(name) => Some(&**name),
            };
            let name = config.full_name(&dependency.name, module);
            all.push(Needed { node: *node, is_loaded: loaded_as.is_some(), module, dependency, name });
        }
    }
    all
}

/// Returns the names of all modules that the main module or a script requires, directly or by other modules.
fn required_modules(all: &[Needed<'_>], main: Option<&str>) -> HashSet<String> {
    let mut dependencies: HashMap<Option<&str>, Vec<&str>> = HashMap::new();
    for Needed { module, dependency, name, .. } in all {
        if dependency.grade == Grade::Required {
            let names = dependencies.entry(*module).or_default();
            names.push(name);
            names.extend(name.split_once('!').map(|(plugin, _)| plugin));
        }
    }
    let mut required: HashSet<String> = HashSet::new();
    let mut next = dependencies.remove(&None).unwrap_or_default();
    next.extend(main);
    while let Some(name) = next.pop() {
        if required.insert(name.to_owned()) {
            next.extend(dependencies.remove(&Some(name)).unwrap_or_default());
        }
    }
    required
}

/// Returns the maximum grade of a dependency. A script that was not read may define a module, but not one that a
/// configuration or a module names.
fn maximum_grade(
    dependency: &AmdDependency,
    files: Option<&AmdFiles>,
    has_base: bool,
    has_unread_modules: bool,
) -> Grade {
    let is_relative = dependency.name.starts_with('.') || dependency.name.contains("!.");
    let is_determined = is_relative || files.is_some_and(|files| files.is_mapped);
    match (is_determined, has_base, has_unread_modules) {
        (true, ..) | (_, true, false) => Grade::Required,
        (_, true, true) => Grade::Optional,
        (_, false, _) => Grade::Uncertain,
    }
}

fn amd_load(kind: LoadKind, name: &str, grade: Grade, span: Range<u32>) -> ScriptLoad {
    let (relative_to, goal) = (RelativeTo::Document, Some(Goal::Script));
    ScriptLoad { kind, address: name.into(), relative_to, grade, goal, span }
}

/// Whether a plugin loads files as text, by the name of its own file.
fn is_text_plugin(files: &AmdFiles) -> bool {
    files.urls.iter().any(|url| url == "text.js" || url.ends_with("/text.js"))
}

/// Returns the folder of modules and the name of the main module, by `data-main` and a configuration before the loader.
fn main_module(main: &str, early: &AmdConfig) -> (String, String) {
    let path = SitePath::new(main);
    let (folder, name) = match &early.base_url {
        Some(base) => (with_slash(base), main),
        None if path.parent().is_some() && !main.contains('!') => {
            (path.folder_with_slash().to_owned(), path.name())
        }
        None => ("./".to_owned(), main),
    };
    let name = name.strip_suffix(".js").unwrap_or(name);
    let is_url = name.starts_with('/') || name.contains([':', '?']) || name.ends_with(".js");
    (folder, if is_url { main } else { name }.to_owned())
}

fn with_slash(folder: &str) -> String {
    if folder.is_empty() || folder.ends_with('/') { folder.to_owned() } else { format!("{folder}/") }
}
