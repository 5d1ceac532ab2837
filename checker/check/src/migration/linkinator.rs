//! Options of linkinator (`linkinator.config.json`), as its README lists them.

use serde_json::Value as Json;
use toml::Value;

use super::draft::ContractDraft;
use super::option_table::Equivalent::{
    Automatic, CleanUrls, CommandLine, Headers, IfFalse, IfTrue, Keys, Nothing, Number, Root, UserAgent,
};
use super::option_table::{OptionRow, number, strings};

/// The reason for options about retries.
const RETRIES: &str = "temporary failures are always retried, when the host says";

/// The reason for options that rewrite URLs.
const REWRITE: &str = "links to your own origin are checked as files: set `site.origin`";

pub(super) const OPTIONS: &[OptionRow] = &[
    (
        "allowInsecureCerts",
        IfFalse("invalid certificates are faults; `external.certificates` trusts further authorities"),
    ),
    ("checkCss", IfTrue("style sheets are always checked")),
    ("checkFragments", IfTrue("fragments are always checked; turn `broken-anchor` off in `[rules]`")),
    ("cleanUrls", CleanUrls),
    ("concurrency", Number("concurrency", 1)),
    ("config", CommandLine("--config")),
    ("directoryListing", IfFalse("static hosts list no folders")),
    ("format", CommandLine("--format")),
    ("header", Headers),
    ("headers", Headers),
    ("include", Nothing("all links are checked; `external.skip` leaves some out")),
    ("linksToSkip", Keys(skip)),
    ("markdown", IfFalse("the input is the folder that you publish, not Markdown")),
    ("path", Keys(path)),
    ("port", Automatic),
    ("recurse", IfTrue("all pages of the folder are always checked")),
    (
        "redirects",
        Keys(|value, draft| level(value, draft, &["moved-external-link", "redirect-hop"], "allow")),
    ),
    ("requireHttps", Keys(|value, draft| level(value, draft, &["insecure-link"], "off"))),
    ("retry", IfTrue(RETRIES)),
    ("retryErrors", IfTrue(RETRIES)),
    ("retryErrorsCount", Number("retries", 0)),
    ("retryErrorsJitter", Automatic),
    ("retryNoHeader", IfTrue(RETRIES)),
    ("serverRoot", Root),
    ("silent", CommandLine("--quiet")),
    ("skip", Keys(skip)),
    ("statusCodes", Keys(status_codes)),
    ("staticHttpServerHost", Automatic),
    ("timeout", Keys(timeout)),
    ("urlRewriteExpressions", Nothing(REWRITE)),
    ("urlRewriteReplace", Nothing(REWRITE)),
    ("urlRewriteSearch", Nothing(REWRITE)),
    ("userAgent", UserAgent),
    ("verbosity", CommandLine("--quiet, -v, -vv")),
];

/// Sets the level of rules from `error`, `warn` or a word for off.
fn level(value: &Json, draft: &mut ContractDraft, rules: &[&str], off: &str) -> Result<(), String> {
    let level = match value.as_str() {
        Some("error") => "error",
        Some(word) if word == off => "off",
        Some("warn") => return Ok(()),
        _ => return Err(format!("its value is not `error`, `warn` or `{off}`")),
    };
    for rule in rules {
        draft.rule(rule, level);
    }
    Ok(())
}

/// Returns the folder of files that a glob matches: all before the first segment with a wildcard. A page is in its folder.
fn folder_of_files(path: &str) -> &str {
    let is_page = || [".html", ".htm"].iter().any(|extension| path.ends_with(extension));
    let end = path.find(['*', '?', '[', '{', '!']).or_else(|| is_page().then_some(path.len()));
    let Some(end) = end else { return path };
    match path[..end].rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => ".",
    }
}

/// Sets the folder of the export.
fn path(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    let mut folders: Vec<&str> = strings(value)?;
    for path in folders.iter_mut().filter(|path| !path.contains("://")) {
        *path = folder_of_files(path);
    }
    folders.dedup();
    match folders.as_slice() {
        [folder] if !folder.contains("://") => draft.root(folder),
        [url] => return Err(format!("on the command line: sitegate check {url}")),
        _ => return Err("the input is one folder, the one that you publish".to_owned()),
    }
    Ok(())
}

/// Ignores URLs: a list of regular expressions, or several in one string.
fn skip(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    for pattern in strings(value)?.into_iter().flat_map(str::split_whitespace) {
        draft.ignore_urls("skip", pattern);
    }
    Ok(())
}

/// Sets the accepted statuses, from a table such as `{"403": "ok"}`.
fn status_codes(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    let mut accepted = Vec::new();
    for (status, verdict) in value.as_object().ok_or("its value is not a table of statuses")? {
        match (status.parse::<i64>(), verdict.as_str()) {
            (Ok(number @ 100..=999), Some("ok" | "skip")) => accepted.push(number),
            _ => draft.note(
                "statusCodes",
                &format!("`{status}`: only single statuses that are \"ok\" or \"skip\""),
            ),
        }
    }
    if !accepted.is_empty() {
        draft.host.insert("accept".to_owned(), Value::from(accepted));
    }
    Ok(())
}

/// Sets the timeout, from milliseconds. 0 is none.
fn timeout(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    let seconds = (number(value, 0)? + 999) / 1000;
    if seconds > 0 {
        draft.external.insert("timeout".to_owned(), Value::Integer(seconds));
    }
    Ok(())
}
