//! Tests `mv`: which references are edited, in which style, and what is refused.

use std::fs;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::folders::{folder, git, sitegate, stdout, write};

fn page(body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title>\
         <meta name=description content=\"T\"></head><body>{body}</body></html>"
    )
}

/// A committed site with an export.
fn site(include: &str, pages: &[&str], sources: &[(&str, &str)]) -> TempDir {
    let contract = format!("[site]\nroot = \"site\"\n\n[source]\ninclude = [{include}]\n");
    let site = folder(&[("sitegate.toml", &contract), (".gitignore", "site\n")]);
    for name in pages {
        write(site.path(), &format!("site/{name}"), &page(""));
    }
    for (name, text) in sources {
        write(site.path(), name, text);
    }
    git(site.path(), &["init", "--quiet", "--initial-branch=main"]);
    git(site.path(), &["add", "."]);
    git(site.path(), &["commit", "--quiet", "--message=start"]);
    site
}

#[track_caller]
fn mv(site: &TempDir, from: &str, to: &str) {
    let output = sitegate(site.path(), &["mv", from, to]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn read(site: &TempDir, name: &str) -> String {
    fs::read_to_string(site.path().join(name)).unwrap()
}

/// A site with links in all styles of Markdown.
fn markdown() -> TempDir {
    let index = "\u{feff}# Home\r\n\r\n[a](setup.md#x 'T'), [b](<./setup.md?q&amp;r>), [c](/setup/), [d]: setup.md\r\n\
                 [e](setup/#x) `[f](setup.md)` <a href='setup/'>g</a> setup.md [h](other.md)\r\n\r\n\
                 [r]: ./setup.md\r\n[unused]: setup.md\r\n```\n[i](setup.md)\n```\n[j](s%65tup.md) [r]";
    site(
        "\"docs/**\", \"layouts/**\"",
        &["index.html", "setup/index.html", "other/index.html", "guide/x/index.html"],
        &[
            ("docs/index.md", index),
            (
                "docs/setup.md",
                "---\ntitle: S\n---\n[a](other.md) ![i](img/a.png) [b](#x) [c](../other/) [d](setup.md#x) [e](gone.md)\n",
            ),
            ("docs/img/a.png", "x"),
            ("docs/other.md", "[a](setup.md)"),
            ("docs/guide/x.md", "[a](../setup.md)\n"),
            ("layouts/nav.html", "<a href=\"/setup/\">S</a> <b class=\"setup\"></b>"),
            ("mkdocs.yml", "nav:\n  - Setup: setup.md # c\n  - \"setup.md\"\n  - Other: other.md\n"),
        ],
    )
}

#[test]
fn links_of_markdown_follow_in_their_own_style() {
    let site = markdown();
    mv(&site, "docs/setup.md", "docs/install/new.md");
    assert_eq!(
        read(&site, "docs/index.md"),
        "\u{feff}# Home\r\n\r\n[a](install/new.md#x 'T'), [b](<./install/new.md?q&amp;r>), [c](/install/new/), [d]: setup.md\r\n\
         [e](install/new/#x) `[f](setup.md)` <a href='install/new/'>g</a> setup.md [h](other.md)\r\n\r\n\
         [r]: ./install/new.md\r\n[unused]: setup.md\r\n```\n[i](setup.md)\n```\n[j](install/new.md) [r]"
    );
    assert_eq!(
        read(&site, "docs/install/new.md"),
        "---\ntitle: S\n---\n[a](../other.md) ![i](../img/a.png) [b](#x) [c](../../other/) [d](new.md#x) [e](gone.md)\n"
    );
    assert!(!site.path().join("docs/setup.md").exists());
    assert_eq!(read(&site, "docs/other.md"), "[a](install/new.md)");
    assert_eq!(read(&site, "docs/guide/x.md"), "[a](../install/new.md)\n");
    assert_eq!(read(&site, "layouts/nav.html"), "<a href=\"/install/new/\">S</a> <b class=\"setup\"></b>");
    assert_eq!(
        read(&site, "mkdocs.yml"),
        "nav:\n  - Setup: install/new.md # c\n  - \"install/new.md\"\n  - Other: other.md\n"
    );
    let contract = read(&site, "sitegate.toml");
    assert!(
        contract.ends_with("\n[[redirects]]\nfrom = \"/setup/\"\nto = \"/install/new/\"\n"),
        "{contract}"
    );
}

#[test]
fn a_move_and_its_reverse_restore_all_links() {
    let site = markdown();
    let names = ["docs/index.md", "docs/other.md", "docs/guide/x.md", "layouts/nav.html", "mkdocs.yml"];
    // `%65` and the two styles `setup.md` and `./setup.md` of one reference remain as they are.
    write(site.path(), "docs/index.md", &read(&site, "docs/index.md").replace("s%65tup", "setup"));
    git(site.path(), &["commit", "--quiet", "--all", "--message=plain"]);
    let before: Vec<String> = names.iter().map(|name| read(&site, name)).collect();
    let setup = read(&site, "docs/setup.md");
    let contract = read(&site, "sitegate.toml");
    mv(&site, "docs/setup.md", "docs/a/b/setup.md");
    write(site.path(), "site/a/b/setup/index.html", &page(""));
    fs::remove_dir_all(site.path().join("site/setup")).unwrap();
    let back = ["mv", "docs/a/b/setup.md", "docs/setup.md", "--allow-dirty"];
    let output = sitegate(site.path(), &[&back[..], &["--no-redirect"]].concat());
    assert!(
        stderr(&output).contains("/setup/ is redirected to /a/b/setup/; remove that redirect first"),
        "{}",
        stderr(&output)
    );
    let output = sitegate(site.path(), &back);
    let note = "look at  /setup/: its redirect is removed, because it has a page again";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
    // The redirects are no loop.
    let table = "\n[[redirects]]\nfrom = \"/a/b/setup/\"\nto = \"/setup/\"\n";
    assert_eq!(read(&site, "sitegate.toml"), format!("{contract}{table}"));
    for (name, text) in names.iter().zip(before) {
        assert_eq!(read(&site, name), text, "{name}");
    }
    assert_eq!(read(&site, "docs/setup.md"), setup);
}

#[test]
fn a_folder_moves_with_its_own_links() {
    let site = site(
        "\"src/**\"",
        &["index.html", "guide/index.html", "guide/a.html", "guide/b.html"],
        &[
            ("book.toml", "[book]\n"),
            ("src/SUMMARY.md", "- [Guide](guide/README.md)\n  - [A](./guide/a.md)\n"),
            ("src/index.md", "[a](guide/a.html) [g](guide/)\n"),
            ("src/guide/README.md", "[a](a.md) [b](./b.md#x)\n"),
            ("src/guide/a.md", "{{#include ../code.rs:3}} [home](../index.md)\n"),
            ("src/guide/b.md", "[a](a.html)\n"),
            ("src/code.rs", "\n"),
        ],
    );
    mv(&site, "src/guide", "src/user/manual");
    assert_eq!(
        read(&site, "src/SUMMARY.md"),
        "- [Guide](user/manual/README.md)\n  - [A](./user/manual/a.md)\n"
    );
    assert_eq!(read(&site, "src/index.md"), "[a](user/manual/a.html) [g](user/manual/)\n");
    assert_eq!(read(&site, "src/user/manual/README.md"), "[a](a.md) [b](./b.md#x)\n");
    assert_eq!(read(&site, "src/user/manual/a.md"), "{{#include ../../code.rs:3}} [home](../../index.md)\n");
    assert_eq!(read(&site, "src/user/manual/b.md"), "[a](a.html)\n");
    let contract = read(&site, "sitegate.toml");
    for (from, to) in [("/guide/", "/user/manual/"), ("/guide/a.html", "/user/manual/a.html")] {
        assert!(contract.contains(&format!("from = \"{from}\"\nto = \"{to}\"\n")), "{contract}");
    }
}

#[test]
fn names_of_documents_follow_in_sphinx() {
    let index = "Home\n====\n\n.. toctree::\n   :maxdepth: 1\n\n   setup\n   Other <guide/other>\n\n:doc:`setup` :doc:`S </setup>` \
                 `s <setup.html>`_ ``x :doc:`setup` y``\n\n.. _link: setup.html#x\n.. include:: setup.rst\n\nlink_\n";
    let site = site(
        "\"docs/**\"",
        &["index.html", "setup.html", "guide/other.html"],
        &[
            ("docs/conf.py", "project = 'x'\n"),
            ("docs/index.rst", index),
            ("docs/setup.rst", "Setup\n=====\n\n.. image:: i.png\n\n:doc:`guide/other`\n"),
            ("docs/i.png", "x"),
            (
                "docs/guide/other.md",
                "{doc}`../setup` [a](../setup.rst)\n\n```{toctree}\n:hidden:\n/setup\n```\n",
            ),
        ],
    );
    mv(&site, "docs/setup.rst", "docs/install/new.rst");
    assert_eq!(
        read(&site, "docs/index.rst"),
        index
            .replace("   setup\n", "   install/new\n")
            .replace(" :doc:`S </setup>`", " :doc:`S </install/new>`")
            .replace("\n\n:doc:`setup`", "\n\n:doc:`install/new`")
            .replace("setup.html", "install/new.html")
            .replace("setup.rst", "install/new.rst")
    );
    assert_eq!(
        read(&site, "docs/install/new.rst"),
        "Setup\n=====\n\n.. image:: ../i.png\n\n:doc:`../guide/other`\n"
    );
    assert_eq!(
        read(&site, "docs/guide/other.md"),
        "{doc}`../install/new` [a](../install/new.rst)\n\n```{toctree}\n:hidden:\n/install/new\n```\n"
    );
}

#[test]
fn names_in_the_default_role_follow_in_sphinx() {
    let index = "Home\n====\n\n`setup` ``setup`` :any:`setup` `setup <https://setup.example/>`_ `other`\n";
    for (role, is_changed) in [("default_role = \"any\"  \n", true), ("default_role = 'code'\n", false)] {
        let site = site(
            "\"docs/**\", \"src/**\"",
            &["index.html", "setup.html"],
            &[
                ("docs/conf.py", role),
                ("docs/index.rst", index),
                ("docs/setup.rst", "Setup\n=====\n"),
                ("src/a.py", "def f():\n    \"\"\"See `setup` and `f`.\"\"\"\n"),
            ],
        );
        mv(&site, "docs/setup.rst", "docs/install.rst");
        let by_role =
            |text: &str| if is_changed { text.replace(" `setup`", " `install`") } else { text.to_owned() };
        let expected = index.replace(":any:`setup`", ":any:`install`").replace("\n`setup`", "\n `setup`");
        assert_eq!(read(&site, "docs/index.rst"), by_role(&expected).replace("\n `", "\n`"), "{role}");
        // In a docstring, from the root: the document that shows it may move, too.
        assert_eq!(
            read(&site, "src/a.py"),
            by_role("def f():\n    \"\"\"See `setup` and `f`.\"\"\"\n").replace("`install`", "`/install`"),
            "{role}"
        );
    }
}

#[test]
fn names_follow_if_only_other_sources_have_pages() {
    let link = "{{< relref \"variables/page\" >}}\n";
    let site = site(
        "\"docs/content/**\"",
        &["index.html", "a/index.html", "guide/b/index.html"],
        &[
            ("docs/content/en/a.md", link),
            ("docs/content/en/guide/b.md", link),
            ("docs/content/en/variables/page.md", "Variables\n"),
        ],
    );
    mv(&site, "docs/content/en/variables/page.md", "docs/content/en/variables/new.md");
    for file in ["docs/content/en/a.md", "docs/content/en/guide/b.md"] {
        assert_eq!(read(&site, file), "{{< relref \"variables/new\" >}}\n");
    }
}

#[test]
fn shortcodes_and_front_matter_follow_in_hugo() {
    let site = site(
        "\"content/**\", \"data/**\"",
        &["index.html", "guide/setup/index.html", "guide/other/index.html", "old/index.html"],
        &[
            (
                "hugo.toml",
                "baseURL = 'https://e.example/'\n[[menus.main]]\nname = 'S'\npageRef = '/guide/setup'\n",
            ),
            (
                "content/guide/other.md",
                "---\naliases:\n- /guide/setup/x\nrelated: ['guide/setup.md']\n---\n{{< ref \"setup\" >}} {{% relref \"/guide/setup.md#x\" %}} [a](../setup/)\n",
            ),
            (
                "content/guide/setup.md",
                "+++\naliases = [\"/old/\"]\n+++\n{{< ref \"other\" >}} [b](../other/)\n",
            ),
            ("data/menu.yml", "- url: x\n- link: /guide/setup/\n"),
        ],
    );
    mv(&site, "content/guide/setup.md", "content/install/setup.md");
    assert_eq!(
        read(&site, "content/guide/other.md"),
        "---\naliases:\n- /guide/setup/x\nrelated: ['install/setup.md']\n---\n{{< ref \"../install/setup\" >}} {{% relref \"/install/setup.md#x\" %}} [a](../../install/setup/)\n"
    );
    assert_eq!(
        read(&site, "content/install/setup.md"),
        "+++\naliases = [\"/old/\"]\n+++\n{{< ref \"../guide/other\" >}} [b](../../guide/other/)\n"
    );
    assert_eq!(read(&site, "data/menu.yml"), "- url: x\n- link: /install/setup/\n");
    assert!(read(&site, "hugo.toml").ends_with("pageRef = '/install/setup'\n"));
}

#[test]
fn pages_have_the_addresses_of_hugo() {
    let site = site(
        "\"content/**\"",
        &[
            "index.html",
            "functions/index.html",
            "functions/lang/index.html",
            "functions/lang.merge/index.html",
            "functions/page/index.html",
        ],
        &[
            ("hugo.toml", "baseURL = 'https://e.example/'\n"),
            ("content/functions/lang.Merge.md", "Merge\n"),
            (
                "content/functions/lang.md",
                "{{< relref \"functions/lang.merge\" >}} [m](/functions/lang.merge/)\n",
            ),
            ("content/functions/_index.md", "Functions\n"),
            ("content/functions/page.md", "No index\n"),
            ("content/team/index.md", "One page\n"),
        ],
    );
    let refused = sitegate(site.path(), &["mv", "content/functions/lang.Merge.md", "content/team/merge.md"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("`content/team` is a leaf bundle of Hugo"), "{}", stderr(&refused));
    mv(&site, "content/functions/lang.Merge.md", "content/functions/Combine.md");
    assert_eq!(
        read(&site, "content/functions/lang.md"),
        "{{< relref \"functions/Combine\" >}} [m](/functions/combine/)\n"
    );
    let contract = read(&site, "sitegate.toml");
    assert!(
        contract.contains("from = \"/functions/lang.merge/\"\nto = \"/functions/combine/\""),
        "{contract}"
    );
}

#[test]
fn sidebars_and_links_from_the_root_follow_in_docusaurus() {
    let site = site(
        "\"docs/**\", \"src/**\"",
        &["index.html", "docs/guide/setup/index.html", "docs/intro/index.html"],
        &[
            ("docusaurus.config.js", "export default { items: [{ to: '/docs/guide/setup' }] };\n"),
            (
                "sidebars.js",
                "export default { docs: ['intro', 'guide/setup', {type: 'doc', id: \"guide/setup\"}] };\n",
            ),
            (
                "docs/intro.mdx",
                "import X from './guide/setup.md';\n\n[a](./guide/setup.md) [b](/docs/guide/setup) <Link to=\"/docs/guide/setup#x\"/>\n",
            ),
            ("docs/guide/setup.md", "---\nid: setup\n---\n[i](../intro.mdx)\n"),
            ("src/index.jsx", "<Link to=\"/docs/guide/setup/\" />\n"),
        ],
    );
    mv(&site, "docs/guide/setup.md", "docs/install/setup.md");
    assert_eq!(
        read(&site, "sidebars.js"),
        "export default { docs: ['intro', 'install/setup', {type: 'doc', id: \"install/setup\"}] };\n"
    );
    assert_eq!(
        read(&site, "docs/intro.mdx"),
        "import X from './install/setup.md';\n\n[a](./install/setup.md) [b](/docs/install/setup) <Link to=\"/docs/install/setup#x\"/>\n"
    );
    assert_eq!(
        read(&site, "docusaurus.config.js"),
        "export default { items: [{ to: '/docs/install/setup' }] };\n"
    );
    assert_eq!(read(&site, "src/index.jsx"), "<Link to=\"/docs/install/setup/\" />\n");
}

#[test]
fn redirects_are_added_before_the_line_for_all_addresses() {
    let site = site(
        "\"docs/**\"",
        &["index.html", "setup/index.html"],
        &[
            ("docs/index.md", "x"),
            ("docs/setup.md", "x"),
            ("static/_redirects", "/old  /setup/  301\n/*  /404.html  404\n"),
        ],
    );
    fs::copy(site.path().join("static/_redirects"), site.path().join("site/_redirects")).unwrap();
    mv(&site, "docs/setup.md", "docs/new.md");
    assert_eq!(
        read(&site, "static/_redirects"),
        "/old  /new/  301\n/setup/  /new/  301\n/*  /404.html  404\n"
    );
    assert!(!read(&site, "sitegate.toml").contains("redirects"));
}

#[test]
fn addresses_last_through_moves_and_their_reverse() {
    for (host, file) in [
        ("netlify", "static/_redirects"),
        ("cloudflare-pages", "static/_redirects"),
        ("nginx", "sitegate.toml"),
    ] {
        let lines = "/ours  /setup/  301\n";
        let files = [("docs/index.md", "x"), ("docs/setup.md", "x"), ("static/_redirects", lines)];
        let site = site("\"docs/**\"", &["index.html", "setup/index.html"], &files);
        let contract = read(&site, "sitegate.toml");
        let settings = format!("host = \"{host}\"\n\n[permalinks]\nkeep = [\"kept.txt\"]\n\n[source]");
        write(site.path(), "sitegate.toml", &contract.replace("[source]", &settings));
        write(site.path(), "kept.txt", "/\n/setup/\n");
        write(site.path(), "site/_redirects", lines);
        let mut kept = read(&site, "kept.txt");
        for (from, to) in [("setup", "a/new"), ("a/new", "setup"), ("setup", "b"), ("b", "a/new")] {
            let source = |name: &str| format!("docs/{name}.md");
            let output = sitegate(site.path(), &["mv", &source(from), &source(to), "--allow-dirty"]);
            assert_eq!(output.status.code(), Some(0), "{host} {from} {to}: {}", stderr(&output));
            fs::remove_dir_all(site.path().join("site").join(from)).unwrap();
            write(site.path(), &format!("site/{to}/index.html"), &page(""));
            fs::copy(site.path().join("static/_redirects"), site.path().join("site/_redirects")).unwrap();
            kept += &format!("/{to}/\n");
            write(site.path(), "kept.txt", &kept);
            let output = sitegate(site.path(), &["check", "--format", "json"]);
            let report = stdout(&output);
            for rule in ["lost-url", "broken-redirect", "unused-redirect", "redirect-chain"] {
                assert!(!report.contains(&format!("\"rule\": \"{rule}\"")), "{host} {to}: {report}");
            }
            assert!(report.contains("\"findings\""), "{report}");
        }
        assert!(read(&site, file).contains("/a/new/"), "{}", read(&site, file));
    }
}

#[test]
fn nothing_is_moved_if_its_address_would_be_lost() {
    let site = site(
        "\"docs/**\"",
        &["index.html", "größe/index.html", "setup/index.html"],
        &[("docs/index.md", "x"), ("docs/größe.md", "x"), ("docs/setup.md", "x"), ("vercel.json", "{}")],
    );
    let output = sitegate(site.path(), &["mv", "docs/größe.md", "docs/size.md"]);
    let expected = "not moved  /größe/ would be lost, without a redirect to /size/: `from` of `[[redirects]]` has \
                    only plain ASCII characters\n";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    assert!(output.status.code() == Some(1) && site.path().join("docs/größe.md").exists());
    let contract = read(&site, "sitegate.toml").replace("\n\n", "\nhost-config = \"vercel.json\"\n\n");
    write(site.path(), "sitegate.toml", &contract);
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md", "--allow-dirty"]);
    let entry = "\nto add to vercel.json:\n  { \"source\": \"/setup/\", \"destination\": \"/new/\", \"permanent\": true }\n";
    assert!(stderr(&output).contains(entry) && output.status.code() == Some(1), "{}", stderr(&output));
    let entry =
        "{ \"redirects\": [{ \"source\": \"/setup/\", \"destination\": \"/new/\", \"permanent\": true }] }";
    write(site.path(), "vercel.json", entry);
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md", "--allow-dirty"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_permalink_keeps_its_address() {
    let site = site(
        "\"docs/**\"",
        &["index.html", "fixed/index.html"],
        &[
            ("docs/index.md", "[a](setup.md) [b](/fixed/)"),
            ("docs/setup.md", "---\npermalink: /fixed/\n---\n"),
        ],
    );
    mv(&site, "docs/setup.md", "docs/a/new.md");
    assert_eq!(read(&site, "docs/index.md"), "[a](a/new.md) [b](/fixed/)");
    assert!(!read(&site, "sitegate.toml").contains("redirects"));
}

#[test]
fn git_applies_the_patch_of_a_dry_run() {
    let site = markdown();
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/install/new.md", "--dry-run"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("\nrename from docs/setup.md\nrename to docs/install/new.md\n"));
    let untouched = stdout(
        &Command::new("git").current_dir(site.path()).args(["status", "--porcelain"]).output().unwrap(),
    );
    assert_eq!(untouched, "");
    let mut git =
        Command::new("git").current_dir(site.path()).arg("apply").stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut git.stdin.take().unwrap(), &output.stdout).unwrap();
    assert!(git.wait().unwrap().success());
    let other = markdown();
    mv(&other, "docs/setup.md", "docs/install/new.md");
    for name in ["docs/index.md", "docs/install/new.md", "docs/other.md", "mkdocs.yml", "sitegate.toml"] {
        assert_eq!(read(&site, name), read(&other, name), "{name}");
    }
}

#[test]
fn nothing_moves_if_git_could_not_restore_a_file() {
    let site = markdown();
    write(site.path(), "docs/other.md", "[a](setup.md) changed");
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("rename to docs/new.md"), "the patch is printed");
    let reason =
        "not moved  docs/other.md: has uncommitted changes; commit them first, or edit it with --allow-dirty";
    assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    assert!(read(&site, "docs/index.md").contains("setup.md#x"));
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md", "--allow-dirty"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(read(&site, "docs/other.md"), "[a](new.md) changed");
}

#[test]
fn impossible_moves_are_refused() {
    let site = markdown();
    write(site.path(), "docs/wide.md", "x");
    fs::write(site.path().join("docs/wide.md"), b"\xFF\xFEx\0").unwrap();
    for (from, to, reason) in [
        ("docs/gone.md", "docs/new.md", "there is no file or folder `docs/gone.md`"),
        ("docs/setup.md", "docs/other.md", "`docs/other.md` exists"),
        ("docs/setup.md", "layouts", "would not be a source"),
        (
            "docs/setup.md",
            "elsewhere/setup.md",
            "`elsewhere/setup.md` would not be a source: `include` of [source]",
        ),
        ("README.md", "docs/readme.md", "there is no file"),
        ("mkdocs.yml", "docs/mkdocs.yml", "`mkdocs.yml` is not a source: `include` of [source]"),
        ("docs", "docs/sub/docs", "cannot be moved into itself"),
        ("docs/wide.md", "docs/new.md", "docs/wide.md is UTF-16"),
    ] {
        let output = sitegate(site.path(), &["mv", from, to, "--allow-dirty"]);
        let is_in_layouts = to == "layouts";
        assert_eq!(
            output.status.code(),
            Some(if is_in_layouts { 0 } else { 2 }),
            "{from} {to} {}",
            stderr(&output)
        );
        assert!(is_in_layouts || stderr(&output).contains(reason), "{from} {to}: {}", stderr(&output));
        if is_in_layouts {
            git(site.path(), &["checkout", "--quiet", "."]);
            fs::remove_file(site.path().join("layouts/setup.md")).unwrap();
        }
    }
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md", "not-built"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no folder `not-built`"), "{}", stderr(&output));
    write(site.path(), "docs/other.md", "<!-- DO NOT EDIT -->\n[a](setup.md)");
    let output =
        sitegate(site.path(), &["mv", "docs/setup.md", "docs/new.md", "--allow-dirty", "--no-redirect"]);
    assert!(
        stderr(&output).contains("docs/other.md: not edited, because it is generated"),
        "{}",
        stderr(&output)
    );
    assert!(!read(&site, "sitegate.toml").contains("redirects"));
}

