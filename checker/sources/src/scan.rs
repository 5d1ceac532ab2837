//! Finds the references of a file by its format, and proves edits by a second scan: each changes one reference, and
//! nothing else that is one.

use std::ops::Range;

use sitegate_address::SitePath;

use crate::data::{self, DataKind};
use crate::edits::Edit;
use crate::reference::{SourceOptions, SourceReference, SourceScan, decoded_reference};
use crate::{css, markdown, mdx, python, restructured, scripts, templates};

/// A format whose references are known. All other files are only searched as text, and never edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceFormat {
    /// `CommonMark` with the extensions of GitHub and `MyST`, front matter, and shortcodes of generators.
    Markdown,
    /// MDX: Markdown with JSX and expressions.
    Mdx,
    /// reStructuredText.
    Restructured,
    /// HTML, XHTML and SVG.
    Html,
    /// Markup of a template language or of a component: Liquid, Jinja, Go, ERB, Vue, Astro, Svelte.
    Template,
    /// Style sheets.
    Css,
    /// JSON, also with comments.
    Json,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// `JavaScript` and `TypeScript`, also with JSX.
    Script,
    /// Python: its docstrings, and settings such as `conf.py`.
    Python,
    /// A `_redirects` file.
    Redirects,
}

impl SourceFormat {
    /// Returns the format of a file; `None` if its references are not known. Jekyll, Hugo and Eleventy have their templates
    /// in `.html` files, which only their text shows.
    pub fn of(path: &str, text: &str) -> Option<SourceFormat> {
        /// Delimiters of Liquid, Jinja, Go, Handlebars, ERB and EJS.
        const DELIMITERS: [&str; 3] = ["{{", "{%", "<%"];
        match SourceFormat::of_path(path) {
            Some(SourceFormat::Html) if DELIMITERS.iter().any(|delimiter| text.contains(delimiter)) => {
                Some(SourceFormat::Template)
            }
            format => format,
        }
    }

    /// Returns the format of a file by its path alone; `None` if its references are not known.
    pub fn of_path(path: &str) -> Option<SourceFormat> {
        let path = SitePath::new(path);
        if path.name() == "_redirects" {
            return Some(SourceFormat::Redirects);
        }
        Some(match path.extension()?.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mkd" | "mdown" => SourceFormat::Markdown,
            "mdx" => SourceFormat::Mdx,
            // Sphinx reads any extension; `.txt` is that of Django's documentation.
            "rst" | "rest" | "txt" => SourceFormat::Restructured,
            "html" | "htm" | "xhtml" | "svg" => SourceFormat::Html,
            "vue" | "astro" | "svelte" | "liquid" | "njk" | "jinja" | "jinja2" | "j2" | "twig" | "hbs"
            | "handlebars" | "mustache" | "ejs" | "erb" | "tmpl" | "gohtml" | "webc" => {
                SourceFormat::Template
            }
            "css" | "scss" | "sass" | "less" | "pcss" => SourceFormat::Css,
            "json" | "jsonc" | "json5" | "webmanifest" => SourceFormat::Json,
            // `.pages` has the navigation of a folder for a plugin of MkDocs.
            "yml" | "yaml" | "pages" => SourceFormat::Yaml,
            "toml" => SourceFormat::Toml,
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => SourceFormat::Script,
            "py" => SourceFormat::Python,
            _ => return None,
        })
    }
}

/// Finds the references of a text, by the format that its path has.
///
/// Finds nothing if the format is not known ([`SourceFormat::of`]). Never fails: a text that its parser does not
/// accept has no references, and is inert as a whole.
pub fn scan<'t>(path: &str, text: &'t str, options: SourceOptions) -> SourceScan<'t> {
    let mut scan = SourceScan::default();
    let whole = 0..text.len();
    match SourceFormat::of(path, text) {
        None => {}
        Some(SourceFormat::Markdown) => markdown::scan(text, whole, options, &mut scan),
        Some(SourceFormat::Mdx) => mdx::scan(text, whole, &mut scan),
        Some(SourceFormat::Restructured) => restructured::scan_file(path, text, options, &mut scan),
        Some(SourceFormat::Html) => templates::scan_document(text, &mut scan),
        Some(SourceFormat::Template) => templates::scan(path, text, &mut scan),
        Some(SourceFormat::Css) => css::scan_file(path, text, &mut scan),
        Some(SourceFormat::Json) => data::json_file(path, text, &mut scan),
        Some(SourceFormat::Yaml) => data::yaml_file(path, text, &mut scan),
        Some(SourceFormat::Toml) => data::toml(text, whole, DataKind::Data, &mut scan),
        Some(SourceFormat::Script) => scripts::scan(path, text, whole, &mut scan),
        Some(SourceFormat::Python) => python::scan(path, text, options, &mut scan),
        Some(SourceFormat::Redirects) => data::redirects_file(text, &mut scan),
    }
    scan.sort();
    scan
}

