use tiffin_events::{Event, Role};
use time::macros::datetime;
use uuid::Uuid;

use super::*;

const OWNER: UserId = UserId(Uuid::from_u128(1));
const OTHER: UserId = UserId(Uuid::from_u128(2));
const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);

fn item() -> Item {
    let dish = Dish {
        name: "Chicken kottu".to_owned(),
        price: Money::from_cents(125_000),
        category: Category::FastFood,
        description: String::new(),
        images: Vec::new(),
        available: true,
    };
    Item::add(
        ItemId(Uuid::from_u128(3)),
        RestaurantId(Uuid::from_u128(9)),
        OWNER,
        dish,
        NOW,
    )
}

fn names(transition: Transition) -> Result<Vec<&'static str>, Refusal> {
    transition.map(|events| events.iter().map(Event::name).collect())
}

#[test]
fn each_state_and_action_has_its_events() {
    type Action = fn(&mut Item) -> Transition;
    let sold_out = DishChange {
        available: Some(false),
        ..DishChange::default()
    };
    let cases: [(Item, Action, &[&str]); 4] = [
        (item(), Item::approve, &["approved"]),
        (
            Item {
                approved: true,
                ..item()
            },
            Item::approve,
            &[],
        ),
        (item(), |item| item.update(DishChange::default()), &[]),
        (item(), |item| item.delete(NOW), &["deleted"]),
    ];
    for (n, (mut item, action, events)) in cases.into_iter().enumerate() {
        assert_eq!(names(action(&mut item)).unwrap(), events, "case {n}");
    }
    assert_eq!(names(item().update(sold_out)).unwrap(), ["updated"]);
}

#[test]
fn an_approval_survives_an_edit() {
    let mut item = Item {
        approved: true,
        ..item()
    };
    let change = DishChange {
        price: Some(Money::from_cents(130_000)),
        ..DishChange::default()
    };
    let events = item.update(change).unwrap();
    let [ItemEvent::Updated(profile)] = &events[..] else {
        panic!("{events:?}")
    };
    assert!(profile.approved);
    assert_eq!(
        (profile.price.cents(), profile.name.as_str()),
        (130_000, "Chicken kottu")
    );
}

#[test]
fn a_deleted_one_takes_nothing() {
    let mut gone = Item {
        deleted_at: Some(NOW),
        ..item()
    };
    assert_eq!(gone.approve(), Err(Refusal::NoItem));
    assert_eq!(gone.update(DishChange::default()), Err(Refusal::NoItem));
    assert_eq!(gone.delete(NOW), Err(Refusal::NoItem));
}

#[test]
fn strangers_do_not_even_learn_of_an_unapproved_dish() {
    let stranger = Actor {
        id: OTHER,
        role: Role::Restaurant,
    };
    assert_eq!(item().check_access(stranger), Err(Refusal::NoItem));
    assert_eq!(
        Item {
            approved: true,
            ..item()
        }
        .check_access(stranger),
        Err(Refusal::NotYours)
    );
    assert_eq!(
        item().check_access(Actor {
            id: OWNER,
            role: Role::Restaurant
        }),
        Ok(())
    );
    assert_eq!(
        item().check_access(Actor {
            id: OTHER,
            role: Role::Admin
        }),
        Ok(())
    );
}
