//! Finds the indexes that the search of generated documentation loads when a reader searches. Verified with Pagefind
//! 1.6, mdBook 0.4.52 and 0.5.4, javadoc of JDK 11 and 17, and `MkDocs` 1.6.
//!
//! - Pagefind: `pagefind-ui.js` imports `pagefind.js` from its own folder, or from a `bundlePath`; that reads
//!   `pagefind-entry.json`.
//! - mdBook: `searcher.js` loads `path_to_root + "searchindex.js"`, or what the page sets as `path_to_searchindex_js`.
//! - Sphinx with the theme of Read the Docs: `Search.loadIndex("searchindex.js")` in the page. Other themes have an element.
//! - javadoc: `createElem(doc, tag, "member-search-index.js")`, at the root of the documentation.
//! - `MkDocs`: `search/main.js` starts `new Worker(joinUrl(base_url, "search/worker.js"))`, and that loads
//!   `search_index.json` and a list of scripts.
//! - Rspress (verified with 2): the names are composed of a table of content hashes, `const hashes = { en: "7b5534ba" }`,
//!   and a URL like `` `/static/search_index.${language}.${hashes[language]}.json` ``. Since Rspress 2.0.7, the table has
//!   keys of versions and languages, `{ "2.x###en": "7b5534ba" }`, and is in another script than the URL.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, AssignmentTarget, BinaryOperator, BindingPattern, CallExpression, Expression, NewExpression,
    ObjectExpression, ObjectPropertyKind, TemplateLiteral, VariableDeclarator,
};
use oxc_span::Span;

use crate::address::AddressReader;
use crate::facts::{BundleFact, BundledScript, PagefindPart, Script};
use crate::load::{Goal, Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::{range, text};
use sitegate_address::SitePath;

pub(super) fn read_node<'a>(node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
    match node {
        AstKind::TemplateLiteral(template) => {
            let part = match name_after_folder(template) {
                Some("pagefind.js") => PagefindPart::Interface,
                Some("pagefind-entry.json") => PagefindPart::Engine,
                _ => return,
            };
            add_fact(script, part, range(template.span));
        }
        AstKind::ObjectProperty(property) if property.key.is_specific_static_name("bundlePath") => {
            if let Some(folder) = addresses.evaluate(&property.value) {
                add_fact(script, PagefindPart::Folder(folder.text.into()), range(property.span));
            }
        }
        AstKind::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => {
            if sum.left.is_specific_id("path_to_root")
                && let Some((span, name)) = text(&sum.right)
                && name.starts_with("searchindex")
            {
                // Before mdBook 0.4.45, the index as JSON came first, and the script was its replacement.
                let grade = if name.ends_with(".js") { Grade::Required } else { Grade::Optional };
                script.loads.push(index(name, RelativeTo::Script, grade, span));
            }
        }
        AstKind::AssignmentExpression(set) => {
            if let AssignmentTarget::StaticMemberExpression(member) = &set.left
                && member.property.name == "path_to_searchindex_js"
                && let Some((span, name)) = text(&set.right)
            {
                script.loads.push(index(name, RelativeTo::Document, Grade::Required, span));
            }
            if let AssignmentTarget::AssignmentTargetIdentifier(variable) = &set.left
                && variable.name == "index_path"
                && let Some((span, name @ "search_index.json")) = text(&set.right)
            {
                script.loads.push(index(name, RelativeTo::Script, Grade::Required, span));
            }
        }
        AstKind::CallExpression(call) => {
            read_javadoc(call, script);
            read_sphinx(call, script);
        }
        AstKind::NewExpression(new) => read_mkdocs_worker(new, script),
        AstKind::VariableDeclarator(declared) => read_mkdocs_scripts(declared, script),
        _ => {}
    }
}

/// Returns the name in `${folder}name`.
fn name_after_folder<'a>(template: &TemplateLiteral<'a>) -> Option<&'a str> {
    match (template.expressions.len(), template.quasis.as_slice()) {
        (1, [before, after]) if before.value.raw.is_empty() => Some(after.value.raw.as_str()),
        _ => None,
    }
}

fn add_fact(script: &mut Script, part: PagefindPart, span: Range<u32>) {
    script.bundle_facts.push(BundleFact::Pagefind(part, span));
}

fn read_javadoc(call: &CallExpression<'_>, script: &mut Script) {
    let (Expression::Identifier(callee), [_, _, name]) = (&call.callee, call.arguments.as_slice()) else {
        return;
    };
    if callee.name == "createElem"
        && let Some((span, name)) = name.as_expression().and_then(text)
        && (name.ends_with("-search-index.js") || name == "search.js")
    {
        // Some versions write the indexes of modules and of tags only if there are any.
        let is_optional = matches!(name, "module-search-index.js" | "tag-search-index.js");
        let grade = if is_optional { Grade::Optional } else { Grade::Required };
        let load = index(name, RelativeTo::Anywhere, grade, span);
        script.loads.push(ScriptLoad { goal: Some(Goal::Script), ..load });
    }
}

