//! `sitegate edge nginx`: a server block that answers as the contract says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use globset::GlobBuilder;
use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::contract::host::TrailingSlash;

use crate::error::HostingError;
use crate::headers::{REVALIDATE, STATE, refuse_invalid};

/// A dollar sign. nginx cannot escape one, so a variable holds it.
const DOLLAR: &str = "${sitegate_dollar}";

/// What gives that variable its value: alone among the blocks, this one takes `$` as it stands.
const DOLLAR_BLOCK: &str = "geo $sitegate_dollar {\n    default \"$\";\n}\n\n";

/// A server block for nginx, with the maps that it needs before it: for a file in `conf.d`.
///
/// # Errors
/// When the contract asks for what a plain server block cannot give.
pub fn nginx(config: &Contract, root: &Path) -> Result<String, HostingError> {
    if config.site.base_path != "/" {
        let message = "site.base-path is not `/`: give the site a server block of its own, or use alias";
        return Err(HostingError::Unsupported(message.to_owned()));
    }
    refuse_invalid(config)?;
    let root = std::path::absolute(root)?;
    let mut maps = String::new();
    let mut server = String::new();
    write_headers(config, &mut maps, &mut server)?;
    write_moves(config, &mut maps, &mut server)?;
    let never = config.site.trailing_slash == TrailingSlash::Never;
    let name = config.site.origin.as_ref().and_then(url::Url::host_str).unwrap_or("_");
    let (slash, folder) =
        if never { ("    rewrite ^(/.+)/$ $1 permanent;\n\n", "$uri/index.html") } else { ("", "$uri/") };
    let page = if config.site.clean_urls == Some(true) { "$uri.html " } else { "" };
    let text = format!(
        "# Written by `sitegate edge nginx`: for a file in /etc/nginx/conf.d/.\n\n{maps}server {{
    listen 80;
    server_name {name};
    root {};
    index index.html;
    charset utf-8;
    absolute_redirect off;
    server_tokens off;

    # What `sitegate publish --precompress` puts beside a file is sent as it is; all else is compressed here.
    # With the module for it (Debian: libnginx-mod-http-brotli-static): brotli_static on;
    gzip_static on;
    gzip on;
    gzip_vary on;
    gzip_min_length 1000;
    gzip_types text/css text/plain text/xml application/javascript text/javascript application/json
        application/manifest+json application/xml image/svg+xml;

{server}
    error_page 403 404 =404 {};
{slash}    location / {{
        try_files $uri {page}{folder} =404;
    }}

    location ^~ /{STATE} {{
        return 404;
    }}
}}
",
        value(&root.display().to_string())?,
        value(&format!("/{}", config.site.not_found_file()))?,
    );
    Ok(if text.contains(DOLLAR) { text.replacen("\n\n", &format!("\n\n{DOLLAR_BLOCK}"), 1) } else { text })
}

/// Writes a map from paths to values for each header that the contract sets, and its use in the server block.
fn write_headers(config: &Contract, maps: &mut String, server: &mut String) -> Result<(), HostingError> {
    let mut names: BTreeMap<String, Vec<(String, &str)>> = BTreeMap::new();
    names.insert("cache-control".to_owned(), Vec::new());
    for rule in &config.headers {
        for (name, value) in &rule.set {
            for pattern in &rule.patterns {
                let entries = names.entry(name.to_ascii_lowercase()).or_default();
                entries.push((regex(pattern)?, value));
            }
        }
    }
    // nginx takes types from its own table, and sends what a file is stored as.
    for own in ["content-type", "content-encoding"] {
        names.remove(own);
    }
    for (number, (name, entries)) in names.iter().enumerate() {
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let variable = if plain {
            format!("$sitegate_{}", name.replace('-', "_"))
        } else {
            format!("$sitegate_header_{number}")
        };
        let default = if name == "cache-control" { REVALIDATE } else { "" };
        let _ = writeln!(maps, "map $uri {variable} {{\n    volatile;\n    default {};", value(default)?);
        // The first expression that fits decides here, and the last entry that fits decides in the contract.
        for (pattern, set) in entries.iter().rev() {
            let _ = writeln!(maps, "    {} {};", quoted(&format!("~{pattern}"))?, value(set)?);
        }
        maps.push_str("}\n\n");
        let name = if plain { name.clone() } else { quoted(name)? };
        let _ = writeln!(server, "    add_header {name} {variable} always;");
    }
    Ok(())
}

/// Writes the map of the addresses that moved, and the redirect in the server block.
fn write_moves(config: &Contract, maps: &mut String, server: &mut String) -> Result<(), HostingError> {
    if !config.redirects.is_empty() {
        maps.push_str("map $uri $sitegate_moved {\n    default \"\";\n");
        for redirect in &config.redirects {
            let from = regex::escape(&redirect.from);
            let from = quoted(&format!("~^{from}/?$"))?;
            let _ = writeln!(maps, "    {from} {};", value(&redirect.to)?);
        }
        maps.push_str("}\n\n");
        server.push_str("\n    if ($sitegate_moved) {\n        return 301 $sitegate_moved;\n    }\n");
    }
    Ok(())
}

/// A path pattern as a regular expression that nginx understands.
fn regex(pattern: &str) -> Result<String, HostingError> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build()?;
    Ok(glob.regex().trim_start_matches("(?-u)").replace("(?:/?|.*/)", "(?:.*/)?"))
}

/// A string in nginx's syntax.
fn quoted(text: &str) -> Result<String, HostingError> {
    if text.contains(|character: char| character.is_control()) {
        let message =
            format!("`{}` has a control character, which nginx would read as its own", text.escape_debug());
        return Err(HostingError::Unsupported(message));
    }
    Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// A string where nginx looks for variables: in the values of maps, and in paths.
fn value(text: &str) -> Result<String, HostingError> {
    Ok(quoted(text)?.replace('$', DOLLAR))
}

#[cfg(test)]
mod tests {
    use super::regex;

    #[test]
    fn patterns_become_expressions_without_rust_only_syntax() {
        for (pattern, expected) in [("/assets/*.js", "^/assets/[^/]*\\.js$"), ("/**", "^/.*$")] {
            assert_eq!(regex(pattern).ok().as_deref(), Some(expected), "{pattern}");
        }
    }
}
