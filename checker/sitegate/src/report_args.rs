//! Options that choose the reports to write and how many findings they list.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf, absolute};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sitegate_base::atomic_file::{self, REPORT};
use sitegate_base::nearest::nearest;
use sitegate_base::sanitize::SanitizingWriter;
use sitegate_check::{OutputFormat, RenderOptions, Report, ignored_note};

use crate::error::Error;
use crate::terminal::{has_hyperlinks, ignore_closed_pipe, print_note, stdout, terminal_width};

/// Size of the output buffer, in bytes.
const BUFFER: usize = 1 << 16;

/// The format of standard output and the number of findings to list.
#[derive(Debug, clap::Args)]
pub struct ReportFormatArgs {
    /// Format of standard output [default: human]
    #[arg(
        long, value_parser = report_formats(), default_value = "human", hide_default_value = true,
        hide_possible_values = true, long_help = format_help()
    )]
    pub format: OutputFormat,
    /// List all causes and all their locations
    ///
    /// By default, the format `human` lists up to 25 causes in about 64 lines, at least one error of each rule, up to three
    /// warnings of each rule, and three locations of each cause. Many warnings of duplicate-title, insecure-link or
    /// placeholder are only counted. The other formats are complete, or state what they omit.
    #[arg(long)]
    all: bool,
    /// List errors only
    ///
    /// This affects the format `human` only. Its last line still counts warnings.
    #[arg(long, short, hide_short_help = true, help_heading = "Reports")]
    quiet: bool,
}

/// The link to Visual Studio Code.
const DEFAULT_EDITOR: &str = "vscode://file{path}:{line}:{column}";

/// The reports to write.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    #[command(flatten)]
    pub format: ReportFormatArgs,
    /// Write another report to a file; may be repeated
    ///
    /// FORMAT is one of the formats of --format. The file is removed before the check starts, unless it is a seal or a
    /// baseline, which is an error. Example: --report sarif=out.sarif --report html=out.html
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = parse_report_file)]
    reports: Vec<ReportFile>,
}

/// A report to write to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ReportFile {
    format: OutputFormat,
    file: PathBuf,
}

/// Returns a parser of values that have names.
pub fn named_values<V: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (PossibleValue, V)>,
) -> impl TypedValueParser<Value = V> {
    let values: Vec<(PossibleValue, V)> = values.into_iter().collect();
    let names = PossibleValuesParser::new(values.iter().map(|(name, _)| name.clone()));
    names.try_map(move |given| {
        let found = values.iter().find(|(name, _)| name.get_name() == given);
        found.map(|(_, value)| value.clone()).ok_or("it is no value")
    })
}

fn report_formats() -> impl TypedValueParser<Value = OutputFormat> {
    let value = |format: OutputFormat| PossibleValue::new(format.name()).help(format.purpose());
    named_values(OutputFormat::ALL.map(|format| (value(format), format)))
}

/// Returns the long help of `--format`, with one format per line.
fn format_help() -> String {
    let formats =
        OutputFormat::ALL.iter().map(|format| format!("\n- {:9} {}", format.name(), format.purpose()));
    let help = "Format of standard output [default: human]. The exit code is the same for every format.\n";
    formats.fold(help.to_owned(), |help, format| help + &format)
}

/// Parses a value of `--report`.
fn parse_report_file(value: &str) -> Result<ReportFile, Error> {
    let Some((name, file)) = value.split_once('=') else {
        return Err(Error::usage("a report is FORMAT=FILE, such as sarif=out.sarif"));
    };
    let known = || OutputFormat::ALL.iter().map(|format| format.name());
    let Some(format) = OutputFormat::ALL.into_iter().find(|format| format.name() == name) else {
        return Err(Error::usage(match nearest(name, known()) {
            Some(near) => format!("unknown format `{name}`; did you mean `{near}`?"),
            None => {
                format!("unknown format `{name}`; known formats: {}", known().collect::<Vec<_>>().join(", "))
            }
        }));
    };
    match file {
        "" => Err(Error::usage(format!("name the file after `{name}=`"))),
        "-" => Err(Error::usage(format!("`-` is not a file; for standard output use --format {name}"))),
        file => Ok(ReportFile { format, file: file.into() }),
    }
}

impl ReportFormatArgs {
    /// Returns the options that choose the findings to list.
    pub fn options(&self) -> RenderOptions {
        let directory = std::env::current_dir().unwrap_or_default();
        // A report of a CI job is read on another machine.
        let editor = std::env::var_os("CI").is_none().then(|| DEFAULT_EDITOR.to_owned());
        RenderOptions { all: self.all, quiet: self.quiet, directory, editor, ..RenderOptions::default() }
    }

    /// Whether standard output is for people.
    pub fn is_human(&self) -> bool {
        self.format == OutputFormat::Human
    }

