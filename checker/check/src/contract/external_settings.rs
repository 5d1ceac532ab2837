//! Parses `[external]`: the settings of external link checks. The check itself only passes them on.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::{Regex, RegexSet};
use schemars::JsonSchema;
use serde::Deserialize;

use super::access::Access;
use super::addresses::age;
use super::error::{ErrorSource, Fault};
use super::headers::{is_header_name, is_header_value};
use super::schema::Spanned;

/// Maximum number of seconds for any time: a day.
const LONGEST: f64 = 86_400.0;

/// `[external]` as parsed from TOML.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(inline)]
pub(super) struct RawExternal {
    /// URLs that are not checked, as globs such as `https://www.example.org/**`, or as regular expressions that start with
    /// ^.
    #[schemars(inner(regex(pattern = r"^(http|\*|\^)")))]
    skip: Vec<Spanned<String>>,
    /// Maximum age of a good answer in the file of `--lock`, in days or hours. Default: 30d.
    #[schemars(regex(pattern = r"^[0-9]+[dh]$"))]
    max_age: Option<Spanned<String>>,
    /// Private networks that may be requested, such as 10.0.0.0/8.
    allow_addresses: Vec<Spanned<String>>,
    /// Maximum number of parallel requests to all hosts together. Default: 128.
    #[schemars(range(min = 1))]
    concurrency: Option<Spanned<usize>>,
    /// Maximum number of seconds until the first byte of a response. Default: 20.
    #[schemars(range(min = 0.0, max = LONGEST))]
    timeout: Option<Spanned<f64>>,
    /// Maximum number of retries after temporary failures. Default: 2.
    retries: Option<Spanned<u32>>,
    /// A PEM file of certificate authorities that are trusted in addition to those of the system.
    certificates: Option<Spanned<PathBuf>>,
    /// Settings for all hosts that are not listed below `hosts`.
    host: RawHostPace,
    /// Settings for single hosts, by host name.
    hosts: BTreeMap<String, RawHostPace>,
}

/// Settings for this host.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(inline)]
struct RawHostPace {
    /// Maximum number of parallel requests. Default: 6.
    #[schemars(range(min = 1))]
    concurrency: Option<Spanned<usize>>,
    /// Minimum number of seconds between the starts of two requests. Default: 0.05.
    #[schemars(range(min = 0.0, max = LONGEST))]
    interval: Option<Spanned<f64>>,
    /// Headers that are sent only to this host. Secrets come from an environment variable.
    headers: BTreeMap<Spanned<String>, HeaderValue>,
    /// Statuses that count as success, such as 403.
    #[schemars(inner(range(min = 100, max = 999)))]
    accept: Vec<Spanned<u16>>,
    /// Whether to always use GET instead of HEAD. Default: false.
    get: Option<bool>,
    /// Whether to use the built-in profiles of well-known hosts. Default: true.
    profile: Option<bool>,
}

/// A header's value, or the environment variable that contains it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged, expecting = "a string, or { env = … }")]
enum HeaderValue {
    Value(String),
    Variable(HeaderVariable),
}

/// An environment variable with a header's value.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct HeaderVariable {
    /// The name of the variable.
    env: String,
}

/// The settings of external link checks in the contract.
#[derive(Clone, Debug, Default)]
pub struct ExternalSettings {
    skip: GlobSet,
    /// Patterns of skipped URLs that begin with `^`.
    skip_patterns: RegexSet,
    /// Maximum age of an entry in the lock of external links.
    pub max_age: Option<Duration>,
    /// Private networks that may be requested, as written, with their spans.
    pub allow_addresses: Vec<(Range<usize>, String)>,
    /// Maximum number of parallel requests to all hosts together.
    pub concurrency: Option<usize>,
    /// Maximum time until the first byte of a response.
    pub timeout: Option<Duration>,
    /// Maximum number of retries after temporary failures.
    pub retries: Option<u32>,
    /// A PEM file of certificate authorities that are trusted in addition to those of the system, with its span.
    pub certificates: Option<(Range<usize>, PathBuf)>,
    /// Settings for all hosts without their own.
    pub host: HostPace,
    /// Settings for single hosts, by name; with `http://` before the name if headers may be sent without TLS.
    pub hosts: BTreeMap<String, HostPace>,
}

/// The settings for a host in the contract.
#[derive(Clone, Debug, Default)]
pub struct HostPace {
    /// Maximum number of parallel requests.
    pub concurrency: Option<usize>,
    /// Minimum time between the starts of two requests.
    pub interval: Option<Duration>,
    /// Headers, by name. Headers whose variable is not set are not sent.
    pub headers: Vec<(String, String)>,
    /// Statuses that count as success.
    pub accept: Vec<u16>,
    /// Whether to always use GET.
    pub get: Option<bool>,
    /// Whether to use built-in profiles of well-known hosts.
    pub profile: Option<bool>,
}

