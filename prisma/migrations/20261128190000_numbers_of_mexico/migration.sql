-- Mobile numbers of Mexico are kept without the 1 that WhatsApp writes behind the country code: what was said from them counts for
-- the numbers that are written to.
UPDATE "consent_entries" SET "address" = '+52' || substr("address", 5) WHERE "address" ~ '^\+521[0-9]{10}$';
