//! Determines media types by file extension.

use std::borrow::Cow;

/// Returns the media type of a path, by its extension. Text is UTF-8.
pub fn content_type(path: &str) -> Cow<'static, str> {
    let Some(guess) = mime_guess::from_path(path).first() else {
        return Cow::Borrowed("application/octet-stream");
    };
    let essence = guess.essence_str();
    if !is_text(essence) || essence == "image/svg+xml" || guess.get_param("charset").is_some() {
        Cow::Owned(guess.to_string())
    } else if essence == "application/json" || essence.ends_with("+json") {
        Cow::Owned(essence.to_owned())
    } else {
        Cow::Owned(format!("{essence}; charset=utf-8"))
    }
}

/// Whether a media type is text, so that it is worth compressing.
pub fn is_text(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or("").trim();
    essence.starts_with("text/")
        || essence.ends_with("+xml")
        || essence.ends_with("+json")
        || matches!(
            essence,
            "application/json" | "application/javascript" | "application/xml" | "application/wasm"
        )
}