    /// Writes a report to standard output. `fixable` is the number of findings that `--fix` would fix, if it is known.
    pub fn print(&self, report: &Report, fixable: Option<usize>) -> Result<(), Error> {
        let out: Box<dyn Write> = match self.format {
            OutputFormat::Human => Box::new(stdout()),
            format => guarded(format, BufWriter::with_capacity(BUFFER, io::stdout().lock())),
        };
        let mut options = self.options();
        options.width = terminal_width().unwrap_or(options.width);
        options.hyperlinks = has_hyperlinks();
        options.fixable = fixable;
        ignore_closed_pipe(write(self.format, report, &options, out))?;
        // These formats have no place for ignored findings.
        if matches!(self.format, OutputFormat::Gitlab | OutputFormat::Rdjson)
            && let Some(note) = ignored_note(report)
        {
            print_note(&note);
        }
        Ok(())
    }
}

impl ReportArgs {
    /// Rejects invalid report paths and removes the reports of an earlier run, so that no one mistakes them for those of
    /// this run.
    pub fn prepare(&self, seal: Option<&Path>) -> Result<(), Error> {
        let refuse = |file: &Path, why| Err(Error::usage(format!("--report {}: {why}", file.display())));
        for (index, ReportFile { file, .. }) in self.reports.iter().enumerate() {
            if file.is_dir() || file.file_name().is_none() {
                return refuse(file, "is a folder");
            }
            if seal.is_some_and(|seal| is_same(seal, file)) {
                return refuse(file, "the seal is written there");
            }
            if self.reports[..index].iter().any(|other| is_same(&other.file, file)) {
                return refuse(file, "another report is written there");
            }
        }
        for action in [atomic_file::check, atomic_file::clear] {
            for ReportFile { file, .. } in &self.reports {
                action(file, REPORT).map_err(Error::system(format!("--report {}", file.display())))?;
            }
        }
        Ok(())
    }

    /// Removes the reports of a run that could not write all its outputs, so that none says that it passed.
    pub fn discard(&self) {
        for ReportFile { file, .. } in &self.reports {
            // The command has failed already.
            let _ = atomic_file::clear(file, REPORT);
        }
    }

    /// Writes the reports to files.
    pub fn write_files(&self, report: &Report) -> Result<(), Error> {
        let mut options = self.format.options();
        for ReportFile { format, file } in &self.reports {
            options.folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
            let write = |out| write(*format, report, &options, file_writer(*format, out));
            atomic_file::write(file, REPORT, write)
                .map_err(Error::system(format!("--report {}", file.display())))?;
            tracing::info!("wrote {}", file.display());
        }
        Ok(())
    }
}

/// Whether two paths name the same file, judged by their text alone.
fn is_same(one: &Path, other: &Path) -> bool {
    match (absolute(one), absolute(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

fn write(
    format: OutputFormat,
    report: &Report,
    options: &RenderOptions,
    mut out: Box<dyn Write>,
) -> io::Result<()> {
    sitegate_check::write(format, report, options, &mut *out)?;
    out.flush()
}

/// Returns a writer to a file, without terminal styles.
fn file_writer(format: OutputFormat, out: fs::File) -> Box<dyn Write> {
    match format {
        OutputFormat::Human => Box::new(SanitizingWriter::new(anstream::StripStream::new(out))),
        format => guarded(format, BufWriter::with_capacity(BUFFER, out)),
    }
}

/// Returns a writer that escapes control characters and CI commands in untrusted text.
fn guarded(format: OutputFormat, out: impl Write + 'static) -> Box<dyn Write> {
    Box::new(match format {
        OutputFormat::Github => SanitizingWriter::with_commands(out),
        _ => SanitizingWriter::new(out),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{OutputFormat, ReportFile, is_same, parse_report_file};

    #[test]
    fn parses_a_format_and_a_file() {
        let read = |value| parse_report_file(value).map_err(|error| error.to_string());
        let report = |file: &str| ReportFile { format: OutputFormat::Sarif, file: file.into() };
        assert_eq!(read("sarif=out.sarif"), Ok(report("out.sarif")));
        assert_eq!(read("sarif=a=b"), Ok(report("a=b")));
        for (value, wanted) in [
            ("out.sarif", "a report is FORMAT=FILE, such as sarif=out.sarif"),
            ("sarfi=x", "unknown format `sarfi`; did you mean `sarif`?"),
            ("yaml=x", "unknown format `yaml`; known formats: human, json, sarif, "),
            ("sarif=", "name the file after `sarif=`"),
            ("sarif=-", "for standard output use --format sarif"),
        ] {
            let error = read(value).err().unwrap_or_default();
            assert!(error.contains(wanted), "{value}: {error}");
        }
    }

    #[test]
    fn recognizes_two_paths_of_the_same_file() {
        assert!(is_same(Path::new("a/x"), Path::new("./a//x")));
        assert!(!is_same(Path::new("a/x"), Path::new("a/y")));
    }
}
