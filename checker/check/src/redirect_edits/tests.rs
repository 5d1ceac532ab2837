//! Tests edits of redirects for all hosts and forms of addresses, and proves them on random moves.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::{
    FoundFile, NoRedirectsFile, RedirectEdit, RedirectSite, RedirectsFile, edit_redirects, entries_to_add,
    hiding_redirects,
};
use crate::contract::{Contract, Permissions};
use crate::redirect_proposals::RedirectProposal;
use crate::resolve::Target;
use sitegate_address::percent::escape_path;
use sitegate_host::Host;

/// A project with an export in `dist` and a contract.
struct TestProject {
    folder: TempDir,
}

impl TestProject {
    fn new(contract: &str, files: &[(&str, &str)]) -> TestProject {
        let project = TestProject { folder: tempfile::tempdir().unwrap() };
        project.write("sitegate.toml", contract);
        project.write("dist/index.html", "");
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn contract(&self) -> Contract {
        Contract::load(&self.path("sitegate.toml")).unwrap()
    }

    fn site(&self) -> RedirectSite {
        RedirectSite::of_export(&self.path("dist"), &self.contract()).unwrap()
    }

    fn find(&self) -> Result<FoundFile, NoRedirectsFile> {
        RedirectsFile::find(&self.site(), &self.contract())
    }

    /// Edits the file, and returns the edit without writing it.
    fn edit(&self, wanted: &[RedirectProposal]) -> (RedirectsFile, RedirectEdit) {
        let file = self.find().unwrap().file;
        let text = fs::read_to_string(file.path()).unwrap();
        let contract = self.contract();
        let site = self.site();
        let edit = edit_redirects(&site, (&contract, &Permissions::default()), &file, &text, wanted).unwrap();
        (file, edit)
    }

    /// Edits the file, and builds the site with it.
    fn write_edit(&self, wanted: &[RedirectProposal]) -> RedirectEdit {
        let (file, edit) = self.edit(wanted);
        fs::write(file.path(), &edit.text).unwrap();
        if matches!(file, RedirectsFile::Lines(_)) {
            fs::copy(file.path(), self.path("dist/_redirects")).unwrap();
        }
        edit
    }

    /// Returns the final address of a decoded one, if a page answers it.
    fn final_address(&self, address: &str) -> Option<String> {
        let (site, contract) = (self.site(), self.contract());
        let redirects = site.redirects(&contract, &Permissions::default(), None).unwrap();
        let resolver = crate::resolve::Resolver::new(&site.tree, &site.settings, redirects.into());
        let end = resolver.final_address(&resolver.root(), &escape_path(address))?;
        matches!(end.target, Target::File { .. }).then(|| resolver.canonical_path(&end))
    }
}

fn redirect(from: &str, to: &str) -> RedirectProposal {
    RedirectProposal::certain(from, to, String::new())
}

fn reasons(edit: &RedirectEdit) -> Vec<&str> {
    edit.refused.iter().map(|refused| refused.reason.as_str()).collect()
}

/// Whether a `_redirects` file is in the export, and what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ExportedLines {
    Absent,
    Source,
    FixtureOnly,
}

