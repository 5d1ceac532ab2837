//! Decides whether a template is a declarative shadow root.

use crate::parse::character_references::decode_references;

/// Whether a `shadowrootmode` makes a template a shadow root (HTML 4.12.3). With any other value, its content is inert.
pub(super) fn is_shadow_mode(mode: &str) -> bool {
    let mode = decode_references(mode);
    ["open", "closed"].iter().any(|known| mode.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::is_shadow_mode;

    #[test]
    fn other_modes_leave_the_content_inert() {
        assert!(["open", "closed", "OPEN", "o&#112;en"].iter().all(|mode| is_shadow_mode(mode)));
        assert!(["", "x", " open", "open closed", "true"].iter().all(|mode| !is_shadow_mode(mode)));
    }
}
