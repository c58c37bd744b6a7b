//! Agents that are killed, and a platform that is away.

use std::time::Duration;

use tiffin_testkit::{Behaviour, TestPrinter};

use crate::{
    kitchen::{Kitchen, count, signed_in},
    link::{Link, LinkState},
    stack::eventually,
};

pub async fn before_while_and_after_printing(kitchen: &Kitchen<'_>) {
    let printer = TestPrinter::start();
    for behaviour in [
        // In the middle of the ticket, and once it is on paper.
        Behaviour::HoldsAt(100),
        Behaviour::Withholds,
    ] {
        let before = printer.tickets().len();
        printer.behave(behaviour);
        let agent = kitchen.agent(&printer);
        let ticket = kitchen.ticket().await;
        eventually("the ticket is at the printer", async || {
            let is_held = behaviour == Behaviour::HoldsAt(100) && printer.begun() == 100;
            is_held || printer.tickets().len() > before
        })
        .await;
        agent.kill();
        printer.behave(Behaviour::Works);
        let agent = kitchen.agent(&printer);
        kitchen.wait_for(&ticket, "doubtful").await;
        let problem = kitchen.mark(&ticket).await.1;
        assert_eq!(problem.as_deref(), Some("interrupted"));
        let next = kitchen.ticket().await;
        kitchen.wait_for(&next, "printed").await;
        assert_eq!(count(&printer.tickets(), &ticket), 1, "not by itself");
        kitchen.reprint(&ticket).await;
        kitchen.wait_for(&ticket, "printed").await;
        assert_eq!(count(&printer.tickets(), &ticket), 2);
        agent.kill();
    }
    assert_eq!(count(&printer.tickets(), "REPRINT"), 2);

    // A ticket that waits while the agent is dead is printed by the next one.
    let ticket = kitchen.ticket().await;
    let _agent = kitchen.agent(&printer);
    kitchen.wait_for(&ticket, "printed").await;
    assert_eq!(count(&printer.tickets(), &ticket), 1);
}

pub async fn without_the_platform(kitchen: &Kitchen<'_>) {
    let printer = TestPrinter::start();
    let (_, port) = kitchen.stack.url().rsplit_once(':').unwrap();
    let link = Link::to(port.parse().unwrap()).await;
    let url = format!("http://127.0.0.1:{}", link.port());
    let state = signed_in(&url);

    // The report is lost: it is on paper before the platform knows.
    printer.behave(Behaviour::Withholds);
    let agent = kitchen.agent_at(&url, state.path(), &printer);
    let reported = kitchen.ticket().await;
    eventually("it is on paper", async || printer.tickets().len() == 1).await;
    link.set(LinkState::Cut);
    printer.behave(Behaviour::Works);
    let waiting = kitchen.ticket().await;
    eventually("the agent keeps the result", async || {
        let journal = std::fs::read_to_string(state.path().join("journal.json")).unwrap();
        journal.contains("printed")
    })
    .await;
    agent.kill();
    let _agent = kitchen.agent_at(&url, state.path(), &printer);
    assert_eq!(kitchen.mark(&reported).await.0, "waiting");
    link.set(LinkState::Open);
    for ticket in [&reported, &waiting] {
        kitchen.wait_for(ticket, "printed").await;
        assert_eq!(count(&printer.tickets(), ticket), 1);
    }
}

pub async fn thirty_tickets_and_two_agents_that_are_killed(kitchen: &Kitchen<'_>) {
    const TICKETS: usize = 30;
    let states = [(); 2].map(|()| signed_in(kitchen.stack.url()));
    let printers = [(); 2].map(|()| TestPrinter::start());
    for printer in &printers {
        printer.behave(Behaviour::Slow(Duration::from_micros(500)));
    }
    let start = |which: usize| {
        let (state, printer) = (states[which].path(), &printers[which]);
        kitchen.agent_at(kitchen.stack.url(), state, printer)
    };
    let mut agents = [start(0), start(1)];
    let mut tickets = Vec::new();
    for number in 0..TICKETS {
        tickets.push(kitchen.ticket().await);
        tokio::time::sleep(Duration::from_millis(rand::random_range(0..700))).await;
        let which = number % 2;
        // The former agent ends before the next one begins: they share a folder.
        let [first, second] = agents;
        agents = if which == 0 {
            first.kill();
            [start(0), second]
        } else {
            second.kill();
            [first, start(1)]
        };
    }
    for ticket in &tickets {
        eventually(&format!("{ticket} is settled"), async || {
            kitchen.mark(ticket).await.0 != "waiting"
        })
        .await;
    }
    drop(agents);
    let paper: Vec<_> = printers.iter().flat_map(TestPrinter::tickets).collect();
    let torn: Vec<_> = printers.iter().flat_map(TestPrinter::torn).collect();
    for ticket in &tickets {
        let (state, _) = kitchen.mark(ticket).await;
        let times = count(&paper, ticket);
        let is_once = times == 1 && count(&torn, ticket) == 0;
        let is_marked = state == "doubtful" && times + count(&torn, ticket) <= 1;
        assert!(
            is_once || is_marked,
            "{ticket} is {state}, {times} times on paper"
        );
    }
}
