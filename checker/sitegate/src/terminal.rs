//! What all commands share of standard output and standard error: printing, complaining, and how a command ends.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use sitegate_base::sanitize::SanitizingWriter;
use sitegate_base::url_secrets::without_secrets;

use crate::error::Error;

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GREEN: Style = AnsiColor::Green.on_default().bold();
pub const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub const RED: Style = AnsiColor::Red.on_default().bold();

/// The exit code, or why the command ended without its result.
pub type Outcome = Result<u8, Error>;

/// The format of a command's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// Text for people
    Human,
    /// One document for programs
    Json,
}

/// The option for the format of a command's answer.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct AnswerArgs {
    /// Output format: human or json [default: human]
    #[arg(long, value_enum, default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub format: AnswerFormat,
}

/// How many seconds an argument may ask for: up to a week, so that no time is past what clocks can tell.
pub fn seconds() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(..=7 * 24 * 60 * 60)
}

/// A number that nothing is done without.
pub fn at_least_one() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..)
}

/// Standard output, on which nothing that others have named is obeyed.
pub fn stdout() -> SanitizingWriter<anstream::Stdout> {
    SanitizingWriter::new(anstream::stdout())
}

/// Standard error, guarded alike.
pub fn stderr() -> SanitizingWriter<anstream::Stderr> {
    SanitizingWriter::new(anstream::stderr())
}

/// Prints what clap has to say: help and version, which end with 0, or what is wrong with the command line, with 2. It
/// quotes that line, and no address in it tells a secret.
pub fn answer(answer: &clap::Error) -> ExitCode {
    let text = without_secrets(&answer.render().ansi().to_string());
    // Who closed the pipe has seen enough.
    let _ = if answer.use_stderr() {
        write!(anstream::stderr(), "{text}")
    } else {
        write!(anstream::stdout(), "{text}")
    };
    ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2))
}

/// Prints an error message to standard error.
pub fn complain(message: &str) {
    let mut out = stderr();
    let _ = writeln!(out, "{RED}error{RED:#}: {message}").and_then(|()| out.flush());
}

/// Prints to standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = stdout();
    finish(write(&mut out).and_then(|()| out.flush()))
}

/// A reader that has seen enough and closed the pipe is not an error.
pub fn finish(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
