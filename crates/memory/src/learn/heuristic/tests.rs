//! The distiller from outside.
