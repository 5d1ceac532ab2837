//! Decides in which section of a review a changed attribute is listed.

use crate::review::CauseKind;

/// Returns the kind of a changed attribute by its name, such as `a[href]`.
pub(crate) fn attribute_kind(name: &str) -> CauseKind {
    const TARGETS: [&str; 14] = [
        "href",
        "src",
        "action",
        "url",
        "poster",
        "ping",
        "cite",
        "background",
        "manifest",
        "codebase",
        "archive",
        "longdesc",
        "usemap",
        "hx-",
    ];
    const POLICIES: [&str; 14] = [
        "integrity",
        "crossorigin",
        "referrer",
        "sandbox",
        "allow",
        "csp",
        "rel",
        "target",
        "formtarget",
        "srcdoc",
        "content-security-policy",
        "credentialless",
        "http-equiv",
        "x-frame-options",
    ];
    let (element, attribute) = name.split_once('[').unwrap_or(("", name));
    let attribute = attribute.trim_end_matches(']');
    if attribute.starts_with("on") || POLICIES.iter().any(|own| attribute.starts_with(own)) {
        CauseKind::Policy
    } else if element != "meta" && TARGETS.iter().any(|own| attribute.contains(own)) || name == "object[data]"
    {
        CauseKind::Target
    } else {
        CauseKind::Attribute
    }
}

#[cfg(test)]
mod tests {
    use super::attribute_kind;
    use crate::review::CauseKind;

    #[test]
    fn attributes_have_kinds() {
        for (name, kind) in [
            ("a[href]", CauseKind::Target),
            ("button[formaction]", CauseKind::Target),
            ("img[data-srcset]", CauseKind::Target),
            ("object[data]", CauseKind::Target),
            ("svg use[xlink:href]", CauseKind::Target),
            ("script[integrity]", CauseKind::Policy),
            ("button[onclick]", CauseKind::Policy),
            ("meta[content-security-policy]", CauseKind::Policy),
            ("meta[referrer]", CauseKind::Policy),
            ("img[alt]", CauseKind::Attribute),
            ("p[hidden]", CauseKind::Attribute),
            ("noscript", CauseKind::Attribute),
        ] {
            assert_eq!(attribute_kind(name), kind, "{name}");
        }
    }
}
