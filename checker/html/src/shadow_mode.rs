//! Decides whether a template is a declarative shadow root.

use crate::attributes::decoded_value;

/// Whether a `shadowrootmode`, as written, makes a template a shadow root (HTML standard, 4.12.3). With any other value,
/// its content is inert.
#[must_use]
pub fn is_shadow_mode(mode: &[u8]) -> bool {
    let mode = decoded_value(mode);
    ["open", "closed"].iter().any(|known| mode.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::is_shadow_mode;

    #[test]
    fn other_modes_leave_the_content_inert() {
        let is_shadow = |mode: &&str| is_shadow_mode(mode.as_bytes());
        assert!(["open", "closed", "OPEN", "o&#112;en"].iter().all(is_shadow));
        assert!(!["", "x", " open", "open closed", "true"].iter().any(is_shadow));
    }
}
