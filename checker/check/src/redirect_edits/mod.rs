//! Adds redirects to the file of a site that its host reads, and proves them before anything is written.
//!
//! Each redirect is followed in the site as the next build makes it, by the code of the check. It must end at the intended
//! address, and hide no file. Otherwise it is refused, with the reason.

mod edit;
mod proof;
mod redirects_file;
mod site;
#[cfg(test)]
mod tests;

use crate::contract::{Contract, Permissions};
use crate::redirect_proposals::RedirectProposal;
use edit::edited;
use proof::Proof;
pub use redirects_file::{FoundFile, NoRedirectsFile, entries_to_add};
pub use site::{
    ChangedRedirect, RedirectEdit, RedirectEditError, RedirectSite, RedirectsFile, RefusedRedirect,
};

/// Returns the text of a file with more redirects. `contract` is the present one, `text` the present text of the file.
/// Redirects that have an effect already are not added again.
///
/// # Errors
/// If a file of the site cannot be read or is malformed.
pub fn edit_redirects(
    site: &RedirectSite,
    (contract, permissions): (&Contract, &Permissions),
    file: &RedirectsFile,
    text: &str,
    wanted: &[RedirectProposal],
) -> Result<RedirectEdit, RedirectEditError> {
    let before = site.redirects(contract, permissions, Some((file, text)))?;
    let present = Proof::new(site, &before, &before);
    let mut refused = Vec::new();
    let mut accepted: Vec<RedirectProposal> = Vec::new();
    let missing: Vec<&RedirectProposal> =
        wanted.iter().filter(|redirect| present.fault(redirect).is_some()).collect();
    let fault_of_file = file.fault(text);
    for redirect in missing.iter().flat_map(|redirect| file.expressible(redirect)) {
        match fault_of_file.map(str::to_owned).or_else(|| file.objection(redirect, site)) {
            Some(reason) => refused.push(RefusedRedirect::new(redirect, reason)),
            None => accepted.push(redirect.clone()),
        }
    }
    loop {
        let mut edit = edited(file, &present, text, (&accepted, &missing));
        let after = site.redirects(contract, permissions, Some((file, &edit.text)))?;
        let proof = Proof::new(site, &before, &after);
        let faults = proof.faults(&accepted, file.limits(site.host()), &edit);
        if faults.iter().all(Option::is_none) {
            edit.refused = refused;
            return Ok(edit);
        }
        let mut proved = Vec::new();
        for (redirect, fault) in accepted.into_iter().zip(faults) {
            match fault {
                None => proved.push(redirect),
                // Some of its addresses may be redirected one by one.
                Some(_) if !redirect.replaces.is_empty() => proved.extend(redirect.replaces),
                Some(reason) => refused.push(RefusedRedirect::new(&redirect, reason)),
            }
        }
        accepted = proved;
    }
}

/// Returns the redirects that would hide the pages of a moved source, as `address` and `destination`.
///
/// # Errors
/// If a file of the site cannot be read or is malformed.
pub fn hiding_redirects(
    site: &RedirectSite,
    (contract, permissions): (&Contract, &Permissions),
    moved: &[RedirectProposal],
) -> Result<Vec<(String, String)>, RedirectEditError> {
    let redirects = site.redirects(contract, permissions, None)?;
    let proof = Proof::new(site, &redirects, &redirects);
    Ok(moved.iter().filter_map(|redirect| Some((redirect.to.clone(), proof.hidden_by(redirect)?))).collect())
}
