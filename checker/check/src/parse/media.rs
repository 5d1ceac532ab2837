//! Parses media that name other files: playlists of HTTP Live Streaming, and 3D scenes.

use super::json;
use super::page::Page;
use super::reference_kind::ReferenceKind;

/// Parses [`Page::source`] as a playlist of HTTP Live Streaming (RFC 8216): lines without `#` are URIs, and tags have
/// others as `URI="…"`.
pub(super) fn parse_playlist(page: &mut Page) {
    let Page { source, facts, .. } = page;
    let text = String::from_utf8_lossy(source);
    // Offsets in a file that is not UTF-8 would change by decoding, and the standard requires UTF-8.
    if text.len() != source.len() || !text.trim_start_matches('\u{feff}').starts_with("#EXTM3U") {
        return;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let uri = match line.trim() {
            "" => None,
            tag if tag.starts_with("#EXT") => attribute(line),
            comment if comment.starts_with('#') => None,
            uri => Some(uri),
        };
        // A template of the server names no file.
        if let Some(uri) = uri.filter(|uri| !uri.contains('{')) {
            let at = start + (uri.as_ptr() as usize - line.as_ptr() as usize);
            let value = Some(facts.store(uri));
            facts.push(ReferenceKind::PlaylistFile, value, at as u32..(at + uri.len()) as u32);
        }
        start += line.len();
    }
}

/// Returns the attribute `URI` of a tag (RFC 8216, 4.2).
fn attribute(tag: &str) -> Option<&str> {
    let at = tag.find(":URI=\"").or_else(|| tag.find(",URI=\""))? + ":URI=\"".len();
    let uri = tag[at..].split('"').next()?;
    (!uri.is_empty()).then_some(uri)
}

/// Parses [`Page::source`] as a scene (glTF 2.0, 3.6.1.1 and 3.8.3): its buffers and images.
///
/// # Errors
/// If it is not JSON: the reason, and the offset.
pub(super) fn parse_gltf(page: &mut Page) -> Result<(), (String, u32)> {
    json::parse(page, |facts, _, json| {
        for part in json.items("buffers").chain(json.items("images")) {
            json::push(facts, ReferenceKind::GltfFile, part.get("uri"));
        }
    })
}
