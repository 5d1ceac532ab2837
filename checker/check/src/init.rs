//! Drafts a starter contract from the export that is there: nothing goes into it that does not hold.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use url::Url;

use crate::check::{Options, check};
use crate::contract::{Contract, page_path};
use crate::diagnostic::Category;
use crate::english::count;
use crate::hashed_name;
use crate::parse::{self, Format, Page, Source};
use crate::report::Report;
use crate::report::sources::Sources;
use crate::rules::ruleset::Ruleset;
use crate::walk::{FileId, Tree};

/// Folders that builds put their exports in, the surest first.
const FOLDERS: [&str; 12] = [
    "dist/client",
    "dist",
    "build/client",
    "build",
    "out",
    "public",
    "_site",
    "site",
    "book",
    "docs/_build/html",
    "_build/html",
    "output",
];

/// Top-level routes that are named one by one; a larger site has a list of its own.
const MAX_ROUTES: usize = 40;

/// Folders that builds fill with files whose names hold a hash of their content.
const HASHED: [&str; 6] = ["assets", "_astro", "_next/static", "_app/immutable", "_nuxt", "static/js"];

/// A demand that is worth making where the export meets it: its name, its selector, and what it is good for.
const DEMANDS: [(&str, &str, &str); 6] = [
    ("one title", "head > title", "search results, tabs and bookmarks show it"),
    ("one main heading", "h1", "readers and screen readers look for it first"),
    ("a language", "html[lang]", "screen readers choose their voice by it"),
    ("one description", "meta[name=\"description\"]", "search results show it"),
    ("one canonical address", "link[rel=\"canonical\"]", "search engines keep this one of several addresses"),
    ("one main part", "main", "readers of screen readers jump to it"),
];

/// The folder below the working directory that an export most likely stands in.
pub fn find_export() -> Option<PathBuf> {
    FOLDERS.iter().map(PathBuf::from).find(|folder| folder.join("index.html").is_file())
}

/// Drafts a contract that will stand in `file`, for the export in `root`.
///
/// # Errors
/// When the export cannot be read or has no page.
pub fn draft(root: &Path, file: &Path) -> Result<String, String> {
    let tree = Tree::walk(root).map_err(|error| format!("{}: {error}", root.display()))?;
    let pages: Vec<FileId> = tree.ids().filter(|&id| Format::of(tree.path(id)) == Format::Html).collect();
    if pages.is_empty() {
        return Err(format!("{}: there is no page here; name the export's folder", root.display()));
    }
    let addresses = addresses(&tree, &pages)?;
    let mut text = head(root, file, &tree, &pages, &addresses);
    let met = demands(&text, root, file)?;
    text.push_str(&met);
    text.push_str(&headers(&tree));
    Ok(text)
}

/// What the pages and the sitemap say of where the site lives.
struct Addresses {
    /// Pages, and the canonical address that each gives.
    canonical: Vec<(FileId, Url)>,
    sitemap: Option<Url>,
}

fn addresses(tree: &Tree, pages: &[FileId]) -> Result<Addresses, String> {
    let read = |file: &FileId| {
        let source = Source::decoded(fs::read(tree.disk_path(*file)).ok()?);
        canonical(source).map(|url| (*file, url))
    };
    let canonical = pages.par_iter().filter_map(read).collect();
    let sitemap = tree.find(b"sitemap.xml").and_then(|file| fs::read_to_string(tree.disk_path(file)).ok());
    let first = sitemap.as_deref().and_then(|text| text.split_once("<loc>")?.1.split_once("</loc>"));
    Ok(Addresses { canonical, sitemap: first.and_then(|(url, _)| web_address(url)) })
}

fn canonical(source: Source) -> Option<Url> {
    let mut page = Page::new(source);
    // What cannot be parsed is reported by the check that follows.
    parse::parse_html(&mut page, &[]).ok()?;
    let reference = page.facts.references.get(*page.facts.about.canonicals.first()?)?;
    web_address(page.str(reference.value?))
}

