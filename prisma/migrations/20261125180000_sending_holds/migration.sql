-- Why nothing is sent at the moment. At most one row, of no tenant: while it is there, no worker takes a job.
CREATE TABLE "sending_holds" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "held_at" TIMESTAMPTZ(3) NOT NULL,
    "held_by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "sending_holds_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sending_holds_one" CHECK ("id" = 1)
);
