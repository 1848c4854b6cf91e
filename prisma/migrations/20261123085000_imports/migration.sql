-- Files of rows that become contacts or entries of the consent ledger.
CREATE TABLE "imports" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "environment_id" UUID NOT NULL,
    "file_name" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "received" INTEGER NOT NULL DEFAULT 0,
    "utf8" BOOLEAN NOT NULL DEFAULT true,
    "encoding" TEXT,
    "delimiter" TEXT,
    "mapping" JSONB,
    "at_byte" INTEGER NOT NULL DEFAULT 0,
    "at_row" INTEGER NOT NULL DEFAULT 0,
    "skipping" BOOLEAN NOT NULL DEFAULT false,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "queued_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "import_chunks" (
    "tenant_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "import_chunks_pkey" PRIMARY KEY ("tenant_id","import_id","number"),
    CONSTRAINT "import_chunks_data_check" CHECK (length("data") BETWEEN 1 AND 1048576)
);
-- Read once and deleted: to compress it is work for nothing.
ALTER TABLE "import_chunks" ALTER COLUMN "data" SET STORAGE EXTERNAL;

CREATE TABLE "import_errors" (
    "tenant_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    "column" TEXT,
    "code" TEXT NOT NULL,
    "detail" TEXT NOT NULL,

    CONSTRAINT "import_errors_pkey" PRIMARY KEY ("tenant_id","import_id","number")
);
