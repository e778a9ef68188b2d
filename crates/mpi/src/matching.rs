//! Matching of messages and receives: the oldest match on either side (MPI 4.1, section 3.5).
//!
//! Each context has two lists: posted receives and unexpected messages. Both are in order of arrival, so
//! messages of one sender with one tag do not overtake each other.

use std::collections::{BTreeMap, VecDeque};

/// Source that a receive matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Any rank (`MPI_ANY_SOURCE`).
    Any,
    /// This rank of the communicator.
    Rank(usize),
}

/// Tag that a receive matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// Any tag (`MPI_ANY_TAG`).
    Any,
    /// This tag only.
    Is(u32),
}

/// Source and tag that a receive or probe matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Rank of the sender.
    pub source: Source,
    /// Tag of the message.
    pub tag: Tag,
}

/// Source and tag of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Rank of its sender in the communicator.
    pub source: usize,
    /// 0 to 2^31 - 1 for point-to-point messages; larger for partitioned ones, which no wildcard matches.
    pub tag: u32,
}

impl Pattern {
    /// Whether a message with this label matches.
    pub fn fits(self, label: Label) -> bool {
        let source = matches!(self.source, Source::Any) || self.source == Source::Rank(label.source);
        let any = matches!(self.tag, Tag::Any) && label.tag <= i32::MAX as u32;
        source && (any || self.tag == Tag::Is(label.tag))
    }
}

/// Result of a list search, with the number of entries compared, which cost time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult<T> {
    /// First matching entry.
    pub entry: Option<T>,
    /// Entries compared, the match included.
    pub looked: usize,
}

/// Posted receives `R` and unexpected messages `M`, by context.
#[derive(Debug)]
pub struct Matching<R, M> {
    contexts: BTreeMap<u16, Lists<R, M>>,
}

#[derive(Debug)]
struct Lists<R, M> {
    receives: VecDeque<(Pattern, R)>,
    messages: VecDeque<(Label, M)>,
}

impl<R, M> Default for Matching<R, M> {
    fn default() -> Self {
        Matching { contexts: BTreeMap::new() }
    }
}

impl<R, M> Matching<R, M> {
    /// Removes and returns the oldest message that the receive matches. Without a match the receive is
    /// posted.
    pub fn receive(
        &mut self,
        context: u16,
        pattern: Pattern,
        receive: impl FnOnce() -> R,
    ) -> SearchResult<M> {
        let found = self.take(context, pattern);
        if found.entry.is_none() {
            self.lists(context).receives.push_back((pattern, receive()));
        }
        found
    }

    /// Removes and returns the oldest receive that the message matches. Without a match the message is queued
    /// as unexpected.
    pub fn arrive(&mut self, context: u16, label: Label, message: impl FnOnce() -> M) -> SearchResult<R> {
        let lists = self.lists(context);
        let at = lists.receives.iter().position(|(pattern, _)| pattern.fits(label));
        let looked = at.map_or(lists.receives.len(), |at| at + 1);
        let entry = at.and_then(|at| lists.receives.remove(at)).map(|(_, receive)| receive);
        if entry.is_none() {
            lists.messages.push_back((label, message()));
        }
        SearchResult { entry, looked }
    }

    /// Oldest message that a receive would match, which stays queued.
    pub fn probe(&self, context: u16, pattern: Pattern) -> SearchResult<(Label, &M)> {
        let Some(lists) = self.contexts.get(&context) else { return SearchResult { entry: None, looked: 0 } };
        let at = lists.messages.iter().position(|(label, _)| pattern.fits(*label));
        let looked = at.map_or(lists.messages.len(), |at| at + 1);
        SearchResult { entry: at.map(|at| (lists.messages[at].0, &lists.messages[at].1)), looked }
    }

    /// Removes and returns the oldest message that a receive would match.
    pub fn take(&mut self, context: u16, pattern: Pattern) -> SearchResult<M> {
        let lists = self.lists(context);
        let at = lists.messages.iter().position(|(label, _)| pattern.fits(*label));
        let looked = at.map_or(lists.messages.len(), |at| at + 1);
        SearchResult {
            entry: at.and_then(|at| lists.messages.remove(at)).map(|(_, message)| message),
            looked,
        }
    }

    /// Removes and returns the posted receives for which `which` is true.
    pub fn withdraw(&mut self, mut which: impl FnMut(u16, Pattern, &R) -> bool) -> Vec<R> {
        let mut withdrawn = Vec::new();
        for (&context, lists) in &mut self.contexts {
            for (pattern, receive) in std::mem::take(&mut lists.receives) {
                if which(context, pattern, &receive) {
                    withdrawn.push(receive);
                } else {
                    lists.receives.push_back((pattern, receive));
                }
            }
        }
        withdrawn
    }

    /// Removes the unexpected messages for which `which` is true.
    pub fn forget(&mut self, mut which: impl FnMut(&M) -> bool) {
        for lists in self.contexts.values_mut() {
            lists.messages.retain(|(_, message)| !which(message));
        }
    }