/// Returns the edits of a text that are proved, and the others: after them, the text has the same references, apart from
/// those that contain an edit, and each of these is the new text. `before` are its references. Of edits at one place, the
/// first counts.
///
/// A new text may end a reference too early, or begin another one: a parenthesis in Markdown, a quote in an attribute.
pub fn proven_edits<E>(
    source: (&str, &str),
    before: &[SourceReference<'_>],
    mut edits: Vec<E>,
    as_edit: &impl Fn(&E) -> (Range<usize>, &str),
    options: SourceOptions,
) -> (Vec<E>, Vec<E>) {
    let mut sorted: Vec<(Range<usize>, &str)> = edits.iter().map(as_edit).collect();
    sorted.sort_unstable_by_key(|(range, _)| (range.start, range.end));
    sorted.dedup_by(|(next, _), (earlier, _)| next.start < earlier.end || next.start == earlier.start);
    if sorted.is_empty() || keeps_references(source, before, &sorted, options) {
        return (edits, Vec::new());
    }
    if edits.len() == 1 {
        return (Vec::new(), edits);
    }
    // Of thousands of edits, few are wrong.
    let second = edits.split_off(edits.len() / 2);
    let (mut proven, mut others) = proven_edits(source, before, edits, as_edit, options);
    let rest = proven_edits(source, before, second, as_edit, options);
    proven.extend(rest.0);
    others.extend(rest.1);
    (proven, others)
}

/// Whether a text has the same references after edits, which are sorted and disjoint.
fn keeps_references(
    (path, text): (&str, &str),
    before: &[SourceReference<'_>],
    edits: &[(Range<usize>, &str)],
    options: SourceOptions,
) -> bool {
    let mut new = String::with_capacity(text.len());
    let mut end = 0;
    for (range, replacement) in edits {
        let Some(kept) = text.get(end..range.start) else { return false };
        new.extend([kept, replacement]);
        end = range.end;
    }
    new.push_str(text.get(end..).unwrap_or_default());
    let after = scan(path, &new, options).references;
    let mut edits = edits.iter().peekable();
    let mut shift = 0_isize;
    let keeps = |(old, found): (&SourceReference<'_>, &SourceReference<'_>)| {
        let start = old.range.start.wrapping_add_signed(shift);
        let mut is_edited = false;
        while let Some((range, replacement)) = edits.next_if(|(range, _)| range.start < old.range.end) {
            if range.start < old.range.start || range.end > old.range.end {
                return false;
            }
            shift += replacement.len() as isize - range.len() as isize;
            is_edited = true;
        }
        let is_same_place =
            found.range == (start..old.range.end.wrapping_add_signed(shift)) && found.manner == old.manner;
        let is_as_expected = if is_edited {
            decoded_reference(&found.target) == decoded_reference(&new[found.range.clone()])
        } else {
            found.target == old.target
        };
        is_same_place && is_as_expected
    };
    after.len() == before.len() && before.iter().zip(&after).all(keeps) && edits.next().is_none()
}

/// Returns sorted edits of references, and makes the lines of titles in reStructuredText longer, if they have to be.
pub fn with_title_lines(path: &str, text: &str, edits: Vec<Edit>) -> Vec<Edit> {
    match SourceFormat::of_path(path) {
        Some(SourceFormat::Restructured | SourceFormat::Python) => {
            restructured::with_title_lines(text, edits)
        }
        // Lines below titles of Markdown may be shorter.
        _ => edits,
    }
}

#[cfg(test)]
mod tests {
    use super::{keeps_references, scan};
    use crate::reference::SourceOptions;

    #[track_caller]
    fn keeps(path: &str, text: &str, old: &str, new: &str) -> bool {
        let start = text.find(old).unwrap_or_default();
        let before = scan(path, text, SourceOptions::default()).references;
        keeps_references((path, text), &before, &[(start..start + old.len(), new)], SourceOptions::default())
    }

    #[test]
    fn an_edit_changes_one_reference() {
        let text = "[a](x.md) `x.txt` <b title=\"y\" href='z.md'>";
        assert!(keeps("a.md", text, "x.md", "v/w.md"));
        assert!(keeps("a.md", text, "z.md", "v/w.md"));
        assert!(!keeps("a.md", text, "x.md", "x).md"), "ends the reference");
        assert!(!keeps("a.md", text, "z.md", "z' src='w"), "begins another one");
        assert!(!keeps("a.md", text, "x.txt", "w.txt"), "is in code");
        assert!(!keeps("a.md", text, "y", "w"), "is no reference");
    }
}
