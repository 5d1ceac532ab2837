//! Reads the contract, `sitegate.toml`: what the site is, how much each rule weighs, what must hold.
//!
//! Nothing is guessed: an unknown key, a bad selector or a value of the wrong type is an error that
//! names file, line and key.

pub mod schema;
mod sources;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use toml::Spanned;

use crate::baseline::BaselineFile;
use crate::contract::{Assertion, Groups, RawAssertion};
use crate::diagnostic::{Location, Place, Severity};
use crate::exceptions::{Exception, Override, RawException, RawOverride};
use crate::rules::{self, Ruleset};
use sources::Documents;

pub use sources::Document;

/// The name that is looked for in the working directory.
pub const FILE_NAME: &str = "sitegate.toml";

/// A contract that cannot be used, with the place that says why. Exit code 2.
#[derive(Debug)]
pub struct ConfigError {
    /// The contract's path as it was given.
    pub file: PathBuf,
    /// Where in it: line and column from 1, and the text of the line.
    pub place: Option<(usize, usize, String)>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        match &self.place {
            None => write!(f, ": {}", self.message),
            Some((line, column, text)) => {
                write!(f, ":{line}:{column}: {}", self.message)?;
                let number = line.to_string();
                let gap = " ".repeat(number.len());
                let indent: String =
                    text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                write!(f, "\n {gap} |\n {number} | {text}\n {gap} | {indent}^")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

/// How the host answers what is not the plain name of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrailingSlash {
    /// `/dir` is redirected to `/dir/`: S3 website endpoints, GitHub Pages, most servers.
    #[default]
    Redirect,
    /// `/dir/` is redirected to `/dir`, which answers with `dir/index.html`: a CDN that strips the slash.
    Never,
}

/// The host's manners, where they are known. Without one, what most hosts do is taken for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Host {
    /// The website endpoint of S3: index documents, `/dir` redirected to `/dir/`.
    S3Website,
    /// CloudFront in front of S3's REST endpoint: names of files only, unless a function rewrites them.
    Cloudfront,
    /// GitHub Pages: index documents, and `/page` answered with `page.html`.
    GithubPages,
    /// Netlify: the same, and the `_redirects` file.
    Netlify,
    /// nginx with `index index.html`.
    Nginx,
}

impl Host {
    /// Whether `/page` is answered with `page.html`.
    pub fn adds_html(self) -> bool {
        matches!(self, Host::GithubPages | Host::Netlify)
    }
}

/// `[site]`: what the export is and where it will live.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RawSite {
    root: Option<Spanned<PathBuf>>,
    origin: Option<Spanned<Setting>>,
    base_path: Option<Spanned<String>>,
    not_found: Option<Spanned<String>>,
    host: Option<Host>,
    trailing_slash: TrailingSlash,
}

/// A value written here, or kept elsewhere and pointed at.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a string, or { file = …, pointer = …, env = … }")]
pub enum Setting {
    /// The value itself.
    Value(String),
    /// A string in a JSON file, by JSON Pointer (RFC 6901); `env` names a variable that overrides it.
    Reference(SettingReference),
}

/// The long form of a [`Setting`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingReference {
    file: PathBuf,
    pointer: String,
    env: Option<String>,
}

impl Setting {
    /// The value, looked up below `folder` where it is a reference.
    pub(crate) fn resolve(&self, folder: &Path) -> Result<String, String> {
        let reference = match self {
            Setting::Value(value) => return Ok(value.clone()),
            Setting::Reference(reference) => reference,
        };
        if let Some(name) = &reference.env
            && let Ok(value) = std::env::var(name)
            && !value.is_empty()
        {
            return Ok(value);
        }
        let path = folder.join(&reference.file);
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let json: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        match json.pointer(&reference.pointer) {
            Some(serde_json::Value::String(value)) => Ok(value.clone()),
            Some(_) => Err(format!("{}: {} is no string", path.display(), reference.pointer)),
            None => Err(format!("{}: there is no {}", path.display(), reference.pointer)),
        }
    }
}

/// `[pages]`: which pages must be there, and names for lists of them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RawPages {
    required: Vec<Spanned<String>>,
    groups: Groups,
}

/// `[[headers]]`: response headers for the files whose path matches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawHeaders {
    paths: Vec<Spanned<String>>,
    set: BTreeMap<String, String>,
}

/// `[check]`: how a check is run.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RawCheck {
    baseline: Option<Spanned<PathBuf>>,
}

