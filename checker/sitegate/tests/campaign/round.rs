//! One round: a target, releases for it, and runs of the program on them, each of which is judged.

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

/// The lease that publishers are given, in seconds: long enough for a machine that has other work.
const LEASE: u64 = 12;

/// What others have at a target.
const PLAIN: [&str; 3] = ["CNAME", "legacy/report.pdf", "about/note.txt"];

/// What others have there under odd names, in a bucket and in a folder.
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

/// A release on disk, checked and sealed, ready to be published.
pub struct Sealed {
    pub site: Site,
    pub release: Release,
}

/// A round, and what came of it so far.
pub struct Round {
    pub rng: Rng,
    /// The lease of its publishers.
    pub lease: Duration,
    pub target: TestTarget,
    allowed: Arc<Mutex<AllowedContent>>,
    beside: Objects,
    /// Each release by the digests that the program knows it by.
    releases: Mutex<Vec<(Value, Value, Release)>>,
    steps: Mutex<Vec<String>>,
    pub runs: AtomicUsize,
    /// How often something was done to a run.
    pub troubles: AtomicUsize,
    nowhere: Site,
    visitor: Option<Visitor>,
    /// Whether things may lie about that a release once had, and that the target no longer knows of.
    pub has_leftovers: bool,
    /// Whether CloudFront is still to be told of what is live.
    is_owed: AtomicBool,
    precompress: bool,
    /// The release that the next one is an edit of.
    last: Option<Release>,
    count: usize,
}

impl Round {
    pub fn new(store: Store, mut rng: Rng) -> Round {
        let target = TestTarget::new(store, &mut rng);
        let precompress = store == Store::Folder && rng.chance(40);
        let allowed = Arc::new(Mutex::new(AllowedContent::new(store != Store::Folder)));
        let round = Round {
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
        round.with_foreign_objects()
    }

    /// Puts in what belongs to others, and begins to watch.
    fn with_foreign_objects(mut self) -> Round {
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
        self
    }

    /// The end of a round: what its visitor saw.
    ///
    /// # Errors
    /// What is wrong.
    pub fn end(&mut self) -> Result<(), String> {
        self.visitor.as_mut().map_or(Ok(()), Visitor::finish)
    }

    /// What was done so far, for whoever looks for the cause.
    pub fn steps(&self) -> Vec<String> {
        self.steps.lock().unwrap().clone()
    }

    pub fn note(&self, step: impl Into<String>) {
        self.steps.lock().unwrap().push(step.into());
    }

    /// The next release: an edit of the last one, or the first.
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

    /// Builds a release in a folder of its own, checks and seals it.
    ///
    /// # Errors
    /// Where it does not pass the check.
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

    /// The next release, sealed.
    ///
    /// # Errors
    /// Where it does not pass the check.
    pub fn next(&mut self) -> Result<Sealed, String> {
        let release = self.release();
        self.seal(release)
    }

    /// The options that a publish of this round is given, some of them at random.
    pub fn options(&mut self) -> Vec<String> {
        let (keep, jobs) = (self.rng.between(0, 4), self.rng.pick(&[1, 2, 16]).to_string());
        let keep = if keep == 0 && self.rng.chance(70) { 3 } else { keep }.to_string();
        let mut options = ["--keep-releases", &keep, "--jobs", &jobs].map(str::to_owned).to_vec();
        if self.target.server().is_some() && self.rng.chance(20) {
            options.extend(["--invalidate", "E2EXAMPLE"].map(str::to_owned));
        }
        options
    }

    /// A command on the target: a publish of a sealed release, or what needs none.
    pub fn command(&self, name: &str, sealed: Option<&Sealed>, more: &[String]) -> Command {
        let (target, lease) = (self.target.url(), self.lease.as_secs().to_string());
        let mut args = vec![name, target.as_str()];
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

    /// Starts a run, with what shall happen to it.
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

    /// Does a run from beginning to end, and holds its exit code to what is there afterwards.
    ///
    /// # Errors
    /// What is wrong.
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
            // What was on its way when it was killed may still be carried out.
            std::thread::sleep(Duration::from_millis(60));
        }
        let truth = self
            .check_exit_code(name, release, &result, &before)
            .and_then(|()| self.check_pending_steps(name, &result));
        truth.map_err(|wrong| format!("after {name} {shown}: {wrong}"))?;
        Ok(result)
    }

