//! The generated reference pages are those of this code.

use super::support::Home;

#[test]
fn the_reference_pages_are_fresh() {
    let folder = testkit::folder::project_root().join("docs").join("reference");
    let home = Home::new();
    let ran = home.run([std::ffi::OsStr::new("generate"), folder.as_os_str(), "--check".as_ref()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn stale_pages_are_named_and_written() {
    let home = Home::new();
    let stale = home.run(["generate", "pages", "--check"]);
    assert_eq!(stale.code, Some(1));
    assert_eq!(stale.stdout.lines().count(), 6);
    assert_eq!(home.run(["generate", "pages"]).code, Some(0));
    assert_eq!(home.run(["generate", "pages", "--check"]).code, Some(0));
    let page = std::fs::read_to_string(home.path().join("pages/cli.md")).expect("written");
    assert!(page.contains("## `recollect`") && page.contains("### `recollect settings`"));
    assert!(!page.contains("recollect exec"), "hidden commands stay hidden");
}
