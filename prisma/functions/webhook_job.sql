-- A job, as enqueue_jobs() takes it, that posts a webhook delivery.
-- Owner: webhooks.
CREATE OR REPLACE FUNCTION webhook_job(p_tenant uuid, p_delivery uuid) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object('task', 'deliver_webhook',
    'payload', jsonb_build_object('tenantId', p_tenant, 'deliveryId', p_delivery))
$$;
