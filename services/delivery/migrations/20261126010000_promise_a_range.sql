-- The promised time: the end of the first range that was shown for the delivery's driver.
alter table deliveries add column promised_time timestamptz;
