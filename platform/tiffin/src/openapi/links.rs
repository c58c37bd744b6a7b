//! Links from an operation's answer to the operations that take an id of it (OpenAPI 3.1, Link Object).
//! Made-up requests follow them.

use serde_json::{Value, json};

/// An operation, a status, and the place of the value in its answer (JSON pointer).
type Source = (&'static str, &'static [&'static str], &'static str);
/// An operation and its path parameter.
type Target = (&'static str, &'static str);

const LINKS: [(&[Source], &[Target]); 11] = [
    (
        &[
            ("create_item", &["201"], "/item/_id"),
            ("list_items", &["200"], "/0/_id"),
        ],
        &[
            ("get_item", "key"),
            ("update_item", "id"),
            ("approve_item", "id"),
            ("list_reviews_of", "productId"),
            ("delete_item", "id"),
        ],
    ),
    (
        &[
            ("create_restaurant", &["201"], "/restaurant/_id"),
            ("list_restaurants", &["200"], "/0/_id"),
        ],
        &[
            ("get_restaurant", "id"),
            ("list_items_of", "x"),
            ("open_restaurant", "id"),
            ("close_restaurant", "id"),
            ("pause_restaurant", "id"),
            ("slow_restaurant", "id"),
            ("turn_off_printing", "id"),
            ("update_restaurant", "id"),
            ("delete_restaurant", "id"),
        ],
    ),
    (
        &[
            ("submit_review", &["200", "201"], "/review/_id"),
            ("list_reviews", &["200"], "/0/_id"),
        ],
        &[("approve_review", "id"), ("delete_review", "id")],
    ),
    (
        &[
            ("create_delivery", &["200", "201"], "/delivery/_id"),
            ("list_deliveries", &["200"], "/0/_id"),
        ],
        &[
            ("get_delivery_location", "id"),
            ("get_delivery_route", "id"),
            ("update_delivery_location", "id"),
            ("update_delivery_status", "id"),
            ("update_ticket_status", "id"),
        ],
    ),
    (
        &[
            ("register", &["201"], "/user/_id"),
            ("list_users", &["200"], "/0/_id"),
        ],
        &[
            ("get_user", "id"),
            ("update_user", "id"),
            ("change_password", "id"),
            ("delete_user", "id"),
        ],
    ),
    (
        &[
            ("register", &["201"], "/user/email"),
            ("list_users", &["200"], "/0/email"),
        ],
        &[("block_user", "email")],
    ),
    (
        &[("list_dead_letters", &["200"], "/0/seq")],
        &[
            ("edit_dead_letter", "seq"),
            ("retry_dead_letter", "seq"),
            ("discard_dead_letter", "seq"),
        ],
    ),
    (
        &[("claim_print_job", &["200"], "/job/_id")],
        &[("report_print_job", "id")],
    ),
    (
        &[
            ("make_payment", &["201", "202"], "/payment/_id"),
            ("list_payments", &["200"], "/0/_id"),
        ],
        &[("check_payment", "paymentId")],
    ),
    (
        &[("list_streams", &["200"], "/streams/0/name")],
        &[("export_stream", "stream"), ("import_stream", "stream")],
    ),
    (
        &[("place_orders", &["201"], "/orders/0/_id")],
        &[
            ("set_order_status", "orderId"),
            ("set_ticket_status", "orderId"),
            ("approve_order", "orderId"),
            ("get_invoice", "orderId"),
            ("get_refunds", "orderId"),
            ("issue_refund", "orderId"),
            ("cancel_order", "orderId"),
            ("delete_order", "orderId"),
            ("reprint_ticket", "orderId"),
        ],
    ),
];

/// Writes the links of the operations that a document has.
pub fn write(document: &mut Value) {
    let known = ids(document);
    for (sources, targets) in LINKS {
        for (source, statuses, pointer) in sources {
            for (target, parameter) in targets {
                if known.iter().any(|id| id == target) {
                    let link = json!({
                        "operationId": target,
                        "parameters": { *parameter: format!("$response.body#{pointer}") },
                    });
                    put(
                        document,
                        source,
                        statuses,
                        &format!("{target}_{parameter}"),
                        &link,
                    );
                }
            }
        }
    }
}

fn put(document: &mut Value, source: &str, statuses: &[&str], name: &str, link: &Value) {
    for operation in operations(document).filter(|one| one["operationId"] == source) {
        for status in statuses {
            if let Some(response) = operation["responses"].get_mut(*status) {
                response["links"][name] = link.clone();
            }
        }
    }
}

fn ids(document: &mut Value) -> Vec<String> {
    operations(document)
        .filter_map(|operation| operation["operationId"].as_str().map(ToOwned::to_owned))
        .collect()
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    super::members(&mut document["paths"])
        .flat_map(super::members)
        .filter(|operation| operation.is_object())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::Service;

    /// A renamed operation or parameter takes its links with it.
    #[tokio::test]
    async fn every_link_leads_from_an_answer_to_a_parameter() {
        let mut document = super::super::document(&Service::ALL).await.unwrap();
        for (sources, targets) in LINKS {
            for (source, statuses, _) in sources {
                for (target, parameter) in targets {
                    let name = format!("{target}_{parameter}");
                    let of = |id: &'static str| move |one: &&mut Value| one["operationId"] == id;
                    let from = operations(&mut document).find(of(source)).unwrap().clone();
                    for status in *statuses {
                        let link = &from["responses"][*status]["links"][&name];
                        assert_eq!(link["operationId"], *target, "{source} {status}");
                    }
                    let to = operations(&mut document).find(of(target)).unwrap();
                    let parameters = to["parameters"].as_array().unwrap();
                    let is_there = parameters
                        .iter()
                        .any(|one| one["name"] == *parameter && one["in"] == "path");
                    assert!(is_there, "{target} has no {parameter}");
                }
            }
        }
    }
}
