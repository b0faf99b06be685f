//! Figures as a person reads them, aligned, and as a program does.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value, json};

/// What a benchmark found.
#[derive(Default)]
pub struct BenchReport {
    tables: Vec<ReportTable>,
}

/// One table: a title, columns, rows, and what it comes to.
pub struct ReportTable {
    /// The name in JSON.
    name: &'static str,
    title: String,
    columns: Vec<&'static str>,
    rows: Vec<(String, Vec<Figure>)>,
    verdicts: Vec<TargetVerdict>,
}

/// A number and how it is written.
#[derive(Clone, Copy)]
pub enum Figure {
    Count(f64),
    Ratio(f64),
    /// A part of a whole, which may be a small one.
    Share(f64),
    Milliseconds(f64),
    Mebibytes(f64),
}

/// A ratio with the target it was given.
struct TargetVerdict {
    what: String,
    ratio: f64,
    at_least: f64,
}

impl BenchReport {
    pub fn push(&mut self, table: ReportTable) {
        self.tables.push(table);
    }

    pub fn to_json(&self) -> Value {
        let tables = self.tables.iter().map(|table| (table.name.to_owned(), table.to_json()));
        Value::Object(tables.collect::<Map<_, _>>())
    }
}

impl ReportTable {
    pub fn new(name: &'static str, title: impl Into<String>, columns: &[&'static str]) -> Self {
        Self { name, title: title.into(), columns: columns.to_vec(), rows: Vec::new(), verdicts: Vec::new() }
    }

    pub fn row(&mut self, label: impl Into<String>, figures: Vec<Figure>) {
        assert_eq!(figures.len(), self.columns.len(), "a figure for each column");
        self.rows.push((label.into(), figures));
    }

    pub fn verdict(&mut self, what: impl Into<String>, ratio: f64, at_least: f64) {
        self.verdicts.push(TargetVerdict { what: what.into(), ratio, at_least });
    }

    fn to_json(&self) -> Value {
        let row = |(label, figures): &(String, Vec<Figure>)| {
            let mut row = Map::from_iter([("name".to_owned(), json!(label))]);
            for (column, figure) in self.columns.iter().zip(figures) {
                row.insert(column.replace(' ', "_"), json!(figure.number()));
            }
            Value::Object(row)
        };
        let verdict = |verdict: &TargetVerdict| json!({ "name": verdict.what, "ratio": verdict.ratio, "at_least": verdict.at_least, "met": verdict.met() });
        json!({
            "title": self.title,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "targets": self.verdicts.iter().map(verdict).collect::<Vec<_>>(),
        })
    }
}

impl Figure {
    pub fn milliseconds(duration: Duration) -> Self {
        Self::Milliseconds(duration.as_secs_f64() * 1_000.0)
    }

    fn number(self) -> f64 {
        match self {
            Self::Count(number)
            | Self::Ratio(number)
            | Self::Share(number)
            | Self::Milliseconds(number)
            | Self::Mebibytes(number) => number,
        }
    }
}

impl TargetVerdict {
    fn met(&self) -> bool {
        self.ratio >= self.at_least
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = match self {
            Self::Count(number) => thousands(*number),
            Self::Ratio(number) => format!("{number:.2}"),
            Self::Share(number) => format!("{number:.4}"),
            Self::Milliseconds(number) => format!("{number:.2} ms"),
            Self::Mebibytes(number) => format!("{number:.0} MiB"),
        };
        out.pad(&written)
    }
}

/// 1234567 as 1,234,567.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut written = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

impl fmt::Display for ReportTable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label_width =
            self.rows.iter().map(|(label, _)| label.chars().count()).chain([self.title.chars().count()]);
        let label_width = label_width.max().unwrap_or(0) + 2;
        let width =
            self.columns.iter().map(|column| column.chars().count()).chain([10]).max().unwrap_or(10) + 2;
        write!(out, "{:label_width$}", self.title)?;
        for column in &self.columns {
            write!(out, "{column:>width$}")?;
        }
        writeln!(out)?;
        for (label, figures) in &self.rows {
            write!(out, "  {label:0$}", label_width - 2)?;
            for figure in figures {
                write!(out, "{figure:>width$}")?;
            }
            writeln!(out)?;
        }
        for TargetVerdict { what, ratio, at_least } in &self.verdicts {
            let outcome = if ratio >= at_least { "met" } else { "MISSED" };
            writeln!(out, "  {what} = {ratio:.2}, target ≥ {at_least}: {outcome}")?;
        }
        Ok(())
    }
}

impl fmt::Display for BenchReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for table in &self.tables {
            writeln!(out, "\n{table}")?;
        }
        Ok(())
    }
}

/// The value that this share of the measurements stays below, from 0 to 1.
pub fn percentile(measured: &[Duration], share: f64) -> Duration {
    let mut sorted = measured.to_vec();
    sorted.sort_unstable();
    let place = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len().max(1));
    sorted.get(place - 1).copied().unwrap_or_default()
}

/// The middle one, which a noisy neighbour moves least.
pub fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_aligned_and_says_what_it_comes_to() {
        let mut table = ReportTable::new("appends", "appends", &["per second"]);
        table.row("one", vec![Figure::Count(1_234.4)]);
        table.row("another", vec![Figure::Ratio(0.5)]);
        table.verdict("one / other", 0.4, 0.5);
        let expected = "appends    per second\n  one           1,234\n  another        0.50\n  one / other = 0.40, target ≥ 0.5: MISSED\n";
        assert_eq!(table.to_string(), expected);
        assert_eq!(table.to_json()["rows"][0]["per_second"], 1_234.4);
    }

    #[test]
    fn percentiles_are_of_what_was_measured() {
        let measured: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&measured, 0.5), Duration::from_millis(50));
        assert_eq!(percentile(&measured, 0.95), Duration::from_millis(95));
        assert_eq!(percentile(&[], 0.5), Duration::ZERO);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(thousands(1_234_567.0), "1,234,567");
    }
}
