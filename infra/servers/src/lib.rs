//! The pinned NATS and PostgreSQL server binaries: found in the environment or fetched once, checked
//! by hash, started as child processes and stopped cleanly.
