//! The `--format` and `--output` arguments: which reports are written, and where each goes.

use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum, value_parser};
use sitegate_base::atomic_file;
use sitegate_base::sanitize::Guarded;
use sitegate_check::internal::output::{self, OutputFormat, RenderOptions};
use sitegate_check::internal::report::Report;
use sitegate_check::internal::report::causes::Grouping;

use crate::terminal::{finish, stdout};

const FORMAT_HELP: &str = "How to write the findings; may be given several times";
const FORMAT_MORE: &str = "How to write the findings. May be given several times, each with an --output of its \
                           own: one check, many reports. The exit code is the same for every format.";
const OUTPUT_HELP: &str = "The file for the --format before it; `-` or none is standard output";
const OUTPUT_MORE: &str = "The file that the --format before it is written to, whole or not at all. `-`, or no \
                           --output, means standard output, which takes one format.\n\nExample: --format sarif \
                           --output report.sarif --format human";

const ALL_MORE: &str = "List every cause, and every place of each. Without it the format for people lists 25 causes \
                        at most, and three places of each; the other formats are complete, or say what they leave out.";
const QUIET_MORE: &str =
    "List errors only. This is about the format for people; warnings still count in its last line.";

const GROUP_MORE: &str = "Which findings are told as one: those with one cause, wherever they are met, or those with \
                          one cause on one page. JSON has every finding, and is not changed by this.\n\n[default: cause]";

/// Bytes that are gathered before they are written.
const BUFFER: usize = 1 << 16;

/// The reports to write, in the order of the command line.
#[derive(Debug)]
pub struct Outputs {
    outputs: Vec<Output>,
    options: RenderOptions,
}

#[derive(Debug, PartialEq, Eq)]
struct Output {
    format: OutputFormat,
    /// `None` is standard output.
    file: Option<PathBuf>,
}

/// The values of `--format`, in the order of help.
#[derive(Clone, Copy, Debug)]
struct Choice(OutputFormat);

