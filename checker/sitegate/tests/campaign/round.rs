//! A round of the campaign: a target, releases, and runs of the program, with checks after each run.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::invariants::{self, AllowedContent};
use super::program::{RunResult, RunningProcess, Trouble};
use super::release::Release;
use super::rng::Rng;
use super::target::{Store, TestTarget};
use super::visitor::Visitor;
use crate::s3::server::Objects;
use crate::s3::site::Site;

/// The lease of publishers, in seconds: long enough for a busy machine.
const LEASE: u64 = 12;

/// Foreign objects at a target.
const PLAIN: [&str; 3] = ["CNAME", "legacy/report.pdf", "about/note.txt"];

/// Foreign objects with odd names, in a bucket and in a folder.
const ODD: [&[&str]; 2] = [
    &[
        "logs//2026/x.gz",
        "a/./b.txt",
        "a/../c.txt",
        "/first.txt",
        "folder/",
        "delete\u{7f}.txt",
        "a&b<c>.txt",
    ],
    &["page.html#x", "line\nfeed.txt", ".hidden", "100%25.txt", "delete\u{7f}.txt", "note #1.txt"],
];

/// A sealed release on disk.
pub struct Sealed {
    pub site: Site,
    pub release: Release,
}

/// A round and its state.
pub struct Round {
    pub rng: Rng,
    /// The lease of its publishers.
    pub lease: Duration,
    pub target: TestTarget,
    allowed: Arc<Mutex<AllowedContent>>,
    beside: Objects,
    /// The releases by the digests that the program reports.
    releases: Mutex<Vec<(Value, Value, Release)>>,
    steps: Mutex<Vec<String>>,
    pub runs: AtomicUsize,
    /// Number of runs with trouble.
    pub troubles: AtomicUsize,
    nowhere: Site,
    visitor: Option<Visitor>,
    /// Whether files of a lost release may remain at the target.
    pub has_leftovers: bool,
    /// Whether an invalidation of CloudFront is pending.
    is_owed: AtomicBool,
    precompress: bool,
    /// The release that the next one is derived from.
    last: Option<Release>,
    count: usize,
}

impl Round {
    pub fn new(store: Store, mut rng: Rng) -> Round {
        let target = TestTarget::new(store, &mut rng);
        let precompress = store == Store::Folder && rng.chance(40);
        let allowed = Arc::new(Mutex::new(AllowedContent::new(store != Store::Folder)));
        let mut round = Round {
            lease: Duration::from_secs(LEASE),
            allowed,
            beside: Objects::new(),
            releases: Mutex::default(),
            steps: Mutex::default(),
            runs: AtomicUsize::new(0),
            troubles: AtomicUsize::new(0),
            nowhere: Site { folder: tempfile::tempdir().unwrap() },
            visitor: None,
            has_leftovers: false,
            is_owed: AtomicBool::new(false),
            precompress,
            last: None,
            count: 0,
            rng,
            target,
        };
        round.plant_foreign_objects();
        round
    }

    /// Adds foreign objects, and starts to check invariants.
    pub fn plant_foreign_objects(&mut self) {
        let odd = ODD[usize::from(self.target.server().is_none())];
        for (keys, percent) in [(&PLAIN[..], 60), (odd, 15)] {
            for key in keys {
                if self.rng.chance(percent) {
                    self.target.set(key, Some(format!("not ours: {key}").as_bytes()));
                }
            }
        }
        self.allowed.lock().unwrap().foreign = self.target.objects();
        self.beside = self.target.outside_target();
        self.target.watch(&self.allowed);
        self.visitor = self.target.served().map(|folder| Visitor::of(&folder, &self.allowed));
    }

    /// Ends the visits of the served folder, before its files are disturbed from outside.
    pub fn close_to_visitors(&mut self) {
        self.visitor = None;
    }

