//! Options of htmltest (`.htmltest.yml`), as its README lists them.

use std::path::PathBuf;

use regex::escape;
use serde_json::{Map, Value as Json};
use toml::{Table, Value};

use super::draft::ContractDraft;
use super::option_table::Equivalent::{
    Automatic, BaseUrl, CommandLine, Folders, Headers, IfFalse, IfTrue, IndexFile, Keys, Level, Nothing,
    Number, Root, RulesOff, Urls,
};
use super::option_table::{OptionRow, strings};

/// The reason for options that leave out kinds of elements.
const ALL_ELEMENTS: &str = "references of all elements are checked; turn single rules off in `[rules]`";

pub(super) const OPTIONS: &[OptionRow] = &[
    ("DirectoryPath", Root),
    ("DirectoryIndex", IndexFile),
    ("FilePath", Nothing("a check is of the whole export; `--format json` has the findings of each file")),
    ("FileExtension", Keys(file_extension)),
    ("BaseURL", BaseUrl),
    ("CheckDoctype", RulesOff(&["missing-doctype"])),
    ("CheckAnchors", IfTrue(ALL_ELEMENTS)),
    ("CheckLinks", IfTrue(ALL_ELEMENTS)),
    ("CheckImages", IfTrue(ALL_ELEMENTS)),
    ("CheckScripts", IfTrue(ALL_ELEMENTS)),
    ("CheckMeta", IfTrue(ALL_ELEMENTS)),
    ("CheckGeneric", IfTrue(ALL_ELEMENTS)),
    // `complete` names the option of the command line, unless it is false.
    ("CheckExternal", Automatic),
    ("CheckInternal", RulesOff(&["broken-link", "missing-asset"])),
    ("CheckInternalHash", RulesOff(&["broken-anchor"])),
    ("CheckMailto", RulesOff(&["invalid-mailto"])),
    ("CheckTel", RulesOff(&["invalid-tel"])),
    ("CheckFavicon", Level(true, "missing-icon", "error")),
    ("CheckMetaRefresh", RulesOff(&["invalid-meta-refresh"])),
    ("EnforceHTML5", Level(true, "missing-doctype", "error")),
    ("EnforceHTTPS", Level(true, "insecure-link", "error")),
    ("IgnoreURLs", Urls),
    ("IgnoreInternalURLs", Keys(internal_urls)),
    ("IgnoreHTTPS", Keys(ignore_https)),
    ("IgnoreDirs", Folders),
    ("IgnoreInternalEmptyHash", IfTrue("`#` is valid: it is the top of the page")),
    ("IgnoreEmptyHref", IfTrue("an empty link is valid: it is the page itself")),
    ("IgnoreCanonicalBrokenLinks", Level(false, "invalid-canonical", "error")),
    ("IgnoreExternalBrokenLinks", Level(true, "broken-external-link", "warn")),
    ("IgnoreAltMissing", Level(true, "missing-alt", "off")),
    ("IgnoreAltEmpty", IfTrue("an empty alt is valid: the image is decoration")),
    ("IgnoreDirectoryMissingTrailingSlash", Level(true, "redirect-hop", "off")),
    (
        "IgnoreSSLVerify",
        IfFalse("invalid certificates are faults; `external.certificates` trusts further authorities"),
    ),
    ("IgnoreTagAttribute", Keys(ignore_attributes)),
    ("HTTPHeaders", Headers),
    ("TestFilesConcurrently", Automatic),
    ("DocumentConcurrencyLimit", Automatic),
    ("HTTPConcurrencyLimit", Number("concurrency", 1)),
    ("LogLevel", CommandLine("--quiet, -v, -vv")),
    ("LogSort", Automatic),
    ("ExternalTimeout", Number("timeout", 1)),
    ("RedirectLimit", Nothing("at most ten redirects are followed")),
    ("StripQueryString", IfFalse("a query is a part of the address, so it is requested")),
    ("StripQueryExcludes", Automatic),
    ("EnableCache", IfTrue("on the command line: --no-cache")),
    ("EnableLog", Automatic),
    ("OutputDir", Automatic),
    ("OutputCacheFile", Automatic),
    ("OutputLogFile", CommandLine("--report FORMAT=FILE")),
    ("CacheExpires", Keys(cache_expires)),
    // An option of a fork that OpenTelemetry uses.
    ("RetryCachedErrors", Nothing("a lock gives good answers only: broken links are always requested")),
];

fn file_extension(value: &Json, _: &mut ContractDraft) -> Result<(), String> {
    match value.as_str() {
        Some(".html" | ".htm" | ".xhtml") => Ok(()),
        _ => Err("pages are files that end in .html, .htm or .xhtml".to_owned()),
    }
}

/// Ignores URLs that are exactly these.
fn internal_urls(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    for url in strings(value)? {
        draft.ignore_urls("IgnoreInternalURLs", &format!("^{}$", escape(url)));
    }
    Ok(())
}

/// Sets the hosts without https. Patterns that are more than a host have no equivalent.
fn ignore_https(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    let mut hosts: Vec<Value> = Vec::new();
    for pattern in strings(value)? {
        let host = pattern.trim_start_matches('^').trim_start_matches("http://").trim_end_matches(['$', '/']);
        let host = host.replace("\\.", ".");
        if host.is_empty() || !host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-')) {
            let reason =
                format!("`{pattern}` is not a host; `except` of the rule `insecure-link` lists hosts");
            draft.note("IgnoreHTTPS", &reason);
            continue;
        }
        hosts.push(Value::from(host));
    }
    draft.insecure_hosts = hosts;
    Ok(())
}

fn ignore_attributes(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    let names: Vec<Value> = strings(value)?.into_iter().map(Value::from).collect();
    draft.check.insert("ignore-attributes".to_owned(), Value::Array(names));
    Ok(())
}

/// Sets the maximum age of the lock, from a duration such as `336h`.
fn cache_expires(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    let is_age = |text: &&str| text.strip_suffix('h').is_some_and(|hours| hours.parse::<u16>().is_ok());
    let age =
        value.as_str().filter(is_age).ok_or("only hours such as 336h are known; set `external.max-age`")?;
    draft.external.insert("max-age".to_owned(), Value::from(age));
    Ok(())
}

/// Adds what htmltest does by default.
pub(super) fn complete(options: &Map<String, Json>, draft: &mut ContractDraft) {
    let is_off = |option: &str| options.get(option) == Some(&Json::Bool(false));
    let text = |option: &str, default: &'static str| {
        options.get(option).and_then(Json::as_str).unwrap_or(default).to_owned()
    };
    let ignored = || Value::Array(vec![Value::from("data-proofer-ignore")]);
    draft.check.entry("ignore-attributes").or_insert_with(ignored);
    // The level of the rule and its exceptions are options of their own.
    if !draft.insecure_hosts.is_empty() {
        let mut rule = Table::from_iter([("except".to_owned(), Value::Array(draft.insecure_hosts.clone()))]);
        rule.extend(draft.rules.remove("insecure-link").map(|level| ("level".to_owned(), level)));
        draft.rules.insert("insecure-link".to_owned(), Value::Table(rule));
    }
    if !is_off("CheckExternal") {
        draft.note("CheckExternal", "on the command line: --external");
        if !is_off("EnableCache") {
            let folder = PathBuf::from(text("OutputDir", "tmp/.htmltest"));
            draft.cache = Some(folder.join(text("OutputCacheFile", "refcache.json")));
        }
    }
}
