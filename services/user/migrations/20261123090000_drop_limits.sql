-- Counters moved to http.limits, which every service has.
drop table limits;