fn web_address(text: &str) -> Option<Url> {
    Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// `[site]` and `[pages]`.
fn head(root: &Path, file: &Path, tree: &Tree, pages: &[FileId], addresses: &Addresses) -> String {
    let mut text = String::from(
        "# What must hold before this site goes live. Written by `sitegate init` from the export that was there:\n\
         # make it yours. `sitegate rules` lists what is checked without being asked for.\n\
         #\n\
         # Editors that know TOML help with this file once it begins with the line\n\
         #   #:schema ./sitegate.schema.json\n\
         # and `sitegate schema > sitegate.schema.json` was run.\n\n[site]\n",
    );
    let mut line = |key: &str, value: &str, why: &str| {
        let _ = writeln!(text, "{key} = {}{}{why}", quoted(value), if why.is_empty() { "" } else { " # " });
    };
    line("root", &relative(root, file), "");
    match origin(addresses) {
        Some((origin, from)) => line("origin", &origin, &format!("as {from} says")),
        None => text.push_str(
            "# origin = \"https://www.example.com\" # where it will live: its absolute links are then checked too\n",
        ),
    }
    let mut line = |key: &str, value: &str, why: &str| {
        let _ = writeln!(text, "{key} = {} # {why}", quoted(value));
    };
    if let Some(path) = base_path(tree, addresses) {
        line("base-path", &path, "the path it is deployed under");
    }
    if let Some(page) =
        ["404.html", "404/index.html"].iter().find(|page| tree.find(page.as_bytes()).is_some())
    {
        line("not-found", page, "answers unknown paths");
    }
    if strips_slashes(tree, addresses) {
        line("trailing-slash", "never", "canonical addresses have none");
    }
    let mut routes: Vec<String> = pages.iter().map(|&page| page_path(&tree.display(page))).collect();
    routes.retain(|route| route.matches('/').count() == 1);
    routes.sort();
    let left_out = routes.len().saturating_sub(MAX_ROUTES);
    routes.truncate(MAX_ROUTES);
    text.push_str("\n# A build that loses one of these does not go live.\n[pages]\nrequired = [\n");
    for route in &routes {
        let _ = writeln!(text, "  {},", quoted(route));
    }
    if left_out > 0 {
        let _ = writeln!(text, "  # and {left_out} more at the top level");
    }
    text.push_str("]\n");
    text
}

/// The origin that most canonical addresses have, or the sitemap's.
fn origin(addresses: &Addresses) -> Option<(String, &'static str)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, url) in &addresses.canonical {
        *counts.entry(url.origin().ascii_serialization()).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    let canonical = most.map(|(origin, _)| (origin, "rel=canonical"));
    let sitemap = addresses.sitemap.as_ref().map(|url| (url.origin().ascii_serialization(), "sitemap.xml"));
    canonical.or(sitemap)
}

/// What stands before the export's paths in the canonical address of the home page.
fn base_path(tree: &Tree, addresses: &Addresses) -> Option<String> {
    let home = tree.find(b"index.html")?;
    let (_, url) = addresses.canonical.iter().find(|(file, _)| *file == home)?;
    let path = url.path();
    (path != "/" && path.ends_with('/')).then(|| path.to_owned())
}

fn strips_slashes(tree: &Tree, addresses: &Addresses) -> bool {
    let mut folders = addresses
        .canonical
        .iter()
        .filter(|(file, _)| tree.path(*file).ends_with(b"/index.html"))
        .map(|(_, url)| !url.path().ends_with('/'))
        .peekable();
    folders.peek().is_some() && folders.all(|stripped| stripped)
}

/// The demands that the export meets, and in a comment those that it does not.
fn demands(head: &str, root: &Path, file: &Path) -> Result<String, String> {
    let entry = |(name, select, why): (&str, &str, &str), except: &str| {
        format!(
            "\n[[assert]]\nname = {}\npages = \"/**\"{except}\nselect = {}\ncount = 1\nhelp = {}\n",
            quoted(name),
            quoted(select),
            quoted(why)
        )
    };
    let all: String = DEMANDS.iter().map(|&demand| entry(demand, "")).collect();
    let (report, contract) = trial(&format!("{head}{all}"), root, file)?;
    let sources = Sources::new(&report, &contract);
    let mut text = String::from("\n# ── Every page ──\n");
    let mut unmet = String::new();
    for demand in DEMANDS {
        let prefix = format!("{}: ", demand.0);
        let failing = report.diagnostics.iter().filter(|diagnostic| {
            diagnostic.rule.category == Category::Contract && diagnostic.message.starts_with(&prefix)
        });
        let mut pages: Vec<String> =
            failing.map(|diagnostic| sources.name(&diagnostic.location.place)).collect();
        pages.dedup();
        match pages.as_slice() {
            [] => text.push_str(&entry(demand, "")),
            [page] if page.starts_with("404") => {
                text.push_str(&entry(demand, &format!("\nexcept = {}", quoted(&page_path(page)))));
            }
            pages => {
                let count = count(pages.len(), "page");
                let _ = writeln!(unmet, "#   {}: not on {count}, such as {}", demand.0, pages[0]);
            }
        }
    }
    if !unmet.is_empty() {
        let _ = write!(text, "\n# Worth demanding, but not met yet:\n{unmet}");
    }
    Ok(text)
}

/// Holds the export to a contract that is not written yet.
pub fn trial(text: &str, root: &Path, file: &Path) -> Result<(Report, Contract), String> {
    let contract = Contract::from_text(file, text.to_owned()).map_err(|error| error.to_string())?;
    let rules = Ruleset::new(&contract).map_err(|error| error.to_string())?;
    let report = check(root, &contract, &rules, &Options::default())?;
    Ok((report, contract))
}

/// How many findings of each rule a contract makes of the export, at error level first.
pub fn failing(report: &Report) -> Vec<(&'static str, crate::diagnostic::Severity, usize)> {
    let mut counts = BTreeMap::new();
    for diagnostic in &report.diagnostics {
        *counts.entry((std::cmp::Reverse(diagnostic.severity), diagnostic.rule.id)).or_default() += 1;
    }
    counts.into_iter().map(|((level, rule), count)| (rule, level.0, count)).collect()
}

fn headers(tree: &Tree) -> String {
    let mut text = String::from(
        "\n# ── Response headers, for `sitegate serve` and for publishing; later entries win ──\n\n\
         [[headers]]\npaths = [\"/**\"]\n\
         set.Cache-Control = \"public, max-age=0, must-revalidate\"\n\
         set.X-Content-Type-Options = \"nosniff\"\n\
         set.Referrer-Policy = \"strict-origin-when-cross-origin\"\n",
    );
    let hashed = HASHED.iter().filter(|folder| {
        hashed_name::are_all_hashed(tree.below(folder.as_bytes()).map(|file| tree.display(file)))
    });
    let paths: Vec<String> = hashed.map(|folder| quoted(&format!("/{folder}/**"))).collect();
    if !paths.is_empty() {
        let _ = write!(
            text,
            "\n# Every name here holds a hash of its content.\n[[headers]]\npaths = [{}]\n\
             set.Cache-Control = \"public, max-age=31536000, immutable\"\n",
            paths.join(", ")
        );
    }
    text
}

/// The export's folder as it is written in a contract: relative to the contract's own.
fn relative(root: &Path, file: &Path) -> String {
    let folder = file.parent().unwrap_or(Path::new(""));
    let real = |path: &Path| {
        let path = if path == Path::new("") { Path::new(".") } else { path };
        fs::canonicalize(path).ok()
    };
    let (Some(from), Some(to)) = (real(folder), real(root)) else { return root.display().to_string() };
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    let path: Vec<String> = up.chain(down).collect();
    if path.is_empty() { ".".to_owned() } else { path.join("/") }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::quoted;

    #[test]
    fn strings_are_quoted() {
        assert_eq!(quoted("a"), "\"a\"");
        assert_eq!(
            toml::from_str::<toml::Table>(&format!("x = {}", quoted("a\"b\\c"))).unwrap()["x"].as_str(),
            Some("a\"b\\c")
        );
    }
}