    /// Whether an exit code tells the truth, where nobody else is at work.
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
            // A signal that can be heeded may be told by an exit code, as shells do.
            (_, None | Some(130 | 143)) | ("publish" | "rollback", Some(0 | 7)) => Ok(()),
            // Visitors get the page itself where a compressed form is cleared whose release was lost.
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

    /// Whether what was asked for after going live is not forgotten: where CloudFront could not be told, a publish that
    /// says that all is done has told it.
    fn check_pending_steps(&self, name: &str, result: &RunResult) -> Result<(), String> {
        let told = || {
            let log = self.target.server().map_or_else(Vec::new, super::super::s3::server::Server::log);
            log.iter().any(|line| line.contains("/invalidation"))
        };
        match (name, result.code) {
            ("publish", Some(8 | 10)) => self.is_owed.store(true, Ordering::Relaxed),
            ("publish", Some(0)) if self.is_owed.swap(false, Ordering::Relaxed) && !told() => {
                return Err("CloudFront was never told, and nothing says so any more".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// What is there, which must be sound.
    ///
    /// # Errors
    /// What is wrong.
    pub fn objects_at_rest(&self) -> Result<Objects, String> {
        let objects = self.target.objects();
        self.allowed.lock().unwrap().assert_sound(&objects)?;
        invariants::assert_kept_contents_match(&objects)?;
        if self.target.outside_target() != self.beside {
            return Err("what lies beside the target was changed".to_owned());
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

    /// Whether exactly this release is live, and nothing else is there.
    ///
    /// # Errors
    /// What is wrong.
    pub fn is_live(&self, release: &Release) -> Result<(), String> {
        let objects = self.objects_at_rest()?;
        self.allowed.lock().unwrap().is_live(&objects, release, !self.has_leftovers)
    }

    /// Publishes without any trouble: whatever happened before, it must come to its end, and the target is then
    /// exactly that release.
    ///
    /// # Errors
    /// What is wrong.
    pub fn complete(&mut self, sealed: &Sealed) -> Result<(), String> {
        let options = self.options();
        let mut result = self.run("publish", Some(sealed), &options, &Trouble::None)?;
        for attempt in 0..3 {
            if result.code != Some(5) {
                break;
            }
            if !result.output.contains("sitegate unlock") {
                return Err(format!(
                    "a target that is held, and no word of `sitegate unlock`: {}",
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
        if result.output.contains("is live") && !status["held"].is_null() {
            // Nothing had to be published, so nobody waited for the run that died after it had made the release live.
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

    /// Runs a command that needs no files, and must succeed.
    ///
    /// # Errors
    /// What is wrong.
    pub fn run_without_files(&self, name: &str, more: &[&str]) -> Result<RunResult, String> {
        let more: Vec<String> = more.iter().map(|&word| word.to_owned()).collect();
        let result = self.run(name, None, &more, &Trouble::None)?;
        match result.code {
            Some(0) => Ok(result),
            code => Err(format!("{name} {more:?} ends with {code:?}: {}", result.output)),
        }
    }

    /// # Errors
    /// What is wrong.
    pub fn status(&self) -> Result<Value, String> {
        let result = self.run_without_files("status", &["--format", "json"])?;
        serde_json::from_slice(&result.stdout).map_err(|error| format!("status prints no JSON: {error}"))
    }

    /// The releases of this round that are meant by one of the status.
    fn releases_of(&self, listed: &Value) -> Vec<Release> {
        let all = self.releases.lock().unwrap();
        let meant = all.iter().filter(|(tree, contract, _)| {
            *tree == listed["tree"] && *contract == listed.get("contract").cloned().unwrap_or_default()
        });
        meant.map(|(_, _, release)| release.clone()).collect()
    }

    /// Goes back to a release that the status lists: that must be possible, and then it is live.
    ///
    /// # Errors
    /// What is wrong.
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
        let meant = self.releases_of(wanted);
        let mut wrong = Err(format!("{name} was never published"));
        for release in &meant {
            wrong = self.is_live(release);
            if wrong.is_ok() {
                return Ok(());
            }
        }
        wrong.map_err(|wrong| format!("after going back to {name}: {wrong}"))
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
