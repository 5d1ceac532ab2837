//! Follows AMD modules from the pages that run their loader: `RequireJS`, or the one of the Monaco editor.
//!
//! Names of modules depend on the configuration, which any script of a page may change. So they are resolved whenever
//! everything known so far has been read, and reported only at the end.

use std::collections::HashSet;
use std::sync::Arc;

use super::Graph;
use super::amd_pages::{AmdPage, Missing};
use super::steps::Steps;
use crate::index::scripts::entry_points::{PageAmdLoader, PageEntryPoints};
use crate::resolve::Target;
use sitegate_script::{
    AmdConfig, AmdDependency, AmdFiles, DependencyOf, Goal, Grade, LoadKind, RelativeTo, Script, ScriptLoad,
    module_name,
};

/// A dependency, the node that needs it, and the name of its module.
type Needed = (u32, AmdDependency, Option<String>);

impl Graph<'_> {
    /// Adds a page that runs a loader of AMD modules: its own node, and those of its scripts.
    pub(super) fn add_amd_page(
        &mut self,
        page: &PageEntryPoints,
        loader: &PageAmdLoader,
        node: u32,
        entries: Vec<u32>,
    ) {
        let main = loader.main.as_ref().map(|(name, span)| AmdDependency {
            name: name.clone(),
            of: DependencyOf::Script,
            grade: Grade::Required,
            span: span.clone(),
        });
        self.amd.pages.push(AmdPage {
            base: page.base(self.site),
            page: node,
            main,
            has_external_scripts: loader.has_external_scripts,
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
            if self.steps.spend(Steps::BUNDLED * scripts) {
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
        let mut needed: Vec<Needed> = Vec::new();
        for (node, module, script) in &scripts {
            let Some(amd) = script.amd() else { continue };
            for part in &amd.configs {
                if part.is_global {
                    early.merge(part);
                }
                config.merge(part);
            }
            defined.extend(amd.defined.iter().map(|name| &**name));
            let is_run =
                |dependency: &&AmdDependency| module.is_some() || dependency.of == DependencyOf::Script;
            needed.extend(
                amd.dependencies.iter().filter(is_run).map(|one| (*node, one.clone(), module.clone())),
            );
        }
        let main = page.main.clone().filter(|_| !config.skips_main);
        if let Some(main) = main {
            // The loader reads it before any script calls `require.config`.
            let (folder, name) = main_module(&main.name, &early);
            if config.base_url.is_none() {
                config.base_url = Some(folder.as_str().into());
            }
            let dependency = AmdDependency { name: name.into(), ..main };
            let files = early.files(&dependency.name, &folder);
            self.follow_amd_files(page, &(page.page, dependency, None), files, is_all);
        }
        let has_base = config.base_url.is_some();
        let base = config.base_url.as_deref().map_or_else(String::new, with_slash);
        for (node, mut dependency, module) in needed {
            let name = module_name(&dependency.name, module.as_deref());
            if page.resolved.contains(&(node, dependency.span.start)) || defined.contains(&*name) {
                continue;
            }
            let files = config.files(&name, &base);
            let is_mapped = files.as_ref().is_some_and(|files| files.is_mapped);
            let is_relative = dependency.name.starts_with('.');
            let is_plugin = dependency.name.contains('!');
            // The loader may be another one, or a script that was not read may define the module.
            if is_plugin || (!is_mapped && !has_base && !is_relative) {
                dependency.grade = Grade::Uncertain;
            } else if !is_mapped && page.has_external_scripts {
                dependency.grade = dependency.grade.min(Grade::Optional);
            }
            let named = (node, AmdDependency { name: name.into(), ..dependency }, module);
            self.follow_amd_files(page, &named, files, is_all);
        }
    }

    /// Follows a module to the first of its files that exists.
    fn follow_amd_files(
        &mut self,
        page: &mut AmdPage,
        (node, dependency, _): &Needed,
        files: Option<AmdFiles>,
        is_all: bool,
    ) {
        let key = (*node, dependency.span.start);
        let Some(files) = files.filter(|_| !page.resolved.contains(&key)) else { return };
        let load = ScriptLoad {
            kind: LoadKind::AmdModule,
            address: dependency.name.clone(),
            relative_to: RelativeTo::Document,
            grade: dependency.grade,
            goal: Some(Goal::Script),
            span: dependency.span.clone(),
        };
        let place = (self.nodes[*node as usize].source, dependency.span.start);
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
            self.record_target(*node, &load, target, (&base, &url));
            if let Target::File { file, .. } = target
                && page.loaded.insert(load.address.to_string())
                && let Some(source) = self.source_of.get(&file).copied()
            {
                let realm = self.nodes[*node as usize].realm;
                let loaded = self.node(realm, source, (Some(*node), self.nodes[*node as usize].page));
                page.modules.push((loaded, load.address.to_string()));
            }
            return;
        }
        if let Some((target, url)) = last.filter(|_| is_all) {
            let base = page.base.clone();
            let missing = Missing { node: *node, load, target, base, url };
            self.amd.missing.entry(place).or_insert(missing);
        }
    }
}

/// Returns the folder of modules and the name of the main module, by `data-main` and a configuration before the loader.
fn main_module(main: &str, early: &AmdConfig) -> (String, String) {
    let (folder, name) = match (&early.base_url, main.rsplit_once('/')) {
        (Some(base), _) => (with_slash(base), main),
        (None, Some((folder, name))) if !main.contains('!') => (format!("{folder}/"), name),
        (None, _) => ("./".to_owned(), main),
    };
    let name = name.strip_suffix(".js").unwrap_or(name);
    let is_url = name.starts_with('/') || name.contains([':', '?']) || name.ends_with(".js");
    (folder, if is_url { main } else { name }.to_owned())
}

fn with_slash(folder: &str) -> String {
    if folder.is_empty() || folder.ends_with('/') { folder.to_owned() } else { format!("{folder}/") }
}
