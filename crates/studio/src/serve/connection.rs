//! The WebSocket of one page.

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, close_code};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::Shared;
use crate::protocol::{Message, Request};
use crate::simulator::Asked;
use crate::snapshot::Seen;

/// Largest message of a page in bytes.
pub const MOST_BYTES: usize = 64 << 10;

/// Most requests of a page without an answer.
const MOST_REQUESTS: usize = 64;

/// Shortest time between two moments.
const FRAME: Duration = Duration::from_millis(33);

/// Takes the answer to each request, or none once it is carried out.
type Answers = mpsc::UnboundedSender<Option<Message>>;

/// Serves a page until it leaves.
pub async fn run(socket: WebSocket, shared: Shared) {
    let client = shared.numbers.fetch_add(1, Ordering::Relaxed) + 1;
    talk(socket, &shared, client).await;
    // The run may have ended already.
    let _ = shared.requests.send(Asked::Gone { client });
}

/// Talks to a page; `None` once the page is gone.
async fn talk(socket: WebSocket, shared: &Shared, client: u64) -> Option<()> {
    let (mut out, mut requests) = socket.split();
    out.send(Frame::text(&*shared.hello)).await.ok()?;
    let (answer, mut answers) = mpsc::unbounded_channel();
    let (mut moments, mut said) = (shared.moments.clone(), shared.said.subscribe());
    moments.mark_changed();
    let (mut seen, mut node, mut waiting, mut more) = (Seen::default(), 0, 0, false);
    let mut next = Instant::now();
    loop {
        tokio::select! {
            Some(message) = answers.recv() => {
                waiting -= 1;
                if let Some(message) = message {
                    out.send(json(&message)).await.ok()?;
                }
            }
            line = said.recv() => match line {
                Ok(line) => out.send(json(&Message::Said(line))).await.ok()?,
                // The page missed lines.
                Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
                Err(_) => return None,
            },
            () = sleep_until(next), if more || moments.has_changed().unwrap_or(false) => {
                let snapshot = moments.borrow_and_update().clone();
                if let Some(snapshot) = snapshot {
                    let (moment, has_more) = seen.moment(&snapshot, node);
                    more = has_more;
                    out.send(json(&Message::Moment(moment))).await.ok()?;
                }
                next = Instant::now() + FRAME;
            }
            changed = moments.changed(), if !more && !moments.has_changed().unwrap_or(false) => {
                changed.ok()?;
                moments.mark_changed();
            }
            frame = requests.next() => match read(frame?) {
                Read::Request(request) => {
                    waiting += 1;
                    if waiting > MOST_REQUESTS {
                        close(&mut out, close_code::POLICY, "64 requests wait for their answers").await;
                        return None;
                    }
                    if let Request::Look { node: wanted } = request {
                        node = wanted;
                    }
                    ask(shared, client, request, answer.clone())?;
                }
                Read::Nothing => {}
                Read::Refused(error) => out.send(json(&Message::Refused { id: None, error })).await.ok()?,
                Read::End(code, reason) => {
                    close(&mut out, code, reason).await;
                    return None;
                }
            },
        }
    }
}

/// Passes a request to the thread that simulates; `None` if it has ended.
fn ask(shared: &Shared, client: u64, request: Request, answer: Answers) -> Option<()> {
    if request == Request::Pause {
        shared.stop.store(true, Ordering::SeqCst);
    }
    // The page may be gone before the answer.
    let answer = Box::new(move |message| drop(answer.send(message)));
    shared.requests.send(Asked::Request { client, request, answer }).ok()
}

/// A frame of a page.
enum Read {
    Request(Request),
    Nothing,
    Refused(String),
    /// The connection ends with this code and reason.
    End(u16, &'static str),
}

fn read(frame: Result<Frame, axum::Error>) -> Read {
    match frame {
        Ok(Frame::Text(text)) => match serde_json::from_str(&text) {
            Ok(request) => Read::Request(request),
            Err(error) => Read::Refused(format!("this is no request: {error}; docs/studio.md lists them")),
        },
        Ok(Frame::Ping(_) | Frame::Pong(_)) => Read::Nothing,
        Ok(Frame::Close(_)) => Read::End(close_code::NORMAL, ""),
        Ok(Frame::Binary(_)) => Read::End(close_code::UNSUPPORTED, "requests are JSON in text frames"),
        Err(_) => Read::End(close_code::SIZE, "a request has at most 65536 bytes"),
    }
}

fn json(message: &Message) -> Frame {
    Frame::text(serde_json::to_string(message).expect("it is text and numbers"))
}

async fn close(out: &mut (impl SinkExt<Frame> + Unpin), code: u16, reason: &'static str) {
    // The page may be gone already.
    let _ = out.send(Frame::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}