impl ExternalSettings {
    /// Returns whether a URL is skipped.
    pub fn skips(&self, url: &url::Url) -> bool {
        self.skip.is_match(url.as_str()) || self.skip_patterns.is_match(url.as_str())
    }
}

impl RawExternal {
    /// `folder` returns the folder of the file that contains an offset.
    pub fn build<'d>(
        self,
        folder: impl Fn(usize) -> &'d Path,
        access: &Access,
    ) -> Result<ExternalSettings, Fault> {
        let mut skip = GlobSetBuilder::new();
        let mut skip_patterns = Vec::new();
        for pattern in &self.skip {
            let fail = |reason: ErrorSource| (pattern.span(), reason);
            // No URL and no glob of one begins with `^`. Other checkers have lists of such patterns.
            if pattern.get_ref().starts_with('^') {
                Regex::new(pattern.get_ref()).map_err(|error| fail(error.to_string().into()))?;
                skip_patterns.push(pattern.get_ref());
                continue;
            }
            if !pattern.get_ref().starts_with("http") && !pattern.get_ref().starts_with('*') {
                let message = format!(
                    "`{}` must start with a scheme, such as `https://`, or be a regular expression that starts with `^`",
                    pattern.get_ref()
                );
                return Err(fail(message.into()));
            }
            let glob = GlobBuilder::new(pattern.get_ref()).literal_separator(true).build();
            skip.add(glob.map_err(|error| fail(error.into()))?);
        }
        let mut hosts = BTreeMap::new();
        for (name, pace) in self.hosts {
            hosts.insert(name, pace.build(access)?);
        }
        Ok(ExternalSettings {
            skip: skip.build().map_err(|error| (0..0, error.into()))?,
            skip_patterns: RegexSet::new(skip_patterns).map_err(|error| (0..0, error.to_string().into()))?,
            max_age: self.max_age.map(age).transpose()?,
            allow_addresses: self
                .allow_addresses
                .into_iter()
                .map(|net| (net.span(), net.into_inner()))
                .collect(),
            concurrency: self.concurrency.map(at_least_one).transpose()?,
            timeout: self.timeout.map(seconds).transpose()?,
            retries: self.retries.map(Spanned::into_inner),
            certificates: self
                .certificates
                .map(|file| (file.span(), folder(file.span().start).join(file.get_ref()))),
            host: self.host.build(access)?,
            hosts,
        })
    }
}

impl RawHostPace {
    fn build(self, access: &Access) -> Result<HostPace, Fault> {
        let mut headers = Vec::new();
        for (name, value) in self.headers {
            let value = match value {
                HeaderValue::Variable(HeaderVariable { env }) => {
                    access.variable(&env).map_err(|error| (name.span(), error.into()))?
                }
                HeaderValue::Value(_) if is_secret(name.get_ref()) => {
                    let message = format!(
                        "`{}` is a secret: do not write it in a file; name a variable with {{ env = \"…\" }}",
                        name.get_ref()
                    );
                    return Err((name.span(), message.into()));
                }
                HeaderValue::Value(value) => Some(value),
            };
            if !is_header_name(name.get_ref()) || !value.as_deref().is_none_or(is_header_value) {
                let message =
                    format!("`{}` is not a valid header name, or its value is not valid", name.get_ref());
                return Err((name.span(), message.into()));
            }
            headers.extend(value.map(|value| (name.into_inner(), value)));
        }
        let concurrency = self.concurrency.map(at_least_one).transpose()?;
        let interval = self.interval.map(seconds).transpose()?;
        let accept = self.accept.into_iter().map(status).collect::<Result<_, _>>()?;
        Ok(HostPace { concurrency, interval, headers, accept, get: self.get, profile: self.profile })
    }
}

/// Returns whether a header's value is a credential.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["authorization", "cookie", "token", "key", "secret", "password"].iter().any(|word| name.contains(word))
}

fn at_least_one(number: Spanned<usize>) -> Result<usize, Fault> {
    match number.get_ref() {
        0 => Err((number.span(), "it must be at least 1".into())),
        _ => Ok(number.into_inner()),
    }
}

fn status(number: Spanned<u16>) -> Result<u16, Fault> {
    match number.get_ref() {
        100..=999 => Ok(number.into_inner()),
        _ => Err((number.span(), "it must be a status, such as 403".into())),
    }
}

fn seconds(number: Spanned<f64>) -> Result<Duration, Fault> {
    let span = number.span();
    let value = number.into_inner();
    let is_time = (0.0..=LONGEST).contains(&value);
    let time = if is_time { Duration::try_from_secs_f64(value).ok() } else { None };
    time.ok_or_else(|| (span, "it must be a number of seconds, at most a day".into()))
}