    /// Checks that all files of a release are there, without a look at the record.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn is_complete(&self, objects: &Objects, release: &Release) -> Result<(), String> {
        self.allowed.lock().unwrap().is_live(objects, release, false)
    }

    /// Ends the round and returns the violations that its visitor saw.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn end(&mut self) -> Result<(), String> {
        self.visitor.as_mut().map_or(Ok(()), Visitor::finish)
    }

    /// Returns the steps so far, for failure messages.
    pub fn steps(&self) -> Vec<String> {
        self.steps.lock().unwrap().clone()
    }

    pub fn note(&self, step: impl Into<String>) {
        self.steps.lock().unwrap().push(step.into());
    }

    /// Creates the next release, derived from the last one.
    pub fn release(&mut self) -> Release {
        let mut release = match &self.last {
            Some(last) => last.edited(&mut self.rng),
            None => Release::first(&mut self.rng),
        };
        self.count += 1;
        release.name = format!("r{}", self.count);
        release.precompress = self.precompress;
        self.last = Some(release.clone());
        release
    }

    /// Builds a release in a new folder, and checks and seals it.
    ///
    /// # Errors
    /// If it does not pass the check.
    pub fn seal(&self, release: Release) -> Result<Sealed, String> {
        let site = Site { folder: tempfile::tempdir().unwrap() };
        for (path, content) in &release.files {
            let file = site.path("export").join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        if let Some(contract) = release.contract() {
            fs::write(site.path("sitegate.toml"), contract).unwrap();
        }
        self.allowed.lock().unwrap().add(&release);
        let result = RunningProcess::start(
            site.command(&["check", "export", "--seal", "seal.json"]),
            &Trouble::None,
            None,
        )
        .end()?;
        if result.code != Some(0) {
            return Err(format!("{} did not pass the check: {}", release.name, result.output));
        }
        let seal: Value = serde_json::from_slice(&fs::read(site.path("seal.json")).unwrap()).unwrap();
        let names = (seal["tree"].clone(), seal["contract"].clone(), release.clone());
        self.releases.lock().unwrap().push(names);
        Ok(Sealed { site, release })
    }

    /// Creates and seals the next release.
    ///
    /// # Errors
    /// If it does not pass the check.
    pub fn next(&mut self) -> Result<Sealed, String> {
        let release = self.release();
        self.seal(release)
    }

    /// Returns options for a publish of this round, partly random.
    pub fn options(&mut self) -> Vec<String> {
        let (keep, jobs) = (self.rng.between(0, 4), self.rng.pick(&[1, 2, 16]).to_string());
        let keep = if keep == 0 && self.rng.chance(70) { 3 } else { keep }.to_string();
        let mut options = ["--keep-releases", &keep, "--jobs", &jobs].map(str::to_owned).to_vec();
        if self.target.server().is_some() && self.rng.chance(20) {
            options.extend(["--invalidate", "E2EXAMPLE"].map(str::to_owned));
        }
        options
    }

    /// Returns a command on the target, with or without a sealed release.
    pub fn command(&self, name: &str, sealed: Option<&Sealed>, more: &[String]) -> Command {
        let (target, lease) = (self.target.url(), self.lease.as_secs().to_string());
        let mut args = crate::command_words(name);
        args.push(&target);
        if let Some(sealed) = sealed {
            args.extend([
                "export",
                "--seal",
                "seal.json",
                "--allow-gone",
                "--max-deletes",
                "999",
                "--lease",
                &lease,
            ]);
            args.extend(sealed.release.precompress.then_some("--precompress"));
        }
        let endpoint = self.target.server().map(super::super::s3::server::Server::url);
        if let Some(endpoint) = &endpoint {
            args.extend(["--endpoint", endpoint, "--timeout", "2"]);
        }
        args.extend(more.iter().map(String::as_str));
        let mut command = sealed.map_or(&self.nowhere, |sealed| &sealed.site).command(&args);
        if let Some(endpoint) = endpoint {
            command.env("AWS_ENDPOINT_URL_CLOUDFRONT", endpoint);
        }
        command
    }

    /// Starts a run with trouble.
    pub fn start(
        &self,
        name: &str,
        sealed: Option<&Sealed>,
        more: &[String],
        trouble: &Trouble,
    ) -> RunningProcess {
        self.runs.fetch_add(1, Ordering::Relaxed);
        RunningProcess::start(self.command(name, sealed, more), trouble, self.target.server())
    }

    /// Runs a command, and checks its exit code against the objects at the target.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn run(
        &self,
        name: &str,
        sealed: Option<&Sealed>,
        more: &[String],
        trouble: &Trouble,
    ) -> Result<RunResult, String> {
        let before = self.target.objects();
        let result = self.start(name, sealed, more, trouble).end();
        let release = sealed.map(|sealed| &sealed.release);
        let shown = release.map_or("", |release| &release.name);
        let code =
            result.as_ref().map(|result| result.code.map_or("killed".to_owned(), |code| code.to_string()));
        self.note(format!("{name} {shown} {} {} -> {code:?}", more.join(" "), shown_trouble(trouble)));
        let result = result?;
        self.note(indented(&result.output));
        if matches!(result.code, None | Some(130 | 143)) {
            // Requests in flight at the kill may still be executed.
            std::thread::sleep(Duration::from_millis(60));
        }
        let truth = self
            .check_exit_code(name, release, &result, &before)
            .and_then(|()| self.check_pending_steps(name, &result));
        truth.map_err(|wrong| format!("after {name} {shown}: {wrong}"))?;
        Ok(result)
    }

    /// Checks the exit code of a run without concurrent runs.
    fn check_exit_code(
        &self,
        name: &str,
        release: Option<&Release>,
        result: &RunResult,
        before: &Objects,
    ) -> Result<(), String> {
        let after = self.objects_at_rest()?;
        match (name, result.code) {
            ("publish", Some(0 | 8 | 10)) if let Some(release) = release => {
                self.allowed.lock().unwrap().is_live(&after, release, false)
            }
            // After a signal, the program may exit with a code, as shells report it.
            (_, None | Some(130 | 143)) | ("publish" | "rollback", Some(0 | 7)) => Ok(()),
            // If the compressed variant of a lost release is removed, visitors get the page itself.
            ("repair", Some(0)) => invariants::assert_unchanged(
                &invariants::without_compressed_variants(before),
                &invariants::without_compressed_variants(&after),
            )
            .map_err(|wrong| format!("repaired, but {wrong}")),
            ("publish" | "rollback", Some(code @ 1..=6)) | (_, Some(code @ 0..=9)) => {
                invariants::assert_unchanged(before, &after)
                    .map_err(|wrong| format!("exit code {code}, but {wrong}"))
            }
            (_, Some(code)) => Err(format!("exit code {code}: {}", result.output)),
        }
    }

    /// Checks that pending steps are not lost: if the invalidation failed, the next successful publish must repeat it.
    fn check_pending_steps(&self, name: &str, result: &RunResult) -> Result<(), String> {
        let printed = || {
            let log = self.target.server().map_or_else(Vec::new, super::super::s3::server::Server::log);
            log.iter().any(|line| line.contains("/invalidation"))
        };
        match (name, result.code) {
            ("publish", Some(8 | 10)) => self.is_owed.store(true, Ordering::Relaxed),
            ("publish", Some(0)) if self.is_owed.swap(false, Ordering::Relaxed) && !printed() => {
                return Err("CloudFront was not invalidated, and the step is no longer pending".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the objects at the target, and checks the invariants.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn objects_at_rest(&self) -> Result<Objects, String> {
        let objects = self.target.objects();
        self.allowed.lock().unwrap().assert_sound(&objects)?;
        invariants::assert_kept_contents_match(&objects)?;
        if self.target.outside_target() != self.beside {
            return Err("objects outside of the target were changed".to_owned());
        }
        match self
            .target
            .server()
            .map(super::super::s3::server::Server::violations)
            .and_then(|wrong| wrong.into_iter().next())
        {
            Some(wrong) => Err(wrong),
            None => Ok(objects),
        }
    }

    /// Checks that exactly this release is live.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn is_live(&self, release: &Release) -> Result<(), String> {
        let objects = self.objects_at_rest()?;
        self.allowed.lock().unwrap().is_live(&objects, release, !self.has_leftovers)
    }

    /// Publishes without trouble. This must always succeed, and the target then has exactly that release.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn complete(&mut self, sealed: &Sealed) -> Result<(), String> {
        let options = self.options();
        let mut result = self.run("publish", Some(sealed), &options, &Trouble::None)?;
        for attempt in 0..3 {
            if result.code != Some(5) {
                break;
            }
            if !result.output.contains("sitegate target unlock") {
                return Err(format!(
                    "a held target, but no hint about `sitegate target unlock`: {}",
                    result.output
                ));
            }
            if attempt == 0 && self.rng.chance(20) {
                std::thread::sleep(self.lease);
            } else {
                self.run_without_files("unlock", &[])?;
            }
            result = self.run("publish", Some(sealed), &options, &Trouble::None)?;
        }
        if result.code != Some(0) {
            return Err(format!(
                "{} cannot be published any more ({:?}): {}",
                sealed.release.name, result.code, result.output
            ));
        }
        self.is_live(&sealed.release)?;
        let mut status = self.status()?;
        if result.output.contains("is still live") && !status["held"].is_null() {
            // If the release was already live, the run did not wait for the lease of the killed one.
            self.run_without_files("unlock", &[])?;
            status = self.status()?;
        }
        let idle = status["held"].is_null() && status["unfinished"].as_array().is_some_and(Vec::is_empty);
        let releases = status["releases"].as_array().cloned().unwrap_or_default();
        let live = releases.iter().find(|release| release["release"] == status["live"]);
        let is_live = |live| self.releases_of(live).iter().any(|allowed| allowed.name == sealed.release.name);
        if live.is_some_and(is_live) && idle {
            Ok(())
        } else {
            Err(format!("{} is live, and the status says {status}", sealed.release.name))
        }
    }

    /// Runs a command without local files. It must succeed.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn run_without_files(&self, name: &str, more: &[&str]) -> Result<RunResult, String> {
        let more: Vec<String> = more.iter().map(|&word| word.to_owned()).collect();
        let result = self.run(name, None, &more, &Trouble::None)?;
        match result.code {
            Some(0) => Ok(result),
            code => Err(format!("{name} {more:?} ends with {code:?}: {}", result.output)),
        }
    }

    /// # Errors
    /// If an invariant is violated.
    pub fn status(&self) -> Result<Value, String> {
        let result = self.run_without_files("status", &["--format", "json"])?;
        serde_json::from_slice(&result.stdout).map_err(|error| format!("status prints no JSON: {error}"))
    }

    /// Returns the releases of this round that match an entry of the status.
    fn releases_of(&self, listed: &Value) -> Vec<Release> {
        let all = self.releases.lock().unwrap();
        let meant = all.iter().filter(|(tree, contract, _)| {
            *tree == listed["tree"] && *contract == listed.get("contract").cloned().unwrap_or_default()
        });
        meant.map(|(_, _, release)| release.clone()).collect()
    }

    /// Rolls back to a release in the status. This must succeed, and the release must be live then.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn roll_back(&mut self) -> Result<(), String> {
        let status = self.status()?;
        let mut listed = status["releases"].as_array().cloned().unwrap_or_default();
        listed.retain(|release| release["release"] != status["live"]);
        if listed.is_empty() {
            return Ok(());
        }
        let wanted = &self.rng.pick(&listed);
        let name = wanted["release"].as_str().unwrap_or_default();
        self.run_without_files("rollback", &["--to", name])?;
        self.is_one_of(wanted).map_err(|wrong| format!("after going back to {name}: {wrong}"))
    }

    /// Checks that exactly one of the releases is live that match an entry of the status.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn is_one_of(&self, listed: &Value) -> Result<(), String> {
        let mut wrong = Err(format!("{} was never published", listed["release"]));
        for release in &self.releases_of(listed) {
            wrong = self.is_live(release);
            if wrong.is_ok() {
                return Ok(());
            }
        }
        wrong
    }
}

fn shown_trouble(trouble: &Trouble) -> String {
    match trouble {
        Trouble::None => String::new(),
        Trouble::Faults(rules) => {
            let each = rules
                .iter()
                .map(|rule| format!("{:?} at {} {} {:?}", rule.fault, rule.method, rule.contains, rule.when));
            format!("[{}]", each.collect::<Vec<_>>().join("; "))
        }
        Trouble::Signal(signal, after) => format!("[{signal} after {after:?}]"),
        Trouble::Within(outer) => format!("[{}]", outer.join(" ")),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
