//! Reads access logs in the common or combined format: the addresses that were answered with 404.

use std::collections::BTreeMap;

use crate::reference::UrlReference;

use super::addresses::Addresses;
use crate::inventory::error::InventoryError;

/// A request in a log.
struct LoggedRequest<'l> {
    path: &'l str,
    status: &'l str,
}

/// Whether a text begins with a line of an access log.
pub(super) fn is_access_log(text: &str) -> bool {
    text.lines().next().is_some_and(|line| request(line).is_some())
}

/// Adds the addresses that were answered with 404 at least `min` times. Lines of another form are left out.
pub(super) fn read(text: &str, min: u32, addresses: &mut Addresses) -> Result<(), InventoryError> {
    addresses.may_be_empty = true;
    let mut counts: BTreeMap<&str, (u32, usize)> = BTreeMap::new();
    for (line, number) in text.lines().zip(1..) {
        let Some(LoggedRequest { path, status: "404" }) = request(line) else { continue };
        let path = UrlReference::new(path).path();
        counts.entry(path).or_insert((0, number)).0 += 1;
    }
    for (path, (_, line)) in counts.into_iter().filter(|(_, (count, _))| *count >= min) {
        // Clients may send anything as a path.
        if path.starts_with('/') && !path.starts_with("//") {
            addresses.add(path, line)?;
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
    (status.len() == 3 && status.bytes().all(|byte| byte.is_ascii_digit()))
        .then_some(LoggedRequest { path, status })
}
