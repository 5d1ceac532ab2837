//! `sitegate init`: a starter contract, drafted from the export that is there.

use std::io::{self, Write};
use std::path::PathBuf;

use sitegate_check::english::count;
use sitegate_check::report::{Report, Verdict};
use sitegate_check::visible::visible;
use sitegate_check::{files, init};

use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The export's folder [default: the first of dist/client, dist, build, out, public, _site … that has pages]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Where to write the contract
    #[arg(long, value_name = "FILE", default_value = sitegate_check::contract::FILE_NAME)]
    config: PathBuf,
    /// Replace a contract that is there
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args) -> Outcome {
    let name = args.config.display();
    if args.config.exists() && !args.force {
        return Err(format!("{name}: is there already; `--force` replaces it").into());
    }
    let Some(root) = args.dir.clone().or_else(init::find_export) else {
        return Err("there is no export where builds usually put it; name it: `sitegate init DIR`".into());
    };
    let text = init::draft(&root, &args.config)?;
    files::write(&args.config, |mut out| out.write_all(text.as_bytes()))
        .map_err(|error| format!("{name}: {error}"))?;
    let (report, _) = init::trial(&text, &root, &args.config)?;
    let pages = count(report.summary.pages, "page");
    terminal::print(|out| {
        let root = root.display().to_string();
        writeln!(out, "wrote {name}: {pages} in {}", visible(&root))?;
        say(&report, out)
    })?;
    Ok(0)
}

/// Says what the contract finds in the export that it was drafted from.
fn say(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    match report.verdict() {
        Verdict::Passed if report.diagnostics.is_empty() => writeln!(out, "the export passes it")?,
        Verdict::Passed => writeln!(out, "the export passes it, with warnings:")?,
        _ => writeln!(out, "the export does not pass it yet:")?,
    }
    for (rule, level, count) in init::failing(report) {
        writeln!(out, "  {count:5}  {:7}  {rule}", level.as_str())?;
    }
    for error in &report.unread {
        writeln!(out, "  cannot check {}", visible(error))?;
    }
    if report.verdict() == Verdict::Failed {
        writeln!(out, "`sitegate check` shows each; `--write-baseline FILE` lets only new ones fail")?;
    }
    Ok(())
}
