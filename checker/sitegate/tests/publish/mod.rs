//! `sitegate check --seal` and `sitegate publish file://`, on the built binary.

#[cfg(unix)]
mod concurrent_publish;
mod guards;
mod live;
mod names;
mod seal;
mod site;
