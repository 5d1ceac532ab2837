//! Tests the leading cause of a report: the one wrong setting, or the wrong folder, that explains most errors.

use std::fs;

use super::messages::{HEAD, assert_messages, folder, sitegate, text};

/// A site in two languages, below `site/dist`, and a template with a broken reference.
fn site_in_a_project() -> tempfile::TempDir {
    let page = |title: &str, links: &[&str]| {
        let links: String = links.iter().map(|link| format!("<a href={link}>x</a>")).collect();
        format!("<title>{title}</title><link rel=stylesheet href=/css/a.css>{links}")
    };
    folder(&[
        ("site/dist/index.html", &page("a", &["/", "/about/", "/en/"])),
        ("site/dist/about/index.html", &page("b", &["/", "/en/about/"])),
        ("site/dist/en/index.html", &page("c", &["/", "/en/about/", "/en/more"])),
        ("site/dist/en/about/index.html", &page("d", &["/", "/en/", "/en/more"])),
        ("site/dist/en/more.html", &page("e", &["/", "/en/", "/en/about/"])),
        ("site/dist/css/a.css", "a{}"),
        ("site/src/page.html", "<title>t</title><script src=/src/main.js></script>"),
    ])
}

#[test]
fn wrong_base_path_is_one_cause_at_the_top() {
    let page = "<title>a</title><link rel=stylesheet href=/a.css><a href=/about/>a</a><a href=/gone>a</a>\
                <a href=docs/nope.html>x</a>";
    let other = page.replace("<title>a", "<title>b");
    let folder = folder(&[("dist/index.html", page), ("dist/about/index.html", &other), ("dist/a.css", "")]);
    fs::write(folder.path().join("sitegate.toml"), "[site]\nbase-path = \"/docs/\"\n").unwrap();
    let found = text(&sitegate(folder.path(), &["check", "dist"]));
    let first = "8 findings, 4 causes\n\n\
                 error[broken-link, missing-asset]: 6 references are outside the base path; is `base-path` right?\n  \
                 --> dist/about/index.html:1:";
    assert!(found.starts_with(first), "{found}");
    assert!(found.contains("   = `/about/` is outside the base path `/docs/`\n"), "{found}");
    assert_eq!(found.matches("\nerror[").count(), 3, "{found}");
    let all = text(&sitegate(folder.path(), &["check", "dist", "--all"]));
    assert!(
        all.contains("error[missing-asset]: cannot load") && !all.contains("is `base-path` right?"),
        "{all}"
    );
    let links: String = (0..9).map(|link| format!("<a href={link}>x</a>")).collect();
    fs::write(folder.path().join("dist/index.html"), format!("{HEAD}{page}{links}")).unwrap();
    let found = text(&sitegate(folder.path(), &["check", "dist"]));
    assert!(!found.contains("is `base-path` right?"), "few references are outside of it: {found}");
}

#[test]
fn one_wrong_setting_is_one_cause() {
    let links = "<a href=/>a</a><a href=/b.html>b</a><a href=/c/>c</a>";
    let page = |title: &str| format!("<title>{title}</title>{links}");
    let pages = [page("a"), page("b"), page("c")];
    let folder = folder(&[
        ("dist/index.html", &pages[0]),
        ("dist/b.html", &pages[1]),
        ("dist/c/index.html", &pages[2]),
        ("empty/x.txt", ""),
        ("base.toml", "[site]\nbase-path = \"/docs/\"\n[rules]\norphan-page = \"off\"\n"),
        ("host.toml", "[site]\nhost = \"s3-rest\"\n[rules]\norphan-page = \"off\"\n"),
        ("pages.toml", "[pages]\nrequired = [\"/\", \"/a\"]\n[[assert]]\npages = \"/b\"\nselect = \"h1\"\n"),
    ]);
    assert_messages(
        folder.path(),
        &[
            (&["check", "dist", "--config", "base.toml"], "9 findings, 1 cause\n", 1),
            (&["check", "dist", "--config", "base.toml"], "if no link has it, `base-path` is wrong\n", 1),
            (&["check", "dist", "--config", "host.toml"], "3 findings, 1 cause\n", 1),
            (&["check", "empty", "--config", "pages.toml"], "the export contains no pages  1 error  ", 2),
        ],
    );
    let output = text(&sitegate(folder.path(), &["check", "empty"]));
    let help = "   = check that this is the folder that the build writes to. If it is meant to have no pages, set `empty-export = \"off\"` below `[rules]`\n";
    assert!(output.contains(help), "{output}");
}

#[test]
fn wrong_host_is_one_cause_at_the_top() {
    let links: String = ["b", "c", "d", "e"].map(|name| format!("<a href=/{name}>x</a>")).concat();
    let page = |title: &str| format!("<title>{title}</title>{links}<a href=/gone>x</a>");
    let files: Vec<_> = ["b", "c", "d", "e"].map(|name| (format!("dist/{name}.html"), page(name))).into();
    let mut files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let home = page("a");
    files.push(("dist/index.html", &home));
    files.push(("sitegate.toml", "[site]\nhost = \"s3-website\"\n"));
    let site = folder(&files);
    let found = text(&sitegate(site.path(), &["check", "dist"]));
    let first = "25 findings, 5 causes\n\n\
                 error[broken-link]: 20 references have no `.html`, which the host does not add; is `host` right?\n";
    assert!(found.starts_with(first), "{found}");
    assert_eq!(found.matches("\nerror[").count(), 2, "`/gone` is another cause: {found}");
    let frames = "<a href=/c/>c</a><iframe title=c src=/c/></iframe>";
    let site = folder(&[
        ("dist/index.html", &format!("<title>a</title>{frames}")),
        ("dist/c/index.html", &format!("<title>c</title>{frames}<a href=/index.html>a</a>")),
        ("sitegate.toml", "[site]\nhost = \"s3-rest\"\n"),
    ]);
    let first = "error[broken-link, missing-asset]: 4 references need index documents, which the host does not serve; \
                 is `host` right?\n";
    assert_messages(site.path(), &[(&["check", "dist"], first, 1)]);
}

