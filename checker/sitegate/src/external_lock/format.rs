//! The file `external.lock`: sorted text with a line for each address that answered well. Equal answers give equal bytes.
//!
//! A line has the address, the day of the answer, and the address that it moved to for good, if there is one. Targets of
//! temporary redirects are left out: they differ from request to request.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use chrono::NaiveDate;
use url::Url;

/// The first line. Another format has another number.
const HEADER: &str = "# sitegate external lock 1";

/// The second line, for anyone who opens the file.
const NOTICE: &str =
    "# Good answers of external links. `sitegate check --external --lock FILE --update-lock` writes it.";

/// Maximum length of an address in bytes.
const MAX_ADDRESS: usize = 8192;

/// The good answer of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedAnswer {
    /// The day of the answer.
    pub day: NaiveDate,
    /// The address that it moved to permanently.
    pub moved_to: Option<String>,
}

/// A lock: the good answers by address, with its fragment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalLock {
    /// The answers.
    pub entries: BTreeMap<String, LockedAnswer>,
}

/// A line that is not in the format.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct LockSyntaxError {
    /// The number of the line.
    pub line: usize,
    /// The reason, without the text of the line: it may be anything.
    pub reason: &'static str,
}

impl ExternalLock {
    /// Reads a lock strictly: everything else than what the program writes is an error.
    ///
    /// # Errors
    /// If a line is not in the format.
    pub fn parse(text: &[u8]) -> Result<ExternalLock, LockSyntaxError> {
        let fail = |line: usize, reason: &'static str| LockSyntaxError { line, reason };
        let mut lock = ExternalLock::default();
        let mut last: Option<String> = None;
        let mut lines = text.split(|byte| *byte == b'\n').enumerate().map(|(index, line)| (index + 1, line));
        match lines.next() {
            Some((_, line)) if line == HEADER.as_bytes() => {}
            Some((_, line)) if line.starts_with(b"# sitegate external lock ") => {
                return Err(fail(1, "the lock is of another version of sitegate"));
            }
            _ => return Err(fail(1, "this file is no lock of external links")),
        }
        let mut is_ended = false;
        for (number, line) in lines {
            if is_ended {
                return Err(fail(number, "the line is empty"));
            }
            if line.is_empty() {
                is_ended = true;
                continue;
            }
            let is_conflict = [&b"<<<<<<<"[..], b"=======", b">>>>>>>", b"|||||||"];
            if is_conflict.iter().any(|mark| line.starts_with(mark)) {
                return Err(fail(number, "a merge conflict"));
            }
            if number == 2 && line == NOTICE.as_bytes() {
                continue;
            }
            let (address, answer) = parse_line(line).map_err(|reason| fail(number, reason))?;
            match &last {
                Some(last) if *last == address => return Err(fail(number, "the address is there twice")),
                Some(last) if *last > address => return Err(fail(number, "the addresses are not sorted")),
                _ => {}
            }
            last = Some(address.clone());
            lock.entries.insert(address, answer);
        }
        if is_ended {
            Ok(lock)
        } else {
            Err(fail(text.split(|byte| *byte == b'\n').count(), "the last line is cut off"))
        }
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\n{NOTICE}\n");
        for (address, LockedAnswer { day, moved_to }) in &self.entries {
            let moved = moved_to.as_ref().map(|to| format!(" {to}")).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{address} {day}{moved}");
        }
        text
    }
}

/// Whether a file is a lock, by its first or last bytes.
pub fn is_lock(text: &str) -> bool {
    text.starts_with("# sitegate external lock ")
}

