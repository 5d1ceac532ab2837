//! Parses the URL of a folder.

use std::path::{Path, PathBuf};

use sitegate_address::percent;

use crate::failure::{Failure, FailureKind};

/// Parses the folder of a `file:` URL.
pub(super) fn folder_of(url: &str) -> Result<PathBuf, Failure> {
    let rest = url.strip_prefix("file:").unwrap_or_default();
    // The host may be `localhost` (RFC 8089, 2).
    let rest = match rest.strip_prefix("//") {
        Some(named) => match named.split_at_checked("localhost".len()) {
            Some((host, path)) if host.eq_ignore_ascii_case("localhost") && path.starts_with('/') => path,
            _ => named,
        },
        None => rest,
    };
    let rest = if cfg!(windows) { from_drive(rest) } else { rest };
    if url.starts_with("file://") && !rest.is_empty() && !Path::new(rest).has_root() && !rest.contains(':') {
        let host = rest.split('/').next().unwrap_or_default();
        let path = std::path::absolute(rest).unwrap_or_else(|_| PathBuf::from("/FOLDER"));
        return Err(Failure::new(FailureKind::Usage, format!("`{url}`: `{host}` would be a host"))
            .help(format!("write a folder as file://{}", path.display())));
    }
    let path = percent::decode(rest)
        .ok_or_else(|| Failure::new(FailureKind::Usage, format!("`{url}` is not UTF-8")))?;
    if path.is_empty() {
        return Err(Failure::new(FailureKind::Usage, format!("`{url}` has no path"))
            .help("write a folder as file:///FOLDER, such as file://$PWD/public"));
    }
    std::path::absolute(Path::new(&*path))
        .map_err(|error| Failure::new(FailureKind::Usage, format!("{url}: {error}")))
}

/// Removes the slash before a Windows drive: in a URL, the path begins with one (RFC 8089, E.2).
fn from_drive(path: &str) -> &str {
    match path.strip_prefix('/') {
        Some(drive)
            if drive.starts_with(|c: char| c.is_ascii_alphabetic()) && drive[1..].starts_with(':') =>
        {
            drive
        }
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn removes_the_slash_before_a_windows_drive() {
        assert_eq!(super::from_drive("/C:/Users/x"), "C:/Users/x");
        for path in ["C:/x", "/srv/x", "//server/share", "/", "/é:/x", "x"] {
            assert_eq!(super::from_drive(path), path);
        }
    }
}
