//! Writes reports in all output formats. Each format is one function of a report and its options.

mod github;
mod gitlab;
mod html;
mod human;
mod junit;
mod markdown;
mod phrases;
mod place;
mod rdjson;
mod render_options;
mod report_view;
mod sarif;
mod sarif_log;
mod wrong_setting;

pub use phrases::ignored_note;
pub use render_options::RenderOptions;

use std::io::{self, Write};

use crate::report::Report;
use sitegate_base::atomic_file::OutputKind;
use sitegate_base::json_schema;
use sitegate_base::json_writer::{JsonLayout, write_json};

/// The output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// For people, in a terminal.
    Human,
    /// JSON, the report itself.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// `JUnit` XML.
    Junit,
    /// Annotations for GitHub Actions.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// The Reviewdog Diagnostic Format, with suggested changes.
    Rdjson,
    /// A summary in Markdown.
    Markdown,
    /// An HTML page with search.
    Html,
}

/// A row of the table of formats.
struct FormatRow {
    /// Its name, as `--format` takes it.
    name: &'static str,
    /// Its purpose, for `--help`.
    purpose: &'static str,
    /// The kind of a report in this format, by which an older one is recognized and replaced.
    kind: OutputKind,
    write: fn(&Report, &RenderOptions, &mut dyn Write) -> io::Result<()>,
}

impl OutputFormat {
    /// All formats.
    pub const ALL: [OutputFormat; 9] = [
        OutputFormat::Human,
        OutputFormat::Json,
        OutputFormat::Sarif,
        OutputFormat::Junit,
        OutputFormat::Github,
        OutputFormat::Gitlab,
        OutputFormat::Rdjson,
        OutputFormat::Markdown,
        OutputFormat::Html,
    ];

    fn row(self) -> FormatRow {
        match self {
            OutputFormat::Human => FormatRow {
                name: "human",
                purpose: "Text for people",
                kind: OutputKind { name: "a report in the format human", is_own: human::is_report },
                write: human::write,
            },
            OutputFormat::Json => FormatRow {
                name: "json",
                purpose: "One JSON document with a versioned schema",
                kind: OutputKind {
                    name: "a report in the format json",
                    is_own: |text| is_own_object(text, "verdict"),
                },
                write: |report, _, out| write_json(report, JsonLayout::Pretty, out),
            },
            OutputFormat::Sarif => FormatRow {
                name: "sarif",
                purpose: "SARIF 2.1.0, for code scanning and editors",
                kind: OutputKind {
                    name: "a report in the format sarif",
                    is_own: |text| is_own_object(text, "driver"),
                },
                write: sarif::write,
            },
            OutputFormat::Junit => FormatRow {
                name: "junit",
                purpose: "JUnit XML, for test reports in GitLab, Jenkins etc.",
                kind: OutputKind {
                    name: "a report in the format junit",
                    is_own: |text| {
                        text.starts_with("<?xml") && text.contains("<testsuites name=\"sitegate\"")
                    },
                },
                write: junit::write,
            },
            OutputFormat::Github => FormatRow {
                name: "github",
                purpose: "Annotations for GitHub Actions",
                kind: OutputKind {
                    name: "a report in the format github",
                    is_own: |text| text.lines().any(|line| line.starts_with("sitegate: ")),
                },
                write: github::write,
            },
            OutputFormat::Gitlab => FormatRow {
                name: "gitlab",
                purpose: "Code quality report for GitLab",
                kind: OutputKind {
                    name: "a report in the format gitlab",
                    is_own: |text| {
                        let has_fields = || has_field(text, "check_name") && has_field(text, "fingerprint");
                        text.trim() == "[]" || text.starts_with('[') && has_fields()
                    },
                },
                write: gitlab::write,
            },
            OutputFormat::Rdjson => FormatRow {
                name: "rdjson",
                purpose: "Suggested changes, for reviewdog",
                kind: OutputKind {
                    name: "a report in the format rdjson",
                    is_own: |text| is_own_object(text, "diagnostics"),
                },
                write: rdjson::write,
            },
            OutputFormat::Markdown => FormatRow {
                name: "markdown",
                purpose: "Summary, such as for $GITHUB_STEP_SUMMARY",
                kind: OutputKind {
                    name: "a report in the format markdown",
                    is_own: |text| {
                        let first = text.lines().next().unwrap_or_default();
                        first.starts_with("## ") && first.contains(" sitegate: ")
                    },
                },
                write: markdown::write,
            },
            OutputFormat::Html => FormatRow {
                name: "html",
                purpose: "Page with filters, source lines and link graph",
                kind: OutputKind {
                    name: "a report in the format html",
                    is_own: |text| text.contains(html::GENERATOR),
                },
                write: html::write,
            },
        }
    }

    /// Returns the name, as `--format` takes it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the purpose, in a few words.
    pub fn purpose(self) -> &'static str {
        self.row().purpose
    }

    /// Returns the kind of a report in this format, by which an older one is recognized and replaced.
    pub fn output_kind(self) -> OutputKind {
        self.row().kind
    }
}

/// Whether a text is a JSON object with a field, and names this program as its `tool` or `driver`.
fn is_own_object(text: &str, field: &str) -> bool {
    let name = |spaces| format!("\"name\":{spaces}\"{}\"", crate::report::PROGRAM);
    let names_program = || text.contains(&name("")) || text.contains(&name(" "));
    text.starts_with('{') && has_field(text, field) && names_program()
}

fn has_field(text: &str, name: &str) -> bool {
    text.contains(&format!("\"{name}\":"))
}

/// Writes a report in a format. The output depends only on the report and the options.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(
    format: OutputFormat,
    report: &Report,
    options: &RenderOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    (format.row().write)(report, options, out)
}

/// Returns the JSON Schema of the JSON report, in draft 7, which `sitegate schema report` prints.
pub fn report_schema() -> String {
    json_schema::schema::<Report>()
}
