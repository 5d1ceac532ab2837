//! Tests the settings that `sitegate init` reads from configurations of generators. Each case of `generators.txt` is a
//! minimal project. `export.txt` names the output folder. The expected draft has `[site]` and `[source]`, and the output of
//! the command.
//!
//! `UPDATE=1 cargo test --test program generators` updates the expected drafts.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const PAGE: &str =
    "<!doctype html><html lang=en><meta charset=utf-8><title>x</title><h1>x</h1><main>x</main>";

fn init(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sitegate")).current_dir(folder).arg("init").args(args).output().unwrap()
}

/// Returns the `[site]` of a draft.
fn site(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("sitegate.toml")).unwrap();
    let (_, rest) = text.split_once("[site]\n").unwrap();
    rest.split("\n\n").next().unwrap().to_owned()
}

#[test]
fn init_reads_the_deployment_from_generator_configurations() {
    let projects = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generators.txt");
    let mut wrong = String::new();
    for project in sitegate_textcase::read_file(&projects).unwrap() {
        let folder = tempfile::tempdir().unwrap();
        project.write_files(folder.path()).unwrap();
        let export = project.content("export.txt").unwrap();
        let export = folder.path().join(export.trim());
        fs::create_dir_all(&export).unwrap();
        fs::write(export.join("index.html"), PAGE).unwrap();
        let output = init(folder.path(), &[]);
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let found = match output.status.code() {
            Some(0) => {
                let (site, sources) = (site(folder.path()), source_section(folder.path()));
                format!("{site}\n\n{sources}\n\n{}\n", printed.lines().next().unwrap())
            }
            _ => printed,
        };
        let expected = project.expected("draft");
        if found != expected && std::env::var_os("UPDATE").is_some() {
            project.update_expected("draft", &found).unwrap();
        } else if found != expected {
            wrong += &format!("{}\n--- expected\n{expected}--- found\n{found}\n", project.location());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the `[source]` of a draft.
fn source_section(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("sitegate.toml")).unwrap();
    let (_, rest) = text.split_once("[source]\n").unwrap();
    rest.split("\n\n").next().unwrap().to_owned()
}

/// Creates a project with these files.
fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[cfg(unix)]
#[test]
fn init_keeps_symbolic_links_to_the_export() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["store/1/www", "project/contracts"] {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    fs::write(folder.path().join("store/1/www/index.html"), PAGE).unwrap();
    let project = folder.path().join("project");
    std::os::unix::fs::symlink("../store/1", project.join("result")).unwrap();
    std::os::unix::fs::symlink("project", folder.path().join("link")).unwrap();
    let through_link = folder.path().join("link/result/www");
    for (export, config, root) in [
        ("result/www", "sitegate.toml", "result/www"),
        ("./result/www/", "sitegate.toml", "result/www"),
        ("contracts/../result/www", "sitegate.toml", "result/www"),
        (through_link.to_str().unwrap(), "sitegate.toml", "result/www"),
        ("result/www", "contracts/sitegate.toml", "../result/www"),
        ("../store/1/www", "sitegate.toml", "../store/1/www"),
        ("result/www", "result/www/sitegate.toml", "."),
    ] {
        assert_eq!(init(&project, &[export, "--config", config, "--force"]).status.code(), Some(0));
        let text = fs::read_to_string(project.join(config)).unwrap();
        assert!(text.contains(&format!("\nroot = \"{root}\"\n")), "{export}, {config}: {text}");
    }
}

#[test]
fn init_demands_no_content_of_redirect_pages() {
    let head = "<!doctype html><html lang=en><head><title>x</title>";
    let redirect = "<meta http-equiv=refresh content='0; url=/new/'></head>";
    let page = format!("{head}</head><h1>x</h1>");
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("index.html", page.clone()),
        ("new/index.html", page),
        ("404.html", head.to_owned()),
        ("old.html", format!("{head}{redirect}")),
        (
            "moved.html",
            format!("{head}</head><body><script>window.location.replace('/new/')</script></body></html>"),
        ),
        ("a[b]/index.html", format!("<!doctype html><head>{redirect}")),
        (
            "reload.html",
            "<!doctype html><html lang=en><meta http-equiv=refresh content=5><h1>x</h1>".to_owned(),
        ),
    ] {
        let file = folder.path().join("dist").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    assert_eq!(init(folder.path(), &[]).status.code(), Some(0));
    let text = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    for part in [
        "[pages.groups]\nredirects = [\n  \"/moved.html\",\n]\n",
        "required = [\n  \"/\",\n  \"/404.html\",\n  \"/new\",\n  \"/reload.html\",\n]\n",
        "name = \"one main heading\"\npages = \"/**\"\nexcept = [\"/404.html\", \"@redirects\"]\n",
        "name = \"a language\"\npages = \"/**\"\nselect",
        "#   one title: not on 1 page, such as reload.html\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let check = Command::new(env!("CARGO_BIN_EXE_sitegate")).current_dir(folder.path()).arg("check").output();
    let printed = String::from_utf8(check.unwrap().stdout).unwrap();
    assert!(!printed.contains("wrong-count"), "{printed}");
}

#[test]
fn init_reports_a_site_that_is_not_built_yet() {
    let folder = project(&[("docs/.vitepress/config.mts", "export default { base: '/x/' }")]);
    let output = init(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("VitePress writes the export to docs/.vitepress/dist, which has no pages yet"),
        "{said}"
    );
}

#[test]
fn own_export_has_priority_over_that_of_the_documentation() {
    let folder = project(&[
        ("docs/.vitepress/config.mts", "export default { base: '/x/' }"),
        ("docs/.vitepress/dist/index.html", PAGE),
    ]);
    assert_eq!(init(folder.path(), &[]).status.code(), Some(0));
    assert!(site(folder.path()).starts_with("root = \"docs/.vitepress/dist\""));
    fs::create_dir(folder.path().join("dist")).unwrap();
    fs::write(folder.path().join("dist/index.html"), PAGE).unwrap();
    assert_eq!(init(folder.path(), &["--force"]).status.code(), Some(0));
    assert!(site(folder.path()).starts_with("root = \"dist\""), "{}", site(folder.path()));
    assert!(!site(folder.path()).contains("/x/"));
}

#[test]
fn ignores_the_configuration_of_another_project() {
    let folder = project(&[
        ("astro.config.mjs", "export default { site: 'https://a.example.org', base: '/docs' }"),
        ("dist/index.html", PAGE),
        ("elsewhere/index.html", PAGE),
    ]);
    assert_eq!(init(folder.path(), &["elsewhere"]).status.code(), Some(0));
    assert!(!site(folder.path()).contains("a.example.org"), "{}", site(folder.path()));
    assert_eq!(init(folder.path(), &["dist/", "--force"]).status.code(), Some(0));
    assert!(site(folder.path()).contains("origin = \"https://a.example.org\" # `site` in astro.config.mjs"));
}

#[test]
fn configurations_are_never_executed() {
    let folder = project(&[
        (
            "astro.config.mjs",
            "import fs from 'node:fs'; fs.writeFileSync('ran', ''); export default { base: \"/a\\n[rules]\\nbroken-link = 'off'\\n#/\", site: 'https://a.example.org' }",
        ),
        ("dist/index.html", PAGE),
    ]);
    assert_eq!(init(folder.path(), &[]).status.code(), Some(0));
    assert!(!folder.path().join("ran").exists());
    let text = fs::read_to_string(folder.path().join("sitegate.toml")).unwrap();
    let draft: toml::Table = toml::from_str(&text).unwrap();
    assert!(!draft.contains_key("rules"), "{text}");
}
