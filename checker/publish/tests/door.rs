//! The library's door, called without the program: no guard can be gone round.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::seal::Seal;
use sitegate_check::{CheckTarget, Checker};
use sitegate_publish::events::{Event, Listener};
use sitegate_publish::failure::{Exit, Failure};
use sitegate_publish::plan::PlanLimits;
use sitegate_publish::publication::{Publication, Reached};
use sitegate_publish::publish::{Afterwards, PublishRequest, publish};
use sitegate_publish::rollback::{RollbackRequest, roll_back};
use sitegate_publish::target::store::TargetOptions;

struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    fn new() -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap() };
        site.write("export/index.html", "<!doctype html><title>Home</title>");
        site.write("export/terms/index.html", "<!doctype html><title>Terms</title>");
        site
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.path(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn seal(&self, contract: &Contract) -> Seal {
        let checker = Checker::new(contract).unwrap().digest(true);
        let (report, files) = checker.check_files(CheckTarget::Export(&self.path("export"))).unwrap();
        files.seal(&report, contract).unwrap()
    }

    async fn publish(&self, seal: &Seal, contract: &Contract, to: &str) -> Result<Publication, Failure> {
        self.publish_and_tell(seal, contract, to, &|_| {}).await
    }

    async fn publish_and_tell(
        &self,
        seal: &Seal,
        contract: &Contract,
        to: &str,
        tell: Listener<'_>,
    ) -> Result<Publication, Failure> {
        let export = self.path("export");
        let request = PublishRequest {
            target: &format!("file://{}", self.path(to).display()),
            options: TargetOptions::default(),
            export: &export,
            seal,
            contract,
            precompress: false,
            limits: PlanLimits::default(),
            dry_run: false,
            lease: Duration::from_mins(2),
            afterwards: Afterwards::default(),
        };
        publish(&request, &|_| Ok(()), tell).await
    }
}

fn exit(result: Result<Publication, Failure>) -> Exit {
    result.unwrap_err().exit
}

#[tokio::test]
async fn only_what_was_sealed_goes_live() {
    let (site, contract) = (Site::new(), Contract::defaults());
    let seal = site.seal(&contract);
    site.write("export/terms/index.html", "<!doctype html><title>Other terms</title>");
    assert_eq!(exit(site.publish(&seal, &contract, "public").await), Exit::Refused);
    assert!(!site.path("public").exists());
    site.write("sitegate.toml", "[pages]\nrequired = [\"/\"]\n");
    let other = Contract::load(&site.path("sitegate.toml")).unwrap();
    let resealed = site.seal(&contract);
    assert_eq!(exit(site.publish(&resealed, &other, "public").await), Exit::Refused);
    assert!(!site.path("public").exists());
}

#[tokio::test]
async fn a_target_that_overlaps_the_export_is_refused() {
    let (site, contract) = (Site::new(), Contract::defaults());
    let seal = site.seal(&contract);
    for to in ["export", "export/public", "."] {
        assert_eq!(exit(site.publish(&seal, &contract, to).await), Exit::Usage, "{to}");
    }
}

#[tokio::test]
async fn drift_and_vanished_pages_are_stopped_and_a_release_comes_back() {
    let (site, contract) = (Site::new(), Contract::defaults());
    let published = site.publish(&site.seal(&contract), &contract, "public").await.unwrap();
    assert_eq!(published.reached, Reached::Published);
    site.write("public/index.html", "edited by hand");
    site.write("export/index.html", "<!doctype html><title>New home</title>");
    assert_eq!(exit(site.publish(&site.seal(&contract), &contract, "public").await), Exit::Guard);
    site.write("public/index.html", "<!doctype html><title>Home</title>");
    fs::remove_dir_all(site.path("export/terms")).unwrap();
    assert_eq!(exit(site.publish(&site.seal(&contract), &contract, "public").await), Exit::Guard);
    site.write("export/terms/index.html", "<!doctype html><title>Terms</title>");
    site.publish(&site.seal(&contract), &contract, "public").await.unwrap();
    let target = format!("file://{}", site.path("public").display());
    let request = RollbackRequest {
        target: &target,
        options: TargetOptions::default(),
        to: None,
        keep: 5,
        dry_run: false,
        invalidate: None,
        drop_pending: false,
    };
    let back = roll_back(&request, &|_| Ok(()), &|_| {}).await.unwrap();
    assert_eq!(back.plan.manifest.restores.as_deref(), Some(published.release()));
    let live = fs::read_to_string(site.path("public/index.html")).unwrap();
    assert_eq!(live, "<!doctype html><title>Home</title>");
}

#[tokio::test]
async fn a_script_goes_live_after_what_it_loads_and_open_tabs_keep_theirs() {
    let (site, contract) = (Site::new(), Contract::defaults());
    site.write(
        "export/index.html",
        "<!doctype html><title>Home</title><script type=module src=/a.js></script>",
    );
    site.write("export/a.js", "import './b.js';");
    site.write("export/b.js", "import('./c.js');");
    site.write("export/c.js", "console.info(1);");
    site.write("export/readme.txt", "Nothing loads me.");
    let written = Mutex::new(Vec::new());
    let tell = |event: &Event<'_>| {
        if let Event::Written { key, .. } = event {
            written.lock().unwrap().push((*key).to_owned());
        }
    };
    site.publish_and_tell(&site.seal(&contract), &contract, "public", &tell).await.unwrap();
    let order = written.lock().unwrap().clone();
    let place = |key: &str| order.iter().position(|one| one == key).unwrap();
    assert!(place("c.js") < place("b.js") && place("b.js") < place("a.js"), "{order:?}");
    assert!(place("a.js") < place("index.html"), "{order:?}");

    // The next release needs two of them no more: a tab that is open may still ask for the chunk.
    site.write("export/a.js", "console.info(2);");
    for gone in ["b.js", "c.js", "readme.txt"] {
        fs::remove_file(site.path("export").join(gone)).unwrap();
    }
    site.publish(&site.seal(&contract), &contract, "public").await.unwrap();
    assert!(site.path("public/c.js").exists() && site.path("public/b.js").exists());
    assert!(!site.path("public/readme.txt").exists());
}
