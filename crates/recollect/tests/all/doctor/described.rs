//! docs/doctor.md says what the code does: each code with its severity, meaning and repair, word for word.

use memory::checkup::foreign::SORTS;
use memory::checkup::{CHECKS, Repair};

const PAGE: &str = include_str!("../../../../../docs/doctor.md");

#[test]
fn every_code_is_explained_and_no_other() {
    for check in CHECKS {
        let undo = if matches!(check.repair, Repair::Undoable(_)) { ", undoable" } else { "" };
        let none = if matches!(check.repair, Repair::None(_)) { "none: " } else { "" };
        let row = format!(
            "| `{}` | {} | {} | {none}{}{undo} |",
            check.code,
            check.severity.as_str(),
            check.means,
            check.repair.about()
        );
        assert!(PAGE.contains(&row), "docs/doctor.md lacks\n{row}");
    }
    for (sort, means) in SORTS {
        assert!(PAGE.contains(&format!("| `{sort}` | {means} |")), "docs/doctor.md lacks {sort}");
    }
    let rows = PAGE.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, CHECKS.len() + SORTS.len(), "docs/doctor.md explains a code that there is not");
}
