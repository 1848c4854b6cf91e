-- The trace that a request belongs to, as the header traceparent has it; only where the request is traced.
ALTER TABLE "send_requests" ADD COLUMN "trace_context" TEXT;