/// Reads `Search.loadIndex("searchindex.js")` (verified with `sphinx_rtd_theme` 3.1).
fn read_sphinx(call: &CallExpression<'_>, script: &mut Script) {
    if let Expression::StaticMemberExpression(member) = &call.callee
        && member.property.name == "loadIndex"
        && member.object.is_specific_id("Search")
        && let [name] = call.arguments.as_slice()
        && let Some((span, name)) = name.as_expression().and_then(text)
    {
        let load = index(name, RelativeTo::Document, Grade::Required, span);
        script.loads.push(ScriptLoad { goal: Some(Goal::Script), ..load });
    }
}

/// Reads `new Worker(joinUrl(base_url, "search/worker.js"))` in `search/main.js`.
fn read_mkdocs_worker(new: &NewExpression<'_>, script: &mut Script) {
    if new.callee.is_specific_id("Worker")
        && let Some(Argument::CallExpression(call)) = new.arguments.first()
        && call.callee.is_specific_id("joinUrl")
        && let [base, path] = call.arguments.as_slice()
        && base.as_expression().is_some_and(|base| base.is_specific_id("base_url"))
        && let Some((span, path @ "search/worker.js")) = path.as_expression().and_then(text)
    {
        let (kind, goal) = (LoadKind::Worker, Some(Goal::Script));
        let load = index(&format!("../{path}"), RelativeTo::Script, Grade::Required, span);
        script.loads.push(ScriptLoad { kind, goal, ..load });
    }
}

/// Reads `var scriptsToLoad = ['lunr.js']` in the worker.
fn read_mkdocs_scripts(declared: &VariableDeclarator<'_>, script: &mut Script) {
    if let BindingPattern::BindingIdentifier(variable) = &declared.id
        && variable.name == "scriptsToLoad"
        && let Some(Expression::ArrayExpression(list)) = &declared.init
    {
        for (span, name) in list.elements.iter().filter_map(|entry| text(entry.as_expression()?)) {
            let (kind, goal) = (LoadKind::ImportScripts, Some(Goal::Script));
            let load = index(name, RelativeTo::Script, Grade::Required, span);
            script.loads.push(ScriptLoad { kind, goal, ..load });
        }
    }
}

fn index(name: &str, relative_to: RelativeTo, grade: Grade, span: Span) -> ScriptLoad {
    ScriptLoad { relative_to, grade, ..ScriptLoad::new(LoadKind::SearchIndex, name, range(span)) }
}

/// Returns the files of Pagefind that scripts load. `is_all` means that no setting of a folder will follow.
pub(super) fn loads(scripts: &[BundledScript], is_all: bool) -> Vec<(usize, ScriptLoad)> {
    let facts = || {
        let scripts = scripts.iter().enumerate();
        scripts.flat_map(|(index, script)| {
            let facts = script.script.bundle_facts.iter().filter_map(|fact| match fact {
                BundleFact::Pagefind(part, span) => Some((part, span.clone())),
                _ => None,
            });
            facts.map(move |(part, span)| (index, script, part, span))
        })
    };
    let has_interface = facts().any(|(_, _, part, _)| *part == PagefindPart::Interface);
    let has_folder = facts().any(|(_, _, part, _)| matches!(part, PagefindPart::Folder(_)));
    let mut loads: Vec<(usize, ScriptLoad)> = Vec::new();
    for (index, script, part, span) in facts() {
        let name = SitePath::new(script.path.as_str()).name();
        let load = |kind, address: &str, relative_to, goal| ScriptLoad {
            relative_to,
            goal,
            ..ScriptLoad::new(kind, address, span.clone())
        };
        let module = Some(Goal::Module);
        let found = match part {
            // A bundle with the interface has another name, and always sets the folder.
            PagefindPart::Interface if is_all && !has_folder && name.starts_with("pagefind-") => {
                load(LoadKind::DynamicImport, "pagefind.js", RelativeTo::Script, module)
            }
            PagefindPart::Folder(folder) if has_interface && folder.ends_with('/') => {
                let address = format!("{folder}pagefind.js");
                load(LoadKind::DynamicImport, &address, RelativeTo::Document, module)
            }
            PagefindPart::Engine if name == "pagefind.js" => {
                load(LoadKind::SearchIndex, "pagefind-entry.json", RelativeTo::Script, None)
            }
            _ => continue,
        };
        if loads.iter().all(|(known, other)| (*known, &other.address) != (index, &found.address)) {
            loads.push((index, found));
        }
    }
    loads
}

/// The name of an index, before its language and its hash.
const NAME: &str = "search_index";

/// The same below the folder of a build, for a table whose URL is in another script.
const VERSIONED: &str = "static/search_index";

/// What separates the version and the language in a key.
const KEY_PARTS: &str = "###";

/// Maximum number of entries of the tables of a script. Chosen: one for each language.
const MAX_ENTRIES: usize = 1_000;

/// An entry of a table: what is between the name of the index and its hash, the hash, and its location.
type TableEntry = (Box<str>, Box<str>, Range<u32>);

/// The tables and names of indexes in one script.
#[derive(Default)]
pub(super) struct SearchTables {
    entries: Vec<TableEntry>,
    /// Those of tables whose keys no other table has.
    certain: Vec<TableEntry>,
    /// The start of the URLs of indexes, up to the name of an index.
    prefix: Option<Box<str>>,
}

