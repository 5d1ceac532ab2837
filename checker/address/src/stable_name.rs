//! Removes content hashes from the names of files, so that the versions of a file have one name.

use std::borrow::Cow;

use crate::hashed_name::{is_hash, is_hashed};

/// Returns a path whose file name has `#` for each content hash; the path itself if it has none.
pub fn stable_name(path: &str) -> Cow<'_, str> {
    if !is_hashed(path) {
        return Cow::Borrowed(path);
    }
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let slash = if folder.is_empty() && !path.starts_with('/') { "" } else { "/" };
    Cow::Owned(format!("{folder}{slash}{}", without_hashes(name)))
}

fn without_hashes(name: &str) -> String {
    let Some((stem, extension)) = name.rsplit_once('.') else { return name.to_owned() };
    // Hashes of 64 characters may contain the separators, so the first and the last eight come first.
    let last = stem.len().checked_sub(9).filter(|at| stem.is_char_boundary(*at)).map(|at| stem.split_at(at));
    if let Some((start, end)) = last
        && let Some(hash) = end.strip_prefix(['-', '.'])
        && is_hash(hash)
    {
        return format!("{start}{}#.{extension}", &end[..1]);
    }
    if let Some((hash, rest)) = stem.split_at_checked(8)
        && rest.starts_with('-')
        && is_hash(hash)
    {
        return format!("#{rest}.{extension}");
    }
    let mut stable = String::with_capacity(name.len());
    let mut parts = stem.split_inclusive(['.', '-', '_', '~', '@']).peekable();
    let is_short = extension.starts_with("pf_");
    while let Some(part) = parts.next() {
        let bare = if parts.peek().is_some() {
            &part[..part.len() - 1]
        } else {
            part.trim_end_matches(['.', '-', '_', '~', '@'])
        };
        let is_own =
            is_hash(bare) || is_short && bare.len() >= 7 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_own {
            stable.push('#');
            stable.push_str(&part[bare.len()..]);
        } else {
            stable.push_str(part);
        }
    }
    format!("{stable}.{extension}")
}

#[cfg(test)]
mod tests {
    use super::stable_name;

    #[test]
    fn versions_of_a_file_have_one_name() {
        for (path, stable) in [
            ("assets/index-DiwrgTda.js", "assets/index-#.js"),
            ("assets/index-DdXk-1_a.css", "assets/index-#.css"),
            ("_nuxt/DlAUqK2U.js", "_nuxt/#.js"),
            ("static/js/787.073c9b0a.chunk.js", "static/js/787.#.chunk.js"),
            ("_next/static/media/c9a5bc6a7c948fb0-s.p.woff2", "_next/static/media/#-s.p.woff2"),
            ("pagefind/fragment/en_2ce9433.pf_fragment", "pagefind/fragment/en_#.pf_fragment"),
            ("chunk-QK5PWKL3.js", "chunk-#.js"),
            ("D2qFrAD--photo.png", "#-photo.png"),
            ("/main.1a2b3c4d.js", "/main.#.js"),
            ("report-2026.pdf", "report-2026.pdf"),
            ("1a2b3c4d/plain.js", "1a2b3c4d/plain.js"),
        ] {
            assert_eq!(stable_name(path), stable);
        }
    }
}