#[test]
fn a_folder_above_the_export_is_one_cause_at_the_top() {
    let project = site_in_a_project();
    let found = text(&sitegate(project.path(), &["check", "site"]));
    let first = "error[broken-link, missing-asset, missing-index]: 19 broken references would work in `site/dist`; \
                 is the checked folder right?\n  --> site/dist/about/index.html:1:";
    assert!(found.contains(first), "{found}");
    assert!(found.contains("\n   = check `site/dist` instead of `site`\n"), "{found}");
    assert!(!found.contains("did you mean"), "{found}");
    assert_eq!(found.matches("error[").count(), 2, "the template is another cause: {found}");
    fs::write(project.path().join("site/sitegate.toml"), "[site]\nroot = \".\"\nbase-path = \"/\"\n")
        .unwrap();
    let found = text(&sitegate(&project.path().join("site"), &["check"]));
    assert!(found.contains("would work in `"), "{found}");
}

#[test]
fn a_folder_inside_the_export_is_one_cause_at_the_top() {
    let project = site_in_a_project();
    let title = "broken references would work in `site/dist`; is the checked folder right?";
    let fix = "   = check `site/dist` instead of `site/dist/en`\n";
    let check: &[&str] = &["check", "site/dist/en"];
    assert_messages(project.path(), &[(check, title, 1), (check, fix, 1)]);
    let en = project.path().join("site/dist/en");
    assert_messages(&en, &[(&["check", "."], "   = check `..` instead of `.`\n", 1)]);
}

#[test]
fn a_language_or_a_part_without_some_pages_is_not_the_wrong_folder() {
    let page = |title: &str, links: &str| {
        format!(
            "<title>{title}</title><link rel=stylesheet href=/a.css><a href=/>a</a><a href=/de/>b</a>{links}"
        )
    };
    let missing = "<a href=/one/>1</a><a href=/two/>2</a>";
    let site = folder(&[
        ("dist/index.html", &page("a", "")),
        ("dist/a.css", "a{}"),
        ("dist/de/index.html", &page("b", missing)),
        ("dist/de/one/index.html", &page("c", missing)),
        ("dist/de/two/index.html", &page("d", missing)),
    ]);
    let found = text(&sitegate(site.path(), &["check", "dist"]));
    assert!(found.contains("`/one/` does not exist") && !found.contains("checked folder"), "{found}");
}

#[test]
fn the_name_of_a_folder_of_the_export_is_no_base_path() {
    let names = ["", "about/", "one.html", "two.html", "three.html", "four.html", "five.html"];
    let links: String = names.iter().map(|name| format!("<a href=/en/{name}>x</a>")).collect();
    let page = |title: &str| {
        format!("<title>{title}</title><link rel=stylesheet href=/a.css><script src=/a.js></script>{links}")
    };
    let files = names.map(|name| match name {
        "" | "about/" => format!("dist/en/{name}index.html"),
        name => format!("dist/en/{name}"),
    });
    let pages: Vec<(String, String)> = files.into_iter().map(|file| (file.clone(), page(&file))).collect();
    let mut files: Vec<_> = pages.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    files.extend([("dist/a.css", "a{}"), ("dist/a.js", "a = 1")]);
    let home = page("home");
    let alone = folder(&files);
    let found = text(&sitegate(alone.path(), &["check", "dist/en"]));
    assert!(
        found.contains("base-path /en/") && !found.contains("checked folder"),
        "no home page above: {found}"
    );
    files.push(("dist/index.html", &home));
    let site = folder(&files);
    let fix = "   = check `dist` instead of `dist/en`\n";
    assert_messages(site.path(), &[(&["check", "dist/en"], fix, 1)]);
}

#[test]
fn names_of_sources_are_not_the_wrong_folder() {
    let images = "<img alt=x src=/src/x.svg><img alt=y src=/src/y.svg><a href=/>x</a>";
    let site = folder(&[
        ("index.html", "<title>a</title>"),
        ("src/x.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("src/y.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("dist/index.html", &format!("<title>a</title>{images}")),
    ]);
    let found = text(&sitegate(site.path(), &["check", "dist"]));
    assert!(found.contains("`/src/x.svg` does not exist") && !found.contains("checked folder"), "{found}");
}

#[test]
fn a_version_with_relative_links_is_not_the_wrong_folder() {
    let page = |title: &str, up: &str| {
        let pages = ["guide/", "api/", "more/"].map(|name| format!("<a href={up}{name}>x</a>")).concat();
        format!("<title>{title}</title>{pages}<a href=/guide/>x</a><a href=/api/>x</a>")
    };
    let site = folder(&[
        ("dist/index.html", "<title>a</title><a href=latest/>a</a>"),
        ("dist/latest/index.html", &page("b", "./")),
        ("dist/latest/guide/index.html", &page("c", "../")),
        ("dist/latest/api/index.html", &page("d", "../")),
        ("dist/latest/more/index.html", &page("e", "../")),
    ]);
    let found = text(&sitegate(site.path(), &["check", "dist"]));
    assert!(found.contains("`/guide/` does not exist") && !found.contains("checked folder"), "{found}");
}
