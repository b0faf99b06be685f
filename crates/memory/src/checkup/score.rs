//! One number for how well a store is, so that it can be followed over time.
//!
//! It begins at 100. Each fault takes 20, and up to 20 more by the share that it holds of what it is about; each sort of junk takes 1,
//! and up to 39 more by its share; a notice takes 1. Only a store in which nothing is found has 100.

use super::{Area, Finding, Severity};

/// Of the whole, from 0 to 100.
pub fn score<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> u8 {
    let cost: f64 = findings.into_iter().map(cost).sum();
    (100.0 - cost).clamp(0.0, 100.0).floor() as u8
}

/// Of one area alone.
pub fn of_area(findings: &[Finding], area: Area) -> u8 {
    score(findings.iter().filter(|finding| finding.check().area == area))
}

fn cost(finding: &Finding) -> f64 {
    let share = (finding.count as f64 / finding.of.max(1) as f64).min(1.0);
    match finding.check().severity {
        Severity::Fault => 20.0 + 20.0 * share,
        Severity::Junk => 1.0 + 39.0 * share,
        Severity::Notice => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nothing_is_a_hundred() {
        assert_eq!(score(&[]), 100);
        let mut junk = Finding::new("junk.duplicates", 1_000);
        junk.add("one");
        assert_eq!(score([&junk]), 98);
        let fault = Finding::one("db.integrity", "page 3");
        assert_eq!(score([&fault]), 60);
        assert_eq!(of_area(&[fault.clone(), junk.clone()], Area::Junk), 98);
        assert_eq!(of_area(std::slice::from_ref(&fault), Area::Index), 100);
        assert_eq!(score([&fault, &fault, &fault]), 0);
    }
}