#[test]
fn each_host_gets_redirects_where_it_reads_them() {
    let addresses = [
        // Address, whether a file of lines can have it, whether the contract can.
        ("/old", true, true),
        ("/old-dir/", true, true),
        ("/größe/", true, true),
        ("/a b", true, false),
        ("/100%", true, false),
        ("/a*b", false, false),
        ("/x/:id", false, false),
        ("/x/*", false, false),
        ("/wiki/Talk:Home", true, true),
        ("/a//b", false, false),
        ("/it's", true, false),
    ];
    let hosts = Host::ALL.into_iter().map(Some).chain([None]);
    let exported = [ExportedLines::Absent, ExportedLines::Source, ExportedLines::FixtureOnly];
    for (host, lines, base) in hosts
        .flat_map(|host| exported.map(|lines| (host, lines)))
        .flat_map(|(host, lines)| ["/", "/docs/"].map(|base| (host, lines, base)))
    {
        let named = host.map_or(String::new(), |host| format!("host = \"{}\"\n", host.name()));
        let contract = format!("# Ours\n[site]\nbase-path = \"{base}\"\n{named}");
        let project = TestProject::new(&contract, &[("dist/new/index.html", ""), ("dist/it's new.html", "")]);
        let text = "# Lines\n/z  /y  404\n";
        if lines != ExportedLines::Absent {
            project.write("dist/_redirects", text);
            project.write("tests/site/_redirects", text);
        }
        if lines == ExportedLines::Source {
            project.write("public/_redirects", text);
        }
        let reads = matches!(host, None | Some(Host::Netlify | Host::CloudflarePages | Host::GitlabPages));
        let name = format!("{host:?} {lines:?} {base}");
        let found = project.find();
        if reads && lines == ExportedLines::FixtureOnly {
            assert_eq!(found, Err(NoRedirectsFile::NoSource), "{name}");
            continue;
        }
        let found = found.unwrap();
        let is_lines = reads && lines == ExportedLines::Source;
        let expected = if is_lines { "public/_redirects" } else { "sitegate.toml" };
        assert_eq!(found.file.path(), project.path(expected), "{name}");
        assert_eq!(found.has_unread_lines, !reads && lines != ExportedLines::Absent, "{name}");
        for (address, in_lines, in_contract) in addresses {
            let from = format!("{base}{}", &address[1..]);
            let to = if host == Some(Host::S3Rest) { "new/index.html" } else { "new/" };
            let wanted = [redirect(&from, &format!("{base}{to}"))];
            let (file, edit) = project.edit(&wanted);
            let is_possible = if is_lines { in_lines } else { in_contract };
            assert_eq!(edit.refused.is_empty(), is_possible, "{name} {from}: {:?}", edit.refused);
            let before = fs::read_to_string(file.path()).unwrap();
            assert_eq!(edit.text == before, !is_possible, "{name} {from}");
            assert!(edit.text.starts_with(&before), "{name} {from}: all else stays");
        }
        // All at once, twice, and with another form: no line is written again.
        let all = addresses.map(|(address, _, _)| redirect(&format!("{base}{}", &address[1..]), base));
        let first = project.write_edit(&all);
        let possible = addresses
            .iter()
            .filter(|(_, by_line, by_contract)| if is_lines { *by_line } else { *by_contract });
        assert_eq!(first.added, possible.clone().count(), "{name}");
        for (address, ..) in possible {
            let address = format!("{base}{}", &address[1..]);
            assert_eq!(project.final_address(&address).as_deref(), Some(base), "{name} {address}");
        }
        let slashed = |from: &str| match from.strip_suffix('/') {
            Some(bare) => bare.to_owned(),
            None => format!("{from}/"),
        };
        let others: Vec<RedirectProposal> =
            all.iter().map(|one| redirect(&slashed(&one.from), &one.to)).chain(all.clone()).collect();
        let (_, again) = project.edit(&others);
        assert_eq!((again.added, again.changed.len()), (0, 0), "{name}");
    }
}

#[test]
fn configurations_that_are_only_read_get_no_redirect() {
    let vercel = ("vercel.json", "{\"redirects\":[{\"source\":\"/kept\",\"destination\":\"/new/\"}]}");
    let firebase = ("firebase.json", "{\"hosting\":{}}");
    let azure = ("staticwebapp.config.json", "{}");
    let entries = [
        ("vercel", vercel, "{ \"source\": \"/old\", \"destination\": \"/new/\", \"permanent\": true }"),
        ("firebase", firebase, "{ \"source\": \"/old\", \"destination\": \"/new/\", \"type\": 301 }"),
        (
            "azure-static-web-apps",
            azure,
            "{ \"route\": \"/old\", \"redirect\": \"/new/\", \"statusCode\": 301 }",
        ),
    ];
    for (host, (name, text), entry) in entries {
        for is_exported in [false, true] {
            let named = if is_exported { String::new() } else { format!("host-config = \"{name}\"\n") };
            let contract = format!("[site]\nhost = \"{host}\"\n{named}");
            let path = if is_exported { format!("dist/{name}") } else { name.to_owned() };
            let project = TestProject::new(&contract, &[("dist/new/index.html", ""), (&path, text)]);
            let wanted = [redirect("/old", "/new/"), redirect("/a(b)", "/new/")];
            let (file, edit) = project.edit(&wanted);
            assert!(matches!(file, RedirectsFile::ReadOnly(..)) && edit.text == text && edit.added == 0);
            assert_eq!(reasons(&edit), vec![format!("{name} is only read: add it there"); 2]);
            let owner = Host::ALL.into_iter().find(|one| one.name() == host).unwrap();
            let shown = entries_to_add(&project.site(), owner, &wanted);
            assert_eq!(shown[0], entry);
            assert_eq!(shown.len(), 1, "parentheses are a pattern: {shown:?}");
        }
    }
    // An entry that people have added has an effect.
    let contract = "[site]\nhost = \"vercel\"\nhost-config = \"vercel.json\"\n";
    let project = TestProject::new(contract, &[("dist/new/index.html", ""), vercel]);
    assert!(project.edit(&[redirect("/kept", "/new/")]).1.refused.is_empty());
}

