//! How many tests passed and failed, added up over all test programs: each prints a line of its own, and the last one
//! says nothing of the others.

/// The sum so far.
#[derive(Debug, Default, PartialEq)]
pub struct TestTally {
    pub passed: u64,
    pub failed: u64,
}

impl TestTally {
    /// Counts a summing line: Rust's `test result: ok. 12 passed; 0 failed; …`, pytest's `1 failed, 12 passed in 0.5s`,
    /// or Node's `# pass 12` and `# fail 0`.
    pub fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["#", "pass", count] => self.passed += count.parse::<u64>().unwrap_or(0),
            ["#", "fail", count] => self.failed += count.parse::<u64>().unwrap_or(0),
            ["test", "result:", ..] => self.add(&words),
            [.., "in", time] if time.ends_with('s') => self.add(&words),
            _ => {}
        }
    }

    fn add(&mut self, words: &[&str]) {
        for pair in words.windows(2) {
            let Ok(count) = pair[0].parse::<u64>() else { continue };
            match pair[1].trim_end_matches([';', ',']) {
                "passed" => self.passed += count,
                "failed" | "error" | "errors" => self.failed += count,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_programs_are_added_up() {
        let mut tally = TestTally::default();
        tally.read("running 3 tests");
        tally.read(
            "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; finished in 0.02s",
        );
        tally.read("test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out");
        tally.read("1 failed, 12 passed in 3.21s");
        tally.read("# pass 9");
        tally.read("# fail 0");
        assert_eq!(tally, TestTally { passed: 36, failed: 2 });
    }
}
