-- How far the purge has come. Nothing is marked at first: it begins at the beginning.
CREATE TABLE "retention_marks" (
    "tenant_id" UUID NOT NULL,
    "step" TEXT NOT NULL,
    "reached" UUID,
    "removed" BIGINT NOT NULL DEFAULT 0,
    "last_removed" INTEGER NOT NULL DEFAULT 0,
    "removed_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "retention_marks_pkey" PRIMARY KEY ("tenant_id","step")
);
