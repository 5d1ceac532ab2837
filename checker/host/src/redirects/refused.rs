//! Finds entries of configuration files that their hosts refuse, so that the deployment fails, or that they lose: patterns
//! that Vercel cannot parse, unreachable routes of Azure, white space that Netlify does not remove.

use std::collections::BTreeSet;
use std::ops::Range;

use sitegate_address::UrlReference;
use sitegate_base::json::{self, Json, JsonText};

use super::config_files::toml_redirects;
use super::redirect::RedirectOrigin;
use crate::hosts::Host;

/// An entry that its host refuses or loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedEntry {
    /// The host.
    pub host: Host,
    /// The file.
    pub origin: RedirectOrigin,
    /// The location of the text that is wrong.
    pub span: Range<u32>,
    /// That text.
    pub text: String,
    /// Why, as a sentence without its subject.
    pub reason: String,
}

/// A text of a file, its location, and why it is wrong.
type RefusedText = (String, Range<u32>, String);

/// Returns the refused entries of a host's configuration file, which is not malformed.
pub(super) fn refused(host: Host, text: &[u8], origin: &RedirectOrigin) -> Vec<RefusedEntry> {
    let document = || json::parse_file(text).ok();
    let found = match host {
        Host::Vercel => document().map(|root| vercel(&root)),
        Host::AzureStaticWebApps => document().map(|root| static_web_apps(&root)),
        Host::Netlify => std::str::from_utf8(text).ok().map(|text| netlify(text, origin)),
        _ => None,
    };
    let entry = |(written, span, reason): RefusedText| RefusedEntry {
        host,
        origin: origin.clone(),
        span,
        text: written,
        reason,
    };
    found.into_iter().flatten().map(entry).collect()
}

fn wrong(of: &JsonText, reason: impl Into<String>) -> RefusedText {
    (of.text.clone(), of.span.clone(), reason.into())
}

/// Vercel parses each `source` with path-to-regexp 6 ("Invalid route source pattern", "Invalid route destination segment" in
/// its documentation; `checkPatternSyntax` in `schemas.ts` of @vercel/routing-utils).
fn vercel(root: &Json) -> Vec<RefusedText> {
    let mut found = Vec::new();
    for item in ["redirects", "rewrites", "headers"].into_iter().flat_map(|list| root.items(list)) {
        let Some(source) = item.text("source") else { continue };
        let names = match parameters(&source.text) {
            Ok(names) => names,
            Err(reason) => {
                found.push(wrong(source, reason));
                continue;
            }
        };
        // Conditions may set parameters, too.
        let Some(to) = item.text("destination").filter(|_| item.get("has").is_none()) else { continue };
        let whole = UrlReference::new(to.text.as_str()).path();
        let after_scheme = whole.split_once("://").map(|(_, rest)| rest);
        let path = after_scheme.map_or(whole, |rest| &rest[rest.find('/').unwrap_or(rest.len())..]);
        let unset = parameters(path).ok().and_then(|of_path| of_path.difference(&names).next().cloned());
        found.extend(unset.map(|name| wrong(to, format!("`:{name}` is not in the source"))));
    }
    found
}

/// Returns the named parameters of a pattern of path-to-regexp 6: its lexer, and the order that its parser requires.
///
/// # Errors
/// The reason why it is no pattern.
fn parameters(pattern: &str) -> Result<BTreeSet<String>, String> {
    const UNBALANCED: &str = "its parentheses or braces do not match";
    let chars: Vec<char> = pattern.chars().collect();
    let (mut names, mut at) = (BTreeSet::new(), 0);
    // Whether a modifier may follow, and whether braces are open.
    let (mut is_group, mut is_open) = (false, false);
    while let Some(&c) = chars.get(at) {
        let may_be_modified = std::mem::replace(&mut is_group, false);
        at += 1;
        match c {
            '*' | '+' | '?' if may_be_modified && !is_open => {}
            '*' | '+' | '?' => {
                return Err(format!("`{c}` must follow a group or a parameter, as in `(.*)` and `:path*`"));
            }
            '\\' => at += 1,
            '{' if is_open => return Err(UNBALANCED.to_owned()),
            '{' => is_open = true,
            '}' if !is_open => return Err(UNBALANCED.to_owned()),
            '}' => (is_open, is_group) = (false, true),
            ':' => {
                let name =
                    chars[at..].iter().take_while(|next| next.is_ascii_alphanumeric() || **next == '_');
                let name: String = name.collect();
                if name.is_empty() {
                    return Err("`:` has no name after it; write `\\\\:` for the character".to_owned());
                }
                at += name.len();
                names.insert(name);
                is_group = true;
            }
            '(' => {
                at = end_of_group(&chars, at)?;
                is_group = true;
            }
            _ => {}
        }
    }
    if is_open { Err(UNBALANCED.to_owned()) } else { Ok(names) }
}