fn parse_line(line: &[u8]) -> Result<(String, LockedAnswer), &'static str> {
    // An address has only printable ASCII characters: others are percent-encoded.
    if !line.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err("a character that no address has");
    }
    let line = str::from_utf8(line).map_err(|_| "a character that no address has")?;
    let mut fields = line.split(' ');
    let address =
        fields.next().and_then(normal_address).ok_or("this is not an address as sitegate writes it")?;
    let day = fields.next().filter(|day| day.len() == "2026-01-01".len());
    let day =
        day.and_then(|day| day.parse::<NaiveDate>().ok()).ok_or("this is not a day such as 2026-01-31")?;
    let moved_to = match fields.next() {
        None => None,
        Some(to) => Some(normal_address(to).ok_or("this is not an address as sitegate writes it")?),
    };
    if fields.next().is_some() {
        return Err("too many fields");
    }
    Ok((address, LockedAnswer { day, moved_to }))
}

/// Returns an address of the web that is written as the URL standard serializes it, without a name and password.
fn normal_address(text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|_| text.len() <= MAX_ADDRESS)?;
    let is_public =
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    (is_public && url.as_str() == text).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::ExternalLock;

    const HEAD: &str = "# sitegate external lock 1\n";

    #[test]
    fn text_of_a_lock_is_read_back() {
        let text = format!(
            "{}https://a.example/ 2026-11-22\nhttps://a.example/#b 2026-01-01\nhttps://b.example/old 2026-11-22 https://b.example/new\n",
            ExternalLock::default().to_text()
        );
        let lock = ExternalLock::parse(text.as_bytes()).unwrap();
        assert_eq!(lock.entries.len(), 3);
        assert_eq!(lock.to_text(), text);
    }

    #[test]
    fn damaged_locks_are_refused_with_their_line() {
        let long = format!("https://a.example/{}", "x".repeat(9000));
        for (lines, line, reason) in [
            ("https://a.example/ 2026-11-22\nhttps://a.example/ 2026-11-22\n", 3, "twice"),
            ("https://b.example/ 2026-11-22\nhttps://a.example/ 2026-11-22\n", 3, "not sorted"),
            ("<<<<<<< HEAD\nhttps://a.example/ 2026-11-22\n=======\n", 2, "merge conflict"),
            (
                "https://a.example/ 2026-11-22\n=======\nhttps://b.example/ 2026-11-22\n>>>>>>> x\n",
                3,
                "merge conflict",
            ),
            ("https://a.example/\u{1b}[2J 2026-11-22\n", 2, "character"),
            ("https://a.example/ä 2026-11-22\n", 2, "character"),
            ("https://a.example/ 2026-11-22\r\n", 2, "character"),
            ("https://a.example/\t2026-11-22\n", 2, "character"),
            ("https://A.example/ 2026-11-22\n", 2, "not an address"),
            ("https://a.example 2026-11-22\n", 2, "not an address"),
            ("https://u:p@a.example/ 2026-11-22\n", 2, "not an address"),
            ("file:///etc/passwd 2026-11-22\n", 2, "not an address"),
            (" 2026-11-22\n", 2, "not an address"),
            ("https://a.example/ 2026-02-30\n", 2, "not a day"),
            ("https://a.example/ +262000-01-01\n", 2, "not a day"),
            ("https://a.example/  2026-11-22\n", 2, "not a day"),
            ("https://a.example/\n", 2, "not a day"),
            ("https://a.example/ 2026-11-22 javascript:1\n", 2, "not an address"),
            ("https://a.example/ 2026-11-22 https://b.example/ x\n", 2, "too many"),
            ("https://a.example/ 2026-11-22", 2, "cut off"),
            ("https://a.example/ 2026-11-22\n\nhttps://b.example/ 2026-11-22\n", 4, "empty"),
            (&format!("{long} 2026-11-22\n"), 2, "not an address"),
        ] {
            let error = ExternalLock::parse(format!("{HEAD}{lines}").as_bytes()).unwrap_err();
            assert_eq!((error.line, error.reason.contains(reason)), (line, true), "{lines:?}: {error}");
        }
        for text in ["", "\n", "{}", "# sitegate external lock 2\n", "# sitegate external lock 1 \n"] {
            assert_eq!(ExternalLock::parse(text.as_bytes()).unwrap_err().line, 1, "{text:?}");
        }
    }
}
