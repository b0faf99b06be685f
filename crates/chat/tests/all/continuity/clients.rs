//! Chat clients with different habits, and what they truly said.

use serde_json::{Value, json};

use super::user;

/// Numbers that look thrown and are the same for the same seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// One request and what it is answered with.
pub struct ClientRequest {
    pub body: Value,
    pub reply: Value,
    pub is_side_call: bool,
}

pub struct Client {
    number: usize,
    /// Gets a reply at first that others get too.
    is_common: bool,
    /// Writes the time into a system message.
    has_clock: bool,
    /// Sends only the latest messages.
    drops_beginning: bool,
    /// As the client shows them.
    messages: Vec<Value>,
    /// Everything that was said, also what is no longer shown.
    said: Vec<String>,
    steps: usize,
    pub habits: Habits,
}

/// How often what is hard to follow was done.
#[derive(Debug, Default, Clone, Copy)]
pub struct Habits {
    pub repetitions: usize,
    pub edits: usize,
    pub side_calls: usize,
    pub calls: usize,
    pub dropped: usize,
}

const OPENINGS: [&str; 3] = ["hi", "Hello!", "Can you help me?"];
const SHORT: [&str; 4] = ["yes", "ok", "and then?", "tell me more"];

impl Client {
    pub fn new(number: usize, dice: &mut Dice) -> Self {
        Self {
            number,
            is_common: dice.below(2) == 0,
            has_clock: dice.below(2) == 0,
            drops_beginning: dice.below(8) == 0,
            messages: Vec::new(),
            said: Vec::new(),
            steps: 0,
            habits: Habits::default(),
        }
    }

    /// What the store should have of the conversation.
    pub fn truth(&self) -> String {
        self.said.join("\n")
    }

    pub fn next(&mut self, dice: &mut Dice) -> ClientRequest {
        self.steps += 1;
        let exchanges = self.messages.iter().filter(|message| message["role"] == "user").count();
        if self.messages.last().is_some_and(|message| message.get("tool_calls").is_some()) {
            return self.tool_answers();
        }
        // What others have too cannot be changed so that anybody could tell whose it was.
        match dice.below(10) {
            0 if exchanges > 2 => self.asks_again(),
            1 if exchanges > 3 && !self.drops_beginning => self.edits(dice),
            2 if exchanges > 0 => self.side_call(),
            _ => self.goes_on(exchanges, dice),
        }
    }

    fn goes_on(&mut self, exchanges: usize, dice: &mut Dice) -> ClientRequest {
        let text = match exchanges {
            0 => OPENINGS[dice.below(OPENINGS.len())].to_owned(),
            1 => format!("I am number {}", self.number),
            _ if dice.below(2) == 0 => SHORT[dice.below(SHORT.len())].to_owned(),
            _ => format!("Question {} of number {}", self.steps, self.number),
        };
        self.says(&text);
        if exchanges > 1 && dice.below(5) == 0 {
            self.habits.calls += 1;
            return self.answered(self.call());
        }
        let reply = match exchanges {
            0 if self.is_common => json!("Hello! How can I help you today? Ask me anything."),
            _ => self.reply(),
        };
        self.answered(json!({ "role": "assistant", "content": reply }))
    }

    fn tool_answers(&mut self) -> ClientRequest {
        let id = self.messages.last().expect("a call")["tool_calls"][0]["id"].clone();
        self.said.push(format!("tool: result {}", self.steps));
        self.messages
            .push(json!({ "role": "tool", "tool_call_id": id, "content": format!("result {}", self.steps) }));
        let reply = self.reply();
        self.answered(json!({ "role": "assistant", "content": reply }))
    }

    fn asks_again(&mut self) -> ClientRequest {
        self.habits.repetitions += 1;
        self.messages.pop();
        let reply = self.reply();
        self.answered(json!({ "role": "assistant", "content": reply }))
    }

    /// A message after the second is changed, and what came behind it is gone.
    fn edits(&mut self, dice: &mut Dice) -> ClientRequest {
        self.habits.edits += 1;
        let users = self.messages.iter().enumerate().filter(|(_, message)| message["role"] == "user");
        let places: Vec<usize> = users.map(|(place, _)| place).skip(2).collect();
        self.messages.truncate(places[dice.below(places.len())]);
        self.says(&format!("Rather: question {}", self.steps));
        let reply = self.reply();
        self.answered(json!({ "role": "assistant", "content": reply }))
    }

    fn side_call(&mut self) -> ClientRequest {
        self.habits.side_calls += 1;
        let told: Vec<String> = self.messages.iter().map(|message| message["content"].to_string()).collect();
        let task = format!(
            "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n<chat_history>\n{}\n</chat_history>",
            told.join("\n")
        );
        let body = json!({ "model": "m", "messages": [user(&task)] });
        ClientRequest {
            body,
            reply: json!({ "role": "assistant", "content": "A title" }),
            is_side_call: true,
        }
    }

    fn says(&mut self, text: &str) {
        self.said.push(format!("user: {text}"));
        self.messages.push(user(text));
    }

    fn reply(&self) -> Value {
        json!(format!("This is the telling reply {} to number {}.", self.steps, self.number))
    }

    fn call(&self) -> Value {
        let function = json!({ "name": "look", "arguments": format!("{{\"step\":{}}}", self.steps) });
        let call = json!({ "id": format!("c{}", self.steps), "type": "function", "function": function });
        json!({ "role": "assistant", "content": null, "tool_calls": [call] })
    }

    /// The request as it goes out now, and its reply as the client keeps it.
    fn answered(&mut self, reply: Value) -> ClientRequest {
        let from = if self.drops_beginning { self.messages.len().saturating_sub(7) } else { 0 };
        // No window begins with a tool's result.
        let from = (0..=from).rev().find(|place| self.messages[*place]["role"] != "tool").unwrap_or(0);
        self.habits.dropped += usize::from(from > 0);
        let mut messages = self.messages[from..].to_vec();
        if self.has_clock {
            messages
                .insert(0, json!({ "role": "system", "content": format!("It is {} o'clock.", self.steps) }));
        }
        let body = json!({ "model": "m", "messages": messages });
        self.said.push(match reply["content"].as_str() {
            Some(text) => format!("assistant: {text}"),
            None => format!("assistant: [calls look {{\"step\":{}}}]", self.steps),
        });
        self.messages.push(reply.clone());
        ClientRequest { body, reply, is_side_call: false }
    }
}
