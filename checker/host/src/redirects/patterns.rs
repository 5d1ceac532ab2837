//! Converts the patterns of hosts to those of redirects: `*` at the end for any rest, `:name` for one segment.

use sitegate_address::SitePath;

/// A source and a destination in the syntax of redirects.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Converted {
    /// The source.
    pub from: String,
    /// The destination.
    pub to: String,
}

/// Converts a source of Vercel, in the syntax of path-to-regexp: `/blog/:slug`, `/old/:path*`, `/(.*)`. `None` if the
/// syntax of redirects cannot say the same.
pub(crate) fn of_vercel(source: &str, destination: &str) -> Option<Converted> {
    let source = without_lookaheads(source.strip_prefix('^').unwrap_or(source))?;
    let source = source.strip_suffix('$').unwrap_or(&source);
    // `/old(/.*)?` and `/old/?` match the bare path, too, as patterns of redirects do.
    let source = source.strip_suffix("/?").unwrap_or(source);
    let (folder, last) = (SitePath::new(source).parent()?, SitePath::new(source).name());
    if let Some(name) = last.strip_prefix(':').and_then(|name| name.strip_suffix(['*', '+'])) {
        let bare = name.strip_suffix("(.*)").unwrap_or(name);
        let to = replace_name(destination, bare);
        return is_plain(folder).then(|| Converted { from: format!("{folder}/*"), to });
    }
    let named = last.strip_prefix(':').and_then(|last| last.strip_suffix("(.*)"));
    let is_rest = matches!(last, "(.*)" | ".*" | "(.+)" | ".+") || named.is_some();
    if is_rest && is_plain(folder) {
        let to = named.map_or_else(|| destination.to_owned(), |name| replace_name(destination, name));
        return Some(Converted { from: format!("{folder}/*"), to: to.replace("$1", ":splat") });
    }
    is_plain(source).then(|| Converted { from: source.to_owned(), to: destination.to_owned() })
}

/// Converts a source of Firebase, a glob: `/old/**`, `/blog/:post*`, `**`. `None` if the syntax of redirects cannot say
/// the same.
pub(crate) fn of_firebase(source: &str, destination: &str) -> Option<Converted> {
    let rooted = if source.starts_with('/') { source.to_owned() } else { format!("/{source}") };
    let path = SitePath::new(rooted.as_str());
    let (folder, last) = (path.parent()?, path.name());
    let rest = last.strip_prefix(':').and_then(|name| name.strip_suffix('*'));
    if last == "**" || rest.is_some() {
        let to = rest.map_or_else(|| destination.to_owned(), |name| replace_name(destination, name));
        return is_plain(folder).then(|| Converted { from: format!("{folder}/*"), to });
    }
    // A `*` matches one segment.
    let segments = rooted.split('/').enumerate();
    let from: Vec<String> = segments
        .map(|(at, segment)| if segment == "*" { format!(":any{at}") } else { segment.to_owned() })
        .collect();
    let from = from.join("/");
    is_plain(&from).then(|| Converted { from, to: destination.to_owned() })
}

/// Converts a route of Azure Static Web Apps: `*` only at the end.
pub(crate) fn of_static_web_apps(route: &str, destination: &str) -> Option<Converted> {
    let bare = route.strip_suffix("/*").unwrap_or(route);
    (route.starts_with('/') && is_plain(bare) && !bare.contains("/:"))
        .then(|| Converted { from: route.to_owned(), to: destination.to_owned() })
}

/// Whether a source has only plain segments and `:name`.
fn is_plain(source: &str) -> bool {
    let is_plain = |segment: &str| {
        let name = segment.strip_prefix(':');
        let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match name {
            Some(name) => !name.is_empty() && is_name(name),
            None => !segment
                .contains(['*', '(', ')', '{', '}', '[', ']', '?', '+', '|', ':', '\\', '^', '$', '!']),
        }
    };
    source.split('/').all(is_plain)
}

