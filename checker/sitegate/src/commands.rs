//! What each subcommand does with its arguments: calls the library, prints, gives the exit code.

use std::error::Error;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use sitegate_check::Ruleset;
use sitegate_check::contract::BaselineFile;
use sitegate_check::contract::{self, Contract};
use sitegate_check::diagnostic::Category;
use sitegate_check::diagnostic::Severity;
use sitegate_check::report::baseline;
use sitegate_check::report::{Report, Verdict};
use sitegate_check::rules::RULES;
use sitegate_check::{Options, Progress, rules};

use crate::cli::{CheckArgs, ExportArgs, Format};
use crate::publish_commands;

pub type Outcome = Result<u8, Box<dyn Error>>;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();

/// Prints what went wrong to standard error.
pub fn complain(error: &dyn std::fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{RED}error{RED:#}: {error}");
}

/// The contract that the arguments mean.
pub fn contract(args: &ExportArgs) -> Result<Contract, Box<dyn Error>> {
    let found = PathBuf::from(contract::FILE_NAME);
    Ok(match &args.config {
        Some(file) => Contract::load(file)?,
        None if !args.no_config && found.is_file() => Contract::load(&found)?,
        None => Contract::defaults(),
    })
}

/// The contract and the export's folder that the arguments mean.
pub fn load(args: &ExportArgs) -> Result<(Contract, PathBuf), Box<dyn Error>> {
    let config = contract(args)?;
    let root = args.dir.clone().or_else(|| config.site.root.clone());
    match root {
        Some(root) => Ok((config, root)),
        None => {
            Err("name the folder to check: `sitegate check DIR`, or set site.root in sitegate.toml".into())
        }
    }
}

pub fn check(args: &CheckArgs) -> Outcome {
    let start = Instant::now();
    let (mut config, root) = load(&args.export)?;
    let rules = Ruleset::new(&config)?;
    take_baseline(args, &mut config);
    args.outputs.prepare(args.seal.as_deref())?;
    publish_commands::prepare_seal(args.seal.as_deref(), &root)?;
    let progress = Progress::default();
    let options = Options { digest: args.seal.is_some(), progress: Some(&progress) };
    let report = with_progress_line(&progress, || sitegate_check::check(&root, &config, &rules, &options))?;
    if let Some(file) = &args.write_baseline {
        return write_baseline(&report, &config, file);
    }
    args.outputs.write(&report, &config, start.elapsed())?;
    publish_commands::seal(&report, &config, args.seal.as_deref())?;
    Ok(report.verdict().exit_code())
}

/// Puts the command line's baseline in the place of the contract's; one that is written starts from nothing.
pub fn take_baseline(args: &CheckArgs, config: &mut Contract) {
    if let Some(file) = &args.baseline {
        config.baseline = Some(BaselineFile::read(file));
    } else if args.write_baseline.is_some() {
        config.baseline = None;
    }
}

fn write_baseline(report: &Report, config: &Contract, file: &Path) -> Outcome {
    if report.verdict() == Verdict::Incomplete {
        return Err(
            format!("nothing written, since not everything could be read: {}", report.unread[0]).into()
        );
    }
    let count = baseline::write(report, config, file)?;
    let findings = if count == 1 { "finding" } else { "findings" };
    let mut out = anstream::stdout();
    let name = file.display();
    finish(writeln!(out, "wrote {count} {findings} to {name}; hold a check to it with `--baseline {name}`"))?;
    Ok(0)
}

/// A reader that has seen enough and closed the pipe is no error.
pub fn finish(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Runs `work`, and on a terminal says how far it has come once it takes longer than a second.
fn with_progress_line<T: Send>(progress: &Progress, work: impl FnOnce() -> T + Send) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, waiting) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let mut wait = Duration::from_secs(1);
            let mut shown = false;
            while waiting.recv_timeout(wait).is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Timeout) {
                let (at, of) =
                    (progress.done.load(Ordering::Relaxed), progress.total.load(Ordering::Relaxed));
                let _ = write!(anstream::stderr(), "\r\x1b[2K{DIM}checked {at} of {of} files{DIM:#}");
                wait = Duration::from_millis(100);
                shown = true;
            }
            if shown {
                let _ = write!(anstream::stderr(), "\r\x1b[2K");
            }
        });
        let result = work();
        drop(done);
        result
    })
}

#[derive(Serialize)]
struct RuleList {
    rules: Vec<RuleEntry>,
}

#[derive(Serialize)]
struct RuleEntry {
    id: &'static str,
    category: Category,
    default: Severity,
    summary: &'static str,
}

pub fn rules(format: Format) -> Outcome {
    let mut out = BufWriter::new(anstream::stdout());
    let written = match format {
        Format::Json => {
            let rules = RULES
                .iter()
                .map(|rule| rule.info)
                .map(|r| RuleEntry { id: r.id, category: r.category, default: r.default, summary: r.summary })
                .collect();
            serde_json::to_writer_pretty(&mut out, &RuleList { rules })?;
            writeln!(out)
        }
        Format::Human => list_rules(&mut out),
    };
    finish(written.and_then(|()| out.flush()))?;
    Ok(0)
}

fn list_rules(out: &mut dyn Write) -> io::Result<()> {
    let width = RULES.iter().map(|rule| rule.info.id.len()).max().unwrap_or(0);
    let mut category = None;
    for rule in RULES.iter().map(|rule| rule.info) {
        if category != Some(rule.category) {
            let gap = if category.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{BOLD}{}{BOLD:#}", rule.category)?;
            category = Some(rule.category);
        }
        let level = rule.default.as_str();
        writeln!(out, "  {:width$}  {DIM}{level:7}{DIM:#}  {}", rule.id, rule.summary)?;
    }
    writeln!(out, "\n{DIM}`sitegate explain RULE` tells more of each.{DIM:#}")
}

pub fn explain(id: &str) -> Outcome {
    let Some(rule) = rules::find(id) else {
        let near = rules::suggest(id).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_else(|| "; `sitegate rules` lists them".to_owned());
        return Err(format!("there is no rule `{id}`{near}").into());
    };
    let mut out = BufWriter::new(anstream::stdout());
    let mut text = || -> io::Result<()> {
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}  {DIM}{}, {} by default{DIM:#}\n",
            rule.id, rule.category, rule.default
        )?;
        writeln!(out, "{}.\n", capitalised(rule.summary))?;
        writeln!(out, "{}\n", wrapped(rule.why, 88))?;
        for (label, example) in [("Bad", rule.bad), ("Good", rule.good)] {
            writeln!(out, "{BOLD}{label}{BOLD:#}")?;
            for line in example.lines() {
                writeln!(out, "    {line}")?;
            }
        }
        let others = match rule.default {
            Severity::Error => "\"warn\"   # or \"off\"",
            Severity::Warn => "\"error\"   # or \"off\"",
            Severity::Off => "\"error\"   # or \"warn\"",
        };
        writeln!(out, "\n{BOLD}In sitegate.toml{BOLD:#}\n    [rules]\n    {} = {others}", rule.id)?;
        out.flush()
    };
    finish(text())?;
    Ok(0)
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Breaks running text into lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
