-- The signatures that an attempt carried: after a rotation they can no longer be computed. Null: attempts from before.
ALTER TABLE "webhook_attempts" ADD COLUMN "signature" TEXT;