/// `[[redirects]]`: an address that moved.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawRedirect {
    from: Spanned<String>,
    to: Spanned<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RawConfig {
    /// Read by [`sources`], and named here so that it is known.
    #[serde(rename = "extends")]
    _extends: serde::de::IgnoredAny,
    site: RawSite,
    check: RawCheck,
    rules: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    pages: RawPages,
    #[serde(rename = "assert")]
    assertions: Vec<RawAssertion>,
    headers: Vec<RawHeaders>,
    #[serde(rename = "override")]
    overrides: Vec<RawOverride>,
    #[serde(rename = "ignore")]
    exceptions: Vec<RawException>,
    redirects: Vec<RawRedirect>,
}

/// What the export is and where it will live.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The export's folder, from the contract; the command line may name another.
    pub root: Option<PathBuf>,
    /// Scheme, host and port of the live site: its absolute URLs are then checked as local files.
    pub origin: Option<url::Url>,
    /// The path the export is deployed under, with a slash at both ends; `/` by default.
    pub base_path: String,
    /// The file that answers unknown paths.
    pub not_found: Option<Placed>,
    /// The host's manners.
    pub host: Option<Host>,
    /// What happens to a page's trailing slash.
    pub trailing_slash: TrailingSlash,
}

/// Response headers for the files that match.
#[derive(Clone, Debug)]
pub struct HeaderRule {
    paths: GlobSet,
    /// The patterns as written.
    pub patterns: Vec<String>,
    /// Names and values, by name.
    pub set: BTreeMap<String, String>,
}

/// An address that moved for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The old path, with a leading slash and none at its end; both spellings lead on.
    pub from: String,
    /// Where it leads: a path with a leading slash, or a whole URL.
    pub to: String,
    /// Where the contract states that, in bytes.
    pub span: std::ops::Range<usize>,
}

/// A value, and where the contract states it.
#[derive(Clone, Debug)]
pub struct Placed {
    /// As written.
    pub value: String,
    /// Where, in bytes.
    pub span: std::ops::Range<usize>,
}

impl From<Spanned<String>> for Placed {
    fn from(spanned: Spanned<String>) -> Self {
        Placed { span: spanned.span(), value: spanned.into_inner() }
    }
}

/// A contract that was read and understood.
pub struct Config {
    /// The file, where there is one.
    pub file: Option<PathBuf>,
    /// Its text, for reports that point into it.
    pub source: String,
    /// The files that it extends, for reports that point into them ([`Place::Base`]).
    pub bases: Vec<Document>,
    /// The findings that are known, where it names a file of them.
    pub baseline: Option<BaselineFile>,
    /// What the export is.
    pub site: Site,
    /// The rules with their options, and how much each weighs.
    pub rules: Ruleset,
    /// Pages that must exist.
    pub required: Vec<Placed>,
    /// What pages must hold.
    pub assertions: Vec<Assertion>,
    /// Response headers by path; later entries win.
    pub headers: Vec<HeaderRule>,
    /// Levels by path; later entries win.
    pub overrides: Vec<Override>,
    /// Findings that are not reported, by pattern.
    pub exceptions: Vec<Exception>,
    /// Addresses that moved.
    pub redirects: Vec<Redirect>,
}

impl Config {
    /// The contract that holds when there is none: every rule at its default.
    pub fn defaults() -> Config {
        Config {
            file: None,
            source: String::new(),
            bases: Vec::new(),
            baseline: None,
            site: Site { base_path: "/".to_owned(), ..Site::default() },
            rules: Ruleset::defaults(),
            required: Vec::new(),
            assertions: Vec::new(),
            headers: Vec::new(),
            overrides: Vec::new(),
            exceptions: Vec::new(),
            redirects: Vec::new(),
        }
    }

    /// Reads a contract.
    ///
    /// # Errors
    /// When the file cannot be read, or anything in it is unknown, malformed or contradictory.
    pub fn load(file: &Path) -> Result<Config, ConfigError> {
        Config::parse(file, Documents::read(file)?)
    }

    /// A contract whose text is not written to its file yet.
    pub(crate) fn from_text(file: &Path, source: String) -> Result<Config, ConfigError> {
        Config::parse(file, Documents::of(file, source)?)
    }

