-- The minutes that are not yet summed up by the hour: what the worker looks for every minute, however many hours are kept.
CREATE INDEX "answer_counts_minutes_idx" ON "answer_counts"("at") WHERE "process_id" <> '00000000-0000-0000-0000-000000000000';
