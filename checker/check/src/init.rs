//! Drafts a starter contract from an export. The export satisfies every line of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use regex::bytes::Regex;
use sitegate_address::{INDEX, PathPatterns, SitePath, hashed_name};

use crate::check::{CheckTarget, Checker, Error};
use crate::contract::{Contract, ContractError, Permissions};
use crate::deployment::{Deployment, InferredSetting};
use crate::generator::{OUTPUT_FOLDERS, hashed_folders};
use crate::parse::{self, Format, Page};
use crate::project::Project;
use crate::raw_finding::Category;
use crate::report::document_names::DocumentNames;
use crate::report::result::CheckResult;
use crate::rules::rule::OptionError;
use crate::walk::{FileId, Tree};
use sitegate_address::relative::relative_folder;
use sitegate_base::plural::count;
use sitegate_base::sanitize::{slashed, visible};

/// Maximum number of pages that the draft lists, of routes at the top level and of pages that only redirect. People are
/// meant to read it.
const MAX_LISTED: usize = 10;

/// Assertions to propose, if the export meets them: name, selector, and reason.
const ASSERTIONS: [(&str, &str, &str); 6] = [
    ("one title", "head > title", "search results, tabs and bookmarks show it"),
    ("one main heading", "h1", "readers and screen readers look for it first"),
    ("a language", "html[lang]", "screen readers choose the voice by it"),
    ("one description", "meta[name=\"description\"]", "search results show it"),
    ("one canonical address", "link[rel=\"canonical\"]", "search engines index this one of several URLs"),
    ("one main part", "main", "screen readers can jump to it"),
];

/// Returns the output folders in the working directory that have a home page.
pub fn find_exports() -> impl Iterator<Item = PathBuf> {
    OUTPUT_FOLDERS.iter().map(PathBuf::from).filter(|folder| folder.join(INDEX).is_file())
}

