//! `sitegate host-config netlify` and `cloudflare-pages`: the files `_headers` and `_redirects`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sitegate_address::percent::escape_reference;
use sitegate_check::Contract;
use sitegate_host::Host;
use sitegate_host::redirect_limits;
use sitegate_host::redirects::MovedAddress;

use super::config_file::{ConfigFile, own_not_found_page, refuse_base_path, strips_slash, unsupported};
use super::patterns::Wildcard;
use crate::error::ServerError;

/// Maximum number of rules, and maximum length of a line, in `_headers` on Cloudflare Pages.
const CLOUDFLARE_HEADERS: (usize, usize) = (100, 2_000);

/// Returns the files for Netlify.
///
/// # Errors
/// When the contract has settings that they cannot express.
pub fn netlify(config: &Contract) -> Result<Vec<ConfigFile>, ServerError> {
    let host = "Netlify";
    refuse_fixed(config, host)?;
    // Netlify does not document what it sends if two rules set one header.
    let headers = headers(&rules(config, host)?, |name, path| {
        let message = format!(
            "headers: two entries set `{name}` for `{path}`; Netlify applies both, so give them different paths"
        );
        Err(ServerError::Unsupported(message))
    })?;
    // Forced, as in the contract: they come before files.
    let redirects = redirects(config, "301!");
    Ok(vec![ConfigFile::new("_headers", headers), ConfigFile::new("_redirects", redirects)])
}

/// Returns the files for Cloudflare Pages.
///
/// # Errors
/// When the contract has settings that they cannot express, or that exceed a limit.
pub fn cloudflare_pages(config: &Contract) -> Result<Vec<ConfigFile>, ServerError> {
    let host = "Cloudflare Pages";
    refuse_fixed(config, host)?;
    let rules = rules(config, host)?;
    let (max_rules, max_line) = CLOUDFLARE_HEADERS;
    refuse_more("headers: rules", rules.len(), max_rules, host)?;
    // Values of several rules are joined, unless a rule removes the earlier one.
    let headers = headers(&rules, |name, _| Ok(format!("  ! {name}\n")))?;
    let longest = headers.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    refuse_more("headers: characters in a line", longest, max_line, host)?;
    let redirects = redirects(config, "301");
    refuse_long_redirects(&redirects, Host::CloudflarePages)?;
    Ok(vec![ConfigFile::new("_headers", headers), ConfigFile::new("_redirects", redirects)])
}

/// Rejects settings for what these hosts do by themselves, and cannot do otherwise.
fn refuse_fixed(config: &Contract, host: &str) -> Result<(), ServerError> {
    refuse_base_path(config, host)?;
    own_not_found_page(config, host)?;
    if strips_slash(config) {
        return Err(unsupported("site.trailing-slash = \"never\"", host, "it redirects `/dir` to `/dir/`"));
    }
    match config.site.clean_urls {
        Some(false) => {
            Err(unsupported("site.clean-urls = false", host, "it always serves `page.html` for `/page`"))
        }
        _ => Ok(()),
    }
}

/// Rejects redirects that exceed the limits of a host for `_redirects`.
fn refuse_long_redirects(redirects: &str, host: Host) -> Result<(), ServerError> {
    let Some(limits) = redirect_limits(Some(host)) else { return Ok(()) };
    refuse_more("redirects", redirects.lines().count(), limits.plain, host.title())?;
    let longest = redirects.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    refuse_more("redirects: characters in a line", longest, limits.line, host.title())?;
    refuse_more("redirects: bytes", redirects.len(), limits.size, host.title())
}

fn refuse_more(what: &str, number: usize, limit: usize, host: &str) -> Result<(), ServerError> {
    if number <= limit {
        return Ok(());
    }
    Err(ServerError::Unsupported(format!("{what}: {number}; {host} supports at most {limit}")))
}

/// The headers of one pattern.
struct HeaderBlock<'c> {
    path: Wildcard,
    set: BTreeMap<&'c str, &'c str>,
}

fn rules<'c>(config: &'c Contract, host: &str) -> Result<Vec<HeaderBlock<'c>>, ServerError> {
    let mut rules = Vec::new();
    for rule in &config.headers {
        for pattern in &rule.patterns {
            for path in Wildcard::all(pattern, host, true)? {
                if path.to_string().contains("/:") {
                    return Err(unsupported(
                        &format!("headers: `{pattern}`"),
                        host,
                        "`:` begins a placeholder",
                    ));
                }
                let set = rule.set.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                rules.push(HeaderBlock { path, set });
            }
        }
    }
    Ok(rules)
}

/// Formats `_headers`. `replace` returns the line that removes the value of an earlier rule for the same path.
fn headers(
    rules: &[HeaderBlock<'_>],
    replace: impl Fn(&str, &Wildcard) -> Result<String, ServerError>,
) -> Result<String, ServerError> {
    let mut text = String::new();
    for (number, rule) in rules.iter().enumerate() {
        let _ = writeln!(text, "{}", rule.path);
        let mut set = String::new();
        for (name, value) in &rule.set {
            let is_replaced = rules[..number].iter().any(|earlier| {
                let sets = earlier.set.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
                sets.is_some() && earlier.path.overlaps(&rule.path)
            });
            if is_replaced {
                text.push_str(&replace(name, &rule.path)?);
            }
            let _ = writeln!(set, "  {name}: {value}");
        }
        text.push_str(&set);
    }
    Ok(text)
}

fn redirects(config: &Contract, status: &str) -> String {
    let line = |moved: &MovedAddress| format!("{} {} {status}\n", escape_reference(&moved.from), moved.to);
    config.redirects.iter().map(line).collect()
}
