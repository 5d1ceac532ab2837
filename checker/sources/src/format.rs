//! The format of an authored file, by its path.

use sitegate_address::SitePath;

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