    fn parse(file: &Path, documents: Documents) -> Result<Config, ConfigError> {
        let fail = |span: std::ops::Range<usize>, message: String| documents.error(span, message);
        let table = documents.table()?;
        let key_span = |path: &[&str]| sources::key_span(table.get_ref(), path);
        let raw = RawConfig::deserialize(toml::Deserializer::from(table.clone()))
            .map_err(|error| documents.toml_error(&error))?;

        let origin = match &raw.site.origin {
            None => None,
            Some(setting) => {
                let parsed = setting
                    .get_ref()
                    .resolve(documents.folder(setting.span().start))
                    .and_then(|text| origin(&text));
                Some(parsed.map_err(|e| fail(setting.span(), format!("`site.origin`: {e}")))?)
            }
        };
        let base_path = match &raw.site.base_path {
            None => "/".to_owned(),
            Some(path) if path.get_ref().starts_with('/') && path.get_ref().ends_with('/') => {
                path.get_ref().clone()
            }
            Some(path) => {
                let message = "`site.base-path` must begin and end with `/`".to_owned();
                return Err(fail(path.span(), message));
            }
        };

        let overrides: Vec<Override> = raw
            .overrides
            .into_iter()
            .map(|entry| entry.build().map_err(|(span, message)| fail(span, message)))
            .collect::<Result<_, _>>()?;
        let exceptions: Vec<Exception> = raw
            .exceptions
            .into_iter()
            .map(|entry| entry.build().map_err(|(span, message)| fail(span, message)))
            .collect::<Result<_, _>>()?;
        let turned_on = |id: &str| overrides.iter().any(|entry| entry.turns_on(id));
        let rules =
            rules::build(&raw.rules, &turned_on, &key_span, &|offset| documents.folder(offset).to_path_buf())
                .map_err(|(span, message)| fail(span, message))?;
        let mut assertions = Vec::with_capacity(raw.assertions.len());
        for assertion in raw.assertions {
            let folder = documents.folder(assertion.start());
            let built = Assertion::build(assertion, &raw.pages.groups, folder);
            assertions.push(built.map_err(|(span, message)| fail(span, message))?);
        }
        let mut headers = Vec::with_capacity(raw.headers.len());
        for entry in raw.headers {
            let paths = globs(&entry.paths).map_err(|(span, message)| fail(span, message))?;
            let patterns = entry.paths.into_iter().map(Spanned::into_inner).collect();
            headers.push(HeaderRule { paths, patterns, set: entry.set });
        }

        let mut redirects = Vec::with_capacity(raw.redirects.len());
        for entry in raw.redirects {
            let span = entry.from.span();
            let redirect = redirect(entry).map_err(|(span, message)| fail(span, message))?;
            if redirects.iter().any(|known: &Redirect| known.from == redirect.from) {
                return Err(fail(span, format!("`{}` is redirected twice", redirect.from)));
            }
            redirects.push(redirect);
        }

        let site = Site {
            root: raw.site.root.map(|root| documents.folder(root.span().start).join(root.get_ref())),
            origin,
            base_path,
            not_found: raw.site.not_found.map(Placed::from),
            host: raw.site.host,
            trailing_slash: raw.site.trailing_slash,
        };
        let required = raw.pages.required.into_iter().map(Placed::from).collect();
        let baseline = raw
            .check
            .baseline
            .map(|name| BaselineFile::read(&documents.folder(name.span().start).join(name.get_ref())));
        let (own, bases) = documents.split();
        let source = own.map(|own| own.source).unwrap_or_default();
        let file = Some(file.to_path_buf());
        Ok(Config {
            file,
            source,
            bases,
            baseline,
            site,
            rules,
            required,
            assertions,
            headers,
            redirects,
            overrides,
            exceptions,
        })
    }

    /// The bytes that a seal stands for beside the export: the contract, the bases it extends, and the
    /// baseline, each behind its length. A contract of one file is just its text.
    ///
    /// Known findings go live only because of this: the seal names the very list of them.
    pub fn sealed_bytes(&self) -> Vec<u8> {
        let mut bytes = self.source.clone().into_bytes();
        let bases = self.bases.iter().map(|base| base.source.as_bytes());
        let baseline = self.baseline.as_ref().map(|baseline| baseline.bytes());
        for more in bases.chain(baseline) {
            bytes.extend_from_slice(format!("\0{}\0", more.len()).as_bytes());
            bytes.extend_from_slice(more);
        }
        bytes
    }

