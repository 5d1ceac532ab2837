//! The preview's socket: listens on this machine only, and stops by itself.

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::Request;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::own_host::OwnHosts;
use super::patience::PatientStream;
use super::{Preview, plain};
use crate::error::HostingError;
use sitegate_base::sanitize::visible;

/// Connections at once; more wait until one of these ends. A browser opens six.
const CONNECTIONS: usize = 128;

/// How long the head of a request may take to arrive, also the next one of a connection that is kept open.
const HEAD: Duration = Duration::from_secs(15);

/// The largest head of a request, in bytes.
const HEAD_SIZE: usize = 64 << 10;

/// How long to rest when the system gives no more connections.
const REST: Duration = Duration::from_millis(200);

impl Preview {
    /// Listens on 127.0.0.1 and answers requests to this machine, and to `hosts`, until Ctrl-C, or until `limit` has passed. `ready` is told the
    /// address.
    ///
    /// # Errors
    /// When the port is taken or may not be used.
    pub fn run(
        self,
        port: u16,
        hosts: &[String],
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), HostingError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime?.block_on(self.listen(port, hosts, limit, ready))
    }

    async fn listen(
        self,
        port: u16,
        hosts: &[String],
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), HostingError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => HostingError::PortInUse(port),
            _ => HostingError::Listen { address, source: error },
        })?;
        let local_address = listener.local_addr()?;
        let url = format!("http://{local_address}{}", self.base_path());
        ready(&url)?;
        let serve = accept(listener, Arc::new(self), Arc::new(OwnHosts::new(local_address.port(), hosts)));
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

/// Accepts connections, as many at once as there is room for.
async fn accept(listener: TcpListener, preview: Arc<Preview>, hosts: Arc<OwnHosts>) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // A connection that failed before it was accepted concerns nobody else.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            // Without descriptors or memory the next try would fail at once, and so on.
            Err(_) => {
                tokio::time::sleep(REST).await;
                continue;
            }
        };
        let (preview, hosts) = (Arc::clone(&preview), Arc::clone(&hosts));
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<hyper::body::Incoming>| {
                let (preview, hosts) = (Arc::clone(&preview), Arc::clone(&hosts));
                async move {
                    Ok::<_, Infallible>(match hosts.refuse(&request) {
                        Ok(()) => preview.answer(&request),
                        Err((status, words)) => plain(status, words),
                    })
                }
            });
            let mut server = hyper::server::conn::http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_SIZE);
            // A browser that hangs up early is not a failure of the server.
            let _ = server.serve_connection(TokioIo::new(PatientStream::new(stream)), service).await;
            drop(place);
        });
    }
}

/// Writes the address where people look for it, at once, even into a pipe.
///
/// # Errors
/// When the writer fails; a reader that has gone is not a failure.
pub fn announce(out: &mut dyn Write, url: &str, root: &Path) -> io::Result<()> {
    let root = root.display().to_string();
    let text = format!("{url}\nserving {}; Ctrl-C stops\n", visible(&root));
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