impl ValueEnum for Choice {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Choice(OutputFormat::Human),
            Choice(OutputFormat::Json),
            Choice(OutputFormat::Sarif),
            Choice(OutputFormat::Junit),
            Choice(OutputFormat::Github),
            Choice(OutputFormat::Gitlab),
            Choice(OutputFormat::Markdown),
            Choice(OutputFormat::Html),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self.0 {
            OutputFormat::Human => ("human", "For people, in a terminal"),
            OutputFormat::Json => ("json", "For programs: one document, its shape versioned"),
            OutputFormat::Sarif => ("sarif", "SARIF 2.1.0, for code scanning and editors"),
            OutputFormat::Junit => ("junit", "JUnit XML, for the test reports of GitLab, Jenkins and others"),
            OutputFormat::Github => ("github", "Annotations of GitHub Actions"),
            OutputFormat::Gitlab => ("gitlab", "Code quality report of GitLab"),
            OutputFormat::Markdown => ("markdown", "A summary, such as for $GITHUB_STEP_SUMMARY"),
            OutputFormat::Html => {
                ("html", "A page to look through: filters, source lines, link graph; one file")
            }
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// The values of `--group`, in the order of help.
#[derive(Clone, Copy, Debug)]
struct GroupChoice(Grouping);

impl ValueEnum for GroupChoice {
    fn value_variants<'a>() -> &'a [Self] {
        &[GroupChoice(Grouping::Cause), GroupChoice(Grouping::Page)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            Grouping::Cause => {
                PossibleValue::new("cause").help("A link that a template has on 1,204 pages is one")
            }
            Grouping::Page => PossibleValue::new("page").help("It is one on each page"),
        })
    }
}

impl Args for Outputs {
    fn augment_args(command: Command) -> Command {
        command
            .arg(
                Arg::new("format")
                    .long("format")
                    .value_name("FORMAT")
                    .value_parser(value_parser!(Choice))
                    .action(ArgAction::Append)
                    .help(format!("{FORMAT_HELP} [default: human]"))
                    .long_help(format!("{FORMAT_MORE}\n\n[default: human]")),
            )
            .arg(
                Arg::new("output")
                    .long("output")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .action(ArgAction::Append)
                    .help(OUTPUT_HELP)
                    .long_help(OUTPUT_MORE),
            )
            .arg(
                Arg::new("all")
                    .long("all")
                    .action(ArgAction::SetTrue)
                    .help("List every cause, and every place of each")
                    .long_help(ALL_MORE),
            )
            .arg(
                Arg::new("quiet")
                    .long("quiet")
                    .short('q')
                    .action(ArgAction::SetTrue)
                    .help("List errors only")
                    .long_help(QUIET_MORE),
            )
            .arg(
                Arg::new("group")
                    .long("group")
                    .value_name("BY")
                    .value_parser(value_parser!(GroupChoice))
                    .help("Which findings are told as one [default: cause]")
                    .long_help(GROUP_MORE),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Outputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let formats = placed::<Choice>(matches, "format").map(|(at, choice)| (at, choice.0));
        let files = placed::<PathBuf>(matches, "output");
        let group = matches.get_one::<GroupChoice>("group").map_or(Grouping::Cause, |choice| choice.0);
        let (all, quiet) = (matches.get_flag("all"), matches.get_flag("quiet"));
        let options = RenderOptions { all, quiet, group, ..RenderOptions::default() };
        pair(formats.collect(), files.collect())
            .map(|outputs| Outputs { outputs, options })
            .map_err(|message| clap::Error::raw(ErrorKind::ArgumentConflict, format!("{message}\n")))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The values of an argument, with their places on the command line.
fn placed<T: Clone + Send + Sync + 'static>(
    matches: &ArgMatches,
    id: &str,
) -> impl Iterator<Item = (usize, T)> {
    let values = matches.get_many::<T>(id).into_iter().flatten().cloned();
    matches.indices_of(id).into_iter().flatten().zip(values)
}

/// Gives each `--output` to the `--format` before it.
fn pair(formats: Vec<(usize, OutputFormat)>, files: Vec<(usize, PathBuf)>) -> Result<Vec<Output>, String> {
    let mut outputs: Vec<(usize, Output, bool)> =
        formats.into_iter().map(|(at, format)| (at, Output { format, file: None }, false)).collect();
    for (at, file) in files {
        let shown = file.display().to_string();
        let Some((_, output, named)) = outputs.iter_mut().rev().find(|(format, ..)| *format < at) else {
            return Err(format!("`--output {shown}` needs a --format before it, whose file it is"));
        };
        if std::mem::replace(named, true) {
            return Err(format!("`--output {shown}` has no --format of its own: each takes one file"));
        }
        output.file = (file.as_os_str() != "-").then_some(file);
    }
    let mut outputs: Vec<Output> = outputs.into_iter().map(|(_, output, _)| output).collect();
    if outputs.is_empty() {
        outputs.push(Output { format: OutputFormat::Human, file: None });
    }
    if outputs.iter().filter(|output| output.file.is_none()).count() > 1 {
        return Err(
            "only one --format can go to standard output: give the others an --output FILE".to_owned()
        );
    }
    for (index, output) in outputs.iter().enumerate() {
        if let Some(file) = &output.file
            && outputs[..index].iter().any(|other| other.file.as_ref() == Some(file))
        {
            return Err(format!("`--output {}` is given twice", file.display()));
        }
    }
    Ok(outputs)
}

impl Outputs {
    /// Refuses paths that cannot be written, before a check begins, and clears away what stands there: whatever happens
    /// next, no report of an earlier run is taken for this one's.
    pub fn prepare(&self, seal: Option<&Path>) -> Result<(), Box<dyn Error>> {
        for file in self.outputs.iter().filter_map(|output| output.file.as_deref()) {
            if file.is_dir() || file.file_name().is_none() {
                return Err(format!("--output {}: this is a directory", file.display()).into());
            }
            if seal == Some(file) {
                return Err(format!("--output {}: the seal is written there", file.display()).into());
            }
        }
        for file in self.outputs.iter().filter_map(|output| output.file.as_deref()) {
            atomic_file::clear(file).map_err(|error| format!("--output {}: {error}", file.display()))?;
        }
        Ok(())
    }

    /// What the formats show of a report.
    pub fn options(&self) -> &RenderOptions {
        &self.options
    }

    /// Writes every report: files first, so that they exist once something is printed.
    pub fn write(&self, report: &Report) -> Result<(), Box<dyn Error>> {
        let mut options =
            RenderOptions { directory: std::env::current_dir().unwrap_or_default(), ..self.options.clone() };
        let mut write = |output: &Output, mut out: Box<dyn Write>| {
            let folder = output.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
            options.folder = folder.to_path_buf();
            output::write(output.format, report, &options, &mut *out).and_then(|()| out.flush())
        };
        for output in &self.outputs {
            if let Some(file) = &output.file {
                to_file(file, |out| write(output, plain(output.format, out)))
                    .map_err(|error| format!("--output {}: {error}", file.display()))?;
            }
        }
        for output in self.outputs.iter().filter(|output| output.file.is_none()) {
            let out: Box<dyn Write> = match output.format {
                OutputFormat::Human => Box::new(stdout()),
                format => guarded(format, BufWriter::with_capacity(BUFFER, io::stdout().lock())),
            };
            finish(write(output, out))?;
        }
        Ok(())
    }
}

/// A writer to a file, without the styles of a terminal.
fn plain(format: OutputFormat, out: fs::File) -> Box<dyn Write> {
    match format {
        OutputFormat::Human => Box::new(Guarded::new(anstream::StripStream::new(out))),
        format => guarded(format, BufWriter::with_capacity(BUFFER, out)),
    }
}

/// A writer through which nothing that others have named is obeyed, by terminals or by CI systems.
fn guarded(format: OutputFormat, out: impl Write + 'static) -> Box<dyn Write> {
    Box::new(match format {
        OutputFormat::Github => Guarded::with_commands(out),
        _ => Guarded::new(out),
    })
}

/// Writes a report to a file whose folder need not be there yet.
fn to_file(file: &Path, write: impl FnOnce(fs::File) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    atomic_file::write(file, write)
}

#[cfg(test)]
mod tests {
    use super::{Output, OutputFormat, pair};

    fn outputs(formats: &[(usize, OutputFormat)], files: &[(usize, &str)]) -> Result<Vec<Output>, String> {
        pair(formats.to_vec(), files.iter().map(|(at, file)| (*at, file.into())).collect())
    }

    fn output(format: OutputFormat, file: Option<&str>) -> Output {
        Output { format, file: file.map(Into::into) }
    }

    #[test]
    fn a_file_belongs_to_the_format_before_it() {
        assert_eq!(outputs(&[], &[]), Ok(vec![output(OutputFormat::Human, None)]));
        assert_eq!(
            outputs(&[(2, OutputFormat::Sarif), (6, OutputFormat::Human)], &[(4, "a.sarif")]),
            Ok(vec![output(OutputFormat::Sarif, Some("a.sarif")), output(OutputFormat::Human, None)])
        );
        assert_eq!(
            outputs(&[(2, OutputFormat::Json), (4, OutputFormat::Human)], &[(6, "log")]),
            Ok(vec![output(OutputFormat::Json, None), output(OutputFormat::Human, Some("log"))])
        );
        assert_eq!(
            outputs(&[(2, OutputFormat::Json)], &[(4, "-")]),
            Ok(vec![output(OutputFormat::Json, None)])
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let refused = |formats: &[_], files: &[_]| outputs(formats, files).err().unwrap_or_default();
        assert!(refused(&[], &[(2, "x")]).contains("needs a --format before it"));
        assert!(refused(&[(4, OutputFormat::Json)], &[(2, "x")]).contains("needs a --format before it"));
        assert!(refused(&[(2, OutputFormat::Json)], &[(4, "x"), (6, "y")]).contains("`--output y`"));
        assert!(
            refused(&[(2, OutputFormat::Json), (4, OutputFormat::Html)], &[]).contains("standard output")
        );
        assert!(
            refused(&[(2, OutputFormat::Json), (4, OutputFormat::Html)], &[(6, "-")])
                .contains("standard output")
        );
        assert!(
            refused(&[(2, OutputFormat::Json), (6, OutputFormat::Html)], &[(4, "x"), (8, "x")])
                .contains("given twice")
        );
    }
}
