//! Finds the search indexes whose names a script composes of a table of content hashes. Verified with the output of
//! Rspress 2.
//!
//! `const hashes = { en: "7b5534ba" }`, and a URL like `` `/static/search_index.${language}.${hashes[language]}.json` ``.
//! Since Rspress 2.0.7, the table has keys of versions and languages, `{ "2.x###en": "7b5534ba" }`, and is in another
//! script than the URL.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{ObjectExpression, ObjectPropertyKind, TemplateLiteral};

use crate::facts::Script;
use crate::load::{Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::text;

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
    ScriptLoad {
        kind: LoadKind::SearchIndex,
        address: format!("{prefix}{part}.{hash}.json").into(),
        relative_to: RelativeTo::Anywhere,
        grade: Grade::Required,
        goal: None,
        span,
    }
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
