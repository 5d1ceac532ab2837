//! The client that other machines are asked by: TLS that trusts the system and whom the contract names, and no step aside by itself.

use std::fs;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, ClientBuilder};
use sitegate_check::contract::Contract;

/// The authorities that a contract trusts beside those of the system, each file in PEM.
///
/// # Errors
/// When its file cannot be read or holds none, with the place in the contract.
pub fn authorities(contract: &Contract) -> Result<Vec<Vec<u8>>, String> {
    let Some((span, file)) = &contract.external.certificates else { return Ok(Vec::new()) };
    let fail = |message: String| contract.error(span.clone(), message).to_string();
    let pem = fs::read(file).map_err(|error| fail(format!("{}: {error}", file.display())))?;
    if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
        return Err(fail(format!("{} holds no certificate in PEM", file.display())));
    }
    Ok(vec![pem])
}

/// Chooses the cryptography for TLS; once for the process, before the first client is made.
pub fn choose_cryptography() {
    // It fails where somebody has chosen already, and what was chosen does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A client that follows no redirects, and trusts these authorities beside those of the system.
///
/// # Errors
/// When an authority cannot be read.
pub fn client_builder(authorities: &[Vec<u8>], connect: Duration) -> reqwest::Result<ClientBuilder> {
    choose_cryptography();
    let trusted = authorities.iter().map(|pem| Certificate::from_pem_bundle(pem));
    let trusted = trusted.collect::<reqwest::Result<Vec<_>>>()?;
    let builder = ClientBuilder::new().tls_certs_merge(trusted.into_iter().flatten());
    Ok(builder.redirect(Policy::none()).referer(false).connect_timeout(connect))
}