    /// The response headers that the contract sets for a file, by its path with a leading slash.
    pub fn headers_for(&self, path: &str) -> BTreeMap<&str, &str> {
        let mut headers = BTreeMap::new();
        for rule in self.headers.iter().filter(|rule| rule.paths.is_match(path)) {
            headers.extend(rule.set.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        }
        headers
    }

    /// How the contract is named in messages.
    pub fn name(&self) -> String {
        self.file.as_ref().map_or_else(|| FILE_NAME.to_owned(), |file| file.display().to_string())
    }

    /// A place in the contract as messages name it: `sitegate.toml:31`.
    pub fn position(&self, offset: usize) -> String {
        match self.base_at(offset) {
            None => format!("{}:{}", self.name(), place(&self.source, offset).0),
            Some((_, base)) => {
                format!("{}:{}", base.name(), place(&base.source, sources::within(base, offset)).0)
            }
        }
    }

    fn base_at(&self, offset: usize) -> Option<(usize, &Document)> {
        sources::at(&self.bases, offset)
    }

    /// A place in the contract, as a place in the file of it that it lies in.
    pub(crate) fn located(&self, location: &Location) -> Location {
        let offset = location.span.start as usize;
        match self.base_at(offset) {
            None => location.clone(),
            Some((index, base)) => {
                let start = sources::within(base, offset) as u32;
                let end = start + (location.span.end - location.span.start);
                Location { place: Place::Base(index as u16), span: start..end }
            }
        }
    }

    /// How much a rule weighs where no override says otherwise.
    pub fn level(&self, rule: &rules::RuleInfo) -> Severity {
        self.rules.level(rule)
    }
}

/// Checks a redirect: its addresses end up in headers, pages and configuration files.
fn redirect(raw: RawRedirect) -> Result<Redirect, (std::ops::Range<usize>, String)> {
    let plain =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\`{}$;".contains(&byte));
    let (from, to) = (raw.from.get_ref().trim_end_matches('/'), raw.to.get_ref());
    let inside = from.starts_with('/') && !from.contains("//") && !from.contains(['?', '#', '%']);
    if !inside || !plain(from) || from.split('/').any(|segment| matches!(segment, "." | "..")) {
        let message = format!("`{}` is no path, such as /old/page", raw.from.get_ref());
        return Err((raw.from.span(), message));
    }
    let known = to.starts_with('/') && !to.starts_with("//")
        || url::Url::parse(to).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if !known || !plain(to) {
        let message = format!("`{to}` is neither a path, such as /new/page, nor an http address");
        return Err((raw.to.span(), message));
    }
    Ok(Redirect { from: from.to_owned(), to: to.clone(), span: raw.to.span() })
}

/// A set of path patterns: `*` stays within a segment, `**` crosses them.
pub(crate) fn globs(patterns: &[Spanned<String>]) -> Result<GlobSet, (std::ops::Range<usize>, String)> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        if !pattern.get_ref().starts_with('/') {
            let message = format!("`{}` must begin with `/`", pattern.get_ref());
            return Err((pattern.span(), message));
        }
        let glob = GlobBuilder::new(pattern.get_ref()).literal_separator(true).build();
        set.add(glob.map_err(|error| (pattern.span(), error.to_string()))?);
    }
    set.build().map_err(|error| (0..0, error.to_string()))
}

/// Parses an origin: scheme, host and port, with nothing after it.
fn origin(text: &str) -> Result<url::Url, String> {
    let url = url::Url::parse(text).map_err(|error| format!("`{text}`: {error}"))?;
    let bare = matches!(url.scheme(), "http" | "https")
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    if bare { Ok(url) } else { Err(format!("`{text}` is no origin, such as https://www.example.com")) }
}

/// Line, column (both from 1, in characters) and text of the line at a byte offset.
fn place(source: &str, offset: usize) -> (usize, usize, String) {
    let offset = offset.min(source.len());
    let start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = source[..start].matches('\n').count() + 1;
    let text = source[start..].lines().next().unwrap_or("").to_owned();
    (line, source[start..offset].chars().count() + 1, text)
}

/// Turns serde's message about a key into ours, with the nearest key that exists.
pub(crate) fn plain(message: &str) -> String {
    let Some((key, known)) = unknown_key(message) else { return message.to_owned() };
    match nearest(key, known.iter().copied()) {
        Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("unknown key `{key}`; there are none here"),
        None => format!("unknown key `{key}`; known here: {}", known.join(", ")),
    }
}

/// The key that serde's message is about, and the keys that it knows.
pub(crate) fn unknown_key(message: &str) -> Option<(&str, Vec<&str>)> {
    let message = message.lines().next().unwrap_or(message);
    let (key, expected) = message.strip_prefix("unknown field `")?.split_once('`')?;
    let known = expected.split('`').skip(1).step_by(2);
    Some((key, known.collect()))
}

/// The known word that a misspelt one most likely means.
pub(crate) fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let length = word.chars().count();
    let limit = if length < 3 { 0 } else { (length / 3).max(1) };
    known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}
