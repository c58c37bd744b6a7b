//! The form that opens an account, for people and for the driver service.

use serde::{Deserialize, Serialize};
use tiffin_chassis::{FieldErrors, Problem, refusals};
use tiffin_events::Role;
use utoipa::ToSchema;

use crate::{rules, sign_ups::SignUp, user::Profile};

/// A sign-up form. A missing field is reported with all other faults.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Registration {
    #[schema(required)]
    email: String,
    /// At least 8 characters, an uppercase letter and a symbol among them.
    #[schema(required)]
    password: String,
    #[schema(required)]
    first_name: String,
    #[schema(required)]
    last_name: String,
    #[schema(required)]
    address: String,
    /// Digits, with an optional leading `+`.
    #[schema(required)]
    phone: String,
    /// The picture's URL.
    #[schema(required)]
    image: String,
    /// `customer` (which it is when left out) or `restaurant`.
    role: Option<String>,
}

refusals! {
    /// A role that an account may not choose.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum BadRole {
        Driver = 422, "user.role-driver", "Drivers sign up as drivers.", at "role";
        Unknown = 422, "user.role-unknown", "The role must be customer or restaurant.", at "role";
    }
}

impl Registration {
    /// The requested role, if an account may choose it.
    pub fn role(&self) -> Result<Role, BadRole> {
        match self.role.as_deref().map(str::trim) {
            None | Some("" | "customer") => Ok(Role::Customer),
            Some("restaurant") => Ok(Role::Restaurant),
            Some("delivery") => Err(BadRole::Driver),
            Some(_) => Err(BadRole::Unknown),
        }
    }

    /// Every field but the password, to tell forms apart by: digests of these are kept, and a fast digest
    /// of a password is as good as the password.
    pub fn without_password(&self) -> impl Serialize {
        [
            &self.email,
            &self.first_name,
            &self.last_name,
            &self.address,
            &self.phone,
            &self.image,
        ]
        .map(String::as_str)
        .into_iter()
        .chain(self.role.as_deref())
        .collect::<Vec<_>>()
    }

    /// Checks every field; 422 names all that are wrong.
    pub fn check(&self) -> Result<SignUp, Problem> {
        let mut errors = FieldErrors::default();
        let email = errors.check("email", rules::email(&self.email));
        let password = errors.check("password", rules::password(&self.password));
        let first_name = errors.check("firstName", rules::name(&self.first_name));
        let last_name = errors.check("lastName", rules::name(&self.last_name));
        let address = errors.check("address", rules::address(&self.address));
        let phone = errors.check("phone", rules::phone(&self.phone));
        let image = errors.check("image", rules::image(&self.image));
        match (
            email, password, first_name, last_name, address, phone, image,
        ) {
            (
                Some(email),
                Some(password),
                Some(first_name),
                Some(last_name),
                Some(address),
                Some(phone),
                image @ Some(_),
            ) => {
                let profile = Profile {
                    first_name,
                    last_name,
                    phone,
                    address,
                    image,
                    place: None,
                };
                Ok(SignUp {
                    email,
                    password,
                    profile,
                })
            }
            _ => Err(errors.into_problem()),
        }
    }
}
