//! Runs the preview server: on this machine only, with limits. Rejects requests with a foreign host name, which
//! protects the preview from DNS rebinding, and closes connections whose client stops reading.

use std::convert::Infallible;
use std::future::Future;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::header::{self, HeaderMap};
use hyper::service::service_fn;
use hyper::{Request, StatusCode, Version};
use hyper_util::rt::{TokioIo, TokioTimer};
use sitegate_base::sanitize::visible;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep};

use super::{Preview, plain};
use crate::error::ServerError;

/// Maximum number of concurrent connections. A browser opens six.
const MAX_CONNECTIONS: usize = 128;

/// Timeout for the head of a request, including the next one on a kept-alive connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

/// Maximum size of the head of a request, in bytes.
const MAX_HEAD_SIZE: usize = 64 << 10;

/// Pause when the system cannot accept connections.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

impl Preview {
    /// Serves requests to this machine and to `hosts` on 127.0.0.1, until Ctrl-C or until `limit` has passed.
    /// Calls `ready` with the URL.
    ///
    /// # Errors
    /// When the port is taken or may not be used.
    pub fn run(
        self,
        port: u16,
        hosts: &[String],
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime?.block_on(self.listen(port, hosts, limit, ready))
    }

    async fn listen(
        self,
        port: u16,
        hosts: &[String],
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), ServerError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServerError::PortInUse(port),
            _ => ServerError::Listen { address, source: error },
        })?;
        let local_address = listener.local_addr()?;
        let url = format!("http://{local_address}{}", self.base_path());
        ready(&url)?;
        let serve =
            accept(listener, Arc::new(self), Arc::new(AllowedHosts::new(local_address.port(), hosts)));
        let end = async {
            match limit {
                Some(limit) => tokio::time::sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = serve => Ok(()),
            () = end => Ok(()),
            stopped = tokio::signal::ctrl_c() => Ok(stopped?),
        }
    }
}

/// Accepts connections, up to the limit.
async fn accept(listener: TcpListener, preview: Arc<Preview>, hosts: Arc<AllowedHosts>) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // A connection that was aborted before it was accepted affects no other.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            // Without file descriptors or memory, an immediate retry would fail, too.
            Err(_) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let (preview, hosts) = (Arc::clone(&preview), Arc::clone(&hosts));
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<hyper::body::Incoming>| {
                let (preview, hosts) = (Arc::clone(&preview), Arc::clone(&hosts));
                async move {
                    Ok::<_, Infallible>(match hosts.reject(&request) {
                        Ok(()) => preview.answer(&request),
                        Err((status, message)) => plain(status, message),
                    })
                }
            });
            let mut server = hyper::server::conn::http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD_SIZE);
            // A browser that disconnects early is no error.
            let _ = server.serve_connection(TokioIo::new(WriteTimeoutStream::new(stream)), service).await;
            drop(slot);
        });
    }
}

/// Prints the URL, and flushes the output, even into a pipe.
///
/// # Errors
/// When the writer fails. A closed pipe is no error.
pub fn announce(out: &mut dyn Write, url: &str, root: &Path) -> io::Result<()> {
    let root = root.display().to_string();
    let text = format!("{url}\nserving {}; Ctrl-C stops\n", visible(&root));
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Host names of this machine, which no other site can take.
const LOCAL_HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The allowed hosts (RFC 9110, section 7.2). A web page can resolve its own name to 127.0.0.1 (DNS rebinding)
/// to read the preview as its own origin. Its requests still carry that name.
struct AllowedHosts {
    port: u16,
    named: Vec<String>,
}

impl AllowedHosts {
    /// Allows this machine at a port, and additional hosts.
    pub fn new(port: u16, named: &[String]) -> AllowedHosts {
        AllowedHosts { port, named: named.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Rejects a request for another host.
    ///
    /// # Errors
    /// The status and the message.
    pub fn reject<B>(&self, request: &Request<B>) -> Result<(), (StatusCode, &'static str)> {
        let host = match request.uri().authority() {
            Some(authority) => authority.as_str(),
            None => match single_host(request.headers()) {
                Some(host) => host,
                // Old programs send no host.
                None if request.version() == Version::HTTP_10
                    && !request.headers().contains_key(header::HOST) =>
                {
                    return Ok(());
                }
                None => {
                    return Err((StatusCode::BAD_REQUEST, "400: a request needs exactly one Host header\n"));
                }
            },
        };
        if self.is_allowed(&host.to_ascii_lowercase()) {
            Ok(())
        } else {
            Err((
                StatusCode::MISDIRECTED_REQUEST,
                "421: this preview serves only 127.0.0.1, localhost and [::1]; use `sitegate serve --host NAME` to \
                 allow another host\n",
            ))
        }
    }

    fn is_allowed(&self, host: &str) -> bool {
        let without_port = match host.rsplit_once(':') {
            Some((name, port)) if port.parse() == Ok(self.port) => name,
            _ => host,
        };
        let named = |known: &String| known == host || known == without_port;
        LOCAL_HOSTS.contains(&without_port) || self.named.iter().any(named)
    }
}

fn single_host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}

/// How long a client may stop reading.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// A connection with a write timeout.
struct WriteTimeoutStream {
    stream: TcpStream,
    end: Pin<Box<Sleep>>,
    waiting: bool,
}

impl WriteTimeoutStream {
    /// Wraps a connection.
    pub fn new(stream: TcpStream) -> WriteTimeoutStream {
        WriteTimeoutStream { stream, end: Box::pin(tokio::time::sleep(WRITE_TIMEOUT)), waiting: false }
    }

    /// Fails if a write has been pending for too long.
    fn watch<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = false;
            return written;
        }
        if !self.waiting {
            self.waiting = true;
            self.end.as_mut().reset(Instant::now() + WRITE_TIMEOUT);
        }
        ready!(self.end.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // The server has its own timeout for reading requests.
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(context, shut)
    }
}

#[cfg(test)]
mod tests {
    use super::AllowedHosts;

    #[test]
    fn allows_names_that_no_other_site_can_take() {
        let hosts = AllowedHosts::new(4173, &["Tunnel.example".to_owned(), "box:8080".to_owned()]);
        for host in [
            "127.0.0.1:4173",
            "localhost",
            "localhost:4173",
            "[::1]:4173",
            "[::1]",
            "tunnel.example",
            "box:8080",
        ] {
            assert!(hosts.is_allowed(host), "{host}");
        }
        for host in
            ["evil.example:4173", "localhost.evil.example", "localhost:80", "127.0.0.1.", "box", "", "[::1"]
        {
            assert!(!hosts.is_allowed(host), "{host}");
        }
    }
}