/// Replaces the placeholder of a rest in a destination: `:path*`, `:path`.
fn replace_name(destination: &str, name: &str) -> String {
    let written = format!(":{name}");
    let mut filled = String::new();
    let mut rest = destination;
    while let Some(at) = rest.find(&written) {
        let after = &rest[at + written.len()..];
        filled.push_str(&rest[..at]);
        let is_longer_name = after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if is_longer_name {
            filled.push_str(&written);
            rest = after;
        } else {
            filled.push_str(":splat");
            rest = after.strip_prefix(['*', '+']).unwrap_or(after);
        }
    }
    filled + rest
}

/// Removes negative lookaheads, which only exclude paths: `/((?!api/).*)` becomes `/(.*)`. Links to excluded paths are
/// rare, and other requests answer them. `None` if the parentheses do not match.
fn without_lookaheads(source: &str) -> Option<String> {
    let mut source = source.to_owned();
    while let Some(start) = source.find("(?!") {
        let mut depth = 0;
        let end = source[start..].char_indices().find_map(|(at, c)| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            (depth == 0).then_some(start + at)
        })?;
        source.replace_range(start..=end, "");
    }
    Some(source)
}

#[cfg(test)]
mod tests {
    use super::{Converted, of_firebase, of_static_web_apps, of_vercel};

    fn shown(converted: Option<Converted>) -> Option<(String, String)> {
        converted.map(|Converted { from, to }| (from, to))
    }

    #[test]
    fn converts_sources_of_vercel() {
        for (source, to, expected) in [
            ("/old", "/new", Some(("/old", "/new"))),
            ("/blog/:slug", "/news/:slug", Some(("/blog/:slug", "/news/:slug"))),
            ("/old/:path*", "/new/:path*", Some(("/old/*", "/new/:splat"))),
            ("/old/:path*", "/new/:pathway", Some(("/old/*", "/new/:pathway"))),
            ("/:path*", "https://x.test/:path*", Some(("/*", "https://x.test/:splat"))),
            ("/(.*)", "/index.html", Some(("/*", "/index.html"))),
            ("/old/(.*)", "/new/$1", Some(("/old/*", "/new/:splat"))),
            ("/:path(.*)", "/new/:path", Some(("/*", "/new/:splat"))),
            ("/((?!api/.*).*)", "/", Some(("/*", "/"))),
            ("^/old/(.*)$", "/new/$1", Some(("/old/*", "/new/:splat"))),
            ("/old/?", "/new", Some(("/old", "/new"))),
            ("/post/:id(\\d{1,})", "/p/:id", None),
            ("/a|b", "/c", None),
            ("old", "/new", None),
            ("/((?!a", "/new", None),
            ("/:path*/x", "/new", None),
        ] {
            let expected = expected.map(|(from, end)| (from.to_owned(), end.to_owned()));
            assert_eq!(shown(of_vercel(source, to)), expected, "{source}");
        }
    }

    #[test]
    fn converts_globs_of_firebase() {
        for (source, to, expected) in [
            ("/old", "/new", Some(("/old", "/new"))),
            ("**", "/index.html", Some(("/*", "/index.html"))),
            ("/old/**", "/new", Some(("/old/*", "/new"))),
            ("/blog/:post*", "/news/:post", Some(("/blog/*", "/news/:splat"))),
            ("/blog/*", "/news", Some(("/blog/:any2", "/news"))),
            ("/@(a|b)", "/c", None),
            ("/**/x", "/c", None),
        ] {
            let expected = expected.map(|(from, end)| (from.to_owned(), end.to_owned()));
            assert_eq!(shown(of_firebase(source, to)), expected, "{source}");
        }
    }

    #[test]
    fn converts_routes_of_static_web_apps() {
        for (route, expected) in [
            ("/old", Some("/old")),
            ("/old/*", Some("/old/*")),
            ("/*.png", None),
            ("/a/*/b", None),
            ("x", None),
        ] {
            let from = of_static_web_apps(route, "/new").map(|converted| converted.from);
            assert_eq!(from.as_deref(), expected, "{route}");
        }
    }
}
