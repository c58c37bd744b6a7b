//! Printers that work, and printers that don't.

use serde_json::json;
use tiffin_testkit::{Behaviour, TestPrinter};

use crate::{
    accounts::PASSWORD,
    agent,
    kitchen::{Kitchen, count},
    stack::eventually,
};

pub fn wrong_calls_end_at_once(kitchen: &Kitchen<'_>) {
    let state = tempfile::tempdir().unwrap();
    let url = kitchen.stack.url();
    let restaurant = kitchen.fixture.restaurant.as_str();
    let args = ["--restaurant", restaurant, "--printer", "tcp://127.0.0.1:9"];
    let run = |args: &[&str], token: Option<&str>| {
        let mut command = agent::command(url, state.path(), args);
        command.envs(token.map(|token| ("TIFFIN_TOKEN", token)));
        let output = agent::output(command);
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    };
    let (code, said) = run(&args, None);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("tiffin print sign-in"), "{said}");
    let (code, said) = run(&args, Some(&kitchen.other_owner.token));
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("another owner"), "{said}");
    let (code, said) = run(&["--printer", "lp0", "--restaurant", restaurant], None);
    assert_eq!(code, Some(2), "{said}");
    let sign_in = ["sign-in", "--email", &kitchen.fixture.customer.email];
    let mut sign_in = agent::command(url, state.path(), &sign_in);
    sign_in.env("TIFFIN_PASSWORD", PASSWORD);
    assert_eq!(agent::output(sign_in).status.code(), Some(3));
}

pub async fn three_dishes_are_one_ticket(kitchen: &Kitchen<'_>) {
    let printer = TestPrinter::start();
    let _agent = kitchen.agent(&printer);
    kitchen.turn_on().await;
    let orders = kitchen.checkout().await;
    for order in &orders {
        kitchen.fixture.confirm(kitchen.stack, order).await;
    }
    kitchen.wait_for(&orders[0], "printed").await;
    let tickets = printer.tickets();
    assert_eq!(tickets.len(), 1);
    assert_eq!(count(&tickets, "Galle Face Kitchen"), 1);
    for line in [
        "1 x Chicken kottu",
        "2 x Chicken kottu",
        "3 x Chicken kottu",
    ] {
        assert_eq!(count(&tickets, line), 1, "{line}");
    }
    kitchen.reprint(&orders[1]).await;
    eventually("it is printed again", async || printer.tickets().len() == 2).await;
    assert_eq!(count(&printer.tickets(), "REPRINT"), 1);
    kitchen.wait_for(&orders[0], "printed").await;
}

pub async fn what_is_cancelled_is_not_printed(kitchen: &Kitchen<'_>) {
    let printer = TestPrinter::start();
    let cancelled = kitchen.ticket().await;
    let path = format!("/api/v1/orders/cancel/{cancelled}");
    let owner = Some(&kitchen.fixture.owner);
    let cancel = kitchen.stack.post(&path, owner, &json!({})).await;
    cancel.expect(200);
    let other = kitchen.ticket().await;
    let _agent = kitchen.agent(&printer);
    kitchen.wait_for(&other, "printed").await;
    assert_eq!(printer.tickets().len(), 1);
    assert_eq!(count(&printer.tickets(), &cancelled), 0);
}

pub async fn tickets_wait_for_paper(kitchen: &Kitchen<'_>) {
    let printer = TestPrinter::start();
    for (behaviour, problem) in [
        (Behaviour::NoPaper, "no_paper"),
        (Behaviour::CoverOpen, "cover_open"),
    ] {
        printer.behave(behaviour);
        let _agent = kitchen.agent(&printer);
        let ticket = kitchen.ticket().await;
        eventually("the owner sees why it waits", async || {
            kitchen.mark(&ticket).await == ("waiting".to_owned(), Some(problem.to_owned()))
        })
        .await;
        assert_eq!(count(&printer.tickets(), &ticket), 0);
        printer.behave(Behaviour::Works);
        kitchen.wait_for(&ticket, "printed").await;
        assert_eq!(count(&printer.tickets(), &ticket), 1);
    }
}

pub async fn printers_with_fewer_answers(kitchen: &Kitchen<'_>) {
    let printer = TestPrinter::start();
    let _agent = kitchen.agent(&printer);
    for behaviour in [
        Behaviour::Mute,
        Behaviour::WithoutIds,
        Behaviour::Slow(std::time::Duration::from_millis(5)),
    ] {
        printer.behave(behaviour);
        let ticket = kitchen.ticket().await;
        kitchen.wait_for(&ticket, "printed").await;
        eventually("it is on paper", async || {
            count(&printer.tickets(), &ticket) == 1
        })
        .await;
    }
    assert_eq!(printer.tickets().len(), 3);
    assert!(printer.torn().is_empty());
}

pub async fn a_printer_dies_in_a_ticket(kitchen: &Kitchen<'_>) {
    let printer = TestPrinter::start();
    let agent = kitchen.agent(&printer);
    printer.behave(Behaviour::DiesAt(100));
    let ticket = kitchen.ticket().await;
    kitchen.wait_for(&ticket, "doubtful").await;
    assert_eq!(
        kitchen.mark(&ticket).await.1.as_deref(),
        Some("printer_away")
    );
    printer.behave(Behaviour::Works);
    // The next ticket shows that the agent has had its chance to print this one again.
    let next = kitchen.ticket().await;
    kitchen.wait_for(&next, "printed").await;
    assert_eq!(count(&printer.tickets(), &ticket), 0);
    assert_eq!((printer.tickets().len(), printer.torn().len()), (1, 1));
    agent.kill();
}
