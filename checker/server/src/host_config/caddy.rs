//! `sitegate host-config caddy`: a Caddyfile that follows the contract.

use std::fmt::Write as _;
use std::path::Path;

use sitegate_check::Contract;
use sitegate_host::redirects::with_query;

use super::config_file::{refuse_base_path, strips_slash};
use super::patterns::{address_regex, file_regex};
use crate::error::ServerError;
use sitegate_host::headers::{REVALIDATE, STATE};

/// Returns a Caddyfile.
///
/// # Errors
/// When the contract has settings that it cannot express.
pub fn caddy(config: &Contract, root: &Path) -> Result<String, ServerError> {
    refuse_base_path(config, "Caddy")?;
    let root = std::path::absolute(root)?;
    let name = config.site.origin.as_ref().and_then(url::Url::host_str).unwrap_or(":80");
    let mut text = format!(
        "# Written by `sitegate host-config caddy`: for /etc/caddy/Caddyfile.

{name} {{
    root * {}
    encode zstd gzip

    map {{query}} {{sitegate_query}} {{
        \"\" \"\"
        default \"?{{query}}\"
    }}

    route {{
        @state path_regexp \"^/+{}\"
        error @state 404
",
        quoted(&root.display().to_string())?,
        regex::escape(STATE),
    );
    for (number, moved) in config.redirects.iter().enumerate() {
        let to = with_query(&moved.to, "{sitegate_query}");
        let from = quoted_regex(&format!("^{}/?$", regex::escape(&moved.from)))?;
        let _ = writeln!(
            text,
            "        @moved{number} path_regexp {from}\n        redir @moved{number} \"{to}\" 301"
        );
    }
    for (number, pattern) in config.permalinks.patterns_of_410().enumerate() {
        let _ = writeln!(
            text,
            "        @gone{number} {{\n            path_regexp {}\n            \
             not file {{path}} {{path}}.html {{path}}index.html {{path}}/index.html\n        }}\n        \
             error @gone{number} 410",
            quoted_regex(&address_regex(pattern, config.site.clean_urls == Some(true))?)?
        );
    }
    write_paths(config, &mut text);
    let _ = writeln!(text, "        header Cache-Control \"{REVALIDATE}\"");
    for (number, (pattern, rule)) in
        config.headers.iter().flat_map(|rule| rule.patterns.iter().map(move |p| (p, rule))).enumerate()
    {
        let _ = writeln!(
            text,
            "        @path{number} path_regexp {}",
            quoted_regex(&file_regex(pattern, config.site.clean_urls == Some(true))?)?
        );
        for (header, value) in &rule.set {
            let _ = writeln!(text, "        header @path{number} {header} {}", quoted(value)?);
        }
    }
    text.push_str("        file_server {\n            precompressed br gzip\n        }\n    }\n");
    write_errors(config, &mut text)?;
    text.push_str("}\n");
    Ok(text)
}

/// Writes the answers of errors: the page, with its own headers instead of those of the requested path.
fn write_errors(config: &Contract, text: &mut String) -> Result<(), ServerError> {
    let page = format!("/{}", config.site.not_found_file());
    let own = config.headers_for(config.site.not_found_file());
    let is_own = |name: &str| own.keys().any(|own| own.eq_ignore_ascii_case(name));
    let mut others: Vec<String> = config
        .headers
        .iter()
        .flat_map(|rule| rule.set.keys())
        .map(|name| name.to_ascii_lowercase())
        .collect();
    others.retain(|name| !is_own(name));
    others.sort_unstable();
    others.dedup();
    text.push_str("\n    handle_errors {\n        route {\n");
    for name in others {
        let _ = writeln!(text, "            header -{name}");
    }
    let _ = writeln!(text, "            header Cache-Control \"{REVALIDATE}\"");
    for (name, value) in &own {
        let _ = writeln!(text, "            header {name} {}", quoted(value)?);
    }
    let _ = write!(
        text,
        "            rewrite * {}
            file_server {{
                disable_canonical_uris
            }}
        }}
    }}
",
        quoted(&page)?
    );
    Ok(())
}

/// Writes the rewrites from URLs to files, so that headers match the paths of files.
fn write_paths(config: &Contract, text: &mut String) {
    let is_clean = config.site.clean_urls == Some(true);
    if strips_slash(config) {
        text.push_str(
            "        @slash path_regexp slash \"^/*(/.*[^/])/$\"\n\
             \x20       redir @slash \"{re.slash.1}{sitegate_query}\" 301\n",
        );
    }
    let page = if is_clean { " {path}.html" } else { "" };
    let folder = if strips_slash(config) { " {path}/index.html" } else { "" };
    if !page.is_empty() || !folder.is_empty() {
        let _ = writeln!(
            text,
            "        @name file {{\n            try_files {{path}}{page}{folder}\n        }}\n        \
             @bare path_regexp \"[^/]$\"\n        handle @bare {{\n            \
             rewrite @name {{http.matchers.file.relative}}\n        }}"
        );
    }
    text.push_str("        @folder path_regexp \"/$\"\n        rewrite @folder {path}index.html\n");
}

/// Quotes a value, in which Caddy would expand `{…}`.
fn quoted(text: &str) -> Result<String, ServerError> {
    refuse_unwritable("", text)?;
    Ok(format!("`{}`", text.replace('{', "\\{").replace('}', "\\}")))
}

/// Quotes a regular expression, in which Caddy expands nothing.
fn quoted_regex(text: &str) -> Result<String, ServerError> {
    refuse_unwritable("headers: ", text)?;
    Ok(format!("`{text}`"))
}

fn refuse_unwritable(place: &str, text: &str) -> Result<(), ServerError> {
    if text.contains("{$") || text.contains(['`', '\n', '\r', '\0']) {
        let message = format!("{place}`{}` cannot be written in a Caddyfile", text.escape_debug());
        return Err(ServerError::Unsupported(message));
    }
    Ok(())
}
