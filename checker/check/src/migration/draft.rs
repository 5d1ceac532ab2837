//! A contract that is drafted from the options of another checker.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use regex::Regex;
use serde_json::Value as Json;
use sitegate_base::sanitize::visible;
use toml::{Table, Value};
use url::Url;

use super::folder_globs::folder_globs;
use crate::generator::OUTPUT_FOLDERS;

/// The keys of a contract, and the options that it does not have.
#[derive(Debug, Default)]
pub(super) struct ContractDraft {
    /// The name of the configuration, for reasons of ignores.
    pub file_name: String,
    /// The folder of the configuration, which its paths are relative to, with a slash at its end.
    pub folder: String,
    /// The comment next to a string of the configuration: the reason of an entry.
    pub comments: BTreeMap<String, String>,
    pub site: Table,
    pub check: Table,
    pub rules: Table,
    pub external: Table,
    /// `[external.host]`.
    pub host: Table,
    /// `[external.hosts]`.
    pub hosts: Table,
    /// Hosts that need no https.
    pub insecure_hosts: Vec<Value>,
    /// Whether patterns are searched in absolute URLs and in paths of files. htmltest searches in URLs as written, and in
    /// folders.
    pub has_full_paths: bool,
    /// URLs that are not requested, each with a reason.
    skip: Vec<(String, String)>,
    /// Ignored URLs: pattern, paths, and reason.
    ignores: Vec<(String, Vec<String>, String)>,
    /// Regular expressions of ignored folders, each with its option.
    folders: Vec<(String, String)>,
    pub notes: Vec<(String, String)>,
    pub cache: Option<PathBuf>,
}

impl ContractDraft {
    /// Notes an option that the contract does not have.
    pub fn note(&mut self, option: &str, reason: &str) {
        self.notes.push((option.to_owned(), reason.to_owned()));
    }

    /// Sets the level of a rule.
    pub fn rule(&mut self, rule: &str, level: &str) {
        self.rules.insert(rule.to_owned(), Value::from(level));
    }

    /// Sets the folder of the export.
    pub fn root(&mut self, folder: &str) {
        let root =
            if folder.starts_with('/') { folder.to_owned() } else { format!("{}{folder}", self.folder) };
        self.site.insert("root".to_owned(), Value::from(root));
    }

    /// Sets the origin and the base path.
    ///
    /// # Errors
    /// If it is no URL of the web.
    pub fn base_url(&mut self, text: &str) -> Result<(), String> {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url =
            url.ok_or_else(|| format!("`{text}` is not a URL; set `site.origin` and `site.base-path`"))?;
        self.site.insert("origin".to_owned(), Value::from(url.origin().ascii_serialization()));
        let base_path = format!("{}/", url.path().trim_end_matches('/'));
        if base_path != "/" {
            self.site.insert("base-path".to_owned(), Value::from(base_path));
        }
        Ok(())
    }

    /// Ignores URLs by a regular expression of another checker. External ones are not requested.
    pub fn ignore_urls(&mut self, option: &str, pattern: &str) {
        if let Err(reason) = check_pattern(pattern) {
            return self.note(option, &reason);
        }
        let reason = self.reason(pattern);
        let may_be_external = ["^http", "^(http", "^(?:http", "^//", "^(https:)?//"];
        let is_anchored = pattern.starts_with('^');
        let may_be_external =
            || self.has_full_paths || may_be_external.iter().any(|start| pattern.starts_with(start));
        // Mail addresses are never requested.
        let skipped = match () {
            () if pattern.contains("mailto:") => None,
            () if !is_anchored => Some(format!("^.*(?:{pattern})")),
            () if may_be_external() => Some(pattern.to_owned()),
            () => None,
        };
        self.skip.extend(skipped.map(|skipped| (skipped, reason.clone())));
        if !pattern.starts_with("^http") {
            self.ignores.push((pattern.to_owned(), Vec::new(), reason));
        }
    }

    /// Ignores all findings of the folders that a regular expression of another checker matches.
    pub fn ignore_folders(&mut self, option: &str, pattern: &str) {
        self.folders.push((option.to_owned(), pattern.to_owned()));
    }

    /// Converts the ignored folders, once the folder of the export is known.
    pub fn convert_folders(&mut self) {
        for (option, written) in std::mem::take(&mut self.folders) {
            let pattern = written.trim_start_matches("./");
            let pattern =
                if self.has_full_paths { self.below_root(&option, pattern) } else { pattern.to_owned() };
            match folder_globs(&pattern, self.has_full_paths) {
                Ok(globs) => {
                    let reason = self.reason(&written);
                    self.ignores.push((".".to_owned(), globs, reason));
                }
                Err(reason) => self.note(&option, &reason),
            }
        }
    }

