//! Runs one operation of a publisher, until it ends, is killed, or was suspended and goes on.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::ready;
use std::time::Duration;

use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::plan::{Plan, PlanLimits};
use sitegate_publish::publication::{Event, Publication, PublishOutcome};
use sitegate_publish::publish::{ExportSource, PostPublish, PublishRequest, publish};
use sitegate_publish::rollback::{RollbackRequest, roll_back};
use sitegate_publish::target::PublishTarget;
use sitegate_publish::{maintenance, repair};
use tokio::time::sleep_until;

use super::link::Link;
use super::site::{Pages, Site};
use super::world::Kind;

/// The lease of publishers.
pub const LEASE: Duration = Duration::from_mins(1);

/// An operation on a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Publishes a version, and keeps a number of earlier releases.
    Publish(usize, usize),
    /// Rolls back to a release, or to the one before.
    RollBack(Option<String>),
    Gc(usize),
    Repair,
    Unlock,
    Status,
}

/// The report of an operation.
#[derive(Debug, Default)]
pub struct Report {
    /// The version that it says is live.
    pub version: Option<usize>,
    /// The releases to roll back to, each with its version.
    pub listed: Vec<(String, usize)>,
    /// Whether a run holds the target, or its switch was not completed.
    pub is_busy: bool,
    /// Whether a switch was not completed.
    pub is_unfinished: bool,
    /// Whether the version was live when the operation read the target, so that nothing was written.
    pub is_unchanged: bool,
}

/// The end of an operation.
#[derive(Debug)]
pub enum End {
    Done(Report),
    Failed(Failure),
    Killed,
}

impl End {
    /// Returns the kind of the failure.
    pub fn failure(&self) -> Option<FailureKind> {
        match self {
            End::Failed(failure) => Some(failure.kind),
            _ => None,
        }
    }

    pub fn is_done(&self) -> bool {
        matches!(self, End::Done(_))
    }
}

/// Returns what visitors get of a version.
pub fn pages(site: &Site, kind: Kind, version: usize) -> &Arc<Pages> {
    let version = &site.versions[version];
    if kind.is_folder { &version.in_folder } else { &version.in_bucket }
}

/// A run of an operation.
pub struct Run<'r> {
    pub site: &'r Site,
    pub target: PublishTarget,
    pub link: Arc<Link>,
    /// Whether it replaces what it does not know: a release may be lost.
    pub adopts: bool,
    /// The steps after a publish.
    pub post_publish: PostPublish<'r>,
    /// The warnings that it printed.
    pub warnings: Mutex<Vec<String>>,
}

impl Run<'_> {
    /// Runs an operation to its end.
    pub async fn end(&self, operation: &Operation) -> End {
        let mut work = pin!(self.perform(operation));
        let mut nap = None;
        // A suspended publisher does nothing, but what it sent before arrives.
        let awake = poll_fn(move |context| {
            if let Some(until) = self.link.suspended_until() {
                nap.get_or_insert_with(|| Box::pin(sleep_until(until)));
            }
            if let Some(nap) = &mut nap {
                ready!(nap.as_mut().poll(context));
            }
            nap = None;
            work.as_mut().poll(context)
        });
        let end = tokio::select! {
            biased;
            () = self.link.died.notified() => End::Killed,
            done = awake => match done {
                Ok(report) => End::Done(report),
                Err(failure) => End::Failed(failure),
            },
        };
        let shown = match &end {
            End::Done(report) => format!("done: {report:?}"),
            End::Failed(failure) => format!("{:?}: {}", failure.kind, failure.message),
            End::Killed => "killed".to_owned(),
        };
        self.link.note(&format!("{operation:?} -> {shown}"));
        self.link.end();
        end
    }

    async fn perform(&self, operation: &Operation) -> Result<Report, Failure> {
        let target = &self.target;
        match operation {
            Operation::Publish(version, keep) => self.publish(*version, *keep).await,
            Operation::RollBack(to) => self.roll_back(to.as_deref()).await,
            Operation::Gc(keep) => {
                maintenance::collect_garbage(target, *keep, false).await?;
                Ok(Report::default())
            }
            Operation::Repair => {
                repair::repair(target, true).await?;
                Ok(Report::default())
            }
            Operation::Unlock => {
                maintenance::unlock(target).await?;
                Ok(Report::default())
            }
            Operation::Status => {
                let status = maintenance::status(target).await?;
                let state = &status.state;
                let version = |tree: &str| self.site.version_of(tree);
                let listed = status
                    .rollback_candidates
                    .iter()
                    .map(|candidate| (candidate.manifest.release.clone(), version(&candidate.manifest.tree)));
                Ok(Report {
                    version: state.live.as_ref().map(|live| version(&live.tree)),
                    listed: listed.collect(),
                    is_busy: state.holder().is_some() || !state.unfinished.is_empty(),
                    is_unfinished: !state.unfinished.is_empty(),
                    is_unchanged: true,
                })
            }
        }
    }

    /// Names the version to the judge that a run is about to write.
    fn begin(&self, plan: &Plan) {
        let mut world = self.link.world.lock().unwrap();
        let version = self.site.version_of(&plan.manifest.tree);
        let kind = world.kind;
        world.judge.begin(pages(self.site, kind, version));
    }

    fn report(&self, publication: &Publication) -> Report {
        let version = Some(self.site.version_of(&publication.plan.manifest.tree));
        let is_unchanged = matches!(publication.outcome, PublishOutcome::Unchanged);
        Report { version, is_unchanged, ..Report::default() }
    }

    async fn publish(&self, version: usize, keep: usize) -> Result<Report, Failure> {
        let version = &self.site.versions[version];
        let limits = PlanLimits {
            keep,
            allow_gone: true,
            max_deletes: usize::MAX,
            adopt: self.adopts,
            overwrite_drift: self.adopts,
            ..PlanLimits::default()
        };
        let request = PublishRequest {
            target: &self.target,
            export: ExportSource::Memory(&version.export),
            seal: &version.seal,
            contract: &version.contract,
            precompress: false,
            limits,
            dry_run: false,
            lease: LEASE,
            post_publish: self.post_publish,
        };
        let show = |plan: &Plan| {
            self.begin(plan);
            Ok(())
        };
        let published = publish(&request, &show, &|event| self.notify(event)).await?;
        Ok(self.report(&published))
    }

    async fn roll_back(&self, to: Option<&str>) -> Result<Report, Failure> {
        let request = RollbackRequest {
            target: &self.target,
            to,
            keep: 5,
            dry_run: false,
            invalidate: None,
            drop_pending: false,
        };
        let show = |plan: &Plan| {
            self.begin(plan);
            Ok(())
        };
        let restored = roll_back(&request, &show, &|event| self.notify(event)).await?;
        Ok(self.report(&restored))
    }

    fn notify(&self, event: &Event<'_>) {
        if let Event::Warning { message } = event {
            self.warnings.lock().unwrap().push((*message).to_owned());
        }
    }
}
