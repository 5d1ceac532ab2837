//! The arguments that `publish` and `plan` share: what would go live, where, and what that may do.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use sitegate_check::internal::seal::Seal;
use sitegate_publish::failure::{Exit, Failure};
use sitegate_publish::plan::PlanLimits;
use sitegate_publish::publication::Publication;
use sitegate_publish::publish::{self, Afterwards, PublishRequest};

use crate::export::ExportArgs;
use crate::plan_output::{self, Ending};
use crate::store::{self, StoreArgs};
use crate::terminal::{AnswerFormat, Outcome};

/// What would go live, and where.
#[derive(Debug, Args)]
pub struct ReleaseArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    export: ExportArgs,
    /// The seal that `sitegate check --seal` wrote
    #[arg(long, value_name = "FILE")]
    seal: PathBuf,
    /// Put compressed forms beside each text, FILE.br and FILE.gz, for nginx's brotli_static and gzip_static;
    /// folders only, for buckets cannot choose between them
    #[arg(long)]
    precompress: bool,
    /// How to print the plan and the result
    #[arg(long, value_enum, default_value_t)]
    format: AnswerFormat,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What a publish may do without being asked again.
#[derive(Debug, Args)]
struct LimitArgs {
    /// How many earlier releases can be rolled back to; their hashed assets stay for open tabs
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Guards")]
    keep_releases: usize,
    /// How many pages and files may be deleted
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Guards")]
    max_deletes: usize,
    /// Replace objects that were changed by hand since the last publish
    #[arg(long, help_heading = "Guards")]
    overwrite_drift: bool,
    /// Replace objects that no publish of sitegate wrote
    #[arg(long, help_heading = "Guards")]
    adopt: bool,
    /// Let placeholders such as example.com go live
    #[arg(long, help_heading = "Guards")]
    allow_placeholders: bool,
    /// Let pages of the live release vanish
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

/// What only a publish that is carried out has.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// How long others wait for a publisher that stopped responding.
    pub lease: Duration,
    /// Whether to print each event as JSON.
    pub events: bool,
    /// What follows when the release is live.
    pub afterwards: Afterwards<'a>,
}

impl ReleaseArgs {
    /// Publishes as the execution says; without one the plan is only shown.
    pub fn run(&self, execution: Option<Execution<'_>>) -> Outcome {
        let (contract, root) = self.export.load()?;
        store::run(async {
            let start = Instant::now();
            let seal =
                Seal::read(&self.seal).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
            let request = PublishRequest {
                target: &self.store.target,
                options: self.store.options(),
                export: &root,
                seal: &seal,
                contract: &contract,
                precompress: self.precompress,
                limits: self.limits.limits(),
                dry_run: execution.is_none(),
                lease: execution.map_or(Duration::ZERO, |execution| execution.lease),
                afterwards: execution.map_or_else(Afterwards::default, |execution| execution.afterwards),
            };
            let human = self.format == AnswerFormat::Human;
            let events = execution.is_some_and(|execution| execution.events);
            let show = |plan: &_| match human {
                true => store::print(|out| plan_output::plan(plan, &self.store.target, out)),
                false => Ok(()),
            };
            let published = publish::publish(&request, &show, &store::listener(events)).await;
            store::clear_progress(events);
            let publication = published?;
            let look = self.look(&publication);
            let ending = Ending { publication: &publication, look: &look, elapsed: start.elapsed() };
            store::print(|out| if human { ending.human(out) } else { ending.json(out) })
        })
    }

    /// Where to look at what was published.
    fn look(&self, publication: &Publication) -> String {
        match &publication.folder {
            Some(folder) => {
                let config = self.export.config.as_ref();
                let config = config.map_or_else(String::new, |file| format!(" --config {}", file.display()));
                format!("look at it with: sitegate serve {}{config}", folder.display())
            }
            None => format!("look at its state with: sitegate status {}", publication.target),
        }
    }
}
