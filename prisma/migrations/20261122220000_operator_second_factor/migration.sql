-- CreateTable
CREATE TABLE "operator_second_factors" (
    "operator_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_second_factors_pkey" PRIMARY KEY ("operator_id")
);

-- CreateTable
CREATE TABLE "operator_recovery_codes" (
    "operator_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_recovery_codes_pkey" PRIMARY KEY ("operator_id","hash")
);
