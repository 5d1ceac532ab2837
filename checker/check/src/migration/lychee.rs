//! Options of lychee (`lychee.toml`, `.lycheeignore`), as its example configuration lists them.

use serde_json::Value as Json;
use toml::{Table, Value};

use super::draft::ContractDraft;
use super::option_table::Equivalent::{
    Automatic, BaseUrl, CommandLine, Folders, Headers, IfFalse, IfTrue, IndexFile, Keys, Level, Nothing,
    Number, Root, Urls, UserAgent,
};
use super::option_table::{OptionRow, number, strings};

/// The reason for options that name inputs.
const INPUT: &str = "the input is the folder that you publish";

/// The reason for options about addresses that are not public.
const PRIVATE: &str =
    "addresses that are not public are not requested; `external.allow-addresses` permits networks";

/// The reason for options about archives.
const ARCHIVE: &str = "no archive is requested: it would learn your links";

pub(super) const OPTIONS: &[OptionRow] = &[
    ("accept", Keys(accept)),
    ("accept_timeouts", IfFalse("a timeout is `unverified-external-link`, which is a warning")),
    ("archive", Nothing(ARCHIVE)),
    ("base", BaseUrl),
    ("base_url", BaseUrl),
    (
        "basic_auth",
        Nothing("a password comes from a variable: headers = { Authorization = { env = \"VARIABLE\" } }"),
    ),
    ("cache", IfTrue("on the command line: --no-cache")),
    ("cache_exclude_status", Nothing("a broken link is cached for an hour, one without a verdict for six")),
    ("cookie_jar", Nothing("a link that only members can follow is not broken")),
    ("default_extension", Nothing(INPUT)),
    ("dump", CommandLine("--external --dry-run")),
    ("dump_inputs", Nothing(INPUT)),
    ("exclude", Urls),
    ("exclude_all_private", IfTrue(PRIVATE)),
    ("exclude_file", Nothing("name `.lycheeignore`, which is read next to lychee.toml")),
    ("exclude_link_local", IfTrue(PRIVATE)),
    ("exclude_loopback", IfTrue(PRIVATE)),
    ("exclude_mail", Automatic),
    ("exclude_path", Folders),
    ("exclude_private", IfTrue(PRIVATE)),
    ("extensions", Nothing(INPUT)),
    ("fallback_extensions", Keys(fallback_extensions)),
    ("files_from", Nothing(INPUT)),
    ("format", CommandLine("--format")),
    ("generate", Automatic),
    ("github_token", CommandLine("--allow-env GITHUB_TOKEN")),
    ("glob_ignore_case", Nothing(INPUT)),
    ("header", Headers),
    ("headers", Headers),
    ("hidden", Nothing(INPUT)),
    ("host_concurrency", Keys(host_concurrency)),
    ("host_request_interval", Keys(host_interval)),
    ("host_stats", CommandLine("--all")),
    ("hosts", Keys(hosts)),
    ("include", Nothing("all links are checked; `external.skip` leaves some out")),
    ("include_fragments", Keys(include_fragments)),
    ("include_mail", Nothing("`invalid-mailto` checks the syntax of mail addresses, and requests nothing")),
    ("include_verbatim", IfFalse("text in code is not a link")),
    ("include_wikilinks", IfFalse("the pages of the export have no wiki links")),
    ("index_files", IndexFile),
    (
        "insecure",
        IfFalse("invalid certificates are faults; `external.certificates` trusts further authorities"),
    ),
    ("max_cache_age", Nothing("the ages of cached answers are fixed; `external.max-age` is that of a lock")),
    ("max_concurrency", Number("concurrency", 1)),
    ("max_redirects", Nothing("at most ten redirects are followed")),
    ("max_retries", Number("retries", 0)),
    ("method", Keys(method)),
    ("min_tls", Nothing("TLS 1.2 is the minimum")),
    ("mode", Automatic),
    ("no_ignore", Nothing(INPUT)),
    ("no_progress", Automatic),
    ("offline", IfTrue("on the command line: --external")),
    ("output", CommandLine("--report FORMAT=FILE")),
    ("preprocess", Nothing(INPUT)),
    ("remap", Nothing("links to your own origin are checked as files: set `site.origin`")),
    ("require_https", Level(true, "insecure-link", "error")),
    ("retry_wait_time", Nothing("retries follow after one and two seconds, or when the host says")),
    ("root_dir", Root),
    ("scheme", Nothing("http and https are requested; rules check the others")),
    ("skip_missing", Nothing(INPUT)),
    ("suggest", IfFalse(ARCHIVE)),
    ("threads", Automatic),
    ("timeout", Number("timeout", 1)),
    ("user_agent", UserAgent),
    ("verbose", CommandLine("--quiet, -v, -vv")),
];

