//! Tests which parts of the deployment are inferred from the small exports in `inferred_deployment.txt`: `site/`, with a
//! contract or without one. Each expected line is a setting with its evidence.
//!
//! `UPDATE=1 cargo test --test library inferred` updates them.

use std::fs;
use std::path::Path;

use sitegate_check::{Contract, Deployment, Tree};

/// Returns the inferred settings, one line each.
fn infer(root: &Path, contract: &Contract) -> String {
    let found = Deployment::infer(&Tree::walk(root).unwrap(), contract);
    let lines = found.inferred.iter();
    lines.map(|setting| format!("{} {} ({})\n", setting.key, setting.value, setting.evidence)).collect()
}

#[test]
fn settings_are_inferred_from_exports() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inferred_deployment.txt");
    let (update, mut wrong) = (std::env::var_os("UPDATE").is_some(), String::new());
    for case in sitegate_textcase::read_file(&file).unwrap() {
        let folder = tempfile::tempdir().unwrap();
        case.write_files(folder.path()).unwrap();
        let contract = match case.content("sitegate.toml") {
            Some(_) => Contract::load(&folder.path().join("sitegate.toml")).unwrap(),
            None => Contract::defaults(),
        };
        let (found, expected) = (infer(&folder.path().join("site"), &contract), case.expected("inferred"));
        if found != expected && update {
            case.update_expected("inferred", &found).unwrap();
        } else if found != expected {
            wrong += &format!("{}\n--- expected\n{expected}--- found\n{found}", case.location());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn reads_configuration_files_of_the_project_around_the_export() {
    let project = tempfile::tempdir().unwrap();
    fs::write(project.path().join("netlify.toml"), "").unwrap();
    for (place, expected) in [("dist", 1), ("build/client", 1), ("other", 0)] {
        let root = project.path().join(place);
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("index.html"), "").unwrap();
        let found = infer(&root, &Contract::defaults());
        assert_eq!(found.lines().count(), expected, "{place}: {found}");
    }
    fs::remove_file(project.path().join("netlify.toml")).unwrap();
    fs::write(project.path().join("vercel.json"), r#"{"cleanUrls": true}"#).unwrap();
    let found = infer(&project.path().join("dist"), &Contract::defaults());
    assert_eq!(found, "host vercel (vercel.json)\nclean-urls true (vercel.json)\n");
}

#[test]
fn ignores_hostile_input() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(infer(root.path(), &Contract::defaults()), "");
    let garbage = "\u{0}<base href='http://[/'><link rel=canonical href='https://\u{1f4a9}:99999/'><link rel=canonical href>";
    fs::write(root.path().join("CNAME"), "a b\nc").unwrap();
    fs::write(root.path().join("sitemap.xml"), "<urlset><loc>https://").unwrap();
    for page in [garbage.to_owned(), format!("<a href=/{}x>", "a/".repeat(10_000))] {
        fs::write(root.path().join("index.html"), page).unwrap();
        assert_eq!(infer(root.path(), &Contract::defaults()), "");
    }
}
