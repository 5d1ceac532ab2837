//! Reads the headers in the configuration files of hosts: `netlify.toml`, `vercel.json` and `firebase.json`.
//!
//! Entries with conditions, and patterns that `_headers` cannot express, are left out.

use serde_json::Value;

use crate::headers_file::{HeaderLine, HeaderLines, HeadersFile};
use crate::hosts::Host;
use crate::redirects::patterns::{of_firebase, of_vercel};

/// Returns the headers of a host's configuration file, in the syntax of `_headers`; none if it is malformed. Locations
/// are not known.
pub fn headers_of_config(host: Host, text: &str) -> HeadersFile {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let json = || serde_json::from_str::<Value>(text).unwrap_or_default();
    HeadersFile::of_rules(match host {
        Host::Netlify => netlify(text),
        Host::Vercel => of_list(&json()["headers"], |source| Some(of_vercel(source, "")?.from)),
        Host::Firebase => {
            let root = json();
            let site = &root["hosting"];
            let site = match site.as_array().map(Vec::as_slice) {
                Some([only]) => only,
                _ => site,
            };
            of_list(&site["headers"], firebase_pattern)
        }
        _ => Vec::new(),
    })
}

/// Reads `[[headers]]` of `netlify.toml` ("File-based configuration").
fn netlify(text: &str) -> Vec<HeaderLines> {
    let root: Value = toml::from_str(text).unwrap_or_default();
    let entries = root["headers"].as_array().into_iter().flatten();
    let rule = |entry: &Value| {
        let values = entry["values"].as_object().into_iter().flatten();
        let lines = values.filter_map(|(name, value)| Some(HeaderLine::new(name, value.as_str()?)));
        Some(HeaderLines::new(entry["for"].as_str()?, lines.collect()))
    };
    entries.filter_map(rule).collect()
}

/// Reads the list of Vercel ("Project configuration") and of Firebase ("Configure Hosting behavior"): entries with a
/// source and a list of keys and values.
fn of_list(list: &Value, pattern: impl Fn(&str) -> Option<String>) -> Vec<HeaderLines> {
    let entries = list.as_array().into_iter().flatten();
    let is_plain = |entry: &&Value| entry.get("has").is_none() && entry.get("missing").is_none();
    let rule = |entry: &Value| {
        let pattern = pattern(entry["source"].as_str()?)?;
        let headers = entry["headers"].as_array().into_iter().flatten();
        let line = |header: &Value| Some(HeaderLine::new(header["key"].as_str()?, header["value"].as_str()?));
        Some(HeaderLines::new(&pattern, headers.filter_map(line).collect()))
    };
    entries.filter(is_plain).filter_map(rule).collect()
}

/// Converts a glob of Firebase. Of names with one of several extensions, as its documentation shows them for caching
/// (`**/*.@(js|css)`), the first is meant.
fn firebase_pattern(source: &str) -> Option<String> {
    if let Some(extensions) = source.trim_start_matches('/').strip_prefix("**/*.") {
        let extensions =
            extensions.strip_prefix("@(").and_then(|list| list.strip_suffix(')')).unwrap_or(extensions);
        let first =
            extensions.split('|').next().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        return first.map(|extension| format!("/*.{extension}"));
    }
    Some(of_firebase(source, "")?.from)
}

#[cfg(test)]
mod tests {
    use super::headers_of_config;
    use crate::hosts::Host;

    fn read(host: Host, text: &str) -> Vec<String> {
        let headers = headers_of_config(host, text);
        headers.all().map(|(pattern, name, value)| format!("{pattern} {name}: {value}")).collect()
    }

    #[test]
    fn reads_headers_of_hosts() {
        let toml =
            "[[headers]]\nfor = \"/assets/*\"\n[headers.values]\nCache-Control = \"immutable\"\nX-A = 1\n";
        assert_eq!(read(Host::Netlify, toml), ["/assets/* Cache-Control: immutable"]);
        let list = r#"[{"source": "/assets/(.*)", "headers": [{"key": "X-A", "value": "a"}]},
            {"source": "/b", "has": [], "headers": [{"key": "X-A", "value": "b"}]}, {"source": 1}, 2]"#;
        assert_eq!(read(Host::Vercel, &format!("{{\"headers\": {list}}}")), ["/assets/* X-A: a"]);
        let globs = r#"[{"source": "**/*.@(js|css)", "headers": [{"key": "X-A", "value": "a"}]},
            {"source": "/b/**", "headers": [{"key": "X-A", "value": "b"}]}]"#;
        let expected = ["/*.js X-A: a", "/b/* X-A: b"];
        assert_eq!(read(Host::Firebase, &format!("{{\"hosting\": {{\"headers\": {globs}}}}}")), expected);
        assert_eq!(read(Host::Firebase, &format!("{{\"hosting\": [{{\"headers\": {globs}}}]}}")), expected);
        for host in Host::ALL {
            assert!(read(host, "{[").is_empty());
        }
    }
}
