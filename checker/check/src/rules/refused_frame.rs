//! `refused-frame`: a frame with a page of a service that refuses to be framed.

use url::Url;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::ReferenceKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "refused-frame",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a frame shows a page of a service that refuses to be framed",
    why: "Visitors see an error of the browser instead of the video or the map: the service sends `X-Frame-Options` or \
          `frame-ancestors` with the page that its address bar shows, and has another URL for frames. Known are \
          YouTube, Vimeo, Google Maps and Drive, Spotify, GitHub, Facebook, Instagram and X.",
    bad: r#"<iframe src="https://www.youtube.com/watch?v=XN7Amgdfi0s"></iframe>"#,
    good: r#"<iframe src="https://www.youtube.com/embed/XN7Amgdfi0s"></iframe>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

/// Pages of a service.
struct Service {
    /// Its hosts, with their subdomain `www` or `m`.
    hosts: &'static [&'static str],
    /// Beginnings of the paths that it refuses to show in frames. Empty for all.
    refused: &'static [&'static str],
    /// Beginnings of paths that it allows.
    allowed: &'static [&'static str],
    /// How to show it instead.
    help: &'static str,
}

/// The services, from the responses that issues and answers report (json-schema-org/json-schema-spec#877), as of
/// November 2026.
const SERVICES: [Service; 9] = [
    Service {
        hosts: &["youtube.com"],
        refused: &["/watch", "/playlist", "/shorts/", "/channel/", "/@", "/user/", "/c/"],
        allowed: &[],
        help: "use https://www.youtube.com/embed/ with the id of the video",
    },
    Service {
        hosts: &["youtu.be"],
        refused: &[],
        allowed: &[],
        help: "use https://www.youtube.com/embed/ with the id of the video",
    },
    Service {
        hosts: &["vimeo.com"],
        refused: &[],
        allowed: &["/event/", "/showcase/", "/webinars/"],
        help: "use https://player.vimeo.com/video/ with the id of the video",
    },
    Service {
        hosts: &["google.com", "maps.google.com"],
        refused: &["/maps/place/", "/maps/@", "/maps/dir/", "/maps/search/"],
        allowed: &[],
        help: "use the URL of \u{201c}Embed a map\u{201d}, which begins with https://www.google.com/maps/embed",
    },
    Service {
        hosts: &["goo.gl"],
        refused: &["/maps/"],
        allowed: &[],
        help: "use the URL of \u{201c}Embed a map\u{201d}, which begins with https://www.google.com/maps/embed",
    },
    Service {
        hosts: &["open.spotify.com"],
        refused: &["/album/", "/artist/", "/episode/", "/playlist/", "/show/", "/track/"],
        allowed: &[],
        help: "write /embed before the path",
    },
    Service {
        hosts: &["github.com", "gist.github.com"],
        refused: &[],
        allowed: &["/sponsors/"],
        help: "link to the page: GitHub allows no frames",
    },
    Service {
        hosts: &["instagram.com"],
        refused: &["/p/", "/reel/"],
        allowed: &[],
        help: "write embed/ after the path",
    },
    Service {
        hosts: &["x.com", "twitter.com"],
        refused: &[],
        allowed: &["/i/videos/"],
        help: "use the embedded post of publish.x.com, or link to it",
    },
];

impl Service {
    fn refuses(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let host = ["www.", "m."].iter().find_map(|name| host.strip_prefix(name)).unwrap_or(host);
        let (path, query) = (url.path(), url.query().unwrap_or_default());
        let begins = |starts: &[&str]| starts.iter().any(|start| path.starts_with(start));
        self.hosts.contains(&host)
            && (self.refused.is_empty() || begins(self.refused))
            && !begins(self.allowed)
            && !path.split('/').any(|part| part == "embed")
            && !query.contains("output=embed")
    }
}

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (_, reference, target) in view.unusual() {
        if reference.kind != ReferenceKind::Iframe || target != Target::External {
            continue;
        }
        let text = view.text_of(reference).trim();
        let Some(url) = view.base.join(text) else { continue };
        if let Some(service) = SERVICES.iter().find(|service| service.refuses(&url)) {
            let message = format!("refused frame: `{}` cannot be shown in a frame", shorten(text));
            found
                .push(RawFinding::reference(&INFO, (view.file, &reference.span), message).help(service.help));
        }
    }
}
