//! Lists the uses of moved templates: layouts, partials and includes have names that are relative to a folder of the
//! generator. Such names are not edited, since generators search several folders for them.

use sitegate_address::SitePath;
use sitegate_sources::edits::Edit;

use super::plan::{MovePlan, TextNote};

/// Folders that names of templates are relative to.
const FOLDERS: [&str; 15] = [
    "partials",
    "_partials",
    "includes",
    "_includes",
    "include",
    "layouts",
    "_layouts",
    "templates",
    "_templates",
    "shortcodes",
    "_shortcodes",
    "snippets",
    "components",
    "overrides",
    "theme",
];

/// Extensions of templates. Each name is searched in every source, so that images are left out.
const EXTENSIONS: [&str; 14] = [
    "html", "htm", "xml", "md", "njk", "liquid", "hbs", "mustache", "ejs", "jinja", "jinja2", "j2", "webc",
    "vto",
];

/// Words before the name of a template, in Go, Liquid, Jinja, Nunjucks and front matter.
const KEYWORDS: [&str; 16] = [
    "partial",
    "partialCached",
    "include",
    "include_cached",
    "layout",
    "extends",
    "import",
    "from",
    "template",
    "render",
    "embed",
    "component",
    "parent",
    "{{<",
    "{{%",
    "{%",
];

/// The names of moved templates, with and without extension.
pub(super) struct PartNames {
    names: Vec<String>,
}

impl PartNames {
    /// `is_page` is whether a source is a page, and no template.
    pub fn new(plan: &MovePlan, is_page: impl Fn(&str) -> bool) -> PartNames {
        let mut names = Vec::new();
        let is_template = |path: &str| {
            SitePath::new(path).extension().is_some_and(|end| EXTENSIONS.contains(&end)) && !is_page(path)
        };
        for (old, new) in plan.renames.iter().filter(|(old, _)| is_template(old)) {
            for name in SitePath::new(&**old).suffixes().skip(1) {
                let above = old.strip_suffix(name).unwrap_or_default().trim_end_matches('/');
                let folder = SitePath::new(above).name();
                let own = format!("/{folder}/{name}");
                if FOLDERS.contains(&folder) && !format!("/{new}").ends_with(&own) {
                    names.extend([name.to_owned(), SitePath::new(name).without_extension().to_owned()]);
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        PartNames { names }
    }

    /// Returns a note for each use in a text, apart from edited ones and those that other notes are about.
    pub fn find(&self, text: &str, edits: &[Edit], others: &[TextNote]) -> Vec<TextNote> {
        let mut found = Vec::new();
        for name in &self.names {
            for (start, _) in text.match_indices(name.as_str()) {
                let end = start + name.len();
                let is_known = edits.iter().any(|edit| edit.start <= end && start <= edit.end)
                    || others.iter().any(|note| note.offset == start);
                if !is_known && is_use(text, start, end) {
                    let message = format!("`{name}` is the name of a moved template; change it by hand");
                    found.push(TextNote { offset: start, message });
                }
            }
        }
        found
    }
}

/// Whether a whole word of a text names a template: it is after a keyword, or a file name in quotes.
fn is_use(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    let (before, name, after) = (&text[..start], &text[start..end], &text[end..]);
    if before.ends_with(is_word) || after.starts_with(is_word) {
        return false;
    }
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
    if name.contains('.') && before.ends_with(is_quote) && after.starts_with(is_quote) {
        return true;
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let line =
        line.trim_end_matches(|c: char| is_quote(c) || c.is_whitespace() || matches!(c, ':' | '=' | '('));
    let is_keyword = |keyword: &&str| {
        line.strip_suffix(*keyword).is_some_and(|rest| keyword.starts_with('{') || !rest.ends_with(is_word))
    };
    KEYWORDS.iter().any(is_keyword)
}

#[cfg(test)]
mod tests {
    use super::is_use;

    #[test]
    fn names_of_templates_are_after_keywords_or_in_quotes() {
        let is_used = |text: &str, name: &str| {
            text.find(name).is_some_and(|start| is_use(text, start, start + name.len()))
        };
        for (text, name) in [
            ("{{ partial \"nav.html\" . }}", "nav.html"),
            ("{% include nav.html x=1 %}", "nav.html"),
            ("layout: post", "post"),
            ("layout = 'post'", "post"),
            ("{{< figure src=x >}}", "figure"),
            ("html_sidebars = ['nav.html']", "nav.html"),
            ("{% extends \"base\" %}", "base"),
        ] {
            assert!(is_used(text, name), "{text}");
        }
        for (text, name) in [
            ("see nav.html", "nav.html"),
            ("{% include a/nav.html %}", "nav.html"),
            ("title: post", "post"),
            ("my_layout: post", "post"),
            ("'post'", "post"),
        ] {
            assert!(!is_used(text, name), "{text}");
        }
    }
}
