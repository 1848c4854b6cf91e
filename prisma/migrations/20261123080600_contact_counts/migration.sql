-- A group that is a filter is counted piece by piece: since when, how far, and how many so far.
ALTER TABLE "contact_groups" ADD COLUMN "counting_since" TIMESTAMPTZ(3),
    ADD COLUMN "count_after" UUID,
    ADD COLUMN "count_so_far" INTEGER NOT NULL DEFAULT 0;
