//! Packets in words.

use ::suci::modern::packet::{self as modern, Frame};
use ::suci::paper::packet::{self as paper, Kind};

use super::world::{Class, World};

/// The visible contents of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub words: String,
    pub data: bool,
    pub number: u64,
    /// Kind of a packet of the paper.
    pub kind: Option<Kind>,
    /// Window, or bytes of a request or permit, of the paper's packets.
    pub window: usize,
    to: u16,
    acknowledges: bool,
    permits: bool,
}

impl World {
    /// Looks at a packet.
    pub fn see(&self, packet: &[u8]) -> Summary {
        if self.repairs().is_some() { see_paper(packet) } else { see_modern(packet) }
    }

    /// Whether a packet is one of these.
    pub fn is(&self, packet: &[u8], class: Class) -> bool {
        if class == Class::Any {
            return true;
        }
        let seen = self.see(packet);
        match class {
            Class::Any => true,
            Class::Data => seen.data,
            Class::First => seen.data && (seen.number == 1 || self.repairs().is_none()),
            Class::Acks => seen.acknowledges,
            Class::Replies => seen.acknowledges || seen.kind == Some(Kind::Nack),
            Class::Requests => seen.kind == Some(Kind::Request),
            Class::Permits => seen.permits,
            Class::PermitsToOne => seen.permits && seen.to == 1,
        }
    }
}

fn unknown() -> Summary {
    Summary {
        words: "a packet that is none".into(),
        data: false,
        number: 0,
        kind: None,
        window: 0,
        to: 0,
        acknowledges: false,
        permits: false,
    }
}

fn see_paper(packet: &[u8]) -> Summary {
    let Ok((header, data)) = paper::parse(packet) else { return unknown() };
    let (number, window) = (header.number, header.window);
    let words = match header.kind {
        Kind::Data => format!("packet {number}"),
        Kind::Last if header.head == number => format!("packet {number}"),
        Kind::Last => format!("packet {number}, the last of its block"),
        Kind::Ack => format!("Ack {number} (window {window})"),
        Kind::Nack => format!("Nack {number} (window {window})"),
        Kind::Probe => "a question for the window".into(),
        Kind::Request => format!("a request to send {window} bytes again"),
        Kind::Permit if window == 0 => "a refusal".into(),
        Kind::Permit => format!("a permit for {window} bytes"),
    };
    Summary {
        words,
        data: !data.is_empty(),
        number: number.into(),
        kind: Some(header.kind),
        window: window as usize,
        to: header.to,
        acknowledges: header.kind == Kind::Ack,
        permits: header.kind == Kind::Permit,
    }
}

fn see_modern(packet: &[u8]) -> Summary {
    let (number, body) = match modern::parse(packet) {
        Ok(modern::Packet::Data { number, body, .. }) => (number, body),
        Ok(modern::Packet::Initiate { .. }) => return Summary { words: "a call".into(), ..unknown() },
        Ok(modern::Packet::Retry { .. }) => return Summary { words: "a cookie".into(), ..unknown() },
        Ok(modern::Packet::Accept { .. }) => {
            return Summary { words: "the answer to a call".into(), ..unknown() };
        }
        Err(_) => return unknown(),
    };
    let mut seen = Summary { number, ..unknown() };
    let mut said = Vec::new();
    let mut frames = modern::parse_body(body).map_or(&[][..], |(_, frames)| frames);
    while let Ok(Some(frame)) = modern::next_frame(&mut frames) {
        said.push(match frame {
            Frame::Ping => "a question".to_owned(),
            Frame::Close => "the end".to_owned(),
            Frame::Challenge(_) => "a question for an address".to_owned(),
            Frame::Response(_) => "an answer from an address".to_owned(),
            Frame::Padding => "nothing".to_owned(),
            Frame::Part(part, ..) => {
                seen.data = true;
                format!("part {} of block {}", part.index + 1, part.block + 1)
            }
            Frame::Ack(answer, ack) => {
                seen.acknowledges = true;
                (seen.permits, seen.to) = (answer.permit > 0, 1);
                let range =
                    |(low, high)| if low == high { format!("{low}") } else { format!("{low} to {high}") };
                let ranges: Vec<_> = ack.ranges().map(range).collect();
                let permit =
                    if answer.permit > 0 { format!(", permit for {}", answer.bytes) } else { String::new() };
                format!("Ack of {}{permit}", ranges.join(" and "))
            }
        });
    }
    seen.words = format!("packet {number} with {}", said.join(", "));
    seen
}
