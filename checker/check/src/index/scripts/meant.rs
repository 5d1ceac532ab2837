//! What was most likely meant by what scripts load in vain.

use std::collections::HashMap;

use super::DeadLoad;
use crate::index::site::Site;
use crate::resolve::Reason;
use crate::resolve::near::Near;

/// Suggests what was meant by paths that are not there.
pub(super) fn suggest(site: &Site<'_>, dead: &mut [DeadLoad]) {
    let mut known: HashMap<String, Option<Near>> = HashMap::new();
    for load in dead.iter_mut().filter(|load| matches!(load.reason, Reason::NoFile | Reason::NoIndex)) {
        let near = known.entry(load.path.clone()).or_insert_with_key(|path| site.near(path.as_bytes()));
        load.near = near.clone();
    }
}
