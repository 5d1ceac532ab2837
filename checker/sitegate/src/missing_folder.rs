//! Explains why the folder of an export is not there.

use std::path::Path;

use sitegate_base::nearest::nearest_entry;
use sitegate_base::sanitize::visible;
use url::{Host, Url};

/// Explains why a path is not a folder: it is a file, a URL without its scheme, a path with backslashes, or misspelled.
/// Returns none if it is a folder, or exists but cannot be read.
pub fn explain(path: &Path) -> Option<String> {
    let name = path.display();
    match path.metadata() {
        Ok(found) if found.is_dir() => return None,
        Ok(_) => return Some(format!("`{name}` is a file; name the folder of the export that contains it")),
        Err(_) if path.try_exists().is_err() => return None,
        Err(_) => {}
    }
    let text = name.to_string();
    let slashed = text.replace('\\', "/");
    let fix = if slashed != text && Path::new(&slashed).is_dir() {
        format!("write it with `/`: `{slashed}`")
    } else if let Some(near) = nearest_entry(path).filter(|near| near.is_dir()) {
        format!("did you mean `{}`?", near.display())
    } else if let Some(url) = site_url(&text) {
        format!("did you mean {url}?")
    } else {
        "build the site first, or name the folder that your build writes to".to_owned()
    };
    Some(visible(&format!("there is no folder `{name}`; {fix}")).into_owned())
}

/// Returns the URL of a live site that is written without its scheme.
fn site_url(text: &str) -> Option<Url> {
    let secure = Url::parse(&format!("https://{text}")).ok()?;
    let is_local = matches!(secure.host_str(), Some("localhost"));
    let is_site = match secure.host()? {
        Host::Domain(name) => {
            let domain = name.rsplit('.').next().unwrap_or_default();
            is_local
                || name.contains('.') && domain.len() > 1 && domain.chars().all(|c| c.is_ascii_alphabetic())
        }
        Host::Ipv4(_) => text.matches('.').count() == 3,
        Host::Ipv6(_) => true,
    };
    let is_plain = is_local || !matches!(secure.host()?, Host::Domain(_));
    let url = if is_plain { Url::parse(&format!("http://{text}")).ok()? } else { secure };
    (is_site && !text.starts_with(['.', '/'])).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::site_url;

    #[test]
    fn recognizes_a_site_without_its_scheme() {
        for (text, url) in [
            ("www.example.com", Some("https://www.example.com/")),
            ("example.com/docs/", Some("https://example.com/docs/")),
            ("localhost:3000", Some("http://localhost:3000/")),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080/")),
            ("dist", None),
            ("site.1", None),
            ("./example.com", None),
            ("a b", None),
        ] {
            assert_eq!(site_url(text).as_ref().map(url::Url::as_str), url, "{text}");
        }
    }
}
