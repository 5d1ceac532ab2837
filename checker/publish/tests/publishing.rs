//! Calls the library without the CLI: the guards cannot be bypassed.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use sitegate_check::{CheckTarget, Checker, Contract, Seal};
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::plan::PlanLimits;
use sitegate_publish::publication::{Event, Listener, Publication};
use sitegate_publish::publish::{ExportSource, PostPublish, PublishRequest, publish};
use sitegate_publish::target::PublishTarget;

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
        notify: Listener<'_>,
    ) -> Result<Publication, Failure> {
        let export = self.path("export");
        let target = PublishTarget::open_folder(&format!("file://{}", self.path(to).display())).unwrap();
        let request = PublishRequest {
            target: &target,
            export: ExportSource::Folder(&export),
            seal,
            contract,
            precompress: false,
            limits: PlanLimits::default(),
            dry_run: false,
            lease: Duration::from_mins(2),
            post_publish: PostPublish::default(),
        };
        publish(&request, &|_| Ok(()), notify).await
    }
}

fn kind(outcome: Result<Publication, Failure>) -> FailureKind {
    outcome.unwrap_err().kind
}

#[tokio::test]
async fn publishes_only_sealed_files() {
    let (site, contract) = (Site::new(), Contract::defaults());
    let seal = site.seal(&contract);
    site.write("export/terms/index.html", "<!doctype html><title>Other terms</title>");
    assert_eq!(kind(site.publish(&seal, &contract, "public").await), FailureKind::SealMismatch);
    assert!(!site.path("public").exists());
    site.write("sitegate.toml", "[pages]\nrequired = [\"/\"]\n");
    let other = Contract::load(&site.path("sitegate.toml")).unwrap();
    let resealed = site.seal(&contract);
    assert_eq!(kind(site.publish(&resealed, &other, "public").await), FailureKind::SealMismatch);
    assert!(!site.path("public").exists());
}

#[tokio::test]
async fn publishes_scripts_after_their_imports_and_keeps_chunks_for_open_tabs() {
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
    let notify = |event: &Event<'_>| {
        if let Event::Written { key, .. } = event {
            written.lock().unwrap().push((*key).to_owned());
        }
    };
    site.publish_and_tell(&site.seal(&contract), &contract, "public", &notify).await.unwrap();
    let order = written.lock().unwrap().clone();
    let position = |key: &str| order.iter().position(|one| one == key).unwrap();
    assert!(position("c.js") < position("b.js") && position("b.js") < position("a.js"), "{order:?}");
    assert!(position("a.js") < position("index.html"), "{order:?}");

    // The next release does not need two of the scripts. An open tab may still request the chunk.
    site.write("export/a.js", "console.info(2);");
    for gone in ["b.js", "c.js", "readme.txt"] {
        fs::remove_file(site.path("export").join(gone)).unwrap();
    }
    site.publish(&site.seal(&contract), &contract, "public").await.unwrap();
    assert!(site.path("public/c.js").exists() && site.path("public/b.js").exists());
    assert!(!site.path("public/readme.txt").exists());
}
