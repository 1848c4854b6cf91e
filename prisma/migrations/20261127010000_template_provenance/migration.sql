-- Who wrote a version: people alone, or AI, with its model; and which person has reviewed it.
ALTER TABLE "template_versions" ADD COLUMN "provenance" TEXT NOT NULL DEFAULT 'human',
    ADD COLUMN "ai_model" TEXT;

CREATE TABLE "template_reviews" (
    "tenant_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "reviewer_id" UUID,
    "reviewer_name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "template_reviews_pkey" PRIMARY KEY ("tenant_id","template_id","version")
);