/// The reason why a contract cannot be drafted.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    /// The export cannot be read.
    #[error("{}: {error}", root.display())]
    Unreadable {
        /// The folder of the export.
        root: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The export has no page.
    #[error("{}: there is no page in this folder; name the folder that your build writes", .0.display())]
    NoPage(PathBuf),
    /// The draft is not a valid contract.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The draft has options that a rule does not accept.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The export cannot be checked.
    #[error(transparent)]
    Check(#[from] Error),
}

/// Drafts a contract at `file` for the export in `root`, with the settings of its `project` if it is known.
///
/// # Errors
/// If the export cannot be read or has no page, or if the draft is not a valid contract.
pub fn draft_contract(root: &Path, file: &Path, project: Option<&Project>) -> Result<String, DraftError> {
    let tree =
        Tree::walk(root).map_err(|error| DraftError::Unreadable { root: root.to_path_buf(), error })?;
    let pages: Vec<FileId> = tree.ids().filter(|&id| Format::of(tree.path(id)) == Format::Html).collect();
    if pages.is_empty() {
        return Err(DraftError::NoPage(root.to_path_buf()));
    }
    let mut text = site_and_pages(root, file, project, &tree, &pages);
    let assertions = met_assertions(&text, root, file)?;
    text.push_str(&assertions);
    text.push_str(&headers(&tree));
    Contract::from_text(file, text.clone(), &Permissions::default())?;
    Ok(text)
}

/// Writes `[site]` and `[pages]`.
fn site_and_pages(
    root: &Path,
    file: &Path,
    project: Option<&Project>,
    tree: &Tree,
    pages: &[FileId],
) -> String {
    let mut text = String::from(
        "# What must be true before this site goes live. `sitegate init` wrote this contract from the current export:\n\
         # edit it as you like. `sitegate explain` lists the checks that always run.\n\
         #\n\
         # Editors with TOML support complete and check this file if it begins with the line\n\
         #   #:schema ./sitegate.schema.json\n\
         # and if you run `sitegate schema > sitegate.schema.json`.\n\n[site]\n",
    );
    let _ = writeln!(text, "root = {}", quoted(&root_setting(root, file)));
    text.push_str(&deployment_settings(project, tree));
    if let Some(page) =
        ["404.html", "404/index.html"].iter().find(|page| tree.find(page.as_bytes()).is_some())
    {
        let _ = writeln!(text, "not-found = {} # served for unknown paths", quoted(page));
    }
    text.push_str(&source_globs(project, file));
    // Paths that are not UTF-8 cannot be written in TOML.
    let named = pages.iter().filter_map(|&page| std::str::from_utf8(tree.path(page)).ok());
    let named = named.filter(|name| SitePath::new(*name).page_path().matches('/').count() == 1);
    let mut routes: Vec<String> = named
        .filter(|name| !redirects_readers(tree, name))
        .map(|name| SitePath::new(name).page_path())
        .collect();
    routes.sort();
    let skipped = routes.len().saturating_sub(MAX_LISTED);
    routes.truncate(MAX_LISTED);
    text.push_str("\n# Pages that every build must contain.\n[pages]\nrequired = [\n");
    for route in &routes {
        let _ = writeln!(text, "  {},", quoted(route));
    }
    if skipped > 0 {
        let _ = writeln!(text, "  # and {skipped} more at the top level");
    }
    text.push_str("]\n");
    text
}

/// Writes the deployment: settings from the generator's configuration, then settings inferred from the export.
fn deployment_settings(project: Option<&Project>, tree: &Tree) -> String {
    let mut contract = Contract::defaults();
    let mut settings = project.map(|project| project.known.clone()).unwrap_or_default();
    project.inspect(|project| project.apply_to(&mut contract.site));
    settings.extend(Deployment::infer(tree, &contract).inferred);
    let is_known = |key: &str| settings.iter().any(|settings| settings.key == key);
    let mut text = String::new();
    let computed = project.iter().flat_map(|project| {
        let name = project.file.display();
        project.computed.iter().map(move |(key, theirs)| (*key, format!("{name} computes `{theirs}`")))
    });
    for (key, why) in computed.filter(|(key, _)| !is_known(key)) {
        let _ = writeln!(text, "# {key} = … # {}: write its value", visible(&why));
    }
    if !is_known("origin") && !text.contains("# origin = ") {
        text.push_str(
            "# origin = \"https://www.example.com\" # URL of the live site, to check absolute links to it, too\n",
        );
    }
    if !is_known("host") && !text.contains("# host = ") {
        text.push_str("# host = \"…\" # the host that serves it, such as \"netlify\" or \"s3-website\": hosts differ in paths\n");
    }
    for InferredSetting { key, value, evidence } in &settings {
        let value = if matches!(value.as_str(), "true" | "false") { value.clone() } else { quoted(value) };
        let _ = writeln!(text, "{key} = {value} # {}", visible(evidence));
    }
    text
}

/// Writes `[source]`: the files that people edit, if the project is known.
fn source_globs(project: Option<&Project>, file: &Path) -> String {
    let here = file.parent().unwrap_or(Path::new(""));
    let globs = project.map(|project| project.sources(here)).unwrap_or_default();
    if globs.is_empty() {
        return String::new();
    }
    let globs: Vec<String> = globs.iter().map(|glob| quoted(glob)).collect();
    format!(
        "\n# The files that you edit: findings point to their lines.\n[source]\ninclude = [{}]\n",
        globs.join(", ")
    )
}

/// Writes the assertions that the export meets, and lists the others in a comment.
fn met_assertions(site_and_pages: &str, root: &Path, file: &Path) -> Result<String, DraftError> {
    let entry = |(name, select, why): (&str, &str, &str), except: &str| {
        format!(
            "\n[[assert]]\nname = {}\npages = \"/**\"{except}\nselect = {}\ncount = 1\nhelp = {}\n",
            quoted(name),
            quoted(select),
            quoted(why)
        )
    };
    let all: String = ASSERTIONS.iter().map(|&assertion| entry(assertion, "")).collect();
    let (report, contract) = check_draft(&format!("{site_and_pages}{all}"), root, file)?;
    // All required pages exist, so this is an assertion that applies to nothing: those for all pages leave out redirects.
    if report.findings.iter().any(|finding| finding.rule.id == "missing-page") {
        return Ok("\n# All pages redirect: there is nothing to assert about their contents.\n".to_owned());
    }
    let sources = DocumentNames::new(&report, &contract);
    let mut met = String::new();
    let mut unmet = String::new();
    let mut redirects = BTreeSet::new();
    for assertion in ASSERTIONS {
        let prefix = format!("{}: ", assertion.0);
        let failing = report.findings.iter().filter(|finding| {
            finding.rule.category == Category::Contract && finding.message.starts_with(&prefix)
        });
        let mut pages: Vec<String> =
            failing.map(|finding| sources.name(&finding.location.document)).collect();
        pages.dedup();
        let (mut stubs, mut pages): (Vec<String>, Vec<String>) =
            pages.into_iter().partition(|page| redirects_readers(&report.tree, page));
        if stubs.len() > MAX_LISTED {
            pages.append(&mut stubs);
        }
        let mut except: Vec<String> = match pages.as_slice() {
            [] => Vec::new(),
            [page] if page.starts_with("404") => vec![quoted(&SitePath::new(page.as_str()).page_path())],
            pages => {
                let count = count(pages.len(), "page");
                let _ =
                    writeln!(unmet, "#   {}: not on {count}, such as {}", assertion.0, visible(&pages[0]));
                continue;
            }
        };
        if !stubs.is_empty() {
            except.push(quoted("@redirects"));
        }
        met.push_str(&entry(
            assertion,
            &match except.as_slice() {
                [] => String::new(),
                [one] => format!("\nexcept = {one}"),
                several => format!("\nexcept = [{}]", several.join(", ")),
            },
        ));
        redirects
            .extend(stubs.iter().map(|page| PathPatterns::escape(&SitePath::new(page.as_str()).page_path())));
    }
    let mut text = String::new();
    if !redirects.is_empty() {
        text.push_str("\n# Pages that only redirect, by a script.\n[pages.groups]\nredirects = [\n");
        for page in &redirects {
            let _ = writeln!(text, "  {},", quoted(page));
        }
        text.push_str("]\n");
    }
    let _ = write!(text, "\n# ── Every page ──\n{met}");
    if !unmet.is_empty() {
        let _ = write!(text, "\n# Assertions that the export does not meet yet:\n{unmet}");
    }
    Ok(text)
}

/// A page that contains nothing but metadata and scripts.
#[allow(clippy::expect_used, reason = "tests use it")]
static WITHOUT_CONTENT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?is-u)\A(?:<!doctype[^>]*>|<!--.*?-->|</?(?:html|head|body|meta|link|base)\b[^>]*>|<(?:script|style|noscript|title)\b.*?</(?:script|style|noscript|title)\s*>|\s)*\z";
    Regex::new(pattern).expect("a valid pattern")
});

