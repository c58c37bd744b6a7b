-- What each driver rides; unknown until the driver's next event.
alter table drivers add column vehicle text;
