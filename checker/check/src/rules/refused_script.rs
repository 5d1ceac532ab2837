//! `refused-script`: a module, an import map, a worker or a service worker that browsers refuse.

use super::broken_reference::load_chain;
use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::scripts::FaultKind;
use crate::index::view::FileView;
use crate::parse::{Format, ReferenceKind, ScriptSource};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use sitegate_address::{SitePath, extension};
use sitegate_script::{Goal, Grade, ImportMap};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "refused-script",
    category: Category::Content,
    default: Severity::Error,
    summary: "browsers refuse a module, an import map, a worker or a service worker",
    why: "Browsers run a module only if the server sends it as JavaScript. Hosts derive the type from the extension, \
          and none sends `.ts`, `.tsx`, `.jsx`, `.vue` or `.svelte` so: build the file, and load the result (HTML, \
          8.1.4.2). Firefox ignores an import map after a module. A worker must be on the origin of \
          its page, also if a bundler writes the address of a CDN before the names of its files. A service worker can control only pages in its \
          folder and below, unless the server sends `Service-Worker-Allowed`.",
    bad: r#"index.html:
  <script type="module" src="/main.ts"></script>
main.ts:
  console.info("ready");"#,
    good: r#"index.html:
  <script type="module" src="/main.js"></script>
main.js:
  console.info("ready");"#,
};

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

/// Extensions of files that bundlers translate to JavaScript, and of style sheets that they import.
const SOURCES: [&str; 9] = ["ts", "mts", "tsx", "jsx", "vue", "svelte", "coffee", "css", "scss"];

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    check_import_map(view, found);
    // The server of a live site answers with a type, which `wrong-content-type` checks.
    if view.site.live().is_some() {
        return;
    }
    for script in view.facts.scripts.iter().filter(|script| script.goal == Some(Goal::Module)) {
        let ScriptSource::File(index) = script.source else { continue };
        let (Some(reference), Some(file)) =
            (view.facts.references.get(index as usize), view.links.file(index as usize))
        else {
            continue;
        };
        let path = view.site.tree.path(file);
        let is_source =
            SitePath::new(path).extension().is_some_and(|own| extension::is_one_of(own, &SOURCES));
        let is_module = reference.kind == ReferenceKind::Script && view.site.format(file) != Format::Html;
        // Most modules are JavaScript, and rules of headers take long to compare.
        if !is_source || !is_module {
            continue;
        }
        let url = format!("/{}", view.site.tree.display(file));
        let has_type = view.site.header_for(file, "content-type").is_some()
            || !view.site.headers_file_lines(file, "content-type").is_empty();
        if !has_type {
            let message =
                format!("browsers refuse this module: hosts do not send `{}` as JavaScript", shorten(&url));
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message);
            found.push(finding.help("load the file that the bundler makes of it"));
        }
    }
}

fn maps_names(map: &ImportMap) -> bool {
    !map.imports.is_empty() || !map.scopes.is_empty()
}

/// Reports an import map that comes after a module or its preload: Firefox ignores it (tried with 153; web-features,
/// "Multiple import maps", September 2026). The polyfill es-module-shims reads it.
fn check_import_map(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let Some(start) = view.facts.late_import_map else { return };
    let is_used = view.facts.import_map.as_ref().is_some_and(maps_names);
    let mut texts = view.facts.references.iter().filter_map(|reference| Some(view.text(reference.value?)));
    if is_used && !texts.any(|text| text.contains("es-module-shims")) {
        let message = "Firefox ignores this import map, because a module comes before it".to_owned();
        let finding = RawFinding::new(&INFO, (view.file, start..start), message);
        found.push(finding.help("move the import map before all modules"));
    }
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for fault in &index.scripts.faults {
        let FaultKind::WideScope(scope, folder) = &fault.kind else { continue };
        let trail = load_chain(&fault.trail, index.site);
        let message = format!(
            "browsers refuse this service worker: its scope `{}` is above its folder `{}`{trail}",
            shorten(scope),
            shorten(folder)
        );
        let help = "move the worker up, or send the header `Service-Worker-Allowed` with it";
        found.push(RawFinding::new(&INFO, (fault.file, &fault.span), message).help(help));
    }
    // A site that names itself nowhere, so that its origin is not known, does not name itself here either.
    let workers = index.scripts.external.iter().filter(|load| {
        matches!(load.kind, ReferenceKind::JsWorker | ReferenceKind::JsServiceWorker)
            && load.grade == Grade::Required
            // FlexSearch has `new Worker("//node/node.mjs")` in a branch for Node.js: no host, but a path.
            && load.host.contains('.')
    });
    for load in workers {
        let message = format!(
            "browsers refuse this worker: `{}` is on another origin than the page",
            shorten(&load.address)
        );
        let help = "publish the script of the worker with the site; it may load more with `importScripts`";
        found.push(RawFinding::new(&INFO, (load.file, &load.span), message).help(help));
    }
}