/// A script that opens another page.
#[allow(clippy::expect_used, reason = "tests use it")]
static OPENS_PAGE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?-u)\blocation(?:\.(?:replace|assign)\(|(?:\.href)?\s*=[^=])";
    Regex::new(pattern).expect("a valid pattern")
});

/// Whether a page redirects readers by a refresh, or only by a script. Such pages have no content of their own.
fn redirects_readers(tree: &Tree, page: &str) -> bool {
    let read = |file| Some(Page::of_file(tree.path(file), fs::read(tree.disk_path(file)).ok()?));
    tree.find(page.as_bytes()).and_then(read).is_some_and(|mut parsed| {
        let is_stub = WITHOUT_CONTENT.is_match(&parsed.source) && OPENS_PAGE.is_match(&parsed.source);
        is_stub || parse::parse_html(&mut parsed, &[]).is_ok() && parsed.facts.metadata.refreshes
    })
}

/// Checks an export against the text of a contract.
///
/// # Errors
/// If the text is not a valid contract, or if the export cannot be read.
pub fn check_draft(text: &str, root: &Path, file: &Path) -> Result<(CheckResult, Contract), DraftError> {
    let contract = Contract::from_text(file, text.to_owned(), &Permissions::default())?;
    let report = Checker::new(&contract)?.run(CheckTarget::Export(root))?;
    Ok((report, contract))
}