#[test]
fn netlify_toml_is_edited_if_the_contract_names_it() {
    let text = "[build]\r\npublish = \"dist\"\r\n\r\n[[redirects]]\r\nfrom = \"/*\"\r\nto = \"/404\"\r\nstatus = 404\r\n";
    let contract = "[site]\nhost = \"netlify\"\nhost-config = \"netlify.toml\"\n";
    let project = TestProject::new(contract, &[("dist/new/index.html", ""), ("netlify.toml", text)]);
    let edit = project.write_edit(&[redirect("/größe", "/new/")]);
    let table = "\r\n[[redirects]]\r\nfrom = \"/gr%C3%B6%C3%9Fe\"\r\nto = \"/new/\"\r\n";
    let (before, after) = text.split_at(text.find("\r\n[[redirects]]").unwrap());
    assert_eq!((edit.refused.len(), edit.text), (0, format!("{before}{table}{after}")));
    assert_eq!(project.final_address("/größe").as_deref(), Some("/new/"));
}

#[test]
fn the_host_of_the_file_must_be_clear() {
    let contract = "[site]\norigin = \"https://acme.github.io\"\n";
    let project = TestProject::new(contract, &[("dist/_redirects", "# x\n"), ("public/_redirects", "# x\n")]);
    assert_eq!(project.find(), Err(NoRedirectsFile::UnclearHost("github-pages")));
    let generated = "/a /new/ 301!\n";
    let with_redirect = "[site]\nhost = \"netlify\"\n[[redirects]]\nfrom = \"/a\"\nto = \"/new/\"\n";
    let files = [("dist/new/index.html", ""), ("dist/_redirects", generated)];
    let generating = TestProject::new(with_redirect, &files);
    assert!(matches!(generating.find().unwrap().file, RedirectsFile::Contract(_)), "`edge` has written it");
}

#[test]
fn redirects_without_effect_are_refused() {
    let project = |host: &str, lines: &str| {
        let contract = format!("[site]\nhost = \"{host}\"\n");
        let files = [
            ("dist/new/index.html", ""),
            ("dist/page.html", ""),
            ("dist/docs/image.png", ""),
            ("dist/_redirects", lines),
            ("public/_redirects", lines),
        ];
        TestProject::new(&contract, &files)
    };
    let many: String = (0..2_000).fold(String::new(), |all, number| all + &format!("/{number} /new/ 301\n"));
    for (host, lines, from, to, reason) in [
        ("netlify", "", "/page", "/new/", "page.html answers it before"),
        ("netlify", "/app/* /index.html 200\n", "/old", "/app/x", "only a rewrite answers /app/x"),
        ("netlify", "", "/old", "/gone/", "/gone/ does not exist"),
        ("netlify", "", "/New/", "/new/", "the host ignores case: both are one address"),
        (
            "cloudflare-pages",
            "/new /page 301\n",
            "/old",
            "/new/",
            "a redirect to /page hides /new/; remove it first",
        ),
        ("netlify", "/old /page Country=de\n", "/old", "/old/x", "/old/x does not exist"),
        ("netlify", "/a /old 301\n/old /a 301\n", "/b", "/a", "it would be a loop"),
        ("cloudflare-pages", "/old /page 302\n", "/new", "/page", "it would hide new/index.html"),
        (
            "cloudflare-pages",
            many.as_str(),
            "/old",
            "/new/",
            "the host does not read more redirects in this file",
        ),
        (
            "gitlab-pages",
            many.as_str(),
            "/old",
            "/new/",
            "the host does not read more redirects in this file",
        ),
    ] {
        let (_, edit) = project(host, lines).edit(&[redirect(from, to)]);
        assert_eq!((reasons(&edit), edit.text.as_str()), (vec![reason], lines), "{host} {from}");
    }
    // A pattern that would hide a file is replaced by lines.
    let singles = ["a", "b", "c"].map(|name| redirect(&format!("/docs/{name}"), &format!("/{name}/")));
    let pattern = RedirectProposal {
        destination: "/:splat".to_owned(),
        replaces: singles.to_vec(),
        ..redirect("/docs/*", "/:splat")
    };
    for (host, expected) in [
        ("netlify", "/docs/*  /:splat  301\n"),
        ("cloudflare-pages", "/docs/a  /a/  301\n/docs/b  /b/  301\n/docs/c  /c/  301\n"),
    ] {
        let project = project(host, "");
        for name in ["a", "b", "c"] {
            project.write(&format!("dist/{name}/index.html"), "");
        }
        let (_, edit) = project.edit(std::slice::from_ref(&pattern));
        assert_eq!((edit.refused.len(), edit.text.as_str()), (0, expected), "{host}");
    }
}

