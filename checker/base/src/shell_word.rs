//! Quotes the words of commands in messages, so that they can be pasted into a shell.

use std::borrow::Cow;

/// Returns a word as POSIX shells and PowerShell read it: in single quotes, unless all of its characters are plain.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:@%+=,\\".contains(&byte);
    let is_plain_word =
        !word.is_empty() && word.bytes().all(|byte| is_plain(byte) && (byte != b'\\' || cfg!(windows)));
    if is_plain_word {
        return Cow::Borrowed(word);
    }
    let quote = if cfg!(windows) { "''" } else { r"'\''" };
    Cow::Owned(format!("'{}'", word.replace('\'', quote)))
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn quotes_only_what_a_shell_would_change() {
        for word in ["file:///srv/www", "s3://bucket/a-b_c", "/a/b.toml"] {
            assert_eq!(shell_word(word), word);
        }
        for word in ["", "a b", "$HOME", "a&b", "~", "a\"b", "*", "ä", "a;b"] {
            assert_eq!(shell_word(word), format!("'{word}'"));
        }
        #[cfg(unix)]
        assert_eq!(shell_word(r"it's a\b"), r"'it'\''s a\b'");
    }
}
