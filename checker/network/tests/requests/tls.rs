//! TLS servers with valid and invalid certificates, over HTTP/1.1 and HTTP/2.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use h2::{Reason, server};
use http::{HeaderValue, Response, Version};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::server::TlsStream;

/// A certificate authority.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// The state of a certificate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Certificate {
    Good,
    Expired,
    OfAnotherName,
}

/// The protocol of a server, and how it ends connections.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Speech {
    Http1,
    Http2,
    /// After five requests, the connection takes no more (GOAWAY), but these are answered.
    Http2GoingAway,
    /// After five answers the connection is closed, and pending requests are dropped.
    Http2BreakingOff,
    /// Each request gets informational answers without an end.
    Http2Flooding,
}

/// A server that stops when it is dropped.
pub struct TlsServer {
    pub address: SocketAddr,
    versions: Arc<Mutex<Vec<Version>>>,
    connections: Arc<AtomicUsize>,
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

    fn config(&self, certificate: Certificate, speech: Speech) -> ServerConfig {
        let names: &[&str] = match certificate {
            Certificate::OfAnotherName => &["other.example"],
            _ => &["server.example", "pages.sitegate-test.org", "127.0.0.1"],
        };
        let mut params =
            CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
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
        config.alpn_protocols = match speech {
            Speech::Http1 => vec![b"http/1.1".to_vec()],
            _ => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        };
        config
    }
}

impl TlsServer {
    pub fn start(authority: &Authority, certificate: Certificate, speech: Speech) -> TlsServer {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(authority.config(certificate, speech)));
        let versions = Arc::new(Mutex::new(Vec::new()));
        let connections = Arc::new(AtomicUsize::new(0));
        let (seen, counted) = (Arc::clone(&versions), Arc::clone(&connections));
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                let (acceptor, seen) = (acceptor.clone(), Arc::clone(&seen));
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                        return serve_http2(stream, &seen, speech).await;
                    }
                    let mut bytes = [0; 4096];
                    while stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {
                        seen.lock().unwrap().push(Version::HTTP_11);
                        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
                    }
                });
            }
        });
        TlsServer { address, versions, connections, _runtime: runtime }
    }

    pub fn url(&self) -> String {
        format!("https://server.example:{}/", self.address.port())
    }

    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Returns the HTTP versions of the requests.
    pub fn versions(&self) -> Vec<Version> {
        self.versions.lock().unwrap().clone()
    }
}

async fn serve_http2(stream: TlsStream<TcpStream>, seen: &Mutex<Vec<Version>>, speech: Speech) {
    // Of several connections opened at the same time, a client keeps one.
    let Ok(mut connection) = server::handshake(stream).await else { return };
    let mut served = 0;
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        seen.lock().unwrap().push(request.version());
        if speech == Speech::Http2Flooding {
            // Headers of a kilobyte, without compression, faster than any client reads them.
            tokio::spawn(async move {
                let mut value = HeaderValue::try_from("x".repeat(1000)).unwrap();
                value.set_sensitive(true);
                for number in 0_u64.. {
                    let hints =
                        Response::builder().status(103).header("link", value.clone()).body(()).unwrap();
                    if respond.send_informational(hints).is_err() {
                        return;
                    }
                    if number.is_multiple_of(50) {
                        tokio::time::sleep(Duration::from_millis(1)).await;
                    }
                }
            });
            continue;
        }
        let _ = respond.send_response(Response::new(()), true);
        served += 1;
        match speech {
            Speech::Http2GoingAway if served == 5 => connection.graceful_shutdown(),
            Speech::Http2BreakingOff if served == 5 => connection.abrupt_shutdown(Reason::NO_ERROR),
            _ => {}
        }
    }
}
