//! `sitegate init`: writes a starter contract from an existing export and its generator's configuration.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sitegate_base::atomic_file;
use sitegate_base::plural::count;
use sitegate_base::sanitize::{slashed, visible};
use sitegate_check::{
    CheckResult, OUTPUT_KIND, Project, Verdict, check_draft, draft_contract, find_exports, findings_by_rule,
};

use crate::error::Error;
use crate::missing_folder;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the export [default: detected]
    ///
    /// The default is the folder that the generator's configuration names, or else the first of dist/client, dist, build,
    /// out etc. that has pages.
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
    /// File to write the contract to
    #[arg(long, value_name = "FILE", default_value = sitegate_check::CONTRACT_FILE)]
    config: PathBuf,
    /// Replace an existing contract; no other file is replaced
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args) -> Outcome {
    let name = args.config.display();
    if args.config.exists() && !args.force {
        return Err(Error::usage(format!("{name} exists already; `--force` replaces it")));
    }
    if let Some(message) = args.dir.as_deref().and_then(missing_folder::explain) {
        return Err(Error::usage(message));
    }
    let (root, project) = find_export(args)?;
    let text = draft_contract(&root, &args.config, project.as_ref())?;
    atomic_file::write(&args.config, OUTPUT_KIND, |mut out| out.write_all(text.as_bytes()))
        .map_err(Error::file(&args.config))?;
    let (report, _) = check_draft(&text, &root, &args.config)?;
    let pages = count(report.summary.pages, "page");
    terminal::print(|out| {
        let root = slashed(&root);
        let built = project.as_ref().map(|project| format!(", built by {}", project.generator));
        writeln!(out, "wrote {name}: {pages} in {}{}", visible(&root), built.unwrap_or_default())?;
        write_result(&report, out)
    })?;
    Ok(0)
}

/// Finds the export, and the project that it was built from, if any.
fn find_export(args: &Args) -> Result<(PathBuf, Option<Project>), Error> {
    let here = args.config.parent().unwrap_or(Path::new(""));
    let mut projects = Project::all(here);
    let export = |is_candidate: &dyn Fn(&Project) -> bool| {
        let mut candidates = projects.iter().filter(|project| is_candidate(project));
        candidates.find_map(Project::export).map(Path::to_path_buf)
    };
    let own = || export(&|project| project.is_in(here));
    let below = || export(&|_| true);
    if let Some(root) = args.dir.clone().or_else(own).or_else(|| find_exports().next()).or_else(below) {
        let owner = projects.iter().position(|project| project.owns(&root));
        return Ok((root, owner.map(|owner| projects.swap_remove(owner))));
    }
    Err(Error::usage(match projects.first() {
        Some(Project { generator, roots, .. }) if !roots.is_empty() => {
            let root = slashed(&roots[0]);
            format!(
                "{generator} writes the export to {}, which has no pages yet; build the site first, or name the export: `sitegate init DIR`",
                visible(&root)
            )
        }
        _ => "no export found; build the site first, or name its folder: `sitegate init DIR`".to_owned(),
    }))
}

/// Prints the result of checking the export against its new contract.
fn write_result(report: &CheckResult, out: &mut dyn Write) -> io::Result<()> {
    match report.verdict() {
        Verdict::Passed if report.findings.is_empty() => writeln!(out, "the export passes")?,
        Verdict::Passed => writeln!(out, "the export passes with warnings:")?,
        _ => writeln!(out, "the export does not pass yet:")?,
    }
    for (rule, level, count) in findings_by_rule(report) {
        writeln!(out, "  {count:5}  {:7}  {rule}", level.as_str())?;
    }
    for error in &report.unreadable {
        writeln!(out, "  cannot check {}", visible(error))?;
    }
    if report.verdict() == Verdict::Failed {
        writeln!(out, "`sitegate check` lists them; with `--write-baseline FILE`, only new findings fail")?;
    }
    Ok(())
}
