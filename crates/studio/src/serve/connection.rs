//! The WebSocket of one page.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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
    let waiting = Arc::new(AtomicUsize::new(0));
    let (mut moments, mut said) = (shared.moments.clone(), shared.said.subscribe());
    moments.mark_changed();
    let (mut seen, mut node) = (Seen::default(), 0);
    let mut next = Instant::now();
    let mut more = false;
    loop {
        tokio::select! {
            Some(message) = answers.recv() => {
                waiting.fetch_sub(1, Ordering::Relaxed);
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
            frame = requests.next() => {
                let text = match frame? {
                    Ok(Frame::Text(text)) => text,
                    Ok(Frame::Ping(_) | Frame::Pong(_)) => continue,
                    Ok(Frame::Close(_)) => return None,
                    Ok(Frame::Binary(_)) => {
                        close(&mut out, close_code::UNSUPPORTED, "requests are JSON in text frames").await;
                        return None;
                    }
                    Err(_) => {
                        close(&mut out, close_code::SIZE, "a request has at most 65536 bytes").await;
                        return None;
                    }
                };
                let request: Request = match serde_json::from_str(&text) {
                    Ok(request) => request,
                    Err(error) => {
                        let error = format!("this is no request: {error}; docs/json.md lists them");
                        out.send(json(&Message::Refused { id: None, error })).await.ok()?;
                        continue;
                    }
                };
                if waiting.fetch_add(1, Ordering::Relaxed) >= MOST_REQUESTS {
                    close(&mut out, close_code::POLICY, "64 requests wait for their answers").await;
                    return None;
                }
                match request {
                    Request::Pause => shared.stop.store(true, Ordering::SeqCst),
                    Request::Look { node: wanted } => node = wanted,
                    _ => {}
                }
                let answer = answer.clone();
                let answer = Box::new(move |message| drop(answer.send(message)));
                shared.requests.send(Asked::Request { client, request, answer }).ok()?;
            }
        }
    }
}

fn json(message: &Message) -> Frame {
    Frame::text(serde_json::to_string(message).expect("it is text and numbers"))
}

async fn close(out: &mut (impl SinkExt<Frame> + Unpin), code: u16, reason: &'static str) {
    // The page may be gone already.
    let _ = out.send(Frame::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}
