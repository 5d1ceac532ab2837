//! `sitegate check --seal` and `sitegate publish file://`, on the built binary.

mod guards;
mod live;
mod names;
#[cfg(unix)]
mod overtaken;
mod seal;
mod site;
