//! Finds URLs of files with a hash of their content in their names: `"/assets/logo-B3x_9kQz.png"`,
//! `"./add-KS3RA5K5.wasm"`. For a file that a script imports as a URL, bundlers write only that URL, and only bundlers
//! write such names.
//!
//! Verified with Farm 1.7, Vite 5.4 to 8.3, Rollup 4, esbuild 0.25 and later, Astro, VitePress, SvelteKit, vike and React Router
//! 7.
//!
//! Such URLs also count in `url()` of a style sheet in a text.
//!
//! The base of the URL depends on its use in the script: the script's own URL, the document's, or the root.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_span::{GetSpan, Span};
use sitegate_address::{SitePath, UrlReference};

use crate::facts::Script;
use crate::load::{Goal, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::{range, text};
use sitegate_address::hashed_name::is_hashed;

/// Extensions of files that scripts use by URL.
const EXTENSIONS: [&str; 29] = [
    "avif", "bin", "css", "csv", "eot", "gif", "glb", "gltf", "ico", "jpeg", "jpg", "json", "m4a", "md",
    "mp3", "mp4", "ogg", "otf", "pdf", "png", "svg", "ttf", "txt", "wasm", "wav", "webm", "webp", "woff",
    "woff2",
];

/// Length of the hashes of Vite, Rollup and esbuild.
const HASH_LENGTH: usize = 8;

/// Maximum length of a URL.
const MAX_LENGTH: usize = 300;

#[derive(Default)]
pub(super) struct HashedNames {
    found: Vec<(Box<str>, Span)>,
    /// Texts that are no URLs by themselves: keys, and parts of computed texts.
    parts: Vec<Span>,
}

impl HashedNames {
    pub fn read_node(&mut self, node: AstKind<'_>) {
        match node {
            // The keys of `import.meta.glob` are source paths.
            AstKind::ObjectProperty(property) => self.parts.push(property.key.span()),
            AstKind::BinaryExpression(sum) => {
                let is_empty = |side| text(side).is_some_and(|(_, text)| text.is_empty());
                if !is_empty(&sum.left) && !is_empty(&sum.right) {
                    self.parts.extend([sum.left.span(), sum.right.span()]);
                }
            }
            AstKind::CallExpression(call) => {
                if let Expression::StaticMemberExpression(member) = &call.callee
                    && member.property.name == "concat"
                {
                    self.parts.extend(call.arguments.iter().map(GetSpan::span));
                }
            }
            AstKind::StringLiteral(text) => self.text(&text.value, text.span),
            AstKind::TemplateLiteral(text) => {
                if let Some(value) = text.single_quasi() {
                    self.text(&value, text.span);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str, span: Span) {
        if is_hashed_url(text) {
            self.found.push((text.into(), span));
        } else if memchr::memchr(b'(', text.as_bytes()).is_some() {
            self.style(text, span);
        }
    }

    /// Finds files in a style sheet that a script contains: `url(/assets/logo-B3x_9kQz.png)`.
    fn style(&mut self, text: &str, span: Span) {
        let inside = Span::new(span.start + 1, span.end - 1);
        for (at, url) in urls_of_style(text).filter(|(_, url)| is_hashed_url(url)) {
            let part = span_of_part(inside, text, at, url);
            // The location includes a character on both sides, as the quotes of other texts.
            self.found.push((url.into(), Span::new(part.start - 1, part.end + 1)));
        }
    }

    /// Adds the URLs that are not part of another load.
    pub fn add_loads(mut self, script: &mut Script) {
        if self.found.is_empty() {
            return;
        }
        self.parts.sort_unstable();
        let mut known: Vec<(u32, u32)> =
            script.loads.iter().map(|load| (load.span.start, load.span.end)).collect();
        known.sort_unstable();
        // For each location, the furthest end of any load that begins at or before it.
        let mut furthest = 0;
        for (_, end) in &mut known {
            furthest = furthest.max(*end);
            *end = furthest;
        }
        let is_part = |span: &Span| self.parts.binary_search(span).is_ok();
        for (address, span) in self.found.into_iter().filter(|(_, span)| !is_part(span)) {
            let span = Span::new(span.start + 1, span.end - 1);
            let before = known.partition_point(|(start, _)| *start <= span.start);
            if before == 0 || known[before - 1].1 < span.end {
                let (kind, goal) = if is_script(&address) {
                    (LoadKind::Chunk, Some(Goal::Module))
                } else {
                    (LoadKind::Asset, None)
                };
                let load = ScriptLoad::new(kind, address, range(span));
                script.loads.push(ScriptLoad { relative_to: RelativeTo::Anywhere, goal, ..load });
            }
        }
    }
}

/// Returns the URLs in `url()` of CSS, with their offsets.
pub(super) fn urls_of_style(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find("url(")? + "url(".len();
        at = start + text[start..].find(')')?;
        let written = &text[start..at];
        let url = written.trim_matches(['"', '\'']);
        Some((start + written.find(url)?, url))
    })
}

/// Returns the location of a part of a text. If the text has escapes, it is the whole text.
pub(super) fn span_of_part(inside: Span, text: &str, at: usize, part: &str) -> Span {
    let start = inside.start + at as u32;
    let is_plain = inside.size() as usize == text.len();
    if is_plain { Span::new(start, start + part.len() as u32) } else { inside }
}

/// Whether a text is a URL with a hash in its name.
pub(crate) fn is_hashed_url(text: &str) -> bool {
    let begins = text.starts_with("./") || text.starts_with("../") || text.starts_with('/');
    if !begins || !(is_file_url(text) || is_script(text)) {
        return false;
    }
    let path = UrlReference::new(text).path();
    is_hashed(path) || ends_with_hash(path)
}

/// Whether a text is a URL without placeholders.
fn is_whole(text: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || matches!(c, '\\' | '*' | '$' | '{' | '<');
    text.len() <= MAX_LENGTH && !text.starts_with("//") && !text.contains(odd)
}

/// Whether a name ends with eight characters that are no word. Accepts more hashes here than for immutable caching.
/// Farm adds a second hash: `logo.65749cac-054d1a.png`.
fn ends_with_hash(path: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let is_second = |hash: &str| hash.len() == 6 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let stem = stem.rsplit_once('-').filter(|(_, hash)| is_second(hash)).map_or(stem, |(stem, _)| stem);
    let Some((before, hash)) = stem.len().checked_sub(HASH_LENGTH).and_then(|at| stem.split_at_checked(at))
    else {
        return false;
    };
    let is_odd = |c: &char| c.is_ascii_uppercase() || c.is_ascii_digit();
    before.ends_with(['-', '.'])
        && hash.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && hash.chars().skip(1).filter(is_odd).count() >= 2
}

/// Whether a URL is a script's, as in the route manifests of React Router and TanStack.
fn is_script(text: &str) -> bool {
    text.starts_with('/') && text.ends_with(".js") && is_whole(text)
}

/// Whether a text is a whole URL with the extension of a script.
pub(super) fn is_script_url(text: &str) -> bool {
    let path = UrlReference::new(text).path();
    is_whole(text) && (path.ends_with(".js") || path.ends_with(".mjs"))
}

/// Whether a text is a whole URL with the extension of a file that scripts use by URL.
pub(super) fn is_file_url(text: &str) -> bool {
    let path = SitePath::new(UrlReference::new(text).path());
    let is_known = |extension| EXTENSIONS.binary_search(&extension).is_ok();
    is_whole(text) && !path.stem().is_empty() && path.extension().is_some_and(is_known)
}
