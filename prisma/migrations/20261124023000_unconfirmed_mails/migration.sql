ALTER TABLE "mail_standings" ADD COLUMN "unconfirmed" INTEGER NOT NULL DEFAULT 0;
