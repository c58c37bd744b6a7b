//! The account: what it is, what may happen to it, and which events that makes.

use tiffin_chassis::refusals;
use tiffin_events::{
    Coordinates, Role, UserId,
    user::{BlockReason, UserBlockedV1, UserEvent, UserProfileV1, UserRefV1},
};

/// An account.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    pub id: UserId,
    /// Counts the account's events: 1, 2, 3 …
    pub sequence: i64,
    /// In lower case; empty once the account is deleted.
    pub email: String,
    /// Argon2id in PHC string format; empty for an account without a password, which an identity provider
    /// signs in.
    pub password_hash: String,
    pub role: Role,
    pub profile: Profile,
    /// True if the e-mail address is proven.
    pub verified: bool,
    pub blocked: bool,
    /// The reason that was given for the block.
    pub block_reason: Option<BlockReason>,
    pub deleted: bool,
}

/// The part of an account that its owner may change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    pub first_name: String,
    pub last_name: String,
    pub phone: String,
    pub address: String,
    /// A picture's URL.
    pub image: Option<String>,
    /// The place to deliver to, if it is known.
    pub place: Option<Coordinates>,
}

/// New values for some of a profile; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileChange {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub phone: Option<String>,
    pub address: Option<String>,
    pub image: Option<String>,
    pub place: Option<Coordinates>,
}

/// A new account's facts, already checked.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub id: UserId,
    pub email: String,
    pub password_hash: String,
    pub role: Role,
    pub profile: Profile,
    pub verified: bool,
}

refusals! {
    /// The reason why an account can't be made or changed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        Unknown = 404, "user.not-found", "There is no such user.";
        AlreadyVerified = 409, "user.already-verified", "Your e-mail address is already verified.";
        BlocksOneself = 403, "user.blocks-oneself", "You cannot block yourself.";
        OrderUnderWay =
            409, "user.order-under-way",
            "An order is still under way. Please wait until it is delivered.";
        LastAdmin = 409, "user.last-administrator", "The last administrator cannot be removed.";
        EmailTaken = 409, "user.email-taken", "Email Already Added";
        /// The machine has more passwords to check than it can.
        Busy = 503, "user.busy", "Too many people are signing in. Please try again in a moment.";
    }
}

impl User {
    /// Opens an account.
    pub fn register(new: NewUser) -> (Self, UserEvent) {
        let user = Self {
            id: new.id,
            sequence: 1,
            email: new.email,
            password_hash: new.password_hash,
            role: new.role,
            profile: new.profile,
            verified: new.verified,
            blocked: false,
            block_reason: None,
            deleted: false,
        };
        let event = UserEvent::Registered(user.profile_event());
        (user, event)
    }

    /// The owner has shown that the e-mail address is theirs.
    pub fn verify(&mut self) -> Result<Vec<UserEvent>, Refusal> {
        self.exists()?;
        if self.verified {
            return Err(Refusal::AlreadyVerified);
        }
        self.verified = true;
        Ok(vec![UserEvent::Verified(self.reference())])
    }

    /// Gives an account with an unproven address to the address's owner: the password of the person who
    /// opened it ends.
    pub fn claim(&mut self) -> Result<Vec<UserEvent>, Refusal> {
        let mut events = self.verify()?;
        events.extend(self.change_password(String::new())?);
        Ok(events)
    }

    /// Takes a new password's hash from who has read a mail to the account's address, which that proves.
    pub fn reset_password(&mut self, hash: String) -> Result<Vec<UserEvent>, Refusal> {
        self.exists()?;
        let mut events = Vec::new();
        if !self.verified {
            events = self.verify()?;
        }
        events.extend(self.change_password(hash)?);
        Ok(events)
    }

    /// The hash that a password is compared with, if there is a password.
    pub fn password(&self) -> Option<String> {
        Some(self.password_hash.clone()).filter(|hash| !hash.is_empty())
    }