/// Counts the findings of each rule, errors first.
pub fn findings_by_rule(report: &CheckResult) -> Vec<(&'static str, crate::raw_finding::Severity, usize)> {
    let mut counts = BTreeMap::new();
    for finding in &report.findings {
        *counts.entry((std::cmp::Reverse(finding.severity), finding.rule.id)).or_default() += 1;
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
    let hashed = hashed_folders().filter(|folder| {
        hashed_name::are_all_hashed(tree.below(folder.as_bytes()).map(|file| tree.display(file)))
    });
    let paths: Vec<String> = hashed.map(|folder| quoted(&format!("/{folder}/**"))).collect();
    if !paths.is_empty() {
        let _ = write!(
            text,
            "\n# All file names here contain a hash of their content.\n[[headers]]\npaths = [{}]\n\
             set.Cache-Control = \"public, max-age=31536000, immutable\"\n",
            paths.join(", ")
        );
    }
    text
}

/// Returns the export's folder, relative to the contract's folder. Symbolic links in its path stay: their targets can
/// change with each build.
pub(crate) fn root_setting(root: &Path, file: &Path) -> String {
    let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let (Ok(from), Ok(to)) = (fs::canonicalize(folder), absolute(root)) else {
        return root.display().to_string();
    };
    let is_folder = |ancestor: &&Path| fs::canonicalize(ancestor).is_ok_and(|ancestor| ancestor == from);
    let below = to.ancestors().find(is_folder).and_then(|ancestor| to.strip_prefix(ancestor).ok());
    match below {
        Some(below) => relative_folder("", &slashed(below)),
        None if from.components().next() != to.components().next() => root.display().to_string(),
        None => relative_folder(&slashed(&from), &slashed(&to)),
    }
}

/// Returns an absolute path without `..`. Symbolic links stay, except before `..`.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let mut absolute = fs::canonicalize(".")?;
    for component in path.components() {
        if component == Component::ParentDir {
            absolute = fs::canonicalize(absolute)?;
            absolute.pop();
        } else {
            absolute.push(component);
        }
    }
    Ok(absolute)
}

/// Quotes a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use proptest::prelude::*;

    use super::{draft_contract, quoted};

    fn parsed(value: &str) -> toml::Table {
        toml::from_str(&format!("x = [\n  {},\n] # more", quoted(value))).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn file_names_cannot_inject_configuration() {
        let names = [
            "a\n]\n[check]\nbaseline = 'x'\n[pages]\nrequired = [\n",
            "b\"]\n[rules]\nbroken-link = \"off\"\n#",
            "c\"\"\"\n'''\n]]\n[[ignore]]\nrule = 'broken-link'\nreason = 'x'\n",
            "d\\\r\u{1b}\u{7f}\u{85}\u{2028}",
            "404\n[rules]\nbroken-link = 'off'\n",
        ];
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("e\"\n[rules]\nbroken-link = 'off'\n");
        fs::create_dir(&root).unwrap();
        for name in names {
            fs::write(root.join(format!("{name}.html")), "<!doctype html><title>x</title>").unwrap();
            let canonical =
                format!("https://acme.test/{name}\n[rules]\nbroken-link='off'").replace('"', "&quot;");
            let page = format!("<!doctype html><link rel=canonical href=\"{canonical}\">");
            fs::write(root.join(format!("{name}x.html")), page).unwrap();
        }
        let text = draft_contract(&root, &folder.path().join("sitegate.toml"), None).unwrap();
        let table: toml::Table = toml::from_str(&text).unwrap();
        let mut keys = table.keys().map(String::as_str);
        assert!(keys.all(|key| ["site", "pages", "assert", "headers"].contains(&key)), "{text}");
        assert_eq!(table["pages"]["required"].as_array().unwrap().len(), 10, "{text}");
        let comments = text.lines().filter(|line| line.starts_with('#'));
        assert!(comments.flat_map(str::chars).all(|c| !c.is_control()), "{text}");
    }

    #[test]
    fn quotes_any_text_as_one_string() {
        proptest!(|(value in prop_oneof![any::<String>(), "['\"\\\\\n\r\t\u{1}#\\]\\[=a]{0,12}"])| {
            let table = parsed(&value);
            prop_assert_eq!(table["x"][0].as_str(), Some(value.as_str()));
            prop_assert_eq!(table.len(), 1);
        });
    }

    #[test]
    fn quotes_strings() {
        assert_eq!(quoted("a"), "\"a\"");
        assert_eq!(
            toml::from_str::<toml::Table>(&format!("x = {}", quoted("a\"b\\c"))).unwrap()["x"].as_str(),
            Some("a\"b\\c")
        );
    }
}
