-- Trigger of channel_requests: the worker carries out at once what an operator asks for. The console's role has no other way to
-- the queue.
-- Owner: console.
CREATE OR REPLACE FUNCTION enqueue_channel_request() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM enqueue_jobs(jsonb_build_array(jsonb_build_object(
    'task', 'carry_out_channel_request', 'payload', jsonb_build_object('id', NEW.id), 'maxAttempts', 3)));
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION enqueue_channel_request FROM PUBLIC, tidings_web, tidings_worker;

CREATE OR REPLACE TRIGGER enqueue_channel_request AFTER INSERT ON channel_requests
FOR EACH ROW EXECUTE FUNCTION enqueue_channel_request();
