-- Whoever is gone is an id, whatever they were before: their events are gone, too, and what is left
-- tells no more.
update people set blocked = false where deleted and blocked;
