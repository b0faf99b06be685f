//! Formats, read and written without a server.
