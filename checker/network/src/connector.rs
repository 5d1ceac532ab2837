//! Opens connections: through the proxies of the environment, with TLS, within a time. Counts the bytes that a server
//! sends without an answer.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::Uri;
use http::uri::Scheme;
use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

use crate::resolver::SharedResolver;

/// Maximum number of bytes that a server may send without an answer: informational answers (1xx) count, which it may send
/// without an end. The head of an answer is smaller, and so is what is read ahead of a body.
const MAX_UNANSWERED: usize = 1 << 20;

/// As [`MAX_UNANSWERED`], on a connection for many answers at a time, whose bodies are read ahead.
const MAX_UNANSWERED_HTTP2: usize = 16 << 20;

/// Number of bytes to read at a time.
const READ_SIZE: usize = 16 << 10;

type BoxError = Box<dyn Error + Send + Sync>;
type Tcp = HttpConnector<SharedResolver>;
type TcpIo = TokioIo<TcpStream>;

/// There was no connection in time.
#[derive(Debug, thiserror::Error)]
#[error("it could not be reached in time")]
pub(crate) struct ConnectTimeout;

/// There was no connection to the proxy of a plain request. The reason says nothing about the host.
#[derive(Debug, thiserror::Error)]
#[error("the proxy cannot be reached")]
pub(crate) struct ProxyUnreachable(#[source] BoxError);

/// The server sends more than an answer can have.
#[derive(Debug, thiserror::Error)]
#[error("it sends informational answers (1xx) without an end")]
pub(crate) struct EndlessHead;

/// Opens connections.
#[derive(Clone, Debug)]
pub(crate) struct Connector {
    tls: HttpsConnector<ProxyConnector>,
    limit: Duration,
}

impl Connector {
    /// Creates a connector with the proxies to use, and the time to open a connection.
    #[expect(clippy::disallowed_methods, reason = "the one connector to hosts that content names")]
    pub fn new(
        resolver: SharedResolver,
        proxies: Option<Arc<Matcher>>,
        tls: &ClientConfig,
        limit: Duration,
    ) -> Connector {
        let mut tcp = HttpConnector::new_with_resolver(resolver);
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        // It is divided among the addresses of a name.
        tcp.set_connect_timeout(Some(limit));
        let https = || HttpsConnectorBuilder::new().with_tls_config(tls.clone()).https_or_http();
        // Proxies speak HTTP/1.1.
        let to_proxy = https().enable_http1().wrap_connector(tcp.clone());
        let proxy = ProxyConnector { tcp, to_proxy, proxies };
        Connector { tls: https().enable_all_versions().wrap_connector(proxy), limit }
    }
}

impl Service<Uri> for Connector {
    type Response = MeteredStream;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<MeteredStream, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = timeout(self.limit, self.tls.call(uri));
        async move { Ok(MeteredStream::new(connecting.await.map_err(|_| ConnectTimeout)??)) }.boxed()
    }
}

/// Connects to a host or to its proxy.
#[derive(Clone, Debug)]
struct ProxyConnector {
    tcp: Tcp,
    to_proxy: HttpsConnector<Tcp>,
    proxies: Option<Arc<Matcher>>,
}

impl Service<Uri> for ProxyConnector {
    type Response = ProxiedStream;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<ProxiedStream, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let Some(proxy) = self.proxies.as_ref().and_then(|proxies| proxies.intercept(&uri)) else {
            let connecting = self.tcp.call(uri);
            return async move {
                let io = MaybeHttpsStream::Http(connecting.await?);
                Ok(ProxiedStream { io, is_proxy: false })
            }
            .boxed();
        };
        if uri.scheme() != Some(&Scheme::HTTPS) {
            let connecting = self.to_proxy.call(proxy.uri().clone());
            return async move {
                let io = connecting.await.map_err(ProxyUnreachable)?;
                Ok(ProxiedStream { io, is_proxy: true })
            }
            .boxed();
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), self.to_proxy.clone());
        if let Some(login) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(login.clone());
        }
        let connecting = tunnel.call(uri);
        async move { Ok(ProxiedStream { io: connecting.await?, is_proxy: false }) }.boxed()
    }
}

/// A connection to a host, a tunnel to it, or a connection to a proxy for plain http.
#[derive(Debug)]
struct ProxiedStream {
    io: MaybeHttpsStream<TcpIo>,
    /// Whether requests have absolute URLs, as proxies need them.
    is_proxy: bool,
}

impl Connection for ProxiedStream {
    fn connected(&self) -> Connected {
        self.io.connected().proxy(self.is_proxy)
    }
}

impl Read for ProxiedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl Write for ProxiedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

/// Facts of a connection, which each of its answers has.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionFacts {
    /// Number of bytes that were read since the last part of an answer.
    unanswered: Arc<AtomicUsize>,
    /// The certificate of the server, in DER.
    pub certificate: Option<Arc<[u8]>>,
}

impl ConnectionFacts {
    /// Records that a part of an answer arrived.
    pub fn answered(&self) {
        self.unanswered.store(0, Ordering::Relaxed);
    }
}

/// A connection that fails if the server sends too much without an answer.
#[derive(Debug)]
pub(crate) struct MeteredStream {
    io: MaybeHttpsStream<ProxiedStream>,
    facts: ConnectionFacts,
    max_unanswered: usize,
}

impl MeteredStream {
    fn new(io: MaybeHttpsStream<ProxiedStream>) -> MeteredStream {
        let tls = match &io {
            MaybeHttpsStream::Http(_) => None,
            MaybeHttpsStream::Https(stream) => Some(stream.inner().get_ref().1),
        };
        let certificate = tls.and_then(|tls| tls.peer_certificates()?.first());
        let is_http2 = tls.is_some_and(|tls| tls.alpn_protocol() == Some(b"h2"));
        MeteredStream {
            facts: ConnectionFacts {
                unanswered: Arc::default(),
                certificate: certificate.map(|certificate| certificate.as_ref().into()),
            },
            max_unanswered: if is_http2 { MAX_UNANSWERED_HTTP2 } else { MAX_UNANSWERED },
            io,
        }
    }
}

impl Connection for MeteredStream {
    fn connected(&self) -> Connected {
        self.io.connected().extra(self.facts.clone())
    }
}

impl Read for MeteredStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; READ_SIZE];
        let room = buffer.remaining().min(READ_SIZE);
        let mut read = ReadBuf::new(&mut bytes[..room]);
        ready!(Pin::new(&mut self.io).poll_read(context, read.unfilled()))?;
        let unanswered = self.facts.unanswered.fetch_add(read.filled().len(), Ordering::Relaxed);
        if unanswered > self.max_unanswered {
            return Poll::Ready(Err(io::Error::other(EndlessHead)));
        }
        buffer.put_slice(read.filled());
        Poll::Ready(Ok(()))
    }
}

impl Write for MeteredStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