#[test]
fn redirects_are_below_the_inferred_base_path() {
    let site =
        site("\"docs/**\"", &[], &[("docs/index.md", "# Home\n"), ("docs/setup.rst", "Setup\n=====\n")]);
    let canonical = |path: &str| {
        let link = format!("<link rel=canonical href=\"https://example.com/latest/{path}\"></head>");
        page("").replace("</head>", &link)
    };
    write(site.path(), "site/index.html", &canonical(""));
    write(site.path(), "site/setup.html", &canonical("setup.html"));
    write(site.path(), "site/_sources/setup.rst.txt", "Setup\n=====\n");
    mv(&site, "docs/setup.rst", "docs/install/setup.rst");
    let contract = read(&site, "sitegate.toml");
    for (from, to) in [
        ("/setup.html", "/latest/install/setup.html"),
        ("/_sources/setup.rst.txt", "/latest/_sources/install/setup.rst.txt"),
    ] {
        assert!(contract.contains(&format!("from = \"{from}\"\nto = \"{to}\"\n")), "{contract}");
    }
}

#[test]
fn links_without_html_follow_if_the_generator_adds_it() {
    let config = "export default { sidebar: [{ text: 'S', link: '/guide/setup' }], title: '/guide' };\n";
    let site = site(
        "\"docs/**/*.md\"",
        &["index.html", "guide/setup.html", "guide/other.html"],
        &[
            ("docs/.vitepress/config.mjs", config),
            ("docs/index.md", "[a](/guide/setup#x) [b](guide/setup) [c](/guide/gone) [d](setup)\n"),
            ("docs/guide/setup.md", "[a](./other)\n"),
            ("docs/guide/other.md", "[a](./setup?x)\n"),
        ],
    );
    mv(&site, "docs/guide/setup.md", "docs/install/new.md");
    assert_eq!(read(&site, "docs/.vitepress/config.mjs"), config.replace("guide/setup", "install/new"));
    assert_eq!(
        read(&site, "docs/index.md"),
        "[a](/install/new#x) [b](install/new) [c](/guide/gone) [d](setup)\n"
    );
    assert_eq!(read(&site, "docs/install/new.md"), "[a](../guide/other)\n");
    assert_eq!(read(&site, "docs/guide/other.md"), "[a](../install/new?x)\n");
}

