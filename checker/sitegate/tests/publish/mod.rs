//! Tests `sitegate check --seal` and `sitegate publish file://` with the built binary.

mod guards;
mod live;
mod names;
#[cfg(unix)]
mod overtaken;
mod seal;
mod site;
