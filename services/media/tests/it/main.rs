//! The media service against a real database and a folder.

mod description;
mod download;
mod fixture;
mod personal;
mod references;
mod remove;
mod settled;
mod stock_client;
mod upload;