impl SearchTables {
    pub fn read_node(&mut self, node: AstKind<'_>) {
        match node {
            AstKind::ObjectExpression(object) if self.entries.len() < MAX_ENTRIES => {
                self.entries.extend(table(object, language_part).unwrap_or_default());
                self.certain.extend(table(object, version_part).unwrap_or_default());
            }
            AstKind::TemplateLiteral(template) if self.prefix.is_none() => self.prefix = prefix(template),
            _ => {}
        }
    }

    /// Adds the indexes of all languages.
    pub fn add_loads(self, script: &mut Script) {
        let certain = self.certain.into_iter().map(|entry| load(VERSIONED, entry));
        let prefix = self.prefix.as_deref();
        let entries = self.entries.into_iter().filter_map(|entry| Some(load(prefix?, entry)));
        script.loads.extend(certain.chain(entries));
    }
}

fn load(prefix: &str, (part, hash, span): TableEntry) -> ScriptLoad {
    let load = ScriptLoad::new(LoadKind::SearchIndex, format!("{prefix}{part}.{hash}.json"), span);
    ScriptLoad { relative_to: RelativeTo::Anywhere, ..load }
}

/// Returns the entries of an object with such keys and content hashes only.
fn table(object: &ObjectExpression<'_>, part: impl Fn(&str) -> Option<String>) -> Option<Vec<TableEntry>> {
    let entry = |property: &ObjectPropertyKind<'_>| {
        let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
        let (span, hash) = text(&property.value)?;
        let part = part(&property.key.static_name()?)?;
        let is_hash = hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then(|| (part.into(), hash.into(), span.start..span.end))
    };
    object.properties.iter().map(entry).collect()
}

/// Returns the part of a name for a key that is a language.
fn language_part(key: &str) -> Option<String> {
    let is_language = key.len() >= 2 && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_language.then(|| format!(".{key}"))
}

/// Returns the part of a name for a key with a version and a language, of which each may be empty.
fn version_part(key: &str) -> Option<String> {
    let (version, language) = key.split_once(KEY_PARTS)?;
    // Rspress replaces the first dot only.
    let version = version.replacen('.', "_", 1);
    let parts = [&*version, language].into_iter().filter(|part| !part.is_empty());
    Some(parts.fold(String::new(), |name, part| name + "." + part))
}

/// Returns the start of a URL like `/static/search_index${version}.${language}.${hash}.json`, up to its name. The folder
/// of a build may be a placeholder before it.
fn prefix(template: &TemplateLiteral<'_>) -> Option<Box<str>> {
    let parts: Vec<&str> = template.quasis.iter().map(|part| part.value.raw.as_str()).collect();
    let at = parts.iter().take(2).position(|part| part.strip_suffix('.').unwrap_or(part).ends_with(NAME))?;
    let is_index = parts.len() >= at + 3 && parts.last() == Some(&".json");
    let start = parts[at].strip_suffix('.').unwrap_or(parts[at]);
    // Without the folder, the path is relative to it.
    let start = if at == 0 { start } else { start.trim_start_matches('/') };
    (is_index && (at == 0 || parts[0].is_empty())).then(|| start.into())
}

#[cfg(test)]
mod tests {
    use crate::{Memory, read_script};

    /// Returns the URLs of the indexes that a script loads.
    fn addresses(script: &str) -> Vec<String> {
        let read = read_script(script, &mut Memory::default());
        read.loads.iter().map(|load| load.address.to_string()).collect()
    }

    #[test]
    fn finds_the_indexes_of_all_languages() {
        let tables = "const z = { en: \"7b5534ba\", 'zh-CN': \"00ff11aa\" }, other = { en: \"English\" };";
        let minified = "const url = (t, e) => `/static/search_index${t ? `.${t}` : \"\"}.${e}.${z[e]}.json`;";
        assert_eq!(
            addresses(&format!("{tables}{minified}")),
            ["/static/search_index.en.7b5534ba.json", "/static/search_index.zh-CN.00ff11aa.json"]
        );
        let below = "const url = (e) => `${base(r.p)}/static/search_index.${e}.${z[e]}.json`;";
        assert_eq!(
            addresses(&format!("{tables}{below}")).first().map(String::as_str),
            Some("static/search_index.en.7b5534ba.json")
        );
        let versions =
            "r.d(t, {}, { z: { '###en': \"7b5534ba\", '2.x###zh-CN': \"00ff11aa\" } }); import('./a.js')";
        let indexes =
            ["static/search_index.en.7b5534ba.json", "static/search_index.2_x.zh-CN.00ff11aa.json", "./a.js"];
        assert_eq!(addresses(versions), indexes);
        for other in [
            "const url = (e) => `/static/search_index.json`;",
            "const z = { '###en': 'English' };",
            "const url = (e) => `/a.${e}.${z[e]}.json`;",
            "",
        ] {
            assert_eq!(addresses(&format!("{tables}{other}")), [""; 0], "{other}");
        }
    }
}
