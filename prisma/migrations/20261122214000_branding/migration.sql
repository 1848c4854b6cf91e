-- How an organisation looks to its own people.
CREATE TABLE "brandings" (
    "tenant_id" UUID NOT NULL,
    "accent" CHAR(7),
    "sender_name" TEXT,
    "support" TEXT,

    CONSTRAINT "brandings_pkey" PRIMARY KEY ("tenant_id")
);

CREATE TABLE "brand_logos" (
    "tenant_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "picture" BYTEA NOT NULL,

    CONSTRAINT "brand_logos_pkey" PRIMARY KEY ("tenant_id")
);
ALTER TABLE "brand_logos" ADD CONSTRAINT "brand_logos_picture_check" CHECK (octet_length(picture) <= 262144);
-- It is compressed already.
ALTER TABLE "brand_logos" ALTER COLUMN "picture" SET STORAGE EXTERNAL;
