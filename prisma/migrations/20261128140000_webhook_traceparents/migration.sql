-- The position in a trace that an attempt carried. Null: nothing was traced, and attempts from before.
ALTER TABLE "webhook_attempts" ADD COLUMN "traceparent" TEXT;