/// Sets the accepted statuses: numbers, and ranges such as `200..=204`. Those of success are always accepted.
fn accept(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    let list = value.to_string().replace(['[', ']', '"'], "");
    let mut statuses = Vec::new();
    for entry in list.split(',').map(str::trim) {
        let status =
            |text: &str| text.trim().parse::<i64>().ok().filter(|status| (100..=999).contains(status));
        let range = match entry.split_once("..") {
            None => status(entry).map(|status| (status, status)),
            Some((from, to)) => {
                let last = to.strip_prefix('=').map_or_else(|| status(to).map(|end| end - 1), status);
                status(from).zip(last)
            }
        };
        match range {
            Some((from, to)) if to - from < 100 => statuses.extend(from..=to),
            _ => draft.note("accept", &format!("`{entry}` is not a list of statuses")),
        }
    }
    statuses.retain(|status| !(200..300).contains(status));
    statuses.sort_unstable();
    statuses.dedup();
    if statuses.is_empty() {
        return Err("success is always accepted: 200 to 299".to_owned());
    }
    draft.host.insert("accept".to_owned(), Value::from(statuses));
    Ok(())
}

fn fallback_extensions(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    if !strings(value)?.contains(&"html") {
        return Err("only `html` is a fallback of static hosts: `site.clean-urls`".to_owned());
    }
    draft.site.insert("clean-urls".to_owned(), Value::Boolean(true));
    Ok(())
}

fn include_fragments(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    match value {
        Json::Bool(false) => {}
        Json::String(word) if word == "none" => {}
        Json::Bool(true) | Json::String(_) => return Ok(()),
        _ => return Err("its value is no kind of fragments".to_owned()),
    }
    draft.rule("broken-anchor", "off");
    draft.rule("broken-external-anchor", "off");
    Ok(())
}

fn method(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    match value.as_str().map(str::to_ascii_lowercase).as_deref() {
        Some("get") => drop(draft.host.insert("get".to_owned(), Value::Boolean(true))),
        Some("head") => {}
        _ => return Err("links are requested by HEAD or GET".to_owned()),
    }
    Ok(())
}

fn host_concurrency(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    draft.host.insert("concurrency".to_owned(), Value::Integer(number(value, 1)?));
    Ok(())
}

fn host_interval(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    draft.host.insert("interval".to_owned(), seconds(value)?);
    Ok(())
}

/// Sets the pace of single hosts.
fn hosts(value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    for (host, settings) in value.as_object().ok_or("its value is not a table of hosts")? {
        let mut keys = Table::new();
        for (key, setting) in settings.as_object().into_iter().flatten() {
            match key.as_str() {
                "concurrency" => drop(keys.insert(key.clone(), Value::Integer(number(setting, 1)?))),
                "request_interval" => drop(keys.insert("interval".to_owned(), seconds(setting)?)),
                _ => draft
                    .note("hosts", &format!("`{key}` of {host}: write it in `[external.hosts.\"{host}\"]`")),
            }
        }
        draft.hosts.insert(host.clone(), Value::Table(keys));
    }
    Ok(())
}

/// Returns a duration such as `100ms` or `2s` in seconds.
fn seconds(value: &Json) -> Result<Value, String> {
    let written = value.as_str().unwrap_or_default();
    let parse = |text: &str| text.trim().parse::<f64>().ok();
    let time = match written.strip_suffix("ms") {
        Some(milliseconds) => parse(milliseconds).map(|number| number / 1000.0),
        None => written.strip_suffix('s').and_then(parse),
    };
    let time = time.filter(|time| (0.0..=86_400.0).contains(time));
    time.map(Value::Float).ok_or_else(|| "only durations such as 100ms or 2s are known".to_owned())
}

/// Adds the patterns of `.lycheeignore`.
pub(super) fn complete(ignored: Option<&str>, draft: &mut ContractDraft) {
    let lines = ignored.unwrap_or_default().lines().map(str::trim);
    for pattern in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        draft.ignore_urls(".lycheeignore", pattern);
    }
    if !draft.notes.iter().any(|(option, _)| option == "offline") {
        draft.note("external links", "on the command line: --external");
    }
}
