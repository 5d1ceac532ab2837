//! A server on this machine with answers defined by a test.

use std::collections::HashMap;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};

/// A request that was received.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    pub method: String,
    pub path: String,
    pub host: String,
    pub headers: HashMap<String, String>,
}

/// The reaction to a request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Status, headers, body.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Another reaction after a delay.
    Late(Duration, Box<Reply>),
    /// No answer, ever.
    Hang,
    /// The connection is closed.
    HangUp,
    /// The start of an answer, and then nothing.
    Stuck(Vec<u8>),
    /// The same bytes without an end.
    Flood(Vec<u8>),
    /// The start of an answer, and then one byte at a time without an end.
    Trickle(Vec<u8>),
}

impl Reply {
    pub fn status(status: u16) -> Reply {
        Reply::Answer(status, Vec::new(), Vec::new())
    }

    pub fn page(html: &str) -> Reply {
        Reply::Answer(200, vec![("content-type", "text/html; charset=utf-8".to_owned())], html.into())
    }

    pub fn to(status: u16, location: &str) -> Reply {
        Reply::Answer(status, vec![("location", location.to_owned())], Vec::new())
    }
}

type Answering = Arc<dyn Fn(&ReceivedRequest, usize) -> Reply + Send + Sync>;

/// The requests so far, and how many there were of each method and path. A search of the list for each request would take
/// most of the time of a test with many thousands of requests.
#[derive(Default)]
struct RequestLog {
    all: Vec<ReceivedRequest>,
    counts: HashMap<(String, String), usize>,
}

impl RequestLog {
    /// Adds a request, and returns the number of earlier ones of the same kind.
    fn add(&mut self, request: ReceivedRequest) -> usize {
        let count = self.counts.entry((request.method.clone(), request.path.clone())).or_default();
        let before = *count;
        *count += 1;
        self.all.push(request);
        before
    }
}

/// A server that stops when it is dropped.
pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<RequestLog>>,
    max_concurrent: Arc<Mutex<(usize, usize)>>,
    _runtime: Runtime,
}

impl Server {
    /// Starts a server. `answer` gets the request, and the number of earlier requests of the same kind.
    pub fn start(answer: impl Fn(&ReceivedRequest, usize) -> Reply + Send + Sync + 'static) -> Server {
        Server::at("127.0.0.1:0", answer)
    }

    pub fn at(
        address: &str,
        answer: impl Fn(&ReceivedRequest, usize) -> Reply + Send + Sync + 'static,
    ) -> Server {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind(address)).unwrap();
        let local_address = listener.local_addr().unwrap();
        let (requests, max_concurrent) = (Arc::default(), Arc::new(Mutex::new((0, 0))));
        let shared = (Arc::clone(&requests), Arc::clone(&max_concurrent), Arc::new(answer) as Answering);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (log, open, answering) = shared.clone();
                tokio::spawn(async move { serve(stream, &log, &open, &answering).await });
            }
        });
        Server { address: local_address, requests, max_concurrent, _runtime: runtime }
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().all.clone()
    }

    /// Returns the methods and paths so far, in order.
    pub fn lines(&self) -> Vec<String> {
        self.requests().iter().map(|requests| format!("{} {}", requests.method, requests.path)).collect()
    }

    /// Returns the maximum number of concurrent requests so far.
    pub fn max_concurrent(&self) -> usize {
        self.max_concurrent.lock().unwrap().1
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn serve(
    mut stream: TcpStream,
    requests: &Mutex<RequestLog>,
    max_concurrent: &Mutex<(usize, usize)>,
    answer: &Answering,
) {
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            match stream.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        };
        let head = String::from_utf8(buffer.drain(..end).collect()).unwrap();
        let request = parse(&head);
        let before = requests.lock().unwrap().add(request.clone());
        {
            let mut max_concurrent = max_concurrent.lock().unwrap();
            max_concurrent.0 += 1;
            max_concurrent.1 = max_concurrent.1.max(max_concurrent.0);
        }
        let reply = answer(&request, before);
        let goes_on = send(&mut stream, &request, reply).await;
        max_concurrent.lock().unwrap().0 -= 1;
        if !goes_on {
            return;
        }
    }
}

fn send<'s>(
    stream: &'s mut TcpStream,
    request: &'s ReceivedRequest,
    reply: Reply,
) -> Pin<Box<dyn Future<Output = bool> + Send + 's>> {
    Box::pin(async move {
        match reply {
            Reply::Late(after, reply) => {
                tokio::time::sleep(after).await;
                send(stream, request, *reply).await
            }
            Reply::Hang => {
                tokio::time::sleep(Duration::from_mins(1)).await;
                false
            }
            Reply::HangUp => false,
            Reply::Stuck(beginning) => {
                let _ = stream.write_all(&beginning).await;
                tokio::time::sleep(Duration::from_mins(1)).await;
                false
            }
            Reply::Flood(bytes) => {
                while stream.write_all(&bytes).await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                false
            }
            Reply::Trickle(beginning) => {
                let _ = stream.write_all(&beginning).await;
                while stream.write_all(b"a").await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                false
            }
            Reply::Answer(status, headers, body) => {
                let mut head = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\n", body.len());
                for (name, value) in headers {
                    head.extend([name, ": ", &value, "\r\n"]);
                }
                head.push_str("\r\n");
                let mut bytes = head.into_bytes();
                if request.method != "HEAD" {
                    bytes.extend(body);
                }
                stream.write_all(&bytes).await.is_ok()
            }
        }
    })
}

fn parse(head: &str) -> ReceivedRequest {
    let mut lines = head.lines();
    let mut first = lines.next().unwrap().split(' ');
    let (method, path) = (first.next().unwrap().to_owned(), first.next().unwrap().to_owned());
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    ReceivedRequest { method, path, host: headers.get("host").cloned().unwrap_or_default(), headers }
}
