-- An event whose version is not above the one that its consumer has reached has taken effect: a row for
-- each event said nothing more, and never went.
drop table bus.inbox;
