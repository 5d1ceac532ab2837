//! Drafts a starter contract from the export that is there: nothing goes into it that does not hold.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::check::{CheckTarget, Checker, Error};
use crate::contract::{Contract, ContractError, page_path};
use crate::deployment::{Deployment, InferredSetting};
use crate::generator::{OUTPUT_FOLDERS, hashed_folders};
use crate::parse::Format;
use crate::project::Project;
use crate::raw_finding::Category;
use crate::report::finding_reader::FindingReader;
use crate::report::result::CheckResult;
use crate::rules::rule::OptionError;
use crate::walk::{FileId, Tree};
use sitegate_base::hashed_name;
use sitegate_base::plural::count;
use sitegate_base::sanitize::visible;

/// Top-level routes that are named one by one; a larger site has a list of its own.
const MAX_ROUTES: usize = 40;

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
    OUTPUT_FOLDERS.iter().map(PathBuf::from).find(|folder| folder.join("index.html").is_file())
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
    #[error("{}: there is no page here; name the export's folder", .0.display())]
    NoPage(PathBuf),
    /// The draft is no contract.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The draft has options that a rule does not take.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The export cannot be checked.
    #[error(transparent)]
    Check(#[from] Error),
}

/// Drafts a contract that will stand in `file`, for the export in `root`, which a `project` was built to, if one is known.
///
/// # Errors
/// When the export cannot be read or has no page, or the draft would not be a contract.
pub fn draft(root: &Path, file: &Path, project: Option<&Project>) -> Result<String, DraftError> {
    let tree =
        Tree::walk(root).map_err(|error| DraftError::Unreadable { root: root.to_path_buf(), error })?;
    let pages: Vec<FileId> = tree.ids().filter(|&id| Format::of(tree.path(id)) == Format::Html).collect();
    if pages.is_empty() {
        return Err(DraftError::NoPage(root.to_path_buf()));
    }
    let mut text = head(root, file, project, &tree, &pages);
    let met = demands(&text, root, file)?;
    text.push_str(&met);
    text.push_str(&headers(&tree));
    Contract::from_text(file, text.clone())?;
    Ok(text)
}

/// `[site]` and `[pages]`.
fn head(root: &Path, file: &Path, project: Option<&Project>, tree: &Tree, pages: &[FileId]) -> String {
    let mut text = String::from(
        "# What must hold before this site goes live. Written by `sitegate init` from the export that was there:\n\
         # make it yours. `sitegate rules` lists what is checked without being asked for.\n\
         #\n\
         # Editors that know TOML help with this file once it begins with the line\n\
         #   #:schema ./sitegate.schema.json\n\
         # and `sitegate schema > sitegate.schema.json` was run.\n\n[site]\n",
    );
    let _ = writeln!(text, "root = {}", quoted(&relative(root, file)));
    text.push_str(&place(project, tree));
    if let Some(page) =
        ["404.html", "404/index.html"].iter().find(|page| tree.find(page.as_bytes()).is_some())
    {
        let _ = writeln!(text, "not-found = {} # answers unknown paths", quoted(page));
    }
    text.push_str(&sources(project, file));
    // A name that is not UTF-8 cannot be written here.
    let named = pages.iter().filter_map(|&page| std::str::from_utf8(tree.path(page)).ok());
    let mut routes: Vec<String> = named.map(page_path).collect();
    routes.retain(|route| route.matches('/').count() == 1);
    routes.sort();
    let skipped = routes.len().saturating_sub(MAX_ROUTES);
    routes.truncate(MAX_ROUTES);
    text.push_str("\n# A build that loses one of these does not go live.\n[pages]\nrequired = [\n");
    for route in &routes {
        let _ = writeln!(text, "  {},", quoted(route));
    }
    if skipped > 0 {
        let _ = writeln!(text, "  # and {skipped} more at the top level");
    }
    text.push_str("]\n");
    text
}

/// Where the site lives: what its generator's configuration says, and what the export does beside that.
fn place(project: Option<&Project>, tree: &Tree) -> String {
    let mut contract = Contract::defaults();
    let mut taken = project.map(|project| project.known.clone()).unwrap_or_default();
    project.inspect(|project| project.settle(&mut contract.site));
    taken.extend(Deployment::infer(tree, &contract).inferred);
    let is_known = |key: &str| taken.iter().any(|taken| taken.key == key);
    let mut text = String::new();
    let computed = project.iter().flat_map(|project| {
        let name = project.file.display();
        project.computed.iter().map(move |(key, theirs)| (*key, format!("{name} works `{theirs}` out")))
    });
    for (key, why) in computed.filter(|(key, _)| !is_known(key)) {
        let _ = writeln!(text, "# {key} = … # {}: write what it comes to", visible(&why));
    }
    if !is_known("origin") && !text.contains("# origin = ") {
        text.push_str(
            "# origin = \"https://www.example.com\" # where it will live: its absolute links are then checked too\n",
        );
    }
    for InferredSetting { key, value, evidence } in &taken {
        let value = if value == "true" { value.clone() } else { quoted(value) };
        let _ = writeln!(text, "{key} = {value} # {}", visible(evidence));
    }
    text
}

