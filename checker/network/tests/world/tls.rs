//! Servers that speak TLS, with certificates that are in order or not, over HTTP/1.1 and HTTP/2.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use h2::server;
use http::{Response, Version};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// An authority that a test trusts.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// What is the matter with a certificate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Certificate {
    Good,
    Expired,
    OfAnotherName,
}

/// A server; it stops when it is dropped.
pub struct TlsServer {
    pub address: SocketAddr,
    versions: Arc<Mutex<Vec<Version>>>,
    _runtime: Runtime,
}

impl Authority {
    pub fn new(name: &str) -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub fn pem(&self) -> Vec<u8> {
        self.0.pem().into_bytes()
    }

    fn config(&self, certificate: Certificate, speaks_h2: bool) -> ServerConfig {
        let name = if certificate == Certificate::OfAnotherName { "other.example" } else { "server.example" };
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        if certificate == Certificate::Expired {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        let signed = params.signed_by(&key, &self.0).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let mut config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![signed.der().clone()], key)
            .unwrap();
        config.alpn_protocols =
            if speaks_h2 { vec![b"h2".to_vec(), b"http/1.1".to_vec()] } else { vec![b"http/1.1".to_vec()] };
        config
    }
}

impl TlsServer {
    pub fn start(authority: &Authority, certificate: Certificate, speaks_h2: bool) -> TlsServer {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(authority.config(certificate, speaks_h2)));
        let versions = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&versions);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, seen) = (acceptor.clone(), Arc::clone(&seen));
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                        let mut connection = server::handshake(stream).await.unwrap();
                        while let Some(Ok((request, mut respond))) = connection.accept().await {
                            seen.lock().unwrap().push(request.version());
                            respond.send_response(Response::new(()), true).unwrap();
                        }
                        return;
                    }
                    let mut bytes = [0; 4096];
                    while stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {
                        seen.lock().unwrap().push(Version::HTTP_11);
                        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
                    }
                });
            }
        });
        TlsServer { address, versions, _runtime: runtime }
    }

    pub fn url(&self) -> String {
        format!("https://server.example:{}/", self.address.port())
    }

    /// The versions of HTTP that it was asked by.
    pub fn versions(&self) -> Vec<Version> {
        self.versions.lock().unwrap().clone()
    }
}
