//! Determines media types by file extension.

use std::borrow::Cow;

use sitegate_address::SitePath;

/// The media types of files without an extension, by the end of their paths. Browsers and apps request these names.
const NAMED: [(&str, &str); 14] = [
    // Apple's "Supporting associated domains"; below `.well-known/`, or at the root for old systems.
    ("apple-app-site-association", "application/json"),
    (".well-known/apple-developer-merchantid-domain-association", "text/plain; charset=utf-8"),
    (".well-known/com.apple.remotemanagement", "application/json"),
    // AT Protocol, "Handle": the DID as text.
    (".well-known/atproto-did", "text/plain; charset=utf-8"),
    // RFC 9727.
    (".well-known/api-catalog", "application/linkset+json"),
    // RFC 6415.
    (".well-known/host-meta", "application/xrd+xml"),
    // Matrix client-server and server-server API.
    (".well-known/matrix/client", "application/json"),
    (".well-known/matrix/server", "application/json"),
    (".well-known/nodeinfo", "application/json"),
    // RFC 8414 and OpenID Connect Discovery.
    (".well-known/oauth-authorization-server", "application/json"),
    (".well-known/openid-configuration", "application/json"),
    (".well-known/passkey-endpoints", "application/json"),
    // Chrome's private prefetch proxy.
    (".well-known/traffic-advice", "application/trafficadvice+json"),
    // Web Authentication, "Related origins".
    (".well-known/webauthn", "application/json"),
];

/// Extensions that the table of nginx 1.22 lacks (Debian 12), with their media types as registered. Browsers refuse modules
/// without the type of JavaScript, and tracks and manifests without theirs. Fonts are `font/…` since RFC 8081.
pub const UNCOMMON_TYPES: [(&str, &str); 14] = [
    ("apng", "image/apng"),
    ("geojson", "application/geo+json"),
    ("glb", "model/gltf-binary"),
    ("gltf", "model/gltf+json"),
    ("ics", "text/calendar"),
    ("jsonld", "application/ld+json"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("ogv", "video/ogg"),
    ("opus", "audio/ogg"),
    ("otf", "font/otf"),
    ("ttf", "font/ttf"),
    ("vtt", "text/vtt"),
    ("webmanifest", "application/manifest+json"),
];

/// Returns the media type of a path, by its extension or its name. Text is UTF-8.
pub fn content_type(path: &str) -> Cow<'static, str> {
    known_content_type(path).unwrap_or(Cow::Borrowed("application/octet-stream"))
}

/// Returns the media type of a file without an extension, by its name.
pub fn type_of_name(path: &str) -> Option<&'static str> {
    let ends_with =
        |name: &str| path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    NAMED.iter().find(|(name, _)| ends_with(name)).map(|(_, media_type)| *media_type)
}

/// Returns the media type of a path; `None` if it is unknown, so that browsers would download the file.
pub fn known_content_type(path: &str) -> Option<Cow<'static, str>> {
    if let Some(media_type) = type_of_name(path) {
        return Some(Cow::Borrowed(media_type));
    }
    let extension = SitePath::new(path).extension().unwrap_or_default();
    let uncommon = UNCOMMON_TYPES.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    let guess = match uncommon {
        Some((_, media)) => media.parse().ok()?,
        None => mime_guess::from_path(path).first()?,
    };
    Some(text_as_utf8(&guess))
}

fn text_as_utf8(guess: &mime_guess::Mime) -> Cow<'static, str> {
    let essence = guess.essence_str();
    // An SVG file and JSON state their encoding themselves. WebAssembly must have no parameter: browsers compile nothing of
    // it while it arrives, otherwise ("WebAssembly Web API", 4).
    let is_text = is_compressible(essence)
        && !matches!(essence, "image/svg+xml" | "application/json" | "application/wasm")
        && !essence.ends_with("+json");
    match guess.get_param("charset") {
        None if is_text => Cow::Owned(format!("{essence}; charset=utf-8")),
        _ => Cow::Owned(guess.to_string()),
    }
}

/// Whether files of a media type are worth compressing: text, and WebAssembly.
pub fn is_compressible(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or("").trim();
    essence.starts_with("text/")
        || essence.ends_with("+xml")
        || essence.ends_with("+json")
        || matches!(
            essence,
            "application/json" | "application/javascript" | "application/xml" | "application/wasm"
        )
}

#[cfg(test)]
mod tests {
    use super::{UNCOMMON_TYPES, content_type, known_content_type};

    #[test]
    fn knows_names_without_extension() {
        for path in ["apple-app-site-association", ".well-known/apple-app-site-association"] {
            assert_eq!(content_type(path), "application/json");
        }
        assert_eq!(content_type(".well-known/assetlinks.json"), "application/json");
        assert_eq!(content_type("docs/.well-known/matrix/client"), "application/json");
        for path in ["my-apple-app-site-association", "nodeinfo", "matrix/client", "LICENSE"] {
            assert_eq!(known_content_type(path), None, "{path}");
        }
        assert_eq!(content_type("LICENSE"), "application/octet-stream");
    }

    #[test]
    fn uncommon_types_are_those_of_the_preview() {
        for (extension, media) in UNCOMMON_TYPES {
            let found = content_type(&format!("a.{extension}")).into_owned();
            let found = found
                .split(';')
                .next()
                .unwrap_or_default()
                .replace("application/javascript", "text/javascript");
            assert_eq!(found, media, "{extension}");
        }
    }

    #[test]
    fn only_text_has_a_charset() {
        for (path, expected) in [
            ("a.html", "text/html; charset=utf-8"),
            ("a.mjs", "text/javascript; charset=utf-8"),
            ("a.xml", "text/xml; charset=utf-8"),
            ("a.json", "application/json"),
            ("a.webmanifest", "application/manifest+json"),
            ("a.svg", "image/svg+xml"),
            ("a.wasm", "application/wasm"),
            ("a.woff2", "font/woff2"),
        ] {
            assert_eq!(content_type(path), expected, "{path}");
        }
    }
}
