//! `sitegate host-config vercel` and `firebase`: their JSON files.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use sitegate_address::percent::escape_reference;
use sitegate_check::Contract;

use super::config_file::{ConfigFile, own_not_found_page, refuse_base_path, strips_slash};
use super::patterns::{regex, url_patterns};
use crate::error::ServerError;
use sitegate_host::headers::REVALIDATE;

/// Maximum number of redirects, and of header rules, in vercel.json, by the schema of `@vercel/routing-utils`.
const MAX_VERCEL: usize = 2_048;

/// Returns vercel.json.
///
/// # Errors
/// When the contract has settings that it cannot express, or that exceed a limit.
pub fn vercel(config: &Contract) -> Result<Vec<ConfigFile>, ServerError> {
    let host = "Vercel";
    refuse_base_path(config, host)?;
    own_not_found_page(config, host)?;
    let rules = header_rules(config, host, "source", |path| Ok(vercel_source(path)))?;
    let redirects: Vec<Value> = config
        .redirects
        .iter()
        .map(|moved| {
            let source = format!("{}(/)?", vercel_source(&escape_reference(&moved.from).replace('*', "\\*")));
            json!({"source": source, "destination": moved.to, "statusCode": 301})
        })
        .collect();
    for (name, list) in [("headers", &rules), ("redirects", &redirects)] {
        if list.len() > MAX_VERCEL {
            let message = format!("{name}: {} rules; {host} supports at most {MAX_VERCEL}", list.len());
            return Err(ServerError::Unsupported(message));
        }
    }
    let mut document = json!({"headers": rules, "redirects": redirects});
    if let Some(clean) = config.site.clean_urls {
        document["cleanUrls"] = json!(clean);
    }
    if strips_slash(config) {
        document["trailingSlash"] = json!(false);
    }
    Ok(vec![ConfigFile::new("vercel.json", format!("{document:#}\n"))])
}

/// Converts a path pattern without alternatives to the syntax of path-to-regexp. `\` escapes a `*`.
fn vercel_source(pattern: &str) -> String {
    let mut source = String::new();
    let mut rest = pattern;
    while let Some(character) = rest.chars().next() {
        let (token, replacement) = if rest.starts_with("\\*") {
            ("\\*", "\\*".to_owned())
        } else if rest.starts_with("**/") {
            ("**/", "((?:.*/)?)".to_owned())
        } else if rest.starts_with("**") {
            ("**", "(.*)".to_owned())
        } else if rest.starts_with('*') {
            ("*", "([^/]*)".to_owned())
        } else if rest.starts_with('?') {
            ("?", "([^/])".to_owned())
        } else {
            let is_syntax = matches!(character, ':' | '(' | ')' | '+' | '{' | '}');
            let escape = if is_syntax { "\\" } else { "" };
            (&rest[..character.len_utf8()], format!("{escape}{character}"))
        };
        source.push_str(&replacement);
        rest = &rest[token.len()..];
    }
    source
}

/// Returns the rules for the headers of the contract, with each path pattern as `key` in the syntax of the host.
fn header_rules(
    config: &Contract,
    host: &str,
    key: &str,
    convert: impl Fn(&str) -> Result<String, ServerError>,
) -> Result<Vec<Value>, ServerError> {
    let mut rules = Vec::new();
    for rule in &config.headers {
        for pattern in &rule.patterns {
            for path in url_patterns(pattern, host, config.site.clean_urls == Some(true))? {
                rules.push(json!({key: convert(&path)?, "headers": pairs(&rule.set)}));
            }
        }
    }
    Ok(rules)
}

fn pairs(set: &BTreeMap<String, String>) -> Vec<Value> {
    set.iter().map(|(name, value)| json!({"key": name, "value": value})).collect()
}

/// Returns firebase.json.
///
/// # Errors
/// When the contract has settings that it cannot express.
pub fn firebase(config: &Contract) -> Result<Vec<ConfigFile>, ServerError> {
    let host = "Firebase";
    refuse_base_path(config, host)?;
    own_not_found_page(config, host)?;
    // Without it, Firebase sends `max-age=3600`. Later rules have precedence.
    let revalidate = [("Cache-Control".to_owned(), REVALIDATE.to_owned())];
    let mut rules = vec![json!({"regex": "^/.*$", "headers": pairs(&BTreeMap::from(revalidate))})];
    rules.extend(header_rules(config, host, "regex", regex)?);
    let redirects: Vec<Value> = config
        .redirects
        .iter()
        .map(|moved| {
            let (plain, encoded) =
                (regex::escape(&moved.from), regex::escape(&escape_reference(&moved.from)));
            // Firebase does not document whether it decodes a path before the comparison.
            let path = if plain == encoded { plain } else { format!("(?:{plain}|{encoded})") };
            let source = format!("^{path}/?$");
            json!({"regex": source, "destination": moved.to, "type": 301})
        })
        .collect();
    let mut hosting = json!({
        "public": public_folder(config),
        "cleanUrls": config.site.clean_urls.unwrap_or(false),
        "headers": rules,
        "redirects": redirects,
    });
    if strips_slash(config) {
        hosting["trailingSlash"] = json!(false);
    }
    Ok(vec![ConfigFile::new("firebase.json", format!("{:#}\n", json!({"hosting": hosting})))])
}

/// Returns the folder of the export, relative to the contract.
fn public_folder(config: &Contract) -> String {
    let Some(root) = &config.site.root else { return "dist".to_owned() };
    let folder = config.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    root.strip_prefix(folder).unwrap_or(root).display().to_string()
}