#[test]
fn present_lines_are_retargeted_or_removed() {
    let edited = |lines: &str, wanted: &[(&str, &str)]| {
        let files = [("dist/_redirects", lines), ("public/_redirects", lines)];
        let project = TestProject::new("[site]\nhost = \"netlify\"\n", &files);
        for name in ["b", "c"] {
            project.write(&format!("dist/{name}/index.html"), "");
        }
        let wanted: Vec<RedirectProposal> = wanted.iter().map(|(from, to)| redirect(from, to)).collect();
        let (_, edit) = project.edit(&wanted);
        assert_eq!(reasons(&edit), [""; 0], "{lines}");
        edit.text
    };
    for (lines, wanted, expected) in [
        // A chain gets no longer, with the fragment and the comment of the line.
        ("/x  /a/#top  302 # Ours\n", &[("/a/", "/b/")][..], "/x  /b/#top  302 # Ours\n/a/  /b/  301\n"),
        // A page has come back to its address.
        ("\u{feff}/b /a\n# kept", &[("/a/", "/b/")], "\u{feff}# kept\n/a/  /b/  301"),
        ("\u{feff}/b /a\r\n", &[("/a/", "/b/")], "\u{feff}/a/  /b/  301\r\n"),
        // The line of the address had no effect.
        ("/a /gone 301", &[("/a/", "/b/")], "/a /b/ 301"),
        // The first line that matches applies.
        (
            "/q/* /c/ 301\n/a/* /c/ 301\n/* /b/\n",
            &[("/a/x", "/b/")],
            "/q/* /c/ 301\n/a/x  /b/  301\n/a/* /c/ 301\n/* /b/\n",
        ),
        // Lines with conditions stay.
        ("/b  /a  302  Country=de\n", &[("/a/", "/b/")], "/b  /a  302  Country=de\n/a/  /b/  301\n"),
        ("", &[("/a", "/b/"), ("/a/", "/b/")], "/a  /b/  301\n"),
    ] {
        assert_eq!(edited(lines, wanted), expected, "{lines}");
    }
}

