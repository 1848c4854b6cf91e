-- How somebody signed in, their second factor, and what an organisation asks of a sign-in.
ALTER TABLE "sessions" ADD COLUMN "method" TEXT NOT NULL DEFAULT 'password';

CREATE TABLE "second_factors" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("tenant_id","user_id")
);

CREATE TABLE "recovery_codes" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("tenant_id","user_id","hash")
);

CREATE TABLE "sign_in_policies" (
    "tenant_id" UUID NOT NULL,
    "second_factor" BOOLEAN NOT NULL,
    "session_hours" INTEGER NOT NULL,
    "idle_minutes" INTEGER NOT NULL,
    "ways" TEXT[],
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_policies_pkey" PRIMARY KEY ("tenant_id")
);