#[cfg(unix)]
#[test]
fn a_page_stays_a_page_of_the_project() {
    let site = site(
        "\"**\"",
        &["index.html", "setup/index.html"],
        &[("docs/setup.md", "# S\n"), ("docs/index.md", "[s](setup.md)\n"), ("docs/taken.md", "\n")],
    );
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), site.path().join("docs/link")).unwrap();
    let absolute = outside.path().join("setup.md");
    let before = read(&site, "docs/index.md");
    for (to, expected) in [
        ("docs/link/setup.md", "is below the symbolic link `docs/link`; name its real path"),
        ("../setup.md", "is outside of the contract's folder"),
        (absolute.to_str().unwrap(), "is outside of the contract's folder"),
        (".git/setup.md", "generators do not read `.git`, which is hidden"),
        ("docs/.setup.md", "generators do not read `.setup.md`, which is hidden"),
        ("docs/setup.bak", "`docs/setup.bak` would be no page; keep the extension `.md`"),
        ("docs/setup", "`docs/setup` would be no page; keep the extension `.md`"),
        ("docs/Setup.md", "differs from `docs/setup.md` only in letter case"),
        ("docs/taken.md", "`docs/taken.md` exists; name a path that does not"),
    ] {
        let output = sitegate(site.path(), &["mv", "docs/setup.md", to, "--allow-dirty"]);
        assert_eq!(output.status.code(), Some(2), "{to}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{to}: {}", stderr(&output));
    }
    assert!(read(&site, "docs/index.md") == before && site.path().join("docs/setup.md").exists());
    assert!(outside.path().read_dir().unwrap().next().is_none());
    write(site.path(), ".gitignore", "site\ndrafts\n");
    git(site.path(), &["add", "."]);
    git(site.path(), &["commit", "--quiet", "--message=ignore"]);
    let output = sitegate(site.path(), &["mv", "docs/setup.md", "docs/drafts/setup.md"]);
    let expected =
        "docs/drafts/setup.md: would be ignored by Git; name another path, or edit it with --allow-dirty";
    assert!(stderr(&output).contains(expected) && output.status.code() == Some(1), "{}", stderr(&output));
}