#[test]
fn present_tables_are_retargeted_or_removed() {
    let table = |from: &str, to: &str| format!("\n[[redirects]]\nfrom = \"{from}\"\nto = \"{to}\"\n");
    let (start, end) = ("# Ours\n[site]\n", "\n# The end\n[permalinks]\nkeep = []");
    let present = format!("{start}{}{}{end}", table("/x", "/a/?q#top"), table("/b", "/a/"));
    let project = TestProject::new(&present, &[("dist/b/index.html", "")]);
    let edit = project.write_edit(&[redirect("/a/", "/b/")]);
    let added = table("/a/", "/b/");
    let expected = format!("{start}{}{end}\n{}", table("/x", "/b/?q#top"), added.trim_end());
    assert_eq!((edit.text, edit.refused.len()), (expected, 0));
    assert_eq!(project.final_address("/x").as_deref(), Some("/b/"));
    // Lists of one line have no tables of their own.
    let inline = "redirects = [{ from = \"/b\", to = \"/a\" }]\n";
    let other = TestProject::new(inline, &[("dist/b/index.html", "")]);
    let (_, refused) = other.edit(&[redirect("/a", "/b/")]);
    assert_eq!((refused.text.as_str(), refused.refused.len()), (inline, 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

    /// After any moves of pages, also back, all their addresses end at them, without chains, and no page is hidden.
    #[test]
    fn addresses_last_through_all_moves(
        host in prop::sample::select(vec!["netlify", "cloudflare-pages", "gitlab-pages", "s3-website", "nginx", ""]),
        base in prop::sample::select(vec!["/", "/p/"]),
        start in prop::sample::select(vec!["", "# Ours\r\n/other /p0/ 301\r\n", "/q/* /p0/ 301\n/* /index.html 200"]),
        moves in prop::collection::vec((0..3usize, 0..5usize, any::<bool>()), 1..8),
    ) {
        let named = if host.is_empty() { String::new() } else { format!("host = \"{host}\"\n") };
        let settings = format!("[site]\nbase-path = \"{base}\"\n{named}");
        let files = [("dist/_redirects", start), ("public/_redirects", start)];
        let project = TestProject::new(&settings, &files);
        let any = ["a", "a/b", "b c", "größe", "d"];
        let ascii = ["a", "a/b", "c", "e", "d"];
        let is_lines = matches!(host, "netlify" | "cloudflare-pages" | "gitlab-pages" | "");
        let names = if is_lines { any } else { ascii };
        // The folder of each page, and all that it had.
        let mut at: Vec<String> = (0..3).map(|page| format!("p{page}")).collect();
        let mut owners: BTreeMap<String, usize> = at.iter().cloned().zip(0..).collect();
        for folder in &at {
            project.write(&format!("dist/{folder}/index.html"), folder);
        }
        for (page, place, is_back) in moves {
            let new = if is_back { format!("p{page}") } else { names[place].to_owned() };
            if at.contains(&new) {
                continue;
            }
            let address = |folder: &str| format!("{base}{folder}/");
            let file = |folder: &str| format!("{folder}/index.html");
            let wanted = [redirect(&address(&at[page]), &address(&new))];
            let site = project.site().with_moved(&[(file(&at[page]), file(&new))]);
            let found = project.find().unwrap().file;
            let text = fs::read_to_string(found.path()).unwrap();
            let (contract, none) = (project.contract(), Permissions::default());
            let edit = edit_redirects(&site, (&contract, &none), &found, &text, &wanted).unwrap();
            // The earlier address of another page is not taken from it.
            if let [refused] = &*edit.refused {
                prop_assert!(owners.contains_key(&new) && refused.reason.ends_with("remove it first"));
                prop_assert_eq!(edit.text, text);
                continue;
            }
            fs::write(found.path(), &edit.text).unwrap();
            if is_lines {
                fs::write(project.path("dist/_redirects"), &edit.text).unwrap();
            }
            move_page(&project.path("dist"), &at[page], &new);
            let again = edit_redirects(&project.site(), (&project.contract(), &none), &found, &edit.text, &wanted).unwrap();
            prop_assert_eq!(&again.text, &edit.text, "the same line twice");
            let moved = [redirect("", &address(&new))];
            let hidden = hiding_redirects(&project.site(), (&project.contract(), &none), &moved).unwrap();
            prop_assert_eq!(hidden, []);
            owners.insert(new.clone(), page);
            at[page] = new;
            let of_start = |line: &str| start.contains(line.trim_end());
            for (folder, owner) in &owners {
                let end = project.final_address(&address(folder));
                prop_assert_eq!(end, Some(address(&at[*owner])), "{} in {}", folder, edit.text);
            }
            if is_lines {
                let lines: Vec<&str> = edit.text.lines().filter(|line| !of_start(line)).collect();
                let pages: Vec<String> = at.iter().map(|folder| escape_path(&address(folder))).collect();
                for line in lines {
                    let to = line.split_whitespace().nth(1).unwrap_or_default();
                    prop_assert!(pages.iter().any(|known| known == to), "a chain: {}", line);
                }
            }
        }
    }
}

fn move_page(export: &Path, from: &str, to: &str) {
    fs::create_dir_all(export.join(to)).unwrap();
    fs::rename(export.join(from).join("index.html"), export.join(to).join("index.html")).unwrap();
}