/// Returns the end of a group that begins before this place.
fn end_of_group(chars: &[char], start: usize) -> Result<usize, String> {
    if chars.get(start) == Some(&'?') {
        return Err(
            "a group cannot begin with `?`; put a lookahead in a group, as in `((?!api).*)`".to_owned()
        );
    }
    let (mut depth, mut at) = (1, start);
    while let Some(c) = chars.get(at) {
        at += 1;
        match c {
            '\\' => at += 1,
            ')' => depth -= 1,
            '(' if chars.get(at) != Some(&'?') => {
                return Err("a group cannot have another one in it; begin that with `?:`".to_owned());
            }
            '(' => depth += 1,
            _ => {}
        }
        if depth == 0 {
            let is_empty = at == start + 1;
            return if is_empty { Err("a group cannot be empty".to_owned()) } else { Ok(at) };
        }
    }
    Err("its parentheses or braces do not match".to_owned())
}

/// Azure refuses routes that an earlier one covers, and wildcards that are not at the end ("Configure Azure Static Web Apps",
/// Azure/static-web-apps#242, Azure/static-web-apps-cli#385, richlander/dotnet-inspect#5318).
fn static_web_apps(root: &Json) -> Vec<RefusedText> {
    let mut found = Vec::new();
    let mut earlier: Vec<(&str, Option<&Json>)> = Vec::new();
    for item in root.items("routes") {
        let Some(route) = item.text("route") else { continue };
        let (text, methods) = (route.text.as_str(), item.get("methods"));
        let filter = text.split_once('*').map_or("", |(_, filter)| filter);
        let covering = earlier.iter().find(|(before, of)| {
            let is_covered =
                of.is_none() && before.strip_suffix('*').is_some_and(|prefix| text.starts_with(prefix));
            is_covered || (of.is_none() || *of == methods) && bare(before) == bare(text)
        });
        if !filter.is_empty() && (!filter.starts_with('.') || filter.contains(['/', '*'])) {
            found.push(wrong(route, "`*` can only be at the end, or before an extension, as in `/*.png`"));
        } else if let Some((before, _)) = covering {
            found.push(wrong(route, format!("an earlier route, `{before}`, answers all of its requests")));
        } else if item.get("redirect").is_some() && item.get("rewrite").is_some() {
            found.push(wrong(route, "a route can have `redirect` or `rewrite`, but not both"));
        }
        earlier.push((text, methods));
    }
    found
}

/// Returns a route without the slash at its end, which Azure ignores.
fn bare(route: &str) -> &str {
    route.strip_suffix('/').filter(|bare| !bare.is_empty()).unwrap_or(route)
}

/// Netlify does not remove white space, so that a URL counts as a path (netlify/cli#4707).
fn netlify(text: &str, origin: &RedirectOrigin) -> Vec<RefusedText> {
    let tables = toml_redirects(text, origin).into_iter().flatten().flatten();
    let wrong = tables.filter_map(|table| {
        let redirect = table.redirect;
        let side = if redirect.to.trim() != redirect.to {
            "to"
        } else if redirect.from.trim() != redirect.from {
            "from"
        } else {
            return None;
        };
        let written = if side == "to" { redirect.to } else { redirect.from };
        Some((written, redirect.span, format!("`{side}` begins or ends with white space")))
    });
    wrong.collect()
}

#[cfg(test)]
mod tests {
    use super::parameters;

    /// What path-to-regexp 6.3.0 says of these patterns.
    #[test]
    fn patterns_are_those_of_path_to_regexp() {
        for pattern in [
            "/a",
            "/:path*",
            "/a/:path+",
            "/:id?",
            "/:id(\\d+)",
            "/(.*)",
            "/((?!api/).*)",
            "/(a|b)",
            "/a{/:b}?",
            "/a{-:b}*",
            "/\\*",
            "/a\\?",
            "",
            "/((?:a|b)c)",
            "/{a}?",
            "/:path(.*)",
            "/a.:ext",
            "/:a-:b",
            "/old(/.*)?",
            "/a)",
        ] {
            assert!(parameters(pattern).is_ok(), "{pattern}");
        }
        for (pattern, reason) in [
            ("/build/.*", "`*` must follow"),
            ("/old/*", "`*` must follow"),
            ("/old/?", "`?` must follow"),
            ("*", "`*` must follow"),
            ("/(.*)**", "`*` must follow"),
            ("/feedback/(?!general)", "cannot begin with `?`"),
            ("/(?:a)", "cannot begin with `?`"),
            ("/((a)b)", "cannot have another one"),
            ("/()", "cannot be empty"),
            ("/(a", "do not match"),
            ("/{a", "do not match"),
            ("/a}", "do not match"),
            ("/:", "has no name"),
            ("/a: b", "has no name"),
        ] {
            let found = parameters(pattern);
            assert!(found.as_ref().is_err_and(|found| found.contains(reason)), "{pattern}: {found:?}");
        }
    }
}
