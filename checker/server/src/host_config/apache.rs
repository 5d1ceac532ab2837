//! `sitegate host-config apache`: directives for a virtual host, a folder or `.htaccess`.

use std::fmt::Write as _;

use sitegate_address::UrlReference;
use sitegate_check::Contract;
use sitegate_host::redirects::with_query;

use super::config_file::{refuse_base_path, strips_slash};
use super::patterns::{address_regex, file_regex};
use crate::error::ServerError;
use sitegate_host::headers::{REVALIDATE, STATE};
use sitegate_host::media::UNCOMMON_TYPES;

/// Returns the directives. They need `mod_rewrite` and `mod_headers`.
///
/// # Errors
/// When the contract has settings that they cannot express.
pub fn apache(config: &Contract) -> Result<String, ServerError> {
    refuse_base_path(config, "Apache")?;
    let mut text = format!(
        "# Written by `sitegate host-config apache`: for .htaccess, or <Directory> of the site.
# It needs mod_rewrite and mod_headers.

DirectoryIndex index.html
Options -Indexes -MultiViews
ErrorDocument 403 {page}
ErrorDocument 404 {page}
AddDefaultCharset utf-8

<IfModule mod_mime.c>
{types}</IfModule>

<IfModule mod_deflate.c>
    AddOutputFilterByType DEFLATE text/html text/css text/plain text/xml text/javascript application/javascript
    AddOutputFilterByType DEFLATE application/json application/manifest+json application/xml image/svg+xml
</IfModule>

RewriteEngine On
RewriteCond %{{REQUEST_URI}} ^/+{state}
RewriteRule ^ - [R=404,L]
",
        types = UNCOMMON_TYPES
            .map(|(extension, media)| format!("    AddType {media} .{extension}\n"))
            .concat(),
        page = quoted(&format!("/{}", config.site.not_found_file()))?,
        state = regex::escape(STATE),
    );
    for moved in &config.redirects {
        write_redirect(&moved.from, &moved.to, &mut text);
    }
    write_gone(config, &mut text)?;
    write_paths(config, &mut text);
    let _ = write!(text, "\nHeader always set Cache-Control \"{REVALIDATE}\"\n");
    for rule in &config.headers {
        for pattern in &rule.patterns {
            let pattern = file_regex(pattern, config.site.clean_urls == Some(true))?;
            if pattern.contains(['#', '"', '\n', '\r']) {
                let message = format!("headers: `{pattern}` cannot be written in Apache's configuration");
                return Err(ServerError::Unsupported(message));
            }
            let _ = writeln!(text, "<If \"%{{REQUEST_URI}} =~ m#{pattern}#\">");
            for (name, value) in &rule.set {
                // `%` begins a variable.
                let _ = writeln!(text, "    Header always set {name} {}", quoted(&value.replace('%', "%%"))?);
            }
            text.push_str("</If>\n");
        }
    }
    Ok(text)
}

/// Writes a redirect. The query of the request is passed on, unless the destination has one; a fragment comes last.
fn write_redirect(from: &str, to: &str, text: &mut String) {
    let from = regex::escape(from);
    let to = to.replace('%', "\\%");
    let reference = UrlReference::new(to.as_str());
    let mut redirect = |condition: &str, destination: &str| {
        let _ = writeln!(
            text,
            "RewriteCond %{{REQUEST_URI}} ^{from}/?$\n{condition}RewriteRule ^ \"{destination}\" [R=301,NE,L]"
        );
    };
    if reference.fragment().is_none() || reference.query().is_some() {
        return redirect("", &to);
    }
    redirect("RewriteCond %{QUERY_STRING} ^$\n", &to);
    redirect("", &with_query(&to, "?%{QUERY_STRING}"));
}

/// Answers 410 for addresses that are gone and have no file.
fn write_gone(config: &Contract, text: &mut String) -> Result<(), ServerError> {
    for pattern in config.permalinks.patterns_of_410() {
        let pattern = address_regex(pattern, config.site.clean_urls == Some(true))?;
        // RewriteCond has no escapes in quotes.
        if pattern.contains(['"', '\n', '\r']) {
            let message = format!("gone: `{pattern}` cannot be written in Apache's configuration");
            return Err(ServerError::Unsupported(message));
        }
        let _ = writeln!(
            text,
            "RewriteCond %{{REQUEST_URI}} \"{pattern}\"\nRewriteCond %{{REQUEST_FILENAME}} !-f\n\
             RewriteCond %{{REQUEST_FILENAME}}.html !-f\nRewriteCond %{{REQUEST_FILENAME}}/index.html !-f\n\
             RewriteRule ^ - [G,L]"
        );
    }
    if config.permalinks.patterns_of_410().next().is_some() {
        let page = quoted(&format!("/{}", config.site.not_found_file()))?;
        let _ = writeln!(text, "ErrorDocument 410 {page}");
    }
    Ok(())
}

/// Writes the rewrites from URLs to files that differ from Apache's own.
fn write_paths(config: &Contract, text: &mut String) {
    let is_clean = config.site.clean_urls == Some(true);
    if is_clean || strips_slash(config) {
        text.push_str("\nDirectorySlash Off\n");
    }
    if strips_slash(config) {
        text.push_str(
            "\
             RewriteCond %{ENV:REDIRECT_STATUS} ^$\n\
             RewriteCond %{REQUEST_URI} ^/*(/.*[^/])/$\n\
             RewriteRule ^ %1 [R=301,L]\n",
        );
    }
    if is_clean {
        text.push_str(
            "RewriteCond %{REQUEST_FILENAME} !-f\n\
             RewriteCond %{REQUEST_FILENAME}.html -f\n\
             RewriteRule ^(.*[^/])$ $1.html [B=%,L]\n",
        );
    }
    if strips_slash(config) {
        text.push_str(
            "RewriteCond %{REQUEST_FILENAME}/index.html -f\n\
             RewriteRule ^(.*[^/])$ $1/index.html [B=%,L]\n",
        );
    } else if is_clean {
        text.push_str(
            "RewriteCond %{REQUEST_FILENAME} -d\n\
             RewriteRule [^/]$ %{REQUEST_URI}/ [R=301,L]\n",
        );
    }
}

/// Quotes a string, in which Apache expands `${…}`.
fn quoted(text: &str) -> Result<String, ServerError> {
    if text.contains("${") || text.contains(|character: char| character.is_control()) {
        let message = format!("`{}` cannot be written in Apache's configuration", text.escape_debug());
        return Err(ServerError::Unsupported(message));
    }
    Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}