    /// Takes new values for the profile; a change that changes nothing makes no event.
    pub fn update(&mut self, change: ProfileChange) -> Result<Vec<UserEvent>, Refusal> {
        self.exists()?;
        let before = self.profile.clone();
        let profile = &mut self.profile;
        set(&mut profile.first_name, change.first_name);
        set(&mut profile.last_name, change.last_name);
        set(&mut profile.phone, change.phone);
        set(&mut profile.address, change.address);
        profile.image = change.image.or(profile.image.take());
        profile.place = change.place.or(profile.place);
        if self.profile == before {
            return Ok(Vec::new());
        }
        Ok(vec![UserEvent::Updated(self.profile_event())])
    }

    /// Blocks an account, or unblocks it: to the state of `blocked`, or to the opposite of the current one
    /// without it. `other_admins` counts the administrators besides this account.
    pub fn block(
        &mut self,
        by: UserId,
        blocked: Option<bool>,
        reason: Option<BlockReason>,
        other_admins: i64,
    ) -> Result<Vec<UserEvent>, Refusal> {
        self.exists()?;
        let blocked = blocked.unwrap_or(!self.blocked);
        if blocked && by == self.id {
            return Err(Refusal::BlocksOneself);
        }
        if blocked && self.role == Role::Admin && other_admins == 0 {
            return Err(Refusal::LastAdmin);
        }
        if blocked == self.blocked {
            return Ok(Vec::new());
        }
        self.blocked = blocked;
        self.block_reason = reason.filter(|_| blocked);
        let user = self.reference();
        Ok(vec![if blocked {
            UserEvent::Blocked(UserBlockedV1 { user, reason })
        } else {
            UserEvent::Unblocked(user)
        }])
    }

    /// Takes a new password's hash.
    pub fn change_password(&mut self, hash: String) -> Result<Vec<UserEvent>, Refusal> {
        self.exists()?;
        self.password_hash = hash;
        Ok(vec![UserEvent::PasswordChanged(self.reference())])
    }

    /// Closes the account and forgets who it was, unless an order that concerns it is under way.
    pub fn delete(
        &mut self,
        other_admins: i64,
        order_under_way: bool,
    ) -> Result<Vec<UserEvent>, Refusal> {
        self.exists()?;
        if self.role == Role::Admin && other_admins == 0 {
            return Err(Refusal::LastAdmin);
        }
        if order_under_way {
            return Err(Refusal::OrderUnderWay);
        }
        self.deleted = true;
        self.email = String::new();
        self.password_hash = String::new();
        self.profile = Profile::default();
        Ok(vec![UserEvent::Deleted(self.reference())])
    }

    fn exists(&self) -> Result<(), Refusal> {
        if self.deleted {
            Err(Refusal::Unknown)
        } else {
            Ok(())
        }
    }

    fn reference(&self) -> UserRefV1 {
        UserRefV1 {
            user_id: self.id,
            role: self.role,
        }
    }

    fn profile_event(&self) -> UserProfileV1 {
        let profile = self.profile.clone();
        UserProfileV1 {
            user_id: self.id,
            email: self.email.clone(),
            role: self.role,
            first_name: profile.first_name,
            last_name: profile.last_name,
            phone: profile.phone,
            address: profile.address,
            image: profile.image,
            lat: profile.place.map(|place| place.lat),
            lng: profile.place.map(|place| place.lng),
            verified: self.verified,
        }
    }
}

