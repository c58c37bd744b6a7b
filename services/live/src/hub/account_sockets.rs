//! How many sockets each account has, over all hubs of a bridge.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tiffin_events::UserId;

/// The sockets of every account. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct AccountSockets(Arc<Mutex<HashMap<UserId, usize>>>);

/// A socket's place among those of its account, until it is dropped.
#[derive(Debug)]
pub struct AccountSocket {
    accounts: AccountSockets,
    user: UserId,
}

impl AccountSockets {
    /// A place for one more socket; `None` where the account has `most`.
    pub fn take(&self, user: UserId, most: usize) -> Option<AccountSocket> {
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = accounts.get(&user).copied().unwrap_or_default();
        if taken >= most {
            return None;
        }
        accounts.insert(user, taken + 1);
        drop(accounts);
        Some(AccountSocket {
            accounts: self.clone(),
            user,
        })
    }
}

impl Drop for AccountSocket {
    fn drop(&mut self) {
        let mut accounts = self
            .accounts
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(taken) = accounts.get_mut(&self.user) {
            *taken -= 1;
            if *taken == 0 {
                accounts.remove(&self.user);
            }
        }
    }
}
