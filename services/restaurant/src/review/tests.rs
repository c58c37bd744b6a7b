use tiffin_events::Event;
use time::macros::datetime;
use uuid::Uuid;

use super::*;

const OWNER: UserId = UserId(Uuid::from_u128(1));
const AUTHOR: UserId = UserId(Uuid::from_u128(2));
const OTHER: UserId = UserId(Uuid::from_u128(3));
const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);
const LATER: OffsetDateTime = datetime!(2026-11-22 09:00 UTC);

fn content(rating: i16, comment: &str) -> ReviewContent {
    ReviewContent {
        rating,
        comment: comment.to_owned(),
    }
}

fn review(approved: bool) -> Review {
    Review {
        id: ReviewId(Uuid::from_u128(4)),
        item_id: ItemId(Uuid::from_u128(5)),
        restaurant_id: RestaurantId(Uuid::from_u128(6)),
        owner_id: OWNER,
        author_id: AUTHOR,
        content: content(4, "Crisp."),
        approved,
        written_at: NOW,
        deleted_at: None,
        sequence: 1,
    }
}

fn names(transition: Transition) -> Result<Vec<&'static str>, Refusal> {
    transition.map(|events| events.iter().map(Event::name).collect())
}

#[test]
fn each_state_and_action_has_its_events() {
    type Action = fn(&mut Review) -> Transition;
    let cases: [(bool, Action, &[&str]); 6] = [
        (false, Review::approve, &["approved"]),
        (true, Review::approve, &[]),
        (false, |review| review.delete(LATER), &["deleted"]),
        (
            false,
            |review| review.replace(content(4, "Crisp."), LATER),
            &[],
        ),
        (
            true,
            |review| review.replace(content(4, "Crisp."), LATER),
            &["submitted"],
        ),
        (
            true,
            |review| review.replace(content(0, ""), LATER),
            &["submitted"],
        ),
    ];
    for (n, (approved, action, events)) in cases.into_iter().enumerate() {
        assert_eq!(
            names(action(&mut review(approved))).unwrap(),
            events,
            "case {n}"
        );
    }
}

#[test]
fn what_replaces_an_approved_review_waits_again_with_its_own_date() {
    let mut review = review(true);
    review.replace(content(1, "Soggy."), LATER).unwrap();
    assert!(!review.approved);
    assert_eq!((review.written_at, review.content.rating), (LATER, 1));
}

#[test]
fn a_deleted_one_takes_nothing_and_its_words_are_gone() {
    let mut review = review(true);
    review.delete(LATER).unwrap();
    assert_eq!(review.content.comment, "");
    assert_eq!(review.approve(), Err(Refusal::NoReview));
    assert_eq!(review.delete(LATER), Err(Refusal::NoReview));
    assert_eq!(
        review.replace(content(5, ""), LATER),
        Err(Refusal::NoReview)
    );
}

#[test]
fn only_author_and_administrators_know_of_a_pending_review_and_decide() {
    use Role::{Admin, Customer, Restaurant};
    for (id, role, approved, expected) in [
        (AUTHOR, Customer, false, Ok(())),
        (OTHER, Admin, false, Ok(())),
        (OWNER, Restaurant, false, Err(Refusal::NotYourReview)),
        (OTHER, Customer, true, Err(Refusal::NotYourReview)),
        (OTHER, Customer, false, Err(Refusal::NoReview)),
        (OTHER, Restaurant, false, Err(Refusal::NoReview)),
    ] {
        assert_eq!(
            review(approved).check_access(Actor { id, role }),
            expected,
            "{role} {approved}"
        );
    }
}

#[test]
fn it_counts_from_its_approval_until_it_is_replaced_or_deleted() {
    let counted = Rating { sum: 4, count: 1 };
    let mut review = review(false);
    assert_eq!(review.weight(), Rating::default());
    review.approve().unwrap();
    assert_eq!(review.weight(), counted);
    let mut replaced = review.clone();
    replaced.replace(content(5, ""), LATER).unwrap();
    assert_eq!(replaced.weight(), Rating::default());
    review.delete(LATER).unwrap();
    assert_eq!(review.weight(), Rating::default());
    assert_eq!(
        review.weight().since(counted),
        Rating { sum: -4, count: -1 }
    );
}

#[test]
fn a_mean_is_rounded_to_two_decimals() {
    for (sum, count, mean) in [
        (0, 0, None),
        (0, 1, Some(0.0)),
        (5, 1, Some(5.0)),
        (14, 3, Some(4.67)),
        (13, 3, Some(4.33)),
        (1, 8, Some(0.13)),
    ] {
        assert_eq!(Rating { sum, count }.mean(), mean, "{sum}/{count}");
    }
}
