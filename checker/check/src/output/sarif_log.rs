//! The parts of a SARIF 2.1.0 log that reports use. Published crates have all parts, which is most of a minute of build
//! time, and hold a whole log in memory.
//!
//! Keys are sorted, except those of the log and the run, whose results come last: they are written as a stream.

use percent_encoding::percent_encode;
use serde::Serialize;
use url::Url;

use crate::report::fingerprint::URI_PATH;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base of paths in the export, and the base of source paths.
const EXPORT: &str = "EXPORT";
const SOURCES: &str = "%SRCROOT%";

#[derive(Serialize)]
pub(super) struct Log<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<R>; 1],
}

impl<R> Log<R> {
    /// Returns a log with one run.
    pub fn new(run: SarifRun<R>) -> Log<R> {
        Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRun<R> {
    pub tool: SarifTool,
    pub invocations: [Invocation; 1],
    pub original_uri_base_ids: UriBases,
    pub column_kind: &'static str,
    pub results: R,
}

#[derive(Serialize)]
pub(super) struct SarifTool {
    pub driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub name: &'static str,
    pub rules: Vec<ReportingDescriptor>,
    pub semantic_version: &'static str,
    pub short_description: Message,
    pub version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportingDescriptor {
    pub default_configuration: ReportingConfiguration,
    pub full_description: Message,
    pub help: MultiformatMessage,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_uri: Option<String>,
    pub id: &'static str,
    pub properties: PropertyBag,
    pub short_description: Message,
}

#[derive(Serialize)]
pub(super) struct ReportingConfiguration {
    pub enabled: bool,
    pub level: &'static str,
}

#[derive(Serialize)]
pub(super) struct MultiformatMessage {
    pub markdown: String,
    pub text: String,
}

#[derive(Serialize)]
pub(super) struct PropertyBag {
    pub tags: [String; 1],
}

/// A text, which SARIF always has in an object.
#[derive(Serialize)]
pub(super) struct Message {
    text: String,
}

impl Message {
    pub fn of(text: impl Into<String>) -> Message {
        Message { text: text.into() }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    pub exit_code: u8,
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub level: &'static str,
    pub message: Message,
}

#[derive(Serialize)]
pub(super) struct UriBases {
    #[serde(rename = "%SRCROOT%")]
    pub sources: BaseUri,
    #[serde(rename = "EXPORT", skip_serializing_if = "Option::is_none")]
    pub export: Option<BaseUri>,
}

#[derive(Serialize)]
pub(super) struct BaseUri {
    pub description: Message,
    #[serde(flatten)]
    pub location: Option<ArtifactLocation>,
}

/// A file or folder, below a base unless the URI is absolute.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

impl ArtifactLocation {
    /// Returns a file in the repository, or one with an absolute path.
    pub fn in_repository(path: &str) -> ArtifactLocation {
        match Url::from_file_path(path) {
            Ok(uri) => ArtifactLocation { uri: uri.into(), uri_base_id: None },
            Err(()) => ArtifactLocation { uri: encoded(path), uri_base_id: Some(SOURCES) },
        }
    }

    /// Returns a folder in the repository, or one with an absolute path.
    pub fn folder_in_repository(path: &str) -> ArtifactLocation {
        if let Ok(uri) = Url::from_directory_path(path) {
            return ArtifactLocation { uri: uri.into(), uri_base_id: None };
        }
        let uri = format!("{}/", encoded(path.trim_end_matches('/')));
        ArtifactLocation { uri, uri_base_id: Some(SOURCES) }
    }

    /// Returns a file of the export, whose URI is given if its name is not UTF-8.
    pub fn in_export(file: &str, uri: Option<String>, is_root: bool) -> ArtifactLocation {
        let base = if is_root { SOURCES } else { EXPORT };
        ArtifactLocation { uri: uri.unwrap_or_else(|| encoded(file)), uri_base_id: Some(base) }
    }
}

fn encoded(path: &str) -> String {
    percent_encode(path.as_bytes(), URI_PATH).to_string()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'r> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<SarifFix>,
    pub level: &'static str,
    pub locations: [SarifLocation; 1],
    pub message: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrence_count: Option<usize>,
    pub partial_fingerprints: PartialFingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<SarifLocation>,
    pub rule_id: &'r str,
    /// `null` for a rule of another version.
    pub rule_index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressions: Option<[Suppression<'r>; 1]>,
}

#[derive(Serialize)]
pub(super) struct PartialFingerprints {
    #[serde(rename = "sitegateFinding/v1")]
    pub v1: String,
}

#[derive(Serialize)]
pub(super) struct Suppression<'r> {
    pub justification: &'r str,
    pub kind: &'static str,
    pub status: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    pub physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    pub region: Region,
}

/// A range of a file. Lines and columns are counted from 1, and the end is behind the last character.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_offset: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
    start_line: u32,
}

impl Region {
    /// Returns a whole line.
    pub fn line(start_line: u32) -> Region {
        Region { start_line, ..Region::default() }
    }

    /// Returns the rest of a line from a column.
    pub fn at(start_line: u32, start_column: u32) -> Region {
        Region { start_column: Some(start_column), ..Region::line(start_line) }
    }

    /// Sets the end, as line and column.
    #[must_use]
    pub fn up_to(self, (end_line, end_column): (u32, u32)) -> Region {
        Region { end_line: Some(end_line), end_column: Some(end_column), ..self }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifFix {
    pub artifact_changes: Vec<ArtifactChange>,
    pub description: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange {
    pub artifact_location: ArtifactLocation,
    pub replacements: [SarifReplacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifReplacement {
    pub deleted_region: Region,
    pub inserted_content: Message,
}