    /// Posted receives, ordered by context, then by time of posting.
    pub fn waiting(&self) -> impl Iterator<Item = (u16, Pattern)> {
        self.contexts
            .iter()
            .flat_map(|(context, lists)| lists.receives.iter().map(|(pattern, _)| (*context, *pattern)))
    }

    fn lists(&mut self, context: u16) -> &mut Lists<R, M> {
        self.contexts
            .entry(context)
            .or_insert_with(|| Lists { receives: VecDeque::new(), messages: VecDeque::new() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An event at a rank, with values from small ranges so that matches are frequent.
    #[derive(Clone, Copy, Debug)]
    enum Event {
        Receive(u16, Pattern),
        Arrive(u16, Label),
        Take(u16, Pattern),
        Withdraw(usize),
    }

    fn pattern() -> impl Strategy<Value = Pattern> {
        let source = prop_oneof![Just(Source::Any), (0..3usize).prop_map(Source::Rank)];
        let tag = prop_oneof![Just(Tag::Any), (0..3u32).prop_map(Tag::Is)];
        (source, tag).prop_map(|(source, tag)| Pattern { source, tag })
    }

    fn event() -> impl Strategy<Value = Event> {
        let label = (0..3usize, 0..3u32).prop_map(|(source, tag)| Label { source, tag });
        prop_oneof![
            (0..2u16, pattern()).prop_map(|(context, pattern)| Event::Receive(context, pattern)),
            (0..2u16, label).prop_map(|(context, label)| Event::Arrive(context, label)),
            (0..2u16, pattern()).prop_map(|(context, pattern)| Event::Take(context, pattern)),
            (0..40usize).prop_map(Event::Withdraw),
        ]
    }

    /// Reference implementation: one list of receives and one of messages, searched from the beginning.
    #[derive(Default)]
    struct Naive {
        receives: Vec<(usize, u16, Pattern)>,
        messages: Vec<(usize, u16, Label)>,
    }

    impl Naive {
        fn first_message(&mut self, context: u16, pattern: Pattern) -> Option<usize> {
            let fits = |entry: &(usize, u16, Label)| entry.1 == context && pattern.fits(entry.2);
            let at = self.messages.iter().position(fits)?;
            Some(self.messages.remove(at).0)
        }

        fn first_receive(&mut self, context: u16, label: Label) -> Option<usize> {
            let fits = |entry: &(usize, u16, Pattern)| entry.1 == context && entry.2.fits(label);
            let at = self.receives.iter().position(fits)?;
            Some(self.receives.remove(at).0)
        }
    }

    proptest! {
        #[test]
        fn matches_equal_those_of_a_linear_search(events in prop::collection::vec(event(), 0..200)) {
            let (mut matching, mut naive) = (Matching::<usize, usize>::default(), Naive::default());
            for (number, event) in events.into_iter().enumerate() {
                match event {
                    Event::Receive(context, pattern) => {
                        let probed = matching.probe(context, pattern).entry.map(|(_, message)| *message);
                        let expected = naive.first_message(context, pattern);
                        let found = matching.receive(context, pattern, || number);
                        prop_assert_eq!((probed, found.entry), (expected, expected));
                        if expected.is_none() {
                            naive.receives.push((number, context, pattern));
                        }
                    }
                    Event::Arrive(context, label) => {
                        let expected = naive.first_receive(context, label);
                        prop_assert_eq!(matching.arrive(context, label, || number).entry, expected);
                        if expected.is_none() {
                            naive.messages.push((number, context, label));
                        }
                    }
                    Event::Take(context, pattern) => {
                        let expected = naive.first_message(context, pattern);
                        prop_assert_eq!(matching.take(context, pattern).entry, expected);
                    }
                    Event::Withdraw(which) => {
                        let withdrawn = matching.withdraw(|_, _, number| *number == which);
                        let before = naive.receives.len();
                        naive.receives.retain(|entry| entry.0 != which);
                        prop_assert_eq!(withdrawn.len(), before - naive.receives.len());
                    }
                }
            }
        }
    }

    #[test]
    fn compared_entries_are_counted() {
        let mut matching = Matching::default();
        for tag in 0..4 {
            matching.arrive(0, Label { source: 0, tag }, || tag);
        }
        let third = Pattern { source: Source::Any, tag: Tag::Is(2) };
        assert_eq!(matching.take(0, third), SearchResult { entry: Some(2), looked: 3 });
        assert_eq!(matching.receive(0, third, || ()), SearchResult { entry: None, looked: 3 });
    }

    #[test]
    fn forgotten_messages_match_no_receive() {
        let mut matching = Matching::<(), u32>::default();
        for tag in 0..3 {
            matching.arrive(0, Label { source: 0, tag }, || tag);
        }
        matching.forget(|tag| *tag != 1);
        let any = Pattern { source: Source::Any, tag: Tag::Any };
        assert_eq!(matching.take(0, any), SearchResult { entry: Some(1), looked: 1 });
        assert_eq!(matching.take(0, any).entry, None);
    }
}
