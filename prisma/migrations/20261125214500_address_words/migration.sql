-- CreateTable
CREATE TABLE "address_words" (
    "tenant_id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,
    "address" TEXT NOT NULL,
    "seen_on" DATE NOT NULL,

    CONSTRAINT "address_words_pkey" PRIMARY KEY ("tenant_id","sandbox","word","address")
);

-- CreateTable
CREATE TABLE "address_word_marks" (
    "tenant_id" UUID NOT NULL,
    "reached" UUID NOT NULL,

    CONSTRAINT "address_word_marks_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateIndex
CREATE INDEX "address_words_tenant_id_seen_on_idx" ON "address_words"("tenant_id", "seen_on");
