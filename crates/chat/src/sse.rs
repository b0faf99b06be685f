//! Server-sent events, read as they come: any chunk may end anywhere.
//!
//! Only what is needed to follow a stream that somebody else reads: the data of each event. Comments, ids and most names
//! of events are passed over here; the bytes themselves go to the client untouched. Lines may end in any of the three ways that
//! the format allows, and an event's data may stand on several lines.

/// What ends a stream in OpenAI's dialect.
pub const DONE: &[u8] = b"[DONE]";

/// Reads events out of chunks. What it holds back is bounded by whoever feeds it.
#[derive(Debug, Default)]
pub struct SseParser {
    /// The line that has not ended yet.
    line: Vec<u8>,
    /// The data of the event that has not ended yet.
    data: Vec<u8>,
    has_data: bool,
    /// The last byte was a carriage return: a line feed that follows belongs to the same line end.
    after_return: bool,
    /// Names of events that end the stream, in dialects that name them.
    ends: &'static [&'static str],
}

/// What one chunk brought.
#[derive(Debug, PartialEq, Eq)]
pub enum SseEvent {
    /// The data of an event, lines joined.
    Data(Vec<u8>),
    /// The line that ends the stream is complete; it begins this far into the chunk, or at 0 if it began before it.
    Done { at: usize },
}

impl SseParser {
    /// Of a dialect in which events of these names end the stream.
    pub fn ending_with(ends: &'static [&'static str]) -> Self {
        Self { ends, ..Self::default() }
    }

    /// How many bytes it holds.
    pub fn held_bytes(&self) -> usize {
        self.line.len() + self.data.len()
    }

    /// Reads a chunk and gives each event that it completes.
    pub fn feed(&mut self, chunk: &[u8], mut each: impl FnMut(SseEvent)) {
        let mut line_start = 0;
        let mut at = 0;
        while let Some(length) = chunk[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let end = at + length;
            let continues_return = self.after_return && length == 0 && chunk[end] == b'\n';
            self.after_return = chunk[end] == b'\r';
            if !continues_return {
                self.line.extend_from_slice(&chunk[at..end]);
                self.end_line(line_start, &mut each);
            }
            at = end + 1;
            line_start = at;
        }
        if at < chunk.len() {
            self.after_return = false;
            self.line.extend_from_slice(&chunk[at..]);
        }
    }

    fn end_line(&mut self, starts_at: usize, each: &mut impl FnMut(SseEvent)) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            if std::mem::take(&mut self.has_data) {
                each(SseEvent::Data(std::mem::take(&mut self.data)));
            }
            return;
        }
        if let Some(name) = line.strip_prefix(b"event:")
            && self.ends.iter().any(|end| end.as_bytes() == name.trim_ascii())
        {
            each(SseEvent::Done { at: starts_at });
            return;
        }
        let Some(value) = line.strip_prefix(b"data:") else { return };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        if value.trim_ascii() == DONE && !self.has_data {
            each(SseEvent::Done { at: starts_at });
            return;
        }
        if self.has_data {
            self.data.push(b'\n');
        }
        self.has_data = true;
        self.data.extend_from_slice(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of a text that comes in pieces of so many bytes, and where its end begins in the whole.
    fn read(text: &str, piece: usize) -> (Vec<String>, Option<usize>) {
        let mut events = SseParser::default();
        let (mut data, mut done, mut before) = (Vec::new(), None, 0);
        for chunk in text.as_bytes().chunks(piece) {
            events.feed(chunk, |event| match event {
                SseEvent::Data(bytes) => data.push(String::from_utf8(bytes).expect("text")),
                SseEvent::Done { at } => done = Some(before + at),
            });
            before += chunk.len();
        }
        (data, done)
    }

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        let text = ": hello\r\ndata: {\"a\":1}\r\n\r\nevent: x\ndata:two\ndata: lines\n\nid: 7\rdata: ü\r\rdata\n\n\
                    data: [DONE]\n\n";
        let whole = ["{\"a\":1}", "two\nlines", "ü"].map(str::to_owned).to_vec();
        for piece in 1..=text.len() {
            let (data, done) = read(text, piece);
            assert_eq!(data, whole, "in pieces of {piece}");
            let done = done.expect("the end was seen");
            let begins = text.find("data: [DONE]").expect("there");
            // Where the line began in an earlier piece, the earliest place that can still be held is this piece's start.
            assert!(done >= begins && done - begins < piece.max(13), "{done} in pieces of {piece}");
        }
        assert_eq!(read(text, text.len()).1, text.find("data: [DONE]"));
    }

    #[test]
    fn an_event_may_end_a_stream_by_its_name() {
        let text = b"event: more\ndata: 1\n\nevent: last\ndata: 2\n\n";
        let mut events = SseParser::ending_with(&["last"]);
        let mut seen = Vec::new();
        events.feed(text, |event| seen.push(event));
        let done = SseEvent::Done { at: 21 };
        assert_eq!(seen, [SseEvent::Data(b"1".to_vec()), done, SseEvent::Data(b"2".to_vec())]);
    }

    #[test]
    fn a_line_that_never_ends_is_what_is_held() {
        let mut events = SseParser::default();
        events.feed(b"data: abc", |_| panic!("nothing is complete"));
        assert_eq!(events.held_bytes(), 9);
    }
}
