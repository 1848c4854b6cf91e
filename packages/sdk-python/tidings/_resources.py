"""Made by `npm run generate:clients`; a test holds it to be current."""

from typing import Any, Dict, Mapping, Optional, Union

from ._pages import Paged
from ._resource import Resource


class Messages(Resource):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Send one message."""
        return self._call("POST", "/v1/notifications", body=body, idempotency_key=idempotency_key)

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a notification with its events."""
        return self._call("GET", "/v1/notifications/{id}", id, query=query)

    def list(self, **query: Any) -> Paged:
        """List notifications, newest first."""
        return self._pages(query, "/v1/notifications")

    def cancel(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Cancel a notification."""
        return self._call("POST", "/v1/notifications/{id}/cancel", id, idempotency_key=idempotency_key)

    def explain(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Explain a send without sending."""
        return self._call("POST", "/v1/notifications/explain", body=body, idempotency_key=idempotency_key)


class Broadcasts(Resource):
    def list(self, **query: Any) -> Paged:
        """List broadcasts, newest first."""
        return self._pages(query, "/v1/broadcasts")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a broadcast and its figures."""
        return self._call("GET", "/v1/broadcasts/{id}", id, query=query)

    def pause(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Pause a broadcast."""
        return self._call("POST", "/v1/broadcasts/{id}/pause", id, idempotency_key=idempotency_key)

    def resume(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Resume a broadcast."""
        return self._call("POST", "/v1/broadcasts/{id}/resume", id, idempotency_key=idempotency_key)

    def update(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change the rate of a broadcast."""
        return self._call("PATCH", "/v1/broadcasts/{id}", id, body=body)

    def cancel(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Cancel a broadcast."""
        return self._call("POST", "/v1/broadcasts/{id}/cancel", id, idempotency_key=idempotency_key)


class Conversations(Resource):
    def list(self, **query: Any) -> Paged:
        """List conversations with recipients, most recent first."""
        return self._pages(query, "/v1/conversations")

    def messages(self, id: Union[str, int], **query: Any) -> Paged:
        """List the messages of a conversation, newest first."""
        return self._pages(query, "/v1/conversations/{id}/messages", id)


class Consents(Resource):
    def record(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Record what recipients agreed to or opted out of."""
        return self._call("POST", "/v1/consents", body=body, idempotency_key=idempotency_key)

    def get(self, **query: Any) -> Dict[str, Any]:
        """Look up the consent of an address."""
        return self._call("GET", "/v1/consents", query=query)

    def ask_confirmation(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Ask an address to confirm an opt-in."""
        return self._call("POST", "/v1/consents/confirmations", body=body, idempotency_key=idempotency_key)

    def get_confirmation(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Look up a confirmation."""
        return self._call("GET", "/v1/consents/confirmations/{id}", id, query=query)

    def get_policy(self, **query: Any) -> Dict[str, Any]:
        """Get the consent policy."""
        return self._call("GET", "/v1/consent-policy", query=query)

    def update_policy(self, body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change the consent policy."""
        return self._call("PUT", "/v1/consent-policy", body=body)


class Contacts(Resource):
    def list(self, **query: Any) -> Paged:
        """List or search contacts."""
        return self._pages(query, "/v1/contacts")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a contact."""
        return self._call("GET", "/v1/contacts/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Add a contact."""
        return self._call("POST", "/v1/contacts", body=body, idempotency_key=idempotency_key)

    def update(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change a contact."""
        return self._call("PATCH", "/v1/contacts/{id}", id, body=body)

    def delete(self, id: Union[str, int], **query: Any) -> None:
        """Delete a contact."""
        self._call("DELETE", "/v1/contacts/{id}", id, query=query)

    def upsert(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Create or change many contacts."""
        return self._call("POST", "/v1/contacts/batch", body=body, idempotency_key=idempotency_key)


class ContactGroups(Resource):
    def list(self, **query: Any) -> Paged:
        """List contact groups."""
        return self._pages(query, "/v1/contact-groups")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a contact group."""
        return self._call("GET", "/v1/contact-groups/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Add a contact group."""
        return self._call("POST", "/v1/contact-groups", body=body, idempotency_key=idempotency_key)

    def update(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change a contact group."""
        return self._call("PATCH", "/v1/contact-groups/{id}", id, body=body)

    def delete(self, id: Union[str, int], **query: Any) -> None:
        """Delete a contact group."""
        self._call("DELETE", "/v1/contact-groups/{id}", id, query=query)

    def add_members(self, id: Union[str, int], body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Add contacts to a group."""
        return self._call("POST", "/v1/contact-groups/{id}/members", id, body=body, idempotency_key=idempotency_key)

    def remove_members(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Remove contacts from a group."""
        return self._call("DELETE", "/v1/contact-groups/{id}/members", id, body=body)


class Suppressions(Resource):
    def list(self, **query: Any) -> Paged:
        """List suppressed addresses."""
        return self._pages(query, "/v1/suppressions")

    def add(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Suppress addresses."""
        return self._call("POST", "/v1/suppressions", body=body, idempotency_key=idempotency_key)

    def remove(self, id: Union[str, int], **query: Any) -> None:
        """Remove a suppression."""
        self._call("DELETE", "/v1/suppressions/{id}", id, query=query)


class Sandbox(Resource):
    def simulate(self, id: Union[str, int], body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Act as the recipient of a sandbox message."""
        return self._call("POST", "/v1/sandbox/messages/{id}/actions", id, body=body, idempotency_key=idempotency_key)


class Templates(Resource):
    def list(self, **query: Any) -> Paged:
        """List templates with their version history."""
        return self._pages(query, "/v1/templates")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a template."""
        return self._call("GET", "/v1/templates/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Create a template."""
        return self._call("POST", "/v1/templates", body=body, idempotency_key=idempotency_key)

    def update(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Update a template."""
        return self._call("PUT", "/v1/templates/{id}", id, body=body)

    def archive(self, id: Union[str, int], **query: Any) -> None:
        """Archive a template."""
        self._call("DELETE", "/v1/templates/{id}", id, query=query)

    def deploy(self, id: Union[str, int], body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Make a version live in an environment."""
        return self._call("POST", "/v1/templates/{id}/deployments", id, body=body, idempotency_key=idempotency_key)

    def set_kill_switch(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Switch a template off or on in an environment."""
        return self._call("PUT", "/v1/templates/{id}/kill-switch", id, body=body)

    def test(self, id: Union[str, int], body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Send a test of a template version."""
        return self._call("POST", "/v1/templates/{id}/tests", id, body=body, idempotency_key=idempotency_key)

    def files(self, **query: Any) -> Paged:
        """Get an application's templates as files."""
        return self._pages(query, "/v1/template-files")


class TemplateImports(Resource):
    def list(self, **query: Any) -> Dict[str, Any]:
        """List the newest imports."""
        return self._call("GET", "/v1/template-imports", query=query)

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get an import and its progress."""
        return self._call("GET", "/v1/template-imports/{id}", id, query=query)

    def plan(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Plan an import of template files."""
        return self._call("POST", "/v1/template-imports", body=body, idempotency_key=idempotency_key)

    def start(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Start a planned import."""
        return self._call("POST", "/v1/template-imports/{id}/start", id, idempotency_key=idempotency_key)

    def cancel(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Cancel an import."""
        return self._call("POST", "/v1/template-imports/{id}/cancel", id, idempotency_key=idempotency_key)


class Pipelines(Resource):
    def list(self, **query: Any) -> Dict[str, Any]:
        """List pipelines."""
        return self._call("GET", "/v1/pipelines", query=query)

    def update(self, application: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change the stages and gates of a pipeline."""
        return self._call("PUT", "/v1/pipelines/{application}", application, body=body)

    def confirm_change(self, application: Union[str, int], id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Confirm a change that loosens a pipeline."""
        return self._call("POST", "/v1/pipelines/{application}/proposal/{id}/confirm", application, id, idempotency_key=idempotency_key)

    def withdraw_change(self, application: Union[str, int], id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Withdraw a change that loosens a pipeline."""
        return self._call("DELETE", "/v1/pipelines/{application}/proposal/{id}", application, id, query=query)


class Promotions(Resource):
    def list(self, **query: Any) -> Paged:
        """List promotions."""
        return self._pages(query, "/v1/promotions")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a promotion."""
        return self._call("GET", "/v1/promotions/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Request a promotion."""
        return self._call("POST", "/v1/promotions", body=body, idempotency_key=idempotency_key)

    def approve(self, id: Union[str, int], body: Optional[Mapping[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Approve a promotion."""
        return self._call("POST", "/v1/promotions/{id}/approve", id, body=body, idempotency_key=idempotency_key)

    def reject(self, id: Union[str, int], body: Optional[Mapping[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Reject or withdraw a promotion."""
        return self._call("POST", "/v1/promotions/{id}/reject", id, body=body, idempotency_key=idempotency_key)

    def deploy(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Deploy a promotion."""
        return self._call("POST", "/v1/promotions/{id}/deploy", id, idempotency_key=idempotency_key)

    def roll_back(self, id: Union[str, int], body: Optional[Mapping[str, Any]] = None, *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Roll back a promotion."""
        return self._call("POST", "/v1/promotions/{id}/rollback", id, body=body, idempotency_key=idempotency_key)


class Providers(Resource):
    def list(self, **query: Any) -> Dict[str, Any]:
        """List provider connections and their health."""
        return self._call("GET", "/v1/providers", query=query)

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a provider connection."""
        return self._call("GET", "/v1/providers/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Add a provider connection."""
        return self._call("POST", "/v1/providers", body=body, idempotency_key=idempotency_key)

    def update(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change a provider connection, or switch it on or off."""
        return self._call("PATCH", "/v1/providers/{id}", id, body=body)

    def delete(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Delete a provider connection and its credentials."""
        return self._call("DELETE", "/v1/providers/{id}", id, query=query)

    def test(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Test a provider connection."""
        return self._call("POST", "/v1/providers/{id}/test", id, idempotency_key=idempotency_key)

    def adapters(self, **query: Any) -> Dict[str, Any]:
        """List the supported providers."""
        return self._call("GET", "/v1/provider-adapters", query=query)


class RoutingRules(Resource):
    def list(self, **query: Any) -> Dict[str, Any]:
        """List the routing rules of the API key's environment."""
        return self._call("GET", "/v1/routing-rules", query=query)

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a routing rule."""
        return self._call("GET", "/v1/routing-rules/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Add a routing rule."""
        return self._call("POST", "/v1/routing-rules", body=body, idempotency_key=idempotency_key)

    def update(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change a routing rule."""
        return self._call("PUT", "/v1/routing-rules/{id}", id, body=body)

    def delete(self, id: Union[str, int], **query: Any) -> None:
        """Delete a routing rule."""
        self._call("DELETE", "/v1/routing-rules/{id}", id, query=query)

    def replace_all(self, body: Mapping[str, Any]) -> Dict[str, Any]:
        """Replace the routing rules."""
        return self._call("PUT", "/v1/routing-rules", body=body)

    def revisions(self, **query: Any) -> Paged:
        """List the history of the routing rules."""
        return self._pages(query, "/v1/routing-rules/revisions")

    def revert(self, number: Union[str, int], body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Revert to an earlier revision."""
        return self._call("POST", "/v1/routing-rules/revisions/{number}/revert", number, body=body, idempotency_key=idempotency_key)

    def dry_run(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Test how a message would be routed."""
        return self._call("POST", "/v1/routing-rules/dry-run", body=body, idempotency_key=idempotency_key)


class Reports(Resource):
    def delivery(self, **query: Any) -> Dict[str, Any]:
        """Get the delivery statistics of a period."""
        return self._call("GET", "/v1/reports/delivery", query=query)

    def costs(self, **query: Any) -> Dict[str, Any]:
        """Get the costs of a period."""
        return self._call("GET", "/v1/reports/costs", query=query)


class Objectives(Resource):
    def get(self, **query: Any) -> Dict[str, Any]:
        """Get objectives and error budgets."""
        return self._call("GET", "/v1/objectives", query=query)


class Exports(Resource):
    def list(self, **query: Any) -> Paged:
        """List the key's exports, newest first."""
        return self._pages(query, "/v1/exports")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get an export and its progress."""
        return self._call("GET", "/v1/exports/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Export messages or costs to a file."""
        return self._call("POST", "/v1/exports", body=body, idempotency_key=idempotency_key)

    def cancel(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Cancel an export."""
        return self._call("POST", "/v1/exports/{id}/cancel", id, idempotency_key=idempotency_key)

    def delete(self, id: Union[str, int], **query: Any) -> None:
        """Delete an export and its file."""
        self._call("DELETE", "/v1/exports/{id}", id, query=query)

    def download(self, id: Union[str, int], **query: Any) -> str:
        """Download the file of an export."""
        return self._call("GET", "/v1/exports/{id}/file", id, query=query)


class Erasures(Resource):
    def list(self, **query: Any) -> Paged:
        """List erasures of recipients."""
        return self._pages(query, "/v1/erasures")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get an erasure and its report."""
        return self._call("GET", "/v1/erasures/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Erase recipients."""
        return self._call("POST", "/v1/erasures", body=body, idempotency_key=idempotency_key)


class RecipientLimits(Resource):
    def get(self, **query: Any) -> Dict[str, Any]:
        """Get quiet hours and frequency caps."""
        return self._call("GET", "/v1/recipient-limits", query=query)

    def update(self, body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change quiet hours and frequency caps."""
        return self._call("PUT", "/v1/recipient-limits", body=body)


class Retention(Resource):
    def get(self, **query: Any) -> Dict[str, Any]:
        """Get retention periods and purge progress."""
        return self._call("GET", "/v1/retention", query=query)

    def update(self, body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change retention periods."""
        return self._call("PUT", "/v1/retention", body=body)


class NotificationTypes(Resource):
    def list(self, **query: Any) -> Dict[str, Any]:
        """List the notification types."""
        return self._call("GET", "/v1/notification-types", query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Create a notification type."""
        return self._call("POST", "/v1/notification-types", body=body, idempotency_key=idempotency_key)

    def update(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change a notification type."""
        return self._call("PUT", "/v1/notification-types/{id}", id, body=body)

    def delete(self, id: Union[str, int], **query: Any) -> None:
        """Delete a notification type."""
        self._call("DELETE", "/v1/notification-types/{id}", id, query=query)


class Residency(Resource):
    def get(self, **query: Any) -> Dict[str, Any]:
        """Get the allowed data regions."""
        return self._call("GET", "/v1/residency", query=query)

    def update(self, body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change the allowed data regions."""
        return self._call("PUT", "/v1/residency", body=body)


class Shorteners(Resource):
    def list(self, **query: Any) -> Dict[str, Any]:
        """List the link shorteners of environments."""
        return self._call("GET", "/v1/shorteners", query=query)

    def get(self, environment: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get the link shortener of an environment."""
        return self._call("GET", "/v1/shorteners/{environment}", environment, query=query)

    def update(self, environment: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Choose the link shortener of an environment."""
        return self._call("PUT", "/v1/shorteners/{environment}", environment, body=body)

    def test(self, environment: Union[str, int], body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Test the link shortener of an environment."""
        return self._call("POST", "/v1/shorteners/{environment}/test", environment, body=body, idempotency_key=idempotency_key)


class Webhooks(Resource):
    def list(self, **query: Any) -> Paged:
        """List webhook endpoints."""
        return self._pages(query, "/v1/webhooks")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a webhook endpoint."""
        return self._call("GET", "/v1/webhooks/{id}", id, query=query)

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Create a webhook endpoint."""
        return self._call("POST", "/v1/webhooks", body=body, idempotency_key=idempotency_key)

    def update(self, id: Union[str, int], body: Mapping[str, Any]) -> Dict[str, Any]:
        """Change a webhook endpoint."""
        return self._call("PATCH", "/v1/webhooks/{id}", id, body=body)

    def delete(self, id: Union[str, int], **query: Any) -> None:
        """Delete a webhook endpoint."""
        self._call("DELETE", "/v1/webhooks/{id}", id, query=query)

    def rotate_secret(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Rotate the signing secret."""
        return self._call("POST", "/v1/webhooks/{id}/rotate-secret", id, idempotency_key=idempotency_key)

    def test(self, id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Send a test event."""
        return self._call("POST", "/v1/webhooks/{id}/test", id, idempotency_key=idempotency_key)

    def deliveries(self, id: Union[str, int], **query: Any) -> Paged:
        """List the deliveries of a webhook endpoint."""
        return self._pages(query, "/v1/webhooks/{id}/deliveries", id)

    def get_delivery(self, id: Union[str, int], delivery_id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get a delivery with its attempts and body."""
        return self._call("GET", "/v1/webhooks/{id}/deliveries/{deliveryId}", id, delivery_id, query=query)

    def replay_delivery(self, id: Union[str, int], delivery_id: Union[str, int], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Replay a delivery."""
        return self._call("POST", "/v1/webhooks/{id}/deliveries/{deliveryId}/replay", id, delivery_id, idempotency_key=idempotency_key)

    def replay(self, id: Union[str, int], body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Replay failed deliveries since a given time."""
        return self._call("POST", "/v1/webhooks/{id}/replay", id, body=body, idempotency_key=idempotency_key)


class Events(Resource):
    def list(self, **query: Any) -> Paged:
        """Read events, oldest first."""
        return self._pages(query, "/v1/events")


class ApiKeys(Resource):
    def list(self, **query: Any) -> Paged:
        """List API keys."""
        return self._pages(query, "/v1/api-keys")

    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Create an API key."""
        return self._call("POST", "/v1/api-keys", body=body, idempotency_key=idempotency_key)

    def revoke(self, id: Union[str, int], **query: Any) -> None:
        """Revoke an API key."""
        self._call("DELETE", "/v1/api-keys/{id}", id, query=query)


class AuditEvents(Resource):
    def list(self, **query: Any) -> Paged:
        """List audit events."""
        return self._pages(query, "/v1/audit-events")

    def get(self, id: Union[str, int], **query: Any) -> Dict[str, Any]:
        """Get an audit event."""
        return self._call("GET", "/v1/audit-events/{id}", id, query=query)
