use super::*;

fn ticket(change: impl FnOnce(&mut serde_json::Value)) -> serde_json::Value {
    let mut ticket = serde_json::json!({
        "_id": "0193a000-0000-7000-8000-000000000001", "kind": "first",
        "restaurantName": "Café São Luís", "code": "ORD-7K3M9QX2", "more": 0,
        "placedAt": "19:42", "dueAt": "20:12", "customer": "Nimal", "isPaid": false,
        "lines": [{ "quantity": 2, "dish": "Crème brûlée, piñón & Hähnchen €5 (extra large portion)" }],
    });
    change(&mut ticket);
    ticket
}

/// The same tickets by python-escpos, to the byte.
#[test]
fn tickets_are_those_of_python_escpos() {
    let tickets = [
        ticket(|_| {}),
        ticket(|it| {
            it["kind"] = "reprint".into();
            it["isPaid"] = true.into();
            it["customer"] = serde_json::Value::Null;
        }),
        ticket(|it| {
            it["kind"] = "added".into();
            it["more"] = 2.into();
            it["restaurantName"] =
                "The Very Long Name of a Restaurant by the Sea in Colombo".into();
            it["lines"] = serde_json::json!([
                { "quantity": 10, "dish": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk" },
                { "quantity": 1, "dish": "Egg hopper" },
                { "quantity": 99, "dish": "Sweet-and-sour chicken kottu with cheese" },
            ]);
        }),
        ticket(|it| {
            it["lines"] = serde_json::json!([
                { "quantity": 1, "dish": "Egg hopper", "note": null },
                { "quantity": 2, "dish": "Cheese kottu", "note": "No onions.\nAllergic to peanuts, cashew nuts, \
                    pistachios and crème brûlée." },
                { "quantity": 1, "dish": "Lamprais", "note": "Mild." },
            ]);
        }),
    ];
    for json in tickets {
        let ticket: Ticket = serde_json::from_value(json.clone()).unwrap();
        let (ours, theirs) = (
            ticket.bytes(),
            tiffin_testkit::escpos_ticket(&json.to_string()),
        );
        assert_eq!(
            ours.escape_ascii().to_string(),
            theirs.escape_ascii().to_string()
        );
    }
}

#[test]
fn a_note_in_another_script_comes_in_latin_letters_and_is_no_command() {
    let json = ticket(|it| {
        it["lines"] = serde_json::json!([
            { "quantity": 1, "dish": "Kottu", "note": "ලූනු නැතුව\r\n\u{1b}@ no nuts" },
        ]);
    });
    let ticket: Ticket = serde_json::from_value(json).unwrap();
    let text = ticket.bytes().escape_ascii().to_string();
    assert!(text.contains(r">> luunu"), "{text}");
    assert!(text.contains(r"\n>> @ no nuts\n"), "{text}");
}