/// Moves a file of a site without generator, whose only other source has some text. Returns this text after the move, and
/// the messages.
fn moved_text(name: &str, text: &str, (from, to): (&str, &str)) -> (String, String) {
    let exported = from.trim_start_matches("docs/").rsplit_once('.').unwrap().0;
    let exported = exported.trim_end_matches("/README").trim_end_matches("/index");
    let page_name = format!("{exported}/index.html");
    let site = site(
        "\"docs/**\", \"mkdocs.yml\"",
        &["index.html", "page/index.html", &page_name],
        &[(from, "# Moved\n"), ("docs/page.md", "# Page\n"), (name, text)],
    );
    let output = sitegate(site.path(), &["mv", from, to, "--no-redirect"]);
    (read(&site, name), stderr(&output))
}

#[test]
fn names_are_written_as_their_tools_read_them() {
    let setup = "docs/setup.md";
    for (name, text, paths, expected) in [
        // The address of the page does not change.
        ("docs/page.md", "[1](x/) [2](x) [4](/x/) [5](x/#a)", ("docs/x/README.md", "docs/x/index.md"), None),
        (
            "docs/page.md",
            "[1](x/) [2](x.md)",
            ("docs/x.md", "docs/x/index.md"),
            Some("[1](x/) [2](x/index.md)"),
        ),
        // MkDocs reads names of files as they are; a link is a URL.
        ("mkdocs.yml", "nav:\n- A: setup.md\n", (setup, "docs/a (b).md"), Some("nav:\n- A: a (b).md\n")),
        ("docs/page.md", "[a](setup.md)", (setup, "docs/a (b).md"), Some("[a](a%20%28b%29.md)")),
        ("docs/page.md", "{doc}`setup`", (setup, "docs/a b.md"), Some("{doc}`a b`")),
        // The host of another site.
        ("docs/page.md", "[a](//example.com/)", ("docs/example.com.md", "docs/demo.md"), None),
        // A scheme.
        ("docs/page.md", "[a](setup.md)", (setup, "docs/faq:setup.md"), Some("[a](./faq:setup.md)")),
        (
            "docs/m.ts",
            "import b from './b'; import('./b')",
            ("docs/b.ts", "docs/x/b.ts"),
            Some("import b from './x/b'; import('./x/b')"),
        ),
    ] {
        let (after, messages) = moved_text(name, text, paths);
        assert_eq!(after, expected.unwrap_or(text), "{text}: {messages}");
    }
    // YAML would read a number.
    let (after, messages) =
        moved_text("docs/_toc.yml", "root: page\nchapters:\n- file: setup\n", (setup, "docs/2024.md"));
    assert!(
        after.contains("file: setup\n") && messages.contains("docs/_toc.yml:3: `setup` cannot name"),
        "{after}{messages}"
    );
}

