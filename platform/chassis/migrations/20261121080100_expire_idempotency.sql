-- Answers are kept for a day, since they may hold what people want forgotten.
create index idempotency_created_at_idx on http.idempotency (created_at);
