//! What a profile of the user is: which memories count towards it, the lines they make, and the versions lines make.
//!
//! Pure functions of memories and versions. The write path makes versions with them, the read path tells what of a
//! version still holds, and a purge takes out what must not be told any more.

pub mod compose;
pub mod grade;
pub mod template;
