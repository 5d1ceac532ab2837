//! Tests `sitegate check --seal` and `sitegate publish file://`.

#[cfg(unix)]
mod concurrent_publish;
mod guards;
mod live;
mod names;
mod seal;
mod site;
