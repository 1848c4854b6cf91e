-- Files of messages and costs, written in the background and kept for a week.
CREATE TABLE "exports" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "rights" JSONB,
    "columns" TEXT[],
    "from_id" UUID,
    "after_id" UUID,
    "chunks" INTEGER NOT NULL DEFAULT 0,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "stored" BIGINT NOT NULL DEFAULT 0,
    "problem" TEXT,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "exports_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "export_chunks" (
    "tenant_id" UUID NOT NULL,
    "export_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "export_chunks_pkey" PRIMARY KEY ("tenant_id","export_id","number"),
    CONSTRAINT "export_chunks_data_check" CHECK (length("data") BETWEEN 1 AND 1048576)
);
-- Compressed already.
ALTER TABLE "export_chunks" ALTER COLUMN "data" SET STORAGE EXTERNAL;
