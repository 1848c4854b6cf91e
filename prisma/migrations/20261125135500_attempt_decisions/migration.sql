-- Why an attempt went the way it went: the rule, the candidates and who was left out, as they were then.
ALTER TABLE "attempts" ADD COLUMN "decision" JSONB;
