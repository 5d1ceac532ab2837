//! Arguments that `publish` and `plan` share: the export, the target, and the limits of a publish.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use sitegate_check::Seal;
use sitegate_publish::plan::PlanLimits;
use sitegate_publish::publication::Publication;
use sitegate_publish::publish::{self, PostPublish, PublishRequest};

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::plan_output::{self, PlanResult};
use crate::runtime;
use crate::still_live;
use crate::target_args::{self, TargetArgs};
use crate::terminal::{CommandFormat, CommandFormatArgs, Outcome};

/// The export to publish and its target.
#[derive(Debug, Args)]
pub struct ReleaseArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    export: ExportArgs,
    /// Seal written by `sitegate check --seal`
    #[arg(long, value_name = "FILE")]
    seal: PathBuf,
    /// Write FILE.br and FILE.gz next to each text file
    ///
    /// nginx serves them with `brotli_static` and `gzip_static`. Buckets cannot choose between them, so this works for
    /// folders only.
    #[arg(long)]
    precompress: bool,
    #[command(flatten)]
    output: CommandFormatArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Limits on what a publish may do.
#[derive(Debug, Args)]
struct LimitArgs {
    /// Earlier releases to keep for rollback
    ///
    /// Their hashed assets stay available to open browser tabs.
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Guards")]
    keep_releases: usize,
    /// Maximum number of files to delete
    ///
    /// Pages are included in the number.
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Guards")]
    max_deletes: usize,
    /// Replace objects that were changed by hand
    ///
    /// These are objects that changed since the last publish.
    #[arg(long, help_heading = "Guards")]
    overwrite_drift: bool,
    /// Replace objects that sitegate did not write
    #[arg(long, help_heading = "Guards")]
    adopt: bool,
    /// Allow placeholders such as example.com
    #[arg(long, help_heading = "Guards")]
    allow_placeholders: bool,
    /// Allow pages of the live release to disappear
    #[arg(long, help_heading = "Guards")]
    allow_gone: bool,
}

impl LimitArgs {
    fn limits(&self) -> PlanLimits {
        PlanLimits {
            keep: self.keep_releases,
            max_deletes: self.max_deletes,
            overwrite_drift: self.overwrite_drift,
            adopt: self.adopt,
            allow_gone: self.allow_gone,
            allow_placeholders: self.allow_placeholders,
        }
    }
}

/// Settings of a publish that is carried out.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// The time that others wait for a publisher that stopped responding.
    pub lease: Duration,
    /// Whether to print each event as JSON.
    pub events: bool,
    /// Steps after the release is live.
    pub post_publish: PostPublish<'a>,
}

impl ReleaseArgs {
    /// Publishes; without an execution, only shows the plan. If a publish fails, the last line says what visitors have.
    pub fn run(&self, execution: Option<Execution<'_>>) -> Outcome {
        let outcome = self.publish(execution);
        match (outcome, execution) {
            (Err(error), Some(_)) => Err(match still_live::after_failure(&error, &self.target) {
                Some(still_live) => Error::NotPublished { error: Box::new(error), still_live },
                None => error,
            }),
            (outcome, _) => outcome,
        }
    }

    fn publish(&self, execution: Option<Execution<'_>>) -> Outcome {
        let (contract, root) = self.export.load()?;
        runtime::run(async {
            let start = Instant::now();
            let seal = Seal::read(&self.seal)?;
            let options = self.target.options();
            let target = target_args::open(&self.target.url, &options.for_files_of(&seal)).await?;
            let request = PublishRequest {
                target: &target,
                export: &root,
                seal: &seal,
                contract: &contract,
                precompress: self.precompress,
                limits: self.limits.limits(),
                dry_run: execution.is_none(),
                lease: execution.map_or(Duration::ZERO, |execution| execution.lease),
                post_publish: execution.map_or_else(PostPublish::default, |execution| execution.post_publish),
            };
            let human = self.output.format == CommandFormat::Human;
            let events = execution.is_some_and(|execution| execution.events);
            let show = |plan: &_| {
                if human {
                    runtime::print(|out| plan_output::write_plan(plan, &self.target.url, out))
                } else {
                    Ok(())
                }
            };
            let published = publish::publish(&request, &show, &runtime::event_listener(events)).await;
            let publication = published?;
            let hint = self.hint(&publication);
            let result = PlanResult { publication: &publication, hint: &hint, elapsed: start.elapsed() };
            runtime::print(|out| if human { result.write_human(out) } else { result.write_json(out) })
                .map_err(Error::from)
        })
    }

    /// Returns a hint about how to see the result.
    fn hint(&self, publication: &Publication) -> String {
        match &publication.folder {
            Some(folder) => {
                let config = self.export.contract.config.as_ref();
                let config = config.map_or_else(String::new, |file| format!(" --config {}", file.display()));
                format!("preview it with: sitegate serve {}{config}", folder.display())
            }
            None => format!("see its state with: sitegate status {}", publication.target),
        }
    }
}
