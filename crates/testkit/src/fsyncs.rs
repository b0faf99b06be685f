//! Counts what SQLite sends to the disk, so that durability is measured and not assumed.
//!
//! A shim between SQLite and its default file layer (VFS). It is a copy of that layer which differs in one thing:
//! files come back with a table of methods whose `xSync` counts before it does what it always did. Once installed it
//! is the default, so every connection that this process opens later is counted, whoever opens it. Databases in
//! memory have a layer of their own and are not touched.
//!
//! This is the one file of the project with unsafe code for testing. What makes it sound:
//! - the shim's VFS and the method tables are leaked, so the pointers that SQLite keeps are valid for ever;
//! - the shim asks for files of the same size as the layer below and passes them through unchanged but for the
//!   `pMethods` pointer, which every file begins with and which the layer below sets and never compares;
//! - a file's table lies at the beginning of [`CountedMethods`], so the table pointer leads back to the original.

use std::ffi::c_int;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use parking_lot::Mutex;
use rusqlite::ffi::{
    SQLITE_IOERR_FSYNC, SQLITE_OK, sqlite3_file, sqlite3_filename, sqlite3_io_methods, sqlite3_vfs,
    sqlite3_vfs_find, sqlite3_vfs_register,
};

static COUNT: AtomicU64 = AtomicU64::new(0);

/// The layer below. Set once by [`install`], before SQLite can call the shim.
static BELOW: AtomicPtr<sqlite3_vfs> = AtomicPtr::new(ptr::null_mut());

/// One table for each that the layer below uses (it has one for databases and one for logs), shared by all files.
static TABLES: Mutex<Vec<&'static CountedMethods>> = Mutex::new(Vec::new());

/// A table of file methods, and the one it was made from. SQLite sees a pointer to the first field.
#[repr(C)]
struct CountedMethods {
    methods: sqlite3_io_methods,
    original: *const sqlite3_io_methods,
}

// SAFETY: a table is never written after it is made, and `original` points to a constant of the layer below.
unsafe impl Sync for CountedMethods {}

/// Puts the shim between SQLite and the disk, for every connection opened from now on. Doing it again changes nothing.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: a null name asks for the default layer; SQLite initialises itself here if it has not yet.
        let below = unsafe { sqlite3_vfs_find(ptr::null()) };
        assert!(!below.is_null(), "SQLite is built with a file layer");
        BELOW.store(below, Ordering::Release);
        // SAFETY: `below` is a valid VFS, which SQLite never frees; the struct is plain data and may be copied.
        let mut shim = unsafe { *below };
        shim.zName = c"recollect-counting".as_ptr();
        shim.pNext = ptr::null_mut();
        shim.xOpen = Some(open);
        // SAFETY: the shim is leaked, so it outlives its registration.
        let registered = unsafe { sqlite3_vfs_register(Box::leak(Box::new(shim)), 1) };
        assert_eq!(registered, SQLITE_OK, "SQLite takes the counting layer");
    });
}

/// Syncs since the process began. Compare two readings: the number itself means nothing.
pub fn count() -> u64 {
    COUNT.load(Ordering::SeqCst)
}

/// Opens the file with the layer below and gives it the counting methods.
///
/// # Safety
/// Called by SQLite only, with a file of at least `szOsFile` bytes, as the interface of `xOpen` promises.
unsafe extern "C" fn open(
    _shim: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let below = BELOW.load(Ordering::Acquire);
    // SAFETY: `below` is set before the shim is registered; the arguments are SQLite's own, passed on unchanged.
    unsafe {
        let open_below = (*below).xOpen.expect("every VFS opens files");
        let result = open_below(below, name, file, flags, out_flags);
        if !(*file).pMethods.is_null() {
            (*file).pMethods = &raw const counted((*file).pMethods).methods;
        }
        result
    }
}

/// The counting table for files that have the table `original`.
///
/// # Safety
/// `original` must be a valid table that is never freed, as those of SQLite's own layers are.
unsafe fn counted(original: *const sqlite3_io_methods) -> &'static CountedMethods {
    let mut tables = TABLES.lock();
    if let Some(known) = tables.iter().find(|table| ptr::eq(table.original, original)) {
        return known;
    }
    // SAFETY: valid by this function's contract; the struct is plain data and may be copied.
    let mut methods = unsafe { *original };
    methods.xSync = Some(sync);
    let table: &'static CountedMethods = Box::leak(Box::new(CountedMethods { methods, original }));
    tables.push(table);
    table
}

/// Counts, after the layer below has said that the bytes are safe.
///
/// # Safety
/// Called by SQLite only, with a file that [`open`] has opened.
unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: the file came out of `open`, so its methods are the first field of a `CountedMethods`.
    let result = unsafe {
        let table = (*file).pMethods.cast::<CountedMethods>();
        match (*(*table).original).xSync {
            Some(sync_below) => sync_below(file, flags),
            None => SQLITE_IOERR_FSYNC,
        }
    };
    COUNT.fetch_add(1, Ordering::SeqCst);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_durable_commit_is_counted_and_a_lazy_one_is_not() {
        install();
        let folder = crate::folder::scratch();
        let connection = rusqlite::Connection::open(folder.path().join("x.sqlite3")).expect("a database");
        let setup = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (x);";
        connection.execute_batch(setup).expect("a table");
        let before = count();
        connection.execute("INSERT INTO t VALUES (1)", []).expect("an insert");
        assert_eq!(count() - before, 1, "one commit, one sync of the log");
        connection.execute_batch("PRAGMA synchronous = OFF").expect("a pragma");
        let before = count();
        connection.execute("INSERT INTO t VALUES (2)", []).expect("an insert");
        assert_eq!(count(), before);
    }
}