#[test]
fn texts_that_name_the_old_path_are_listed_in_any_syntax() {
    let texts = [
        "xref:setup.md#install[y]",
        "link:/setup/#a[z]",
        "[[setup#Install]]",
        "a,/setup/,b",
        ";/setup/",
        "x=/setup/&y",
        "<!--@include: ./setup.md-->",
        "{!setup.md!}",
        "--8<-- \"setup.md:2\"",
        "`/setup/${x}`",
    ];
    for text in texts {
        let (after, messages) = moved_text("docs/other.adoc", text, ("docs/setup.md", "docs/go.md"));
        assert_eq!(after, text);
        assert!(messages.contains("docs/other.adoc:1: "), "{text}: {messages}");
    }
    let (_, messages) = moved_text("docs/c.md", "<a>x</a> setup", ("docs/a/README.md", "docs/b.md"));
    assert!(!messages.contains("look at"), "{messages}");
    let (_, messages) = moved_text(
        "docs/b.md",
        "{% post_url 2020-01-02-hello %}",
        ("docs/2020-01-02-hello.md", "docs/2020-02-03-hello.md"),
    );
    assert!(
        messages.contains("the date in its name") && messages.contains("docs/b.md:1: `2020-01-02-hello`"),
        "{messages}"
    );
}
