//! `sitegate check --seal` and `sitegate publish file://`, on the built binary.

#![allow(clippy::unwrap_used)]

mod guards;
mod live;
mod names;
mod seal;
mod site;
