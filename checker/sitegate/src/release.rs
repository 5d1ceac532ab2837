//! The arguments that `publish` and `plan` share: what would go live, where, and what that may do.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use sitegate_check::internal::seal::Seal;
use sitegate_publish::plan::PlanLimits;
use sitegate_publish::publication::Publication;
use sitegate_publish::publish::{self, PostPublish, PublishRequest};

use crate::error::Error;
use crate::export::ExportArgs;
use crate::plan_output::{self, Ending};
use crate::store::{self, StoreArgs};
use crate::terminal::{AnswerArgs, AnswerFormat, Outcome};

/// What would go live, and where.
#[derive(Debug, Args)]
pub struct ReleaseArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    export: ExportArgs,
    /// Seal written by `sitegate check --seal`
    #[arg(long, value_name = "FILE")]
    seal: PathBuf,
    /// Write FILE.br and FILE.gz next to each text file
    ///
    /// nginx's `brotli_static` and `gzip_static` serve them. Buckets cannot choose between them, so this works in folders
    /// only.
    #[arg(long)]
    precompress: bool,
    #[command(flatten)]
    answer: AnswerArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What a publish may do without being asked again.
#[derive(Debug, Args)]
struct LimitArgs {
    /// Earlier releases to keep for rollback
    ///
    /// Their hashed assets stay for open tabs.
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Guards")]
    keep_releases: usize,
    /// Maximum number of files to delete
    ///
    /// Pages count, too.
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Guards")]
    max_deletes: usize,
    /// Replace objects that were changed by hand
    ///
    /// That is, since the last publish.
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

/// What only a publish that is carried out has.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// How long others wait for a publisher that stopped responding.
    pub lease: Duration,
    /// Whether to print each event as JSON.
    pub events: bool,
    /// What follows when the release is live.
    pub post_publish: PostPublish<'a>,
}

impl ReleaseArgs {
    /// Publishes as the execution says; without one the plan is only shown.
    pub fn run(&self, execution: Option<Execution<'_>>) -> Outcome {
        let (contract, root) = self.export.load()?;
        store::run(async {
            let start = Instant::now();
            let seal = Seal::read(&self.seal)?;
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
                post_publish: execution.map_or_else(PostPublish::default, |execution| execution.post_publish),
            };
            let human = self.answer.format == AnswerFormat::Human;
            let events = execution.is_some_and(|execution| execution.events);
            let show = |plan: &_| {
                if human {
                    store::print(|out| plan_output::plan(plan, &self.store.target, out))
                } else {
                    Ok(())
                }
            };
            let published = publish::publish(&request, &show, &store::listener(events)).await;
            let publication = published?;
            let look = self.look(&publication);
            let ending = Ending { publication: &publication, look: &look, elapsed: start.elapsed() };
            store::print(|out| if human { ending.human(out) } else { ending.json(out) }).map_err(Error::from)
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
