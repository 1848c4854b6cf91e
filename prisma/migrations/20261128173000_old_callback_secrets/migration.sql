-- What a connection's callbacks were verified with before its last changes, each for a day more. Null: nothing.
ALTER TABLE "provider_connections" ADD COLUMN "old_callback_secrets" BYTEA;
