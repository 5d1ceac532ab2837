//! Parses `[source]`: the authored files that the export is built from.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::SitePath;

use super::error::{ErrorSource, Fault};
use super::schema::Spanned;
use super::url_template::is_below_host;

/// The placeholders of the file and the line in a link.
const FILE: &str = "{file}";
const LINE: &str = "{line}";

/// All characters except `/` and the unreserved characters of RFC 3986.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// `[source]` as parsed from TOML.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(inline)]
pub(super) struct RawSource {
    /// Globs of authored files, relative to this file, such as docs/**.
    #[schemars(inner(regex(pattern = "^[^/]")))]
    include: Vec<Spanned<String>>,
    /// URL of a line in an authored file, with {file} and {line}, for reports with links.
    #[schemars(regex(pattern = r"^http.*\{file\}"))]
    link: Option<Spanned<String>>,
}

/// The authored files, as the contract lists them.
#[derive(Clone, Debug, Default)]
pub struct SourceSettings {
    /// The folder that the paths are relative to: the contract's folder.
    pub folder: PathBuf,
    include: GlobSet,
    /// The literal folders at the start of the patterns, each empty or with a trailing `/`.
    prefixes: Vec<String>,
    link: Option<String>,
}

impl SourceSettings {
    /// Returns whether the contract lists no authored files.
    pub fn is_empty(&self) -> bool {
        self.include.is_empty()
    }

    /// Returns whether a file is an authored file, by its path below the folder.
    pub fn contain(&self, path: &str) -> bool {
        self.include.is_match(path)
    }

    /// Returns whether a folder may contain authored files at any depth, by its path below the contract's folder.
    pub fn may_lie_in(&self, folder: &str) -> bool {
        let folder = format!("{folder}/");
        self.prefixes.iter().any(|prefix| folder.starts_with(prefix.as_str()) || prefix.starts_with(&folder))
    }

    /// Returns whether a pattern begins in a folder, by its path below the contract's folder.
    pub fn begin_in(&self, folder: &str) -> bool {
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        self.prefixes.iter().any(|prefix| prefix.starts_with(&folder))
    }

    /// Returns the literal folders at the start of the patterns, each empty or with a trailing `/`.
    pub fn prefixes(&self) -> &[String] {
        &self.prefixes
    }

    /// Returns the URL of a line in an authored file, if the contract configures it.
    pub fn link(&self, file: &str, line: u32) -> Option<String> {
        let link = self.link.as_ref()?;
        let file = percent_encode(file.as_bytes(), PATH).to_string();
        Some(link.replace(FILE, &file).replace(LINE, &line.to_string()))
    }
}

/// Whether a text is the template of web links. Names of files must not choose the host.
fn is_link_template(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme))
        && text.contains(FILE)
        && [FILE, LINE].into_iter().all(|placeholder| is_below_host(text, placeholder))
}

impl RawSource {
    /// `folder` returns the folder of the file that contains an offset.
    pub fn build<'d>(self, folder: impl Fn(usize) -> &'d Path) -> Result<SourceSettings, Fault> {
        let Some(first) = self.include.first() else { return Ok(SourceSettings::default()) };
        let folder = folder(first.span().start).to_path_buf();
        let (mut include, mut prefixes) = (GlobSetBuilder::new(), Vec::new());
        for pattern in &self.include {
            let fail = |reason: ErrorSource| (pattern.span(), reason);
            let text = pattern.get_ref().strip_prefix("./").unwrap_or(pattern.get_ref());
            let is_below = |part: Component<'_>| matches!(part, Component::Normal(_));
            if text.is_empty() || !Path::new(text).components().all(is_below) {
                let message =
                    format!("`{text}` must be a path below the contract's folder, such as `docs/**`");
                return Err(fail(message.into()));
            }
            let glob = GlobBuilder::new(text).literal_separator(true).build();
            include.add(glob.map_err(|error| fail(error.into()))?);
            let literal = text.find(['*', '?', '[', '{', '\\']).map_or(text, |end| &text[..end]);
            prefixes.push(SitePath::new(literal).folder_with_slash().to_owned());
        }
        let link = match self.link {
            Some(link) if !is_link_template(link.get_ref()) => {
                let message = format!(
                    "`source.link` must be a URL that contains `{FILE}`, and optionally `{LINE}`, after its host"
                );
                return Err((link.span(), message.into()));
            }
            link => link.map(Spanned::into_inner),
        };
        let include = include.build().map_err(|error| (first.span(), error.into()))?;
        Ok(SourceSettings { folder, include, prefixes, link })
    }
}
