//! Prints how each host answers some paths of a small site: `cargo run --example answers`.

#![allow(clippy::print_stdout, reason = "an example")]

use sitegate_host::answer::{Files, HostAnswer, HostProfile};
use sitegate_host::redirects::{FirstAnswer, Redirects};
use sitegate_host::{HOSTS, TrailingSlash};

/// A site with two pages.
struct Site;

const FILES: [&str; 2] = ["about.html", "docs/index.html"];

impl Files for Site {
    type File = &'static str;

    fn find(&self, path: &[u8]) -> Option<&'static str> {
        FILES.into_iter().find(|file| file.as_bytes() == path)
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        matches!(path, b"" | b"docs")
    }
}

fn main() {
    for row in &HOSTS {
        let profile = HostProfile::new(Some(row.host), TrailingSlash::default(), None);
        let redirects = match row.redirects_file {
            Some(_) => Redirects::parse("/old/* /docs/:splat 301\n", Some(row.host)),
            None => Redirects::default(),
        };
        for path in ["about", "docs", "old/"] {
            let mut buffer = path.as_bytes().to_vec();
            let answer = match redirects.answer(profile, &mut buffer, &Site) {
                FirstAnswer::Host(HostAnswer::File { file, .. }) => file.to_owned(),
                FirstAnswer::Host(HostAnswer::Redirect { status }) => {
                    format!("{status} /{}", String::from_utf8_lossy(&buffer))
                }
                FirstAnswer::Line { line, to, .. } => format!("{} {to}", line.status),
                FirstAnswer::Host(HostAnswer::Nothing(reason)) => format!("404 ({reason:?})"),
            };
            println!("{:22} /{path:6} {answer}", row.title);
        }
    }
}
