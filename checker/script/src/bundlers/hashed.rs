//! Addresses of files with a hash of their content in their names: `"/assets/logo-B3x_9kQz.png"`, `"./add-KS3RA5K5.wasm"`.
//! Seen with Vite 5.4 to 8.3, Rollup 4, esbuild 0.25 and later, Astro, VitePress, SvelteKit, vike and React Router 7: for a file that a script
//! imports as an address, they write that address and nothing else. Nobody but a bundler writes such names.
//!
//! What the address is relative to depends on what the script does with it: its own URL, the document's, or the root.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_span::{GetSpan, Span};

use crate::facts::Script;
use crate::load::{Against, Goal, Grade, LoadKind, ScriptLoad};
use crate::syntax::text;
use sitegate_base::hashed_name::is_hashed;

/// The endings of files that scripts use by their address.
const ENDINGS: [&str; 29] = [
    "avif", "bin", "css", "csv", "eot", "gif", "glb", "gltf", "ico", "jpeg", "jpg", "json", "m4a", "md",
    "mp3", "mp4", "ogg", "otf", "pdf", "png", "svg", "ttf", "txt", "wasm", "wav", "webm", "webp", "woff",
    "woff2",
];

/// How long the hashes of Vite, Rollup and esbuild are.
const HASH: usize = 8;

/// No address is longer.
const LONGEST: usize = 300;

#[derive(Default)]
pub(super) struct HashedNames {
    found: Vec<(Box<str>, Span)>,
    /// Texts that are no address by themselves: keys, and parts of what is put together while the script runs.
    parts: Vec<Span>,
}

impl HashedNames {
    pub fn node(&mut self, node: AstKind<'_>) {
        match node {
            // The keys of `import.meta.glob` are addresses in the source.
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
        if is_address(text) {
            self.found.push((text.into(), span));
        }
    }

    /// What is no part of another load is one by itself.
    pub fn finish(mut self, script: &mut Script) {
        if self.found.is_empty() {
            return;
        }
        self.parts.sort_unstable();
        let mut known: Vec<(u32, u32)> =
            script.loads.iter().map(|load| (load.span.start, load.span.end)).collect();
        known.sort_unstable();
        // For each place, how far any load goes that begins there or before.
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
                let span = span.start..span.end;
                let (kind, goal) = if is_script(&address) {
                    (LoadKind::Chunk, Some(Goal::Module))
                } else {
                    (LoadKind::Asset, None)
                };
                let (against, grade) = (Against::Anywhere, Grade::Needed);
                script.loads.push(ScriptLoad { kind, address, against, grade, goal, span });
            }
        }
    }
}

/// Whether a text is an address with a hash in its name.
pub(crate) fn is_address(text: &str) -> bool {
    let begins = text.starts_with("./") || text.starts_with("../") || text.starts_with('/');
    let path = text.split(['?', '#']).next().unwrap_or(text);
    begins && (ends_as_file(text) || is_script(text)) && (is_hashed(path) || ends_with_hash(path))
}

/// Whether a text is an address without places to be filled in.
fn is_whole(text: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || matches!(c, '\\' | '*' | '$' | '{' | '<');
    text.len() <= LONGEST && !text.starts_with("//") && !text.contains(odd)
}

/// Whether a name ends with eight letters that no word is made of: here a few more are taken for hashes than where browsers
/// are told to keep a file for ever.
fn ends_with_hash(path: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let Some((before, hash)) = stem.len().checked_sub(HASH).and_then(|at| stem.split_at_checked(at)) else {
        return false;
    };
    let is_odd = |c: &char| c.is_ascii_uppercase() || c.is_ascii_digit();
    before.ends_with(['-', '.'])
        && hash.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && hash.chars().skip(1).filter(is_odd).count() >= 2
}

/// Whether an address is a script's, as in the route manifests of React Router and TanStack.
fn is_script(text: &str) -> bool {
    text.starts_with('/') && text.ends_with(".js") && is_whole(text)
}

/// Whether a text is a whole address, and ends as files do that scripts use by their address.
pub(super) fn ends_as_file(text: &str) -> bool {
    let path = text.split(['?', '#']).next().unwrap_or(text);
    let name = path.rsplit('/').next().unwrap_or(path);
    is_whole(text)
        && name
            .rsplit_once('.')
            .is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.binary_search(&ending).is_ok())
}
