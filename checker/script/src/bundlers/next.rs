//! Finds chunks, style sheets and files of Next.js by their path below `_next/`. Verified with Next 15.5 (webpack) and
//! 16 (Turbopack), App and Pages router, with and without a base path.
//!
//! Turbopack loads a chunk by `["static/chunks/0s4rejr3m49i-.js"].map(load)`, and a file by
//! `"/_next/static/media/photo.2_jwuu5i79z86.png"`. The App router describes pages in `self.__next_f.push([1, "…"])`,
//! with chunks such as `"static/chunks/…"` or `"/_next/static/chunks/…"` inside a text. A partial path is appended to
//! the `_next/` folder of the script, or of the scripts of its page.

use std::ops::Range;
use std::sync::LazyLock;

use oxc_ast::AstKind;
use oxc_span::Span;
use regex::Regex;

use crate::address::AddressReader;
use crate::facts::{BundleFact, BundledScript, Script};
use crate::load::{Goal, LoadKind, ScriptLoad};
use crate::syntax::text_of_node;

/// The folder of all files of Next.js.
const FOLDER: &str = "/_next/";

/// A whole or partial path of a file below `_next/`.
static PATH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[",\[])((?:[^"\s\\,\[]*/_next/)?static/[^"\s\\]+\.(?:js|css|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|otf|wasm|json|mp4|webm|mp3|pdf|txt))(?:$|["\\])"#).ok()
});

pub(super) fn read_node<'a>(node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
    if let Some((span, text)) = text_of_node(node) {
        add_paths(text, span, addresses, script);
    }
}

fn add_paths(text: &str, span: Span, addresses: &AddressReader<'_, '_>, script: &mut Script) {
    if !text.contains("static/") {
        return;
    }
    let written = addresses.text(span);
    // If a path is not found after the previous one, the remaining ones have no location.
    let mut from = Some(0);
    for path in paths(text) {
        // Paths need no escapes, so the source contains them literally.
        from = from.and_then(|from| Some(from + written[from..].find(path)?));
        let at = from.unwrap_or(0) as u32;
        from = from.map(|from| from + path.len());
        let span = span.start + at..span.start + at + path.len() as u32;
        if path.starts_with("static/") {
            script.bundle_facts.push(BundleFact::NextPath(path.into(), span));
        } else {
            script.loads.push(load(path.into(), span));
        }
    }
}

/// Returns the paths of Next.js files in a text, without the manifests of development.
pub fn paths(text: &str) -> impl Iterator<Item = &str> {
    let found = PATH.as_ref().into_iter().flat_map(move |path| path.captures_iter(text));
    let paths = found.filter_map(|groups| groups.get(1)).map(|path| path.as_str());
    paths.filter(|path| !path.contains("/development/") && !path.contains('$') && !path.contains('*'))
}

/// Returns the `_next/` folder in a path.
pub fn folder(path: &str) -> Option<&str> {
    path.find(FOLDER).map(|at| &path[..at + FOLDER.len()])
}

fn load(address: Box<str>, span: Range<u32>) -> ScriptLoad {
    let (kind, goal) = match address.rsplit('.').next() {
        Some("js") => (LoadKind::Chunk, Some(Goal::Script)),
        Some("css") => (LoadKind::Style, None),
        _ => (LoadKind::Asset, None),
    };
    ScriptLoad { goal, ..ScriptLoad::new(kind, address, span) }
}

/// Returns the loads of partial paths.
pub(super) fn loads(scripts: &[BundledScript]) -> Vec<(usize, ScriptLoad)> {
    let first = scripts.iter().find_map(|bundled| folder(&bundled.path));
    let mut loads = Vec::new();
    for (index, bundled) in scripts.iter().enumerate() {
        let Some(folder) = folder(&bundled.path).or(first) else { continue };
        for piece in &bundled.script.bundle_facts {
            if let BundleFact::NextPath(path, span) = piece {
                loads.push((index, load(format!("{folder}{path}").into(), span.clone())));
            }
        }
    }
    loads
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn finds_paths_in_texts_of_many_kinds() {
        let flight = "2:\"/_next/static/chunks/08mika-44sn50.js\"\n3:I[845,[\"845\",\"static/chunks/845-ab.js\"],\"\"]\n:HL[\"/docs/_next/static/css/a.css\",\"style\"]";
        let found: Vec<_> = paths(flight).collect();
        let expected = [
            "/_next/static/chunks/08mika-44sn50.js",
            "static/chunks/845-ab.js",
            "/docs/_next/static/css/a.css",
        ];
        assert_eq!(found, expected);
        assert_eq!(paths("static/chunks/a.js").collect::<Vec<_>>(), ["static/chunks/a.js"]);
        assert_eq!(paths("static/chunks/").count(), 0);
        assert_eq!(paths("static/development/_devMiddlewareManifest.json").count(), 0);
        assert_eq!(paths("see https://example.com/ecstatic/page.js").count(), 0);
    }
}
