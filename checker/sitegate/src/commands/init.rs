//! `sitegate init`: writes a starter contract from an existing export and its generator's configuration, or from the
//! configuration of another link checker.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sitegate_base::atomic_file;
use sitegate_base::plural::count;
use sitegate_base::sanitize::{slashed, visible};
use sitegate_check::{
    CheckResult, Contract, OUTPUT_KIND, Project, Verdict, check_draft, draft_contract, find_exports,
    findings_by_rule, migrate,
};

use crate::error::Error;
use crate::export_args;
use crate::external_lock::{self, ExternalLock};
use crate::sorted_list;
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
    /// Convert the configuration of another link checker
    ///
    /// It is that of htmltest (.htmltest.yml), lychee (lychee.toml) or linkinator (linkinator.config.json). May be
    /// repeated for a refcache.json of htmltest, which becomes external.lock.
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Replace an existing contract; no other file is replaced
    #[arg(long)]
    force: bool,
}

/// The name of the lock that a cache becomes, next to the contract.
const LOCK_FILE: &str = "external.lock";

/// The end of the name of htmltest's cache.
const REFCACHE: &str = "refcache.json";

/// Maximum size of a configuration or cache of another checker, in bytes.
const MAX_SIZE: u64 = 64 << 20;

pub fn run(args: &Args) -> Outcome {
    let name = args.config.display();
    if args.config.exists() && !args.force {
        return Err(Error::usage(format!("{name} exists already; `--force` replaces it")));
    }
    if let Some(message) = args.dir.as_deref().and_then(export_args::explain_missing_folder) {
        return Err(Error::usage(message));
    }
    if !args.from.is_empty() {
        return convert(args);
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

/// Writes a contract from the configuration of another checker, and a lock from its cache.
fn convert(args: &Args) -> Outcome {
    let is_cache = |file: &&PathBuf| file.to_string_lossy().ends_with(REFCACHE);
    let (caches, configurations): (Vec<&PathBuf>, Vec<&PathBuf>) = args.from.iter().partition(is_cache);
    let [configuration] = configurations[..] else {
        return Err(Error::usage("--from needs one configuration of another checker"));
    };
    let folder = |file: &Path| file.parent().unwrap_or(Path::new("")).to_path_buf();
    let text = String::from_utf8(read_limited(configuration)?)
        .map_err(|_| Error::usage(format!("{}: this file is not text", configuration.display())))?;
    let ignored = fs::read_to_string(folder(configuration).join(".lycheeignore")).ok();
    let migrated = migrate(configuration, &text, ignored.as_deref(), args.dir.as_deref(), &args.config)?;
    let own = migrated
        .cache
        .as_ref()
        .map(|cache| folder(configuration).join(cache))
        .filter(|cache| cache.is_file());
    let caches: Vec<PathBuf> = caches.into_iter().cloned().chain(own).collect();
    let lock = import_caches(&caches)?;
    let lock_file = folder(&args.config).join(LOCK_FILE);
    if lock.is_some() && lock_file.exists() && !args.force {
        let name = lock_file.display();
        return Err(Error::usage(format!("{name} exists already; `--force` replaces it")));
    }
    atomic_file::write(&args.config, OUTPUT_KIND, |mut out| out.write_all(migrated.text.as_bytes()))
        .map_err(Error::file(&args.config))?;
    if let Some(lock) = &lock {
        sorted_list::write(&lock_file, lock)?;
    }
    let root = Contract::load(&args.config)?.root().ok().flatten();
    let checked = match root.filter(|root| root.is_dir()) {
        Some(root) => Some(check_draft(&migrated.text, &root, &args.config)?.0),
        None => None,
    };
    terminal::print(|out| {
        writeln!(
            out,
            "wrote {} from {} ({})",
            args.config.display(),
            configuration.display(),
            migrated.program
        )?;
        if let Some(lock) = &lock {
            let addresses = count(lock.len(), "address");
            writeln!(out, "wrote {} with {addresses}; use it with --lock", lock_file.display())?;
        }
        if !migrated.notes.is_empty() {
            writeln!(out, "not in the contract:")?;
        }
        for (option, reason) in &migrated.notes {
            writeln!(out, "  {}: {}", visible(option), visible(reason))?;
        }
        match &checked {
            Some(report) => write_result(report, out),
            None => writeln!(out, "build the site, then run `sitegate check`"),
        }
    })?;
    Ok(0)
}

/// Returns the lock with the good answers of all caches; `None` without a cache.
fn import_caches(caches: &[PathBuf]) -> Result<Option<ExternalLock>, Error> {
    let mut joined: Option<ExternalLock> = None;
    for cache in caches {
        let lock = external_lock::import_refcache(&read_limited(cache)?).map_err(|error| {
            Error::usage(format!("{}: this is no cache of htmltest: {error}", cache.display()))
        })?;
        joined.get_or_insert_default().extend(lock);
    }
    Ok(joined)
}

fn read_limited(file: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|opened| opened.take(MAX_SIZE + 1).read_to_end(&mut bytes));
    read.map_err(Error::file(file))?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(Error::usage(format!("{}: it is larger than 64 MiB", file.display())));
    }
    Ok(bytes)
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