    /// Returns a regular expression of paths for paths in the export: those of a contract do not begin with its folder.
    fn below_root(&mut self, option: &str, pattern: &str) -> String {
        let named = self.site.get("root").and_then(Value::as_str);
        let named = named.map(|root| root.strip_prefix(&*self.folder).unwrap_or(root).to_owned());
        let roots = named.as_ref().map_or(OUTPUT_FOLDERS.to_vec(), |root| vec![root.as_str()]);
        let path = pattern.trim_start_matches('^').trim_start_matches("./").trim_start_matches("\\./");
        let below_folder = |root: &&str| {
            let root = root.trim_start_matches("./").trim_end_matches('/');
            [root.to_owned(), regex::escape(root)]
                .iter()
                .find_map(|root| path.strip_prefix(root.as_str())?.strip_prefix('/'))
                .filter(|below| !below.is_empty())
        };
        let Some(below) = roots.iter().find_map(below_folder) else { return pattern.to_owned() };
        if named.is_none() {
            let reason =
                "`paths` are below the export; its folder is taken off, as the first part of the path";
            self.note(option, &format!("`{pattern}`: {reason}"));
        }
        format!("^{below}")
    }

    /// Sets a header of external requests, unless it is a secret.
    pub fn header(&mut self, option: &str, name: &str, value: &Json) {
        // htmltest and linkinator send these by default; sitegate chooses its own.
        if ["range", "accept"].contains(&name.to_ascii_lowercase().as_str()) {
            return self.note(option, &format!("`{name}` is chosen for each request"));
        }
        let is_secret = ["authorization", "cookie", "token", "key", "secret", "password"]
            .iter()
            .any(|word| name.to_ascii_lowercase().contains(word));
        let Some(value) = value.as_str().filter(|_| !is_secret) else {
            let help = "write it below the host that needs it, with its value from a variable";
            let example = "[external.hosts.\"HOST\"] headers = { NAME = { env = \"VARIABLE\" } }";
            return self.note(option, &format!("`{name}` may be a secret: {help}: {example}"));
        };
        let headers = self.host.entry("headers").or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(headers) = headers {
            headers.insert(name.to_owned(), Value::from(value));
        }
    }

    /// Returns the reason of an entry: the comment next to it, or else where it comes from.
    fn reason(&self, written: &str) -> String {
        let own = self.comments.get(written);
        own.cloned().unwrap_or_else(|| format!("from {}", self.file_name))
    }

    /// Returns the text of the contract.
    pub fn text(&self, program: &str) -> String {
        let name = visible(&self.file_name);
        let mut text = format!(
            "# The requirements of this site before it goes live. `sitegate init --from` wrote this contract from {name} \
             ({program}).\n# `sitegate explain` lists the checks that always run.\n"
        );
        let sections = [
            ("site", &self.site),
            ("check", &self.check),
            ("rules", &self.rules),
            ("external", &self.external),
        ];
        for (section, keys) in sections {
            let has_skip = section == "external" && !self.skip.is_empty();
            if keys.is_empty() && !has_skip {
                continue;
            }
            let _ = writeln!(text, "\n[{section}]");
            write_keys(keys, &mut text);
            if has_skip {
                text.push_str("skip = [\n");
                for (pattern, reason) in &self.skip {
                    let _ = writeln!(text, "  {}, # {}", quoted(pattern), visible(reason));
                }
                text.push_str("]\n");
            }
        }
        if !self.host.is_empty() {
            text.push_str("\n[external.host]\n");
            write_keys(&self.host, &mut text);
        }
        for (host, keys) in &self.hosts {
            let _ = writeln!(text, "\n[external.hosts.{}]", quoted(host));
            keys.as_table().into_iter().for_each(|keys| write_keys(keys, &mut text));
        }
        for (url, paths, reason) in &self.ignores {
            let _ = writeln!(text, "\n[[ignore]]\nurl = {}", quoted(url));
            if !paths.is_empty() {
                let _ = writeln!(text, "paths = {}", Value::from(paths.clone()));
            }
            let _ = writeln!(text, "reason = {}", quoted(reason));
        }
        if !self.notes.is_empty() {
            let _ = writeln!(text, "\n# Not in this contract:");
        }
        for (option, reason) in &self.notes {
            let _ = writeln!(text, "#   {}: {}", visible(option), visible(reason));
        }
        text
    }
}

fn write_keys(keys: &Table, text: &mut String) {
    for (key, value) in keys {
        let _ = writeln!(text, "{key} = {value}");
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Checks a regular expression of another checker.
///
/// # Errors
/// If it has a syntax that the contract does not support.
pub(super) fn check_pattern(pattern: &str) -> Result<(), String> {
    let is_known = |error: &regex::Error| error.to_string().contains("look-around");
    let Err(error) = Regex::new(pattern) else { return Ok(()) };
    Err(if is_known(&error) {
        format!("`{pattern}`: look-around such as `(?!` is not supported; write patterns for what is ignored")
    } else {
        format!("`{pattern}` is not a supported regular expression")
    })
}
