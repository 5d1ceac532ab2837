//! Identifies the documents that the program writes and reads again, by kind and version, and refuses others.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

/// The name of the program, in the field `tool` of documents.
pub const PROGRAM: &str = "sitegate";

/// A kind of document.
#[derive(Debug)]
pub struct Artifact {
    /// Its name in messages: `a seal`.
    name: &'static str,
    mark: ArtifactMark,
    /// The version that is written. It grows when a field is removed or changes its meaning.
    pub version: u32,
    /// Whether older versions are read, too: their missing fields have defaults.
    reads_older: bool,
    /// The command that writes it, up to the name of the file.
    command: &'static str,
}

/// How a document is recognized.
#[derive(Debug)]
enum ArtifactMark {
    /// By this word: the field `kind` of JSON, or the first word of a text.
    Kind(&'static str),
    /// By the field `tool` of JSON without a `kind`.
    Tool,
    /// By its place on a target.
    Place,
}

/// A report of a check.
pub static REPORT: Artifact = Artifact {
    name: "a report",
    mark: ArtifactMark::Tool,
    version: 1,
    reads_older: true,
    command: "check --report json=",
};

/// A seal of an export.
pub static SEAL: Artifact = Artifact {
    name: "a seal",
    mark: ArtifactMark::Kind("sitegate-seal"),
    version: 1,
    reads_older: false,
    command: "check --seal ",
};

/// A baseline of known findings.
pub static BASELINE: Artifact = Artifact {
    name: "a baseline",
    mark: ArtifactMark::Kind("sitegate-baseline"),
    version: 1,
    reads_older: false,
    command: "check --write-baseline ",
};

/// An inventory of addresses.
pub static INVENTORY: Artifact = Artifact {
    name: "an inventory of sitegate",
    mark: ArtifactMark::Kind("sitegate-inventory"),
    version: 1,
    reads_older: false,
    command: "check --inventory ",
};

/// Page facts of a build.
pub static FACTS: Artifact = Artifact {
    name: "a file of page facts",
    mark: ArtifactMark::Kind("sitegate-facts"),
    version: 5,
    reads_older: false,
    command: "check --facts ",
};

/// A review of a change.
pub static REVIEW: Artifact = Artifact {
    name: "a review",
    mark: ArtifactMark::Tool,
    version: 1,
    reads_older: true,
    command: "diff --format json > ",
};

/// Redirects for lost addresses.
pub static REDIRECTS: Artifact = Artifact {
    name: "a list of redirects",
    mark: ArtifactMark::Kind("sitegate-redirects"),
    version: 1,
    reads_older: true,
    command: "redirects --format json > ",
};

/// A lock of external links.
pub static EXTERNAL_LOCK: Artifact = Artifact {
    name: "a lock of external links",
    mark: ArtifactMark::Kind("# sitegate external lock"),
    version: 1,
    reads_older: false,
    command: "check --external --update-lock --lock ",
};

/// The list of assets in an export.
pub static ASSET_LIST: Artifact = Artifact {
    name: "a list of assets",
    mark: ArtifactMark::Kind("# sitegate assets"),
    version: 1,
    reads_older: false,
    command: "carry DIR --from ",
};

/// A record of a target: a run, a release or the state.
pub static RUN: Artifact = Artifact {
    name: "a record",
    mark: ArtifactMark::Place,
    version: 1,
    reads_older: true,
    command: "publish ",
};

/// Why a document is not read.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactRefusal {
    /// It is no JSON, or incomplete. The message does not quote the document: it may be any file.
    Malformed(&'static Artifact, #[source] serde_json::Error),
    /// It is another kind of document.
    Other(&'static Artifact),
    /// It has this version, which the program does not read.
    Version(&'static Artifact, u64),
}

impl fmt::Display for ArtifactRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArtifactRefusal::Malformed(Artifact { name, .. }, error) => {
                write!(f, "it is not {name}: {error}; was it written completely?")
            }
            ArtifactRefusal::Other(Artifact { name, command, .. }) => {
                write!(f, "it is not {name}; `sitegate {command}FILE` writes one")
            }
            ArtifactRefusal::Version(Artifact { name, version, command, .. }, found) => {
                write!(f, "it is {name} of version {found}, but this program reads version {version}: ")?;
                if *found > u64::from(*version) {
                    write!(f, "update sitegate")
                } else {
                    write!(f, "write it again with `sitegate {command}FILE`")
                }
            }
        }
    }
}

/// The fields that identify a document. A newer version may have other types.
#[derive(Deserialize)]
struct Head {
    schema_version: Option<u64>,
    #[serde(default)]
    kind: Value,
    #[serde(default)]
    tool: Value,
}

