//! Multicast groups: which queue pairs of the host get their datagrams (decision 0105).

use std::collections::BTreeSet;

use hca::contexts::{self, GROUPS, Kind, MEMBERS};
use hca::layout::MULTICAST_LIDS;

use super::Reply;
use super::adapter::Adapter;
use super::errno::{EINVAL, ENOMEM};
use crate::verbs::call::{Answer, Attachment, Call, Service};

/// First LID that is none of a port or a group.
const BEYOND: u16 = 0xffff;
/// First byte of the GIDs of groups.
const MULTICAST_GID: u8 = 0xff;

impl Attachment {
    /// Row of the group with the queue pair; none if the adapter has no group with this LID.
    fn row(&self) -> Option<u16> {
        let group = self.lid.checked_sub(MULTICAST_LIDS)?;
        (usize::from(group) < GROUPS).then(|| contexts::Group::row(group as u8, self.pair))
    }
}

impl Adapter {
    /// Carries out a call on a multicast group.
    pub(super) async fn carry_out_group(&mut self, call: Call) -> Reply {
        match call {
            Call::AttachGroup(attachment) => self.attach_group(attachment).await,
            Call::DetachGroup(attachment) => self.detach_group(attachment).await,
            _ => Err(EINVAL),
        }
    }

    /// Attaches a queue pair. Attaching it again changes nothing.
    async fn attach_group(&mut self, attachment: Attachment) -> Reply {
        let Attachment { pair, lid, gid } = attachment;
        let is_datagram = self.pair(pair)?.init.service == Service::Datagram;
        if !is_datagram || gid[0] != MULTICAST_GID || !(MULTICAST_LIDS..BEYOND).contains(&lid) {
            return Err(EINVAL);
        }
        let row = attachment.row().ok_or(ENOMEM)?;
        self.attachments.insert(attachment);
        self.write_group(row).await;
        Ok(Answer::Done)
    }

    /// Detaches a queue pair that is attached.
    async fn detach_group(&mut self, attachment: Attachment) -> Reply {
        if !self.attachments.remove(&attachment) {
            return Err(EINVAL);
        }
        if let Some(row) = attachment.row() {
            self.write_group(row).await;
        }
        Ok(Answer::Done)
    }

    /// Whether a queue pair is attached to a group.
    pub(super) fn is_attached(&self, pair: u8) -> bool {
        self.attachments.iter().any(|attachment| attachment.pair == pair)
    }

    /// Detaches all queue pairs.
    pub(super) async fn leave_groups(&mut self) {
        let attachments = std::mem::take(&mut self.attachments);
        let rows: BTreeSet<u16> = attachments.iter().filter_map(Attachment::row).collect();
        for row in rows {
            self.write_group(row).await;
        }
    }

    /// Packets name a group by its LID alone, so a queue pair stays in the row until its last GID is detached.
    async fn write_group(&self, row: u16) {
        let of_row = self.attachments.iter().filter(|attachment| attachment.row() == Some(row));
        let members =
            of_row.fold(0, |members, attachment| members | 1 << (usize::from(attachment.pair) % MEMBERS));
        self.host().write_row(Kind::Group, row, contexts::Group { members }).await;
    }
}
