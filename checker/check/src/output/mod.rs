//! Writes reports in all output formats. Each format is one function of a report and its options.

mod github;
mod gitlab;
mod html;
mod human;
mod human_summary;
mod junit;
mod markdown;
mod phrases;
mod rdjson;
mod report_view;
mod sarif;
mod wrong_setting;

pub use phrases::ignored_note;
pub use report_view::RenderOptions;

use std::io::{self, Write};

use crate::report::Report;
use sitegate_base::json_writer::{self, JsonLayout, write_json};

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
    write: WriteReport,
}

type WriteReport = fn(&Report, &RenderOptions, &mut dyn Write) -> io::Result<()>;

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
        let row = |name, purpose, write: WriteReport| FormatRow { name, purpose, write };
        match self {
            OutputFormat::Human => row("human", "Text for people", human::write),
            OutputFormat::Json => {
                row("json", "One JSON document with a versioned schema", |report, _, out| {
                    write_json(report, JsonLayout::Pretty, out)
                })
            }
            OutputFormat::Sarif => row("sarif", "SARIF 2.1.0, for code scanning and editors", sarif::write),
            OutputFormat::Junit => {
                row("junit", "JUnit XML, for test reports in GitLab, Jenkins etc.", junit::write)
            }
            OutputFormat::Github => row("github", "Annotations for GitHub Actions", github::write),
            OutputFormat::Gitlab => row("gitlab", "Code quality report for GitLab", gitlab::write),
            OutputFormat::Rdjson => row("rdjson", "Suggested changes, for reviewdog", rdjson::write),
            OutputFormat::Markdown => {
                row("markdown", "Summary, such as for $GITHUB_STEP_SUMMARY", markdown::write)
            }
            OutputFormat::Html => row("html", "Page with filters, source lines and link graph", html::write),
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
    json_writer::schema::<Report>()
}
