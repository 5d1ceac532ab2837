//! `sitegate init`: a starter contract, drafted from the export that is there and from its generator's configuration.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sitegate_base::atomic_file;
use sitegate_base::plural::count;
use sitegate_base::sanitize::{slashed, visible};
use sitegate_check::internal::init;
use sitegate_check::internal::project::Project;
use sitegate_check::internal::report::{Verdict, result::CheckResult};

use crate::error::Error;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The export's folder [default: found]
    ///
    /// The default is the folder that the generator's configuration names, else the first of dist/client, dist, build,
    /// out … that has pages.
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Where to write the contract
    #[arg(long, value_name = "FILE", default_value = sitegate_check::internal::contract::FILE_NAME)]
    config: PathBuf,
    /// Replace an existing contract
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args) -> Outcome {
    let name = args.config.display();
    if args.config.exists() && !args.force {
        return Err(Error::usage(format!("{name}: is there already; `--force` replaces it")));
    }
    let (root, project) = find(args)?;
    let text = init::draft(&root, &args.config, project.as_ref())?;
    atomic_file::write(&args.config, |mut out| out.write_all(text.as_bytes()))
        .map_err(Error::file(&args.config))?;
    let (report, _) = init::check_draft(&text, &root, &args.config)?;
    let pages = count(report.summary.pages, "page");
    terminal::print(|out| {
        let root = slashed(&root);
        let built = project.as_ref().map(|project| format!(", built by {}", project.generator));
        writeln!(out, "wrote {name}: {pages} in {}{}", visible(&root), built.unwrap_or_default())?;
        say(&report, out)
    })?;
    Ok(0)
}

/// The export that is meant, and the project that was built to it, where one is known.
fn find(args: &Args) -> Result<(PathBuf, Option<Project>), Error> {
    let here = args.config.parent().unwrap_or(Path::new(""));
    let mut projects = Project::all(here);
    let export = |is_meant: &dyn Fn(&Project) -> bool| {
        let mut meant = projects.iter().filter(|project| is_meant(project));
        meant.find_map(Project::export).map(Path::to_path_buf)
    };
    let own = || export(&|project| project.is_in(here));
    let below = || export(&|_| true);
    if let Some(root) = args.dir.clone().or_else(own).or_else(init::find_export).or_else(below) {
        let owner = projects.iter().position(|project| project.owns(&root));
        return Ok((root, owner.map(|owner| projects.swap_remove(owner))));
    }
    Err(Error::usage(match projects.first() {
        Some(Project { generator, roots, .. }) if !roots.is_empty() => {
            let root = slashed(&roots[0]);
            format!(
                "{generator} writes the export to {}, where no page is yet; build the site first, or name the export: `sitegate init DIR`",
                visible(&root)
            )
        }
        _ => "there is no export where builds usually put it; name it: `sitegate init DIR`".to_owned(),
    }))
}

/// Says what the contract finds in the export that it was drafted from.
fn say(report: &CheckResult, out: &mut dyn Write) -> io::Result<()> {
    match report.verdict() {
        Verdict::Passed if report.findings.is_empty() => writeln!(out, "the export passes it")?,
        Verdict::Passed => writeln!(out, "the export passes it, with warnings:")?,
        _ => writeln!(out, "the export does not pass it yet:")?,
    }
    for (rule, level, count) in init::findings_by_rule(report) {
        writeln!(out, "  {count:5}  {:7}  {rule}", level.as_str())?;
    }
    for error in &report.unreadable {
        writeln!(out, "  cannot check {}", visible(error))?;
    }
    if report.verdict() == Verdict::Failed {
        writeln!(out, "`sitegate check` shows each; `--write-baseline FILE` lets only new ones fail")?;
    }
    Ok(())
}
