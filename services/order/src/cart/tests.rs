use super::*;

fn line(key: u128, qty: i32) -> CartLine {
    CartLine {
        key: Uuid::from_u128(key),
        qty,
        note: None,
    }
}

fn noted(key: u128, note: &str) -> CartLine {
    CartLine {
        note: Some(note.to_owned()),
        ..line(key, 1)
    }
}

fn dish(key: u128) -> Dish {
    Dish {
        id: ItemId(Uuid::from_u128(key)),
        name: format!("Dish {key}"),
        price: Money::from_cents(125_050),
        image: None,
        available: true,
        restaurant_id: RestaurantId(Uuid::from_u128(100)),
        restaurant_name: "Kottu Corner".to_owned(),
        is_open: true,
        owner_id: UserId(Uuid::from_u128(200)),
        answer_minutes: None,
        paused_until: None,
    }
}

fn menu(dishes: impl IntoIterator<Item = Dish>) -> HashMap<Uuid, Dish> {
    dishes.into_iter().map(|dish| (dish.id.0, dish)).collect()
}

#[test]
fn lines_are_checked_and_those_of_one_dish_merged() {
    let fifty_one = (0..51).map(|key| line(key, 1)).collect::<Vec<_>>();
    for (lines, expected) in [
        (vec![], Err(CartError::Empty)),
        (fifty_one.clone(), Err(CartError::TooManyLines)),
        (fifty_one[..50].to_vec(), Ok(Cart(fifty_one[..50].to_vec()))),
        (vec![line(1, 0)], Err(CartError::Quantity { line: 0 })),
        (
            vec![line(1, 1), line(2, -1)],
            Err(CartError::Quantity { line: 1 }),
        ),
        (vec![line(1, 100)], Err(CartError::Quantity { line: 0 })),
        (vec![line(1, 99)], Ok(Cart(vec![line(1, 99)]))),
        (
            vec![line(1, 2), line(2, 1), line(1, 3)],
            Ok(Cart(vec![line(1, 5), line(2, 1)])),
        ),
        (
            vec![line(1, 50), line(1, 50)],
            Err(CartError::Quantity { line: 1 }),
        ),
        (
            vec![line(1, 1), line(1, i32::MAX)],
            Err(CartError::Quantity { line: 1 }),
        ),
    ] {
        assert_eq!(Cart::new(&lines), expected, "{lines:?}");
    }
}

#[test]
fn notes_are_trimmed_and_those_of_one_dish_joined() {
    let longest = "අ".repeat(200);
    for (lines, expected) in [
        (vec![line(1, 1)], Ok(None)),
        (vec![noted(1, " \n ")], Ok(None)),
        (
            vec![noted(1, "  No onions.\nMild. ")],
            Ok(Some("No onions.\nMild.")),
        ),
        (vec![noted(1, "Mild."), line(1, 1)], Ok(Some("Mild."))),
        (vec![line(1, 1), noted(1, "Mild.")], Ok(Some("Mild."))),
        (
            vec![noted(1, "Mild."), noted(1, "Mild. ")],
            Ok(Some("Mild.")),
        ),
        (
            vec![noted(1, "Mild."), noted(1, "Hot.")],
            Ok(Some("Mild.\nHot.")),
        ),
        (
            vec![noted(1, &format!(" {longest} "))],
            Ok(Some(longest.as_str())),
        ),
        (
            vec![line(2, 1), noted(1, &format!("{longest}!"))],
            Err(CartError::NoteTooLong { line: 1 }),
        ),
        (
            vec![noted(1, &longest), noted(1, "Mild.")],
            Err(CartError::NoteTooLong { line: 1 }),
        ),
    ] {
        let note = Cart::new(&lines).map(|cart| cart.0[0].note.clone());
        assert_eq!(note, expected.map(|it| it.map(str::to_owned)), "{lines:?}");
    }
}

#[test]
fn a_quote_is_exact_to_the_cent_and_in_the_carts_order() {
    let cart = Cart::new(&[line(2, 3), line(1, 1)]).unwrap();
    let quote = cart.quote(&menu([dish(1), dish(2)])).unwrap();
    assert_eq!(
        quote
            .order_item
            .iter()
            .map(|line| line.key.as_u128())
            .collect::<Vec<_>>(),
        [2, 1]
    );
    assert_eq!(quote.order_item[0].total, Money::from_cents(375_150));
    assert_eq!(quote.total, Money::from_cents(500_200));
}

#[test]
fn nothing_is_quoted_that_cannot_be_had() {
    for (dish, expected) in [
        (
            dish(9),
            CartError::Unknown {
                line: 0,
                key: Uuid::from_u128(1),
            },
        ),
        (
            Dish {
                is_open: false,
                available: false,
                ..dish(1)
            },
            CartError::Closed,
        ),
        (
            Dish {
                available: false,
                ..dish(1)
            },
            CartError::OutOfStock {
                dish: "Dish 1".to_owned(),
            },
        ),
        (
            Dish {
                price: Money::from_cents(1 << 52),
                ..dish(1)
            },
            CartError::TooMuch,
        ),
    ] {
        let cart = Cart::new(&[line(1, 4)]).unwrap();
        assert_eq!(cart.quote(&menu([dish])), Err(expected));
    }
}
