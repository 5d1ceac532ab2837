//! `[[override]]` and `[[ignore]]`: levels by path, and findings that are not reported.

use std::collections::BTreeMap;
use std::ops::Range;

use globset::GlobSet;
use serde::Deserialize;
use toml::Spanned;

use super::error::{Fault, KeyError};
use super::pattern::{Pattern, globs};
use super::setting::Placed;
use crate::raw_finding::Severity;

/// One `[[override]]` as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawOverride {
    paths: Spanned<Vec<Spanned<String>>>,
    rules: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
}

/// What some rules weigh in some files.
#[derive(Debug)]
pub struct Override {
    /// The files or pages that it is about.
    pub paths: GlobSet,
    /// Rules by their ids, and what they weigh.
    pub levels: Vec<(Placed, Severity)>,
    /// Where the contract states it, in bytes.
    pub span: Range<usize>,
}

impl RawOverride {
    pub fn build(self) -> Result<Override, Fault> {
        let mut levels = Vec::with_capacity(self.rules.len());
        for (id, level) in self.rules {
            let wrong = || {
                let message =
                    format!("`override.rules.{}`: a level is \"error\", \"warn\" or \"off\"", id.get_ref());
                let help = if level.get_ref().is_table() { "; options belong in `[rules]`" } else { "" };
                (level.span(), format!("{message}{help}").into())
            };
            let severity = level.get_ref().clone().try_into().map_err(|_| wrong())?;
            levels.push((Placed::from(id), severity));
        }
        Ok(Override { span: self.paths.span(), paths: globs(self.paths.get_ref())?, levels })
    }
}

impl Override {
    /// Whether the rule counts anywhere because of it.
    pub fn turns_on(&self, rule: &str) -> bool {
        self.levels.iter().any(|(id, level)| id.value == rule && *level != Severity::Off)
    }
}

/// One `[[ignore]]` as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawIgnore {
    url: Option<Spanned<String>>,
    rule: Option<Spanned<String>>,
    paths: Option<Spanned<Vec<Spanned<String>>>>,
    reason: Spanned<String>,
}

/// Findings that are not reported, by rule, URL and path.
#[derive(Debug)]
pub struct ContractIgnore {
    /// Found in the reference as it is written, or in the URL that it means.
    pub url: Option<Pattern>,
    /// The rule, by its id.
    pub rule: Option<Placed>,
    /// The files or pages that it is about.
    pub paths: Option<GlobSet>,
    /// Why.
    pub reason: String,
    /// Where the contract states it, in bytes.
    pub span: Range<usize>,
}

impl RawIgnore {
    pub fn build(self) -> Result<ContractIgnore, Fault> {
        let span = self.url.as_ref().or(self.rule.as_ref()).map(Spanned::span);
        let Some(span) = span else {
            let message = "`ignore` needs `url` or `rule`, or it would hide everything".to_owned();
            return Err((self.reason.span(), message.into()));
        };
        if self.reason.get_ref().trim().is_empty() {
            return Err((self.reason.span(), "`ignore.reason` is empty: say why".into()));
        }
        let url = self.url.map(|url| {
            let at = url.span();
            Pattern::try_from(url.into_inner())
                .map_err(|error| (at, KeyError::new("ignore.url", error).into()))
        });
        let paths = self.paths.map(|paths| globs(paths.get_ref()));
        Ok(ContractIgnore {
            url: url.transpose()?,
            rule: self.rule.map(Placed::from),
            paths: paths.transpose()?,
            reason: self.reason.into_inner(),
            span,
        })
    }
}