/// `[source]`: what people edit, where the generator says so.
fn sources(project: Option<&Project>, file: &Path) -> String {
    let here = file.parent().unwrap_or(Path::new(""));
    let globs = project.map(|project| project.sources(here)).unwrap_or_default();
    if globs.is_empty() {
        return String::new();
    }
    let globs: Vec<String> = globs.iter().map(|glob| quoted(glob)).collect();
    format!(
        "\n# What you edit: findings are told at its lines.\n[source]\ninclude = [{}]\n",
        globs.join(", ")
    )
}

/// The demands that the export meets, and in a comment those that it does not.
fn demands(head: &str, root: &Path, file: &Path) -> Result<String, DraftError> {
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
    let sources = FindingReader::new(&report, &contract);
    let mut text = String::from("\n# ── Every page ──\n");
    let mut unmet = String::new();
    for demand in DEMANDS {
        let prefix = format!("{}: ", demand.0);
        let failing = report.findings.iter().filter(|finding| {
            finding.raw.rule.category == Category::Contract && finding.raw.message.starts_with(&prefix)
        });
        let mut pages: Vec<String> =
            failing.map(|finding| sources.name(&finding.raw.location.document)).collect();
        pages.dedup();
        match pages.as_slice() {
            [] => text.push_str(&entry(demand, "")),
            [page] if page.starts_with("404") => {
                text.push_str(&entry(demand, &format!("\nexcept = {}", quoted(&page_path(page)))));
            }
            pages => {
                let count = count(pages.len(), "page");
                let _ = writeln!(unmet, "#   {}: not on {count}, such as {}", demand.0, visible(&pages[0]));
            }
        }
    }
    if !unmet.is_empty() {
        let _ = write!(text, "\n# Worth demanding, but not met yet:\n{unmet}");
    }
    Ok(text)
}

/// Checks the export against a contract that is not written yet.
///
/// # Errors
/// When the text is no contract, or the export cannot be read.
pub fn trial(text: &str, root: &Path, file: &Path) -> Result<(CheckResult, Contract), DraftError> {
    let contract = Contract::from_text(file, text.to_owned())?;
    let report = Checker::new(&contract)?.run(CheckTarget::Export(root))?;
    Ok((report, contract))
}

/// How many findings of each rule a contract makes of the export, at error level first.
pub fn failing(report: &CheckResult) -> Vec<(&'static str, crate::raw_finding::Severity, usize)> {
    let mut counts = BTreeMap::new();
    for finding in &report.findings {
        *counts.entry((std::cmp::Reverse(finding.severity), finding.raw.rule.id)).or_default() += 1;
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

    use std::fs;

    use proptest::prelude::*;

    use super::{draft, quoted};

    fn parsed(value: &str) -> toml::Table {
        toml::from_str(&format!("x = [\n  {},\n] # more", quoted(value))).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn names_in_an_export_write_no_configuration() {
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
        let text = draft(&root, &folder.path().join("sitegate.toml"), None).unwrap();
        let table: toml::Table = toml::from_str(&text).unwrap();
        let mut keys = table.keys().map(String::as_str);
        assert!(keys.all(|key| ["site", "pages", "assert", "headers"].contains(&key)), "{text}");
        assert_eq!(table["pages"]["required"].as_array().unwrap().len(), 10, "{text}");
        let comments = text.lines().filter(|line| line.starts_with('#'));
        assert!(comments.flat_map(str::chars).all(|c| !c.is_control()), "{text}");
    }

    #[test]
    fn any_text_is_one_string() {
        proptest!(|(value in prop_oneof![any::<String>(), "['\"\\\\\n\r\t\u{1}#\\]\\[=a]{0,12}"])| {
            let table = parsed(&value);
            prop_assert_eq!(table["x"][0].as_str(), Some(value.as_str()));
            prop_assert_eq!(table.len(), 1);
        });
    }

    #[test]
    fn strings_are_quoted() {
        assert_eq!(quoted("a"), "\"a\"");
        assert_eq!(
            toml::from_str::<toml::Table>(&format!("x = {}", quoted("a\"b\\c"))).unwrap()["x"].as_str(),
            Some("a\"b\\c")
        );
    }
}
