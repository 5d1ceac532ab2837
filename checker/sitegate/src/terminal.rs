//! Standard output and standard error of all commands: printing, error messages, exit codes, and the progress of a long
//! command on one line of the terminal.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sitegate_base::sanitize::SanitizingWriter;
use sitegate_base::url_secrets::without_secrets;
use terminal_size::terminal_size_of;
use tracing::level_filters::LevelFilter;

use crate::error::Error;

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GREEN: Style = AnsiColor::Green.on_default().bold();
pub const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub const RED: Style = AnsiColor::Red.on_default().bold();

/// The exit code, or the error that ended the command.
pub type Outcome = Result<u8, Error>;

/// The output format of a command without a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CommandFormat {
    /// Text for people
    Human,
    /// JSON for programs
    Json,
}

/// The option `--format` of a command without a report.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct CommandFormatArgs {
    /// Output format: human or json [default: human]
    #[arg(long, value_enum, default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub format: CommandFormat,
}

/// Parses a number of seconds, up to a week. The limit keeps sums of times within the range of clocks.
pub fn seconds() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(..=7 * 24 * 60 * 60)
}

/// Parses a number above zero.
pub fn at_least_one() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..)
}

/// Returns standard output, with control characters in untrusted text escaped.
pub fn stdout() -> SanitizingWriter<anstream::Stdout> {
    SanitizingWriter::new(anstream::stdout())
}

/// Returns standard error, with control characters in untrusted text escaped.
pub fn stderr() -> SanitizingWriter<anstream::Stderr> {
    SanitizingWriter::new(anstream::stderr())
}

/// Returns the width of the terminal that standard output is, in columns; or else the variable `COLUMNS`.
pub fn terminal_width() -> Option<usize> {
    match terminal_size_of(io::stdout()) {
        Some((width, _)) => Some(width.0.into()),
        None => env::var("COLUMNS").ok()?.parse().ok(),
    }
}

/// Whether standard output is a terminal that shows links (the sequence OSC 8). `FORCE_HYPERLINK` overrides this.
pub fn has_hyperlinks() -> bool {
    let has_styles = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    has_styles && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout)
}

/// Prints a message of clap and returns its exit code: 0 for help and version, 2 for an error in the command line.
/// Removes secrets from URLs that the message quotes.
pub fn print_clap_message(message: &clap::Error) -> Outcome {
    let text = without_secrets(&message.render().ansi().to_string());
    let print = |out: &mut dyn Write| write!(out, "{text}").and_then(|()| out.flush());
    let printed = if message.use_stderr() {
        // There is no other place for an error message.
        print(&mut anstream::stderr()).or(Ok(()))
    } else {
        ignore_closed_pipe(print(&mut anstream::stdout()))
    };
    printed.map(|()| u8::try_from(message.exit_code()).unwrap_or(2)).map_err(Error::Output)
}

/// Prints an error, and returns its exit code.
pub fn exit_with(error: &Error) -> ExitCode {
    print_error(&error.message());
    ExitCode::from(error.exit_code())
}

/// Prints an error message to standard error.
pub fn print_error(message: &str) {
    let mut out = stderr();
    let _ = writeln!(out, "{RED}error{RED:#}: {message}").and_then(|()| out.flush());
}

/// Prints a note to standard error.
pub fn print_note(message: &str) {
    let mut out = stderr();
    let _ = writeln!(out, "{BOLD}note{BOLD:#}: {message}").and_then(|()| out.flush());
}

/// Prints to standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = stdout();
    ignore_closed_pipe(write(&mut out).and_then(|()| out.flush()))
}

/// Prints to standard error.
pub fn print_to_stderr(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = stderr();
    write(&mut out).and_then(|()| out.flush())
}

/// Prints bytes that another program reads. Control characters are escaped only on a terminal.
pub fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    if io::stdout().is_terminal() {
        return print(|out| out.write_all(bytes));
    }
    let mut out = io::stdout().lock();
    ignore_closed_pipe(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Ignores the error of a pipe that its reader closed.
pub fn ignore_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The time before the line appears, so that short commands show nothing.
const DELAY: Duration = Duration::from_secs(1);

/// A progress line. It disappears when it is dropped.
pub struct ProgressLine {
    bar: ProgressBar,
    start: Instant,
}

impl ProgressLine {
    /// Starts a line if standard error is a terminal, outside of CI and without `-v`.
    pub fn start() -> Option<ProgressLine> {
        let is_visible = io::stderr().is_terminal()
            && env::var_os("CI").is_none()
            && LevelFilter::current() == LevelFilter::OFF;
        is_visible.then(|| ProgressLine {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            start: Instant::now(),
        })
    }

    /// Shows that `done` of `total` steps are done.
    pub fn show(&self, done: usize, total: usize, message: String) {
        if self.start.elapsed() < DELAY {
            return;
        }
        if self.bar.is_hidden() {
            let style = ProgressStyle::with_template("[{bar:24}] {wide_msg}");
            self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("## "));
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        self.bar.set_message(message);
    }

    /// Hides the line while `print` runs.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