impl Artifact {
    /// Returns the word by which a document is recognized; empty if it has none.
    pub fn kind(&self) -> &'static str {
        match self.mark {
            ArtifactMark::Kind(kind) => kind,
            ArtifactMark::Tool | ArtifactMark::Place => "",
        }
    }

    /// Checks the kind and the version of a JSON document.
    ///
    /// # Errors
    /// If it is not this kind of document, or has a version that the program does not read.
    pub fn check_json(&'static self, text: &[u8]) -> Result<(), ArtifactRefusal> {
        let head: Head = serde_json::from_slice(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => ArtifactRefusal::Other(self),
            _ if !text.trim_ascii_start().starts_with(b"{") => ArtifactRefusal::Other(self),
            _ => ArtifactRefusal::Malformed(self, error),
        })?;
        let is_own = match self.mark {
            ArtifactMark::Kind(kind) => head.kind == kind,
            ArtifactMark::Tool => head.kind.is_null() && head.tool["name"] == PROGRAM,
            ArtifactMark::Place => true,
        };
        match head.schema_version {
            Some(version) if is_own => self.check_version(version),
            _ => Err(ArtifactRefusal::Other(self)),
        }
    }

    /// Returns the first line of a text, without its end.
    pub fn first_line(&self) -> String {
        format!("{} {}", self.kind(), self.version)
    }

    /// Checks the kind and the version in the first line of a text, and returns the rest of the line.
    ///
    /// # Errors
    /// As [`Artifact::check_json`].
    pub fn check_line<'l>(&'static self, line: &'l str) -> Result<&'l str, ArtifactRefusal> {
        let after_kind = line.strip_prefix(self.kind()).and_then(|rest| rest.strip_prefix(' '));
        let (version, rest) =
            after_kind.map(|rest| rest.split_once(' ').unwrap_or((rest, ""))).unwrap_or_default();
        let version = version.trim_end().parse().map_err(|_| ArtifactRefusal::Other(self))?;
        self.check_version(version).map(|()| rest)
    }

    fn check_version(&'static self, found: u64) -> Result<(), ArtifactRefusal> {
        let newest = u64::from(self.version);
        let is_read = found == newest || found < newest && self.reads_older;
        if is_read { Ok(()) } else { Err(ArtifactRefusal::Version(self, found)) }
    }

    /// Whether the beginning of a file is that of a JSON document of this kind, of any version.
    pub fn is_beginning(&self, text: &str) -> bool {
        let is_object = text.trim_start().starts_with('{') && text.contains("\"kind\"");
        is_object && text.contains(&format!("\"{}\"", self.kind()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Artifact, FACTS, INVENTORY, REPORT, RUN, SEAL};

    #[test]
    fn refuses_other_kinds_and_versions() {
        let report = r#"{"schema_version": 1, "tool": {"name": "sitegate"}}"#;
        let seal = r#"{"schema_version": 1, "kind": "sitegate-seal", "tool": {"name": "sitegate"}}"#;
        let newer = |text: &str| text.replace(": 1", ": 2");
        let older = |text: &str| text.replace(": 1", ": 0");
        let cases: [(&'static Artifact, String, &str); 13] = [
            (&REPORT, report.to_owned(), ""),
            (&REPORT, older(report), ""),
            (
                &REPORT,
                newer(report),
                "it is a report of version 2, but this program reads version 1: update sitegate",
            ),
            (&REPORT, seal.to_owned(), "it is not a report; `sitegate check --report json=FILE` writes one"),
            (&REPORT, report.replace("\"sitegate\"", "\"other\""), "it is not a report; "),
            (&SEAL, seal.to_owned(), ""),
            (&SEAL, report.to_owned(), "it is not a seal; `sitegate check --seal FILE` writes one"),
            (&SEAL, older(seal), "reads version 1: write it again with `sitegate check --seal FILE`"),
            (
                &SEAL,
                seal[..20].to_owned(),
                "it is not a seal: EOF while parsing an object at line 1 column 20; was",
            ),
            (&SEAL, "[1]".to_owned(), "it is not a seal; "),
            (&SEAL, r#"{"kind": "sitegate-seal"}"#.to_owned(), "it is not a seal; "),
            (&RUN, r#"{"schema_version": 0}"#.to_owned(), ""),
            (
                &RUN,
                newer(report),
                "it is a record of version 2, but this program reads version 1: update sitegate",
            ),
        ];
        for (artifact, text, expected) in cases {
            let refusal = artifact.check_json(text.as_bytes()).err().map(|refusal| refusal.to_string());
            let refusal = refusal.unwrap_or_default();
            assert!(
                refusal.contains(expected) && refusal.is_empty() == expected.is_empty(),
                "{text}: {refusal}"
            );
        }
    }

    #[test]
    fn reads_the_first_line_of_texts() {
        assert_eq!(INVENTORY.check_line(&INVENTORY.first_line()).unwrap(), "");
        assert_eq!(FACTS.check_line("sitegate-facts 5 0.1.0").unwrap(), "0.1.0");
        for line in ["", "sitegate-facts", "sitegate-facts3 0", "sitegate-facts x", "sitegate-factsheet 3"] {
            assert!(
                FACTS.check_line(line).unwrap_err().to_string().starts_with("it is not a file of page facts")
            );
        }
        assert!(FACTS.check_line("sitegate-facts 3 1.0").unwrap_err().to_string().contains("version 3"));
    }
}
