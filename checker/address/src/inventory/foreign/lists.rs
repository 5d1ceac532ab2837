//! Reads lists of URLs, one in a line, tables with a column of URLs, as search consoles export them, and access logs
//! in the common or combined format, or in the JSON of Caddy: the addresses that were answered with 404.

use std::borrow::Cow;
use std::collections::BTreeMap;

use csv::{ReaderBuilder, StringRecord};
use serde::Deserialize;

use super::addresses::Addresses;
use crate::inventory::model::InventoryError;
use crate::reference::UrlReference;

pub(super) fn read(text: &str, addresses: &mut Addresses) -> Result<(), InventoryError> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match [',', ';', '\t'].into_iter().find(|delimiter| first.contains(*delimiter)) {
        Some(delimiter) if !is_address(first.trim()) || first.starts_with('"') || delimiter == '\t' => {
            read_table(text, delimiter as u8, addresses)
        }
        _ => read_lines(text, addresses),
    }
}

fn read_lines(text: &str, addresses: &mut Addresses) -> Result<(), InventoryError> {
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        // Any other text is refused, since messages show addresses, and the file may be any.
        if !is_address(line) {
            return Err(InventoryError::at(number, "neither a URL nor a path"));
        }
        addresses.add(line, number)?;
    }
    Ok(())
}

/// Maximum number of columns in a table.
const MAX_COLUMNS: usize = 1_000;

/// Reads a table whose first row names the columns, or has a URL itself.
fn read_table(text: &str, delimiter: u8, addresses: &mut Addresses) -> Result<(), InventoryError> {
    let columns = |line: &str| memchr::memchr_iter(delimiter, line.as_bytes()).count() + 1;
    if let Some(line) = text.lines().position(|line| columns(line) > MAX_COLUMNS) {
        return Err(InventoryError::at(line + 1, format!("it has more than {MAX_COLUMNS} columns")));
    }
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    let mut column = None;
    loop {
        let line = usize::try_from(reader.position().line()).unwrap_or(usize::MAX);
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(_) => return Err(InventoryError::at(line, "this row of the table is malformed")),
        }
        let Some(url_column) = column else {
            column = Some(column_of_urls(&record));
            if record.iter().any(is_address) {
                addresses.add(record.get(column.unwrap_or_default()).unwrap_or_default(), line)?;
            }
            continue;
        };
        match record.get(url_column).map(str::trim) {
            Some(url) if is_address(url) => addresses.add(url, line)?,
            _ if record.iter().all(|field| field.trim().is_empty()) => {}
            _ => return Err(InventoryError::at(line, "neither a URL nor a path")),
        }
    }
}

/// Returns the column of URLs by the first row: the first URL, or else a name such as `URL` or `Top pages`, or else the
/// first column.
fn column_of_urls(row: &StringRecord) -> usize {
    let named = |words: &[&str]| {
        row.iter().position(|field| {
            let name = field.to_lowercase();
            words.iter().any(|word| name.contains(word))
        })
    };
    row.iter()
        .position(is_address)
        .or_else(|| named(&["url", "address"]))
        .or_else(|| named(&["page", "path"]))
        .unwrap_or(0)
}

fn is_address(text: &str) -> bool {
    text.starts_with('/') || text.starts_with("https://") || text.starts_with("http://")
}

/// A request in a log.
struct LoggedRequest<'l> {
    path: Cow<'l, str>,
    /// Its host, if the log has it.
    host: Option<Cow<'l, str>>,
    status: u16,
}

/// Maximum number of lines at the start of a log in JSON that may be other messages of the server.
const MAX_OTHER_LINES: usize = 100;

/// Whether a text begins with a line of an access log.
pub(super) fn is_access_log(text: &str) -> bool {
    let mut lines = text.lines();
    if text.starts_with('{') {
        lines.take(MAX_OTHER_LINES).any(|line| request_in_json(line).is_some())
    } else {
        lines.next().is_some_and(|line| request(line).is_some())
    }
}

/// Adds the addresses that were answered with 404 at least `min` times. Lines of another form are left out.
pub(super) fn read_access_log(text: &str, min: u32, addresses: &mut Addresses) -> Result<(), InventoryError> {
    addresses.may_be_empty = true;
    let mut counts: BTreeMap<Cow<'_, str>, (u32, usize)> = BTreeMap::new();
    let is_json = text.starts_with('{');
    for (line, number) in text.lines().zip(1..) {
        let found = if is_json { request_in_json(line) } else { request(line) };
        let Some(LoggedRequest { path, host, status: 404 }) = found else { continue };
        if host.is_some_and(|host| !addresses.may_have_host(&host)) {
            continue;
        }
        let length = UrlReference::new(&*path).path().len();
        let path = match path {
            Cow::Borrowed(path) => Cow::Borrowed(&path[..length]),
            Cow::Owned(path) => Cow::Owned(path[..length].to_owned()),
        };
        counts.entry(path).or_insert((0, number)).0 += 1;
    }
    for (path, (_, line)) in counts.into_iter().filter(|(_, (count, _))| *count >= min) {
        // Clients may send anything as a path.
        if path.starts_with('/') && !path.starts_with("//") {
            addresses.add(&path, line)?;
        }
    }
    Ok(())
}

/// Parses a line: `host ident user [time] "GET /path HTTP/1.1" 404 …`.
fn request(line: &str) -> Option<LoggedRequest<'_>> {
    let (_, rest) = line.split_once("] \"")?;
    let (request, rest) = rest.split_once("\" ")?;
    let mut words = request.split(' ');
    let path = words.next().and(words.next())?;
    let status = rest.split(' ').next()?;
    let is_status = status.len() == 3 && status.bytes().all(|byte| byte.is_ascii_digit());
    let status = status.parse().ok().filter(|_| is_status)?;
    Some(LoggedRequest { path: path.into(), host: None, status })
}

/// Parses a line of Caddy's log: an object with the request and its status.
fn request_in_json(line: &str) -> Option<LoggedRequest<'_>> {
    #[derive(Deserialize)]
    struct Entry<'l> {
        #[serde(borrow)]
        request: Request<'l>,
        status: u16,
    }
    #[derive(Deserialize)]
    struct Request<'l> {
        #[serde(borrow)]
        host: Option<Cow<'l, str>>,
        #[serde(borrow)]
        uri: Cow<'l, str>,
    }
    // Other lines need not be parsed.
    if !line.starts_with('{') || !line.contains("\"status\"") {
        return None;
    }
    let Entry { request: Request { host, uri }, status } = serde_json::from_str(line).ok()?;
    Some(LoggedRequest { path: uri, host, status })
}