fn set(field: &mut String, value: Option<String>) {
    if let Some(value) = value {
        *field = value;
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{Coordinates, Event, Role, UserId, user::UserEvent};
    use uuid::Uuid;

    use super::{NewUser, Profile, ProfileChange, Refusal, User};

    const SELF: UserId = UserId(Uuid::from_u128(1));
    const ADMIN: UserId = UserId(Uuid::from_u128(2));

    fn user(role: Role) -> User {
        let profile = Profile {
            first_name: "Nimal".into(),
            phone: "0771234567".into(),
            ..Profile::default()
        };
        let email = "nimal@tiffin.local".to_owned();
        let new = NewUser {
            id: SELF,
            email,
            password_hash: "hash".into(),
            role,
            profile,
            verified: false,
        };
        User::register(new).0
    }

    fn names(events: &[UserEvent]) -> Vec<&'static str> {
        events.iter().map(Event::name).collect()
    }

    #[test]
    fn an_account_is_verified_once() {
        let mut user = user(Role::Customer);
        assert_eq!(names(&user.verify().unwrap()), ["verified"]);
        assert_eq!(user.verify(), Err(Refusal::AlreadyVerified));
    }

    #[test]
    fn claiming_an_unproven_account_ends_its_password() {
        let mut user = user(Role::Customer);
        assert!(user.password().is_some());
        let events = user.claim().unwrap();
        assert_eq!(names(&events), ["verified", "password_changed"]);
        assert_eq!(user.password(), None);
        assert_eq!(user.claim(), Err(Refusal::AlreadyVerified));
    }

    #[test]
    fn a_reset_proves_the_address_once() {
        let mut user = user(Role::Customer);
        for expected in [
            vec!["verified", "password_changed"],
            vec!["password_changed"],
        ] {
            assert_eq!(names(&user.reset_password("new".into()).unwrap()), expected);
            assert!(user.verified);
        }
    }

    #[test]
    fn an_update_keeps_what_it_does_not_name_and_tells_the_whole_profile() {
        let mut user = user(Role::Customer);
        let place = Coordinates {
            lat: 6.9,
            lng: 79.8,
        };
        let change = ProfileChange {
            address: Some("1 Galle Road".into()),
            place: Some(place),
            ..Default::default()
        };
        let events = user.update(change.clone()).unwrap();
        let [UserEvent::Updated(profile)] = &events[..] else {
            panic!("{events:?}")
        };
        assert_eq!(
            (profile.first_name.as_str(), profile.address.as_str()),
            ("Nimal", "1 Galle Road")
        );
        assert_eq!(
            (profile.lat, profile.email.as_str()),
            (Some(6.9), "nimal@tiffin.local")
        );
        assert_eq!(user.update(change).unwrap(), []);
    }

    #[test]
    fn blocking_toggles_unless_the_state_is_given() {
        for (blocked, asked, expected) in [
            (false, None, vec!["blocked"]),
            (true, None, vec!["unblocked"]),
            (false, Some(true), vec!["blocked"]),
            (true, Some(true), vec![]),
            (false, Some(false), vec![]),
            (true, Some(false), vec!["unblocked"]),
        ] {
            let mut user = User {
                blocked,
                ..user(Role::Customer)
            };
            assert_eq!(
                names(&user.block(ADMIN, asked, None, 1).unwrap()),
                expected,
                "{blocked} {asked:?}"
            );
        }
    }

    #[test]
    fn no_account_blocks_itself_or_the_last_administrator() {
        let mut admin = user(Role::Admin);
        assert_eq!(
            admin.block(SELF, None, None, 5),
            Err(Refusal::BlocksOneself)
        );
        assert_eq!(admin.block(ADMIN, None, None, 0), Err(Refusal::LastAdmin));
        assert_eq!(admin.delete(0, false), Err(Refusal::LastAdmin));
        assert_eq!(names(&admin.delete(1, false).unwrap()), ["deleted"]);
    }

    #[test]
    fn a_deleted_account_says_nothing_and_takes_nothing() {
        let mut user = user(Role::Customer);
        assert_eq!(user.delete(0, true), Err(Refusal::OrderUnderWay));
        assert_eq!(names(&user.delete(0, false).unwrap()), ["deleted"]);
        assert_eq!(
            (user.email.as_str(), &user.profile),
            ("", &Profile::default())
        );
        assert_eq!(user.verify(), Err(Refusal::Unknown));
        assert_eq!(user.update(ProfileChange::default()), Err(Refusal::Unknown));
        assert_eq!(user.block(ADMIN, None, None, 1), Err(Refusal::Unknown));
        assert_eq!(user.change_password("new".into()), Err(Refusal::Unknown));
        assert_eq!(user.reset_password("new".into()), Err(Refusal::Unknown));
    }
}
