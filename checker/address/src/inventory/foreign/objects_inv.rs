//! Reads `objects.inv` of Sphinx, version 2: a header of four lines, then zlib-compressed lines
//! `name domain:role priority location title`. A `$` at the end of a location is the name.

use flate2::read::ZlibDecoder;

use super::addresses::Addresses;
use crate::inventory::compression::{MAX_SIZE, read_limited, too_large};
use crate::inventory::error::InventoryError;

/// The first bytes of the file.
pub(super) const START: &[u8] = b"# Sphinx inventory version ";

pub(super) fn read(bytes: &[u8], addresses: &mut Addresses) -> Result<(), InventoryError> {
    let version = bytes[START.len()..].split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    if version != b"2" {
        let version = String::from_utf8_lossy(&version[..version.len().min(8)]);
        return Err(InventoryError::new(format!(
            "it is a Sphinx inventory of version {version}; only version 2 is read"
        )));
    }
    let header_end = memchr::memchr_iter(b'\n', bytes).nth(3).map(|end| end + 1);
    let header_end = header_end.ok_or_else(|| InventoryError::new("its header has fewer than four lines"))?;
    let text = read_limited(ZlibDecoder::new(&bytes[header_end..]))
        .map_err(|error| InventoryError::new(format!("cannot decompress it: {error}")))?;
    if text.len() as u64 > MAX_SIZE {
        return Err(too_large());
    }
    for (line, number) in String::from_utf8_lossy(&text).lines().zip(1..) {
        let entry = parse_entry(line);
        let (name, location) = entry
            .ok_or_else(|| InventoryError::at(number, "an entry of the Sphinx inventory is malformed"))?;
        match location.strip_suffix('$') {
            Some(start) => addresses.add(&format!("{start}{name}"), number)?,
            None => addresses.add(location, number)?,
        }
    }
    Ok(())
}

/// Returns the name and the location of an entry. The name may contain spaces, so the role and the priority that follow
/// it are looked for.
fn parse_entry(line: &str) -> Option<(&str, &str)> {
    line.match_indices(' ').find_map(|(at, _)| {
        let mut words = line[at + 1..].splitn(4, ' ');
        let (role, priority, location) = (words.next()?, words.next()?, words.next()?);
        let is_entry = role.contains(':') && priority.parse::<i32>().is_ok();
        is_entry.then_some((&line[..at], location))
    })
}
