-- Searched by what it begins with, as names and addresses are.
ALTER TABLE "contacts" ALTER COLUMN "external_id" TYPE TEXT COLLATE "C";
