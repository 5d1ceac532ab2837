//! `sitegate host-config nginx`: configures a server block that follows the contract.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use sitegate_check::Contract;
use sitegate_host::TrailingSlash;
use sitegate_host::redirects::with_query;

use super::patterns::{address_regex, file_regex};
use crate::error::ServerError;
use sitegate_host::headers::{REVALIDATE, STATE};
use sitegate_host::media::UNCOMMON_TYPES;

/// A dollar sign. nginx cannot escape one, so a variable holds it.
const DOLLAR: &str = "${sitegate_dollar}";

/// The block that defines this variable: the only one in which nginx takes `$` literally.
const DOLLAR_BLOCK: &str = "geo $sitegate_dollar {\n    default \"$\";\n}\n\n";

/// Returns a server block for nginx, preceded by its maps, for a file in `conf.d`.
///
/// # Errors
/// When the contract has settings that a server block cannot express.
pub fn nginx(config: &Contract, root: &Path) -> Result<String, ServerError> {
    if config.site.base_path != "/" {
        let message = "site.base-path is not `/`: give the site its own server block, or use alias";
        return Err(ServerError::Unsupported(message.to_owned()));
    }
    let root = std::path::absolute(root)?;
    let mut maps = String::new();
    let mut server = String::new();
    write_headers(config, &mut maps, &mut server)?;
    write_redirects(config, &mut maps, &mut server)?;
    write_gone(config, &mut maps, &mut server)?;
    let never = config.site.trailing_slash == TrailingSlash::Never;
    let name = config.site.origin.as_ref().and_then(url::Url::host_str).unwrap_or("_");
    let (slash, folder) =
        if never { ("    rewrite ^(/.+)/$ $1 permanent;\n\n", "$uri/index.html") } else { ("", "$uri/") };
    let page = if config.site.clean_urls == Some(true) { "$uri.html " } else { "" };
    let types = UNCOMMON_TYPES.map(|(extension, media)| format!("        {media} {extension};\n")).concat();
    let text = format!(
        "# Written by `sitegate host-config nginx`: for a file in /etc/nginx/conf.d/.\n\n{maps}server {{
    listen 80;
    server_name {name};
    root {};
    index index.html;
    charset utf-8;
    absolute_redirect off;
    server_tokens off;

    include mime.types;
    types {{
{types}    }}

    # Variants from `sitegate publish --precompress` are sent as they are; other files are compressed on the fly.
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

/// Writes a map from paths to values for each header of the contract, and uses it in the server block.
fn write_headers(config: &Contract, maps: &mut String, server: &mut String) -> Result<(), ServerError> {
    let mut names: BTreeMap<String, Vec<(String, &str)>> = BTreeMap::new();
    names.insert("cache-control".to_owned(), Vec::new());
    for rule in &config.headers {
        for (name, value) in &rule.set {
            for pattern in &rule.patterns {
                let entries = names.entry(name.to_ascii_lowercase()).or_default();
                entries.push((file_regex(pattern, config.site.clean_urls == Some(true))?, value));
            }
        }
    }
    // nginx has its own table of media types, and does not change the encoding of a file.
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
        // In nginx the first match wins; in the contract, the last one.
        for (pattern, set) in entries.iter().rev() {
            let _ = writeln!(maps, "    {} {};", quoted(&format!("~{pattern}"))?, value(set)?);
        }
        maps.push_str("}\n\n");
        let name = if plain { name.clone() } else { quoted(name)? };
        let _ = writeln!(server, "    add_header {name} {variable} always;");
    }
    Ok(())
}

/// Writes the map of redirects, and uses it in the server block.
fn write_redirects(config: &Contract, maps: &mut String, server: &mut String) -> Result<(), ServerError> {
    if !config.redirects.is_empty() {
        maps.push_str("map $uri $sitegate_moved {\n    default \"\";\n");
        for redirect in &config.redirects {
            let from = regex::escape(&redirect.from);
            let from = quoted(&format!("~^{from}/?$"))?;
            // Like a browser, nginx keeps what the destination does not have.
            let _ = writeln!(maps, "    {from} {};", quoted(&with_query(&redirect.to, "$is_args$args"))?);
        }
        maps.push_str("}\n\n");
        server.push_str("\n    if ($sitegate_moved) {\n        return 301 $sitegate_moved;\n    }\n");
    }
    Ok(())
}

/// Writes the map of addresses that are gone, and answers 410 for those that have no file.
fn write_gone(config: &Contract, maps: &mut String, server: &mut String) -> Result<(), ServerError> {
    let mut patterns = config.permalinks.patterns_of_410().peekable();
    if patterns.peek().is_none() {
        return Ok(());
    }
    let is_clean = config.site.clean_urls == Some(true);
    maps.push_str("map $uri $sitegate_gone {\n    volatile;\n    default \"\";\n");
    for pattern in patterns {
        let _ = writeln!(maps, "    {} 1;", quoted(&format!("~{}", address_regex(pattern, is_clean)?))?);
    }
    maps.push_str("}\n\n");
    server.push_str("\n    set $sitegate_missing $sitegate_gone;\n");
    for file in ["", ".html", "index.html", "/index.html"] {
        let _ = writeln!(
            server,
            "    if (-f \"${{request_filename}}{file}\") {{\n        set $sitegate_missing \"\";\n    }}"
        );
    }
    server.push_str("    if ($sitegate_missing) {\n        return 410;\n    }\n");
    let page = value(&format!("/{}", config.site.not_found_file()))?;
    let _ = writeln!(server, "    error_page 410 {page};");
    Ok(())
}

/// Quotes a string in nginx's syntax.
fn quoted(text: &str) -> Result<String, ServerError> {
    if text.contains(|character: char| character.is_control()) {
        let message =
            format!("`{}` has a control character, which nginx would interpret", text.escape_debug());
        return Err(ServerError::Unsupported(message));
    }
    Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// Quotes a string in which nginx expands variables: values of maps, and paths.
fn value(text: &str) -> Result<String, ServerError> {
    Ok(quoted(text)?.replace('$', DOLLAR))
}
