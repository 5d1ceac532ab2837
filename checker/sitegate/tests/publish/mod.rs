//! Tests `sitegate check --seal` and `sitegate publish file://`.

#[cfg(unix)]
mod full_disk;
mod guards;
mod inventories;
mod live;
mod names;
#[cfg(unix)]
mod planted;
mod repair;
mod seal;
pub mod site;
mod state;
#[cfg(feature = "network")]
mod verification;
