-- What a dry run has read so far, so that a row that stands in a file twice is counted as the import will.
CREATE TABLE "import_marks" (
    "tenant_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "import_marks_pkey" PRIMARY KEY ("tenant_id","import_id","number")
);
-- Hashes: nothing is gained by compressing them.
ALTER TABLE "import_marks" ALTER COLUMN "data" SET STORAGE EXTERNAL;
