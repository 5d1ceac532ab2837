//! Lists the hosts that read the redirects file of an export, and their limits.

use crate::contract::host::Host;

/// Whether a host reads the redirects file of an export. An unknown host may.
pub fn reads_redirects_file(host: Option<Host>) -> bool {
    matches!(host, None | Some(Host::Netlify | Host::CloudflarePages | Host::GitlabPages))
}

/// Maximum sizes of a redirects file. A host ignores what exceeds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedirectLimits {
    /// Number of redirects without patterns.
    pub plain: usize,
    /// Number of patterns.
    pub patterns: usize,
    /// Number of characters in a line.
    pub line: usize,
    /// Size of the file in bytes.
    pub size: usize,
}

/// Returns the limits of a host.
pub fn redirect_limits(host: Option<Host>) -> RedirectLimits {
    let none = RedirectLimits { plain: usize::MAX, patterns: usize::MAX, line: usize::MAX, size: usize::MAX };
    match host {
        // "Redirects" in its documentation.
        Some(Host::CloudflarePages) => RedirectLimits { plain: 2_000, patterns: 100, line: 1_000, ..none },
        // "GitLab Pages redirects": patterns count, too.
        Some(Host::GitlabPages) => RedirectLimits { plain: 1_000, patterns: 1_000, size: 64 << 10, ..none },
        _ => none,
    }
}
