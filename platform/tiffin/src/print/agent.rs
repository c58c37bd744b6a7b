//! The agent's loop: ask for a ticket, print it, report it. One ticket is at hand at a time.

use std::time::Duration;

use anyhow::Result;
use tiffin_bus::fault;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    journal::{Entry, Journal},
    platform::Platform,
    printer::{Connection, Printer, Printout, Problem},
};
use crate::client::failure::{Exit, Failure};

/// The agent in the names of its fault points.
const FAULTS: &str = "print";
/// The time between two looks for tickets.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The time after a call that failed.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

pub struct Agent {
    platform: Platform,
    printer: Printer,
    journal: Journal,
    /// The printer's problem, if it had one when last asked.
    problem: Option<Problem>,
    /// The failure of the last round. A failure is said once.
    failure: Option<String>,
}

impl Agent {
    pub const fn new(platform: Platform, printer: Printer, journal: Journal) -> Self {
        Self {
            platform,
            printer,
            journal,
            problem: None,
            failure: None,
        }
    }

    /// Prints until `stop`. Wrong options end it at once; whatever fails later is tried again.
    pub async fn run(mut self, stop: &CancellationToken) -> Result<()> {
        match self.platform.has_ticket(None).await {
            Err(error) if is_wrong(&error) => return Err(error),
            Err(error) => self.say_failure(&error),
            Ok(_) => println!("Waiting for tickets of {}.", self.platform.url()),
        }
        while !stop.is_cancelled() {
            let pause = match self.round().await {
                Ok(has_printed) => {
                    if self.failure.take().is_some() {
                        println!("The platform answers again.");
                    }
                    if has_printed {
                        Duration::ZERO
                    } else {
                        POLL_INTERVAL
                    }
                }
                Err(error) => {
                    self.say_failure(&error);
                    RETRY_INTERVAL
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
        Ok(())
    }

    fn say_failure(&mut self, error: &anyhow::Error) {
        let failure = format!("{error:#}");
        if self.failure.as_ref() != Some(&failure) {
            eprintln!("{}. Trying again.", failure.trim_end_matches('.'));
            self.failure = Some(failure);
        }
    }

    /// Settles the ticket at hand, then prints the next one. Returns true if there was one.
    async fn round(&mut self) -> Result<bool> {
        if let Some(entry) = self.journal.entry() {
            self.settle(entry).await?;
        }
        let has_ticket = self.platform.has_ticket(self.problem).await?;
        if !has_ticket && self.problem.is_none() {
            return Ok(false);
        }
        let connected = self.connect().await?;
        let problem = connected.as_ref().err().copied();
        if problem != self.problem {
            self.problem = problem;
            match problem {
                Some(problem) => eprintln!("Tickets wait: {}. Trying again.", problem.text()),
                None => println!("The printer is ready again."),
            }
            self.platform.has_ticket(self.problem).await?;
        }
        let Ok(connection) = connected else {
            return Ok(false);
        };
        let Some(ticket) = self.platform.claim(self.journal.agent()).await? else {
            return Ok(false);
        };
        fault::point(FAULTS, "after_claim").await;
        let mut entry = Entry {
            ticket: ticket.id,
            printout: None,
        };
        self.journal.set(entry)?;
        fault::point(FAULTS, "before_print").await;
        let (bytes, id) = (ticket.bytes(), process_id(ticket.id));
        let printout = tokio::task::spawn_blocking(move || connection.print(&bytes, id)).await?;
        fault::point(FAULTS, "after_print").await;
        entry.printout = Some(printout);
        self.journal.set(entry)?;
        say(&ticket.code, printout);
        self.report(entry).await?;
        Ok(printout == Printout::Printed)
    }

    /// Connects to the printer, and remembers that it answers.
    async fn connect(&mut self) -> Result<Result<Connection, Problem>> {
        let (printer, name) = (self.printer.clone(), self.printer.to_string());
        let answers = self.journal.is_answering(&name);
        let connected = tokio::task::spawn_blocking(move || printer.connect(answers)).await?;
        if connected.as_ref().is_ok_and(Connection::answers) {
            self.journal.note_answering(&name)?;
        }
        Ok(connected)
    }

    /// Reports a ticket that an earlier round or process left. Where the agent died between its first byte and the
    /// result, the printer's answer may still be there; else the ticket may have been printed.
    async fn settle(&mut self, mut entry: Entry) -> Result<()> {
        if entry.printout.is_none() {
            let id = process_id(entry.ticket);
            let connected = self.connect().await?;
            let printout = if connected.is_ok_and(|printer| printer.has_confirmed(id)) {
                Printout::Printed
            } else {
                Printout::Doubtful(Problem::Interrupted)
            };
            entry.printout = Some(printout);
            self.journal.set(entry)?;
            say(&entry.ticket.to_string(), printout);
        }
        self.report(entry).await
    }

    async fn report(&mut self, entry: Entry) -> Result<()> {
        fault::point(FAULTS, "before_report").await;
        self.platform.report(self.journal.agent(), entry).await?;
        fault::point(FAULTS, "after_report").await;
        self.journal.clear()
    }
}

fn say(ticket: &str, printout: Printout) {
    match printout {
        Printout::Printed => println!("Printed {ticket}."),
        Printout::Unsent(problem) => {
            eprintln!("{ticket} is not printed: {}. Trying again.", problem.text());
        }
        Printout::Doubtful(problem) => eprintln!(
            "{ticket} may not have been printed: {}. The owner's board offers to print it again.",
            problem.text()
        ),
    }
}

/// Four letters for a ticket, which the printer's answer repeats. None of them looks like a printer's state.
fn process_id(ticket: Uuid) -> [u8; 4] {
    let [.., a, b, c, d] = *ticket.as_bytes();
    [a, b, c, d].map(|byte| b'A' + byte % 16)
}

/// True if the same call fails again: not signed in, another owner's restaurant, or an unknown one.
fn is_wrong(error: &anyhow::Error) -> bool {
    let failure = error.downcast_ref::<Failure>();
    failure.is_some_and(|failure| {
        [Exit::NotAllowed, Exit::NotFound, Exit::Usage].contains(&failure.exit)
    })
}
