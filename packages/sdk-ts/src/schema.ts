/* Made by `npm run generate:clients` from the OpenAPI document; a test holds it to be current. */

export interface paths {
    "/api/app/notifications/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send to one or more recipients
         * @description Sends messages on several channels at once. A 202 answer means that the messages are stored and will be sent. One bad recipient never fails the others: an invalid address (`invalid_recipient`), a duplicate (`duplicate_recipient`), a channel without a template (`unknown_template`) or wrong variables (`missing_variable`, `invalid_variable`) reject only that message. The answer is 422 only if no message is left. Repeating a transactionId returns the first answer with `Idempotent-Replayed: true`.
         *
         *     Needs the permission `notifications:send`.
         */
        post: operations["sendNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notifications, newest first
         * @description Needs the permission `notifications:read`.
         */
        get: operations["listNotifications"];
        put?: never;
        /**
         * Send one message
         * @description Needs the permission `notifications:send`.
         */
        post: operations["createNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification with its events
         * @description Needs the permission `notifications:read`.
         */
        get: operations["getNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a notification
         * @description Needs the permission `notifications:cancel`.
         */
        post: operations["cancelNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain a send without sending
         * @description Takes the body of either send operation. Shows the template, route, consent, quiet hours, size and cost.
         *
         *     Needs the permission `notifications:send`.
         */
        post: operations["explainNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates with their version history
         * @description Excludes archived templates unless requested.
         *
         *     Needs the permission `templates:read`.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description Version 1 is live immediately in the first stage of the application's pipeline and in the sandbox. Content is checked and moderated before it is saved.
         *
         *     Needs the permission `templates:write`.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template
         * @description Needs the permission `templates:read`.
         */
        get: operations["getTemplate"];
        /**
         * Update a template
         * @description Creates the next version, which is live immediately in the first stage of the application's pipeline and in the sandbox. Without changes, no version is created and the current one is returned.
         *
         *     Needs the permission `templates:write`.
         */
        put: operations["updateTemplate"];
        post?: never;
        /**
         * Archive a template
         * @description It is not used any more, in any environment, from the next message on; its versions stay for the messages that were made from them. Its audience is free for another one. Refused while a promotion is about to move it; and to a key (403 environment_mismatch) when it is live in an environment that matters more than the key's own: production before the others, the sandbox last. Where it is live in a stage after the first this needs promotions:approve there as well.
         *
         *     Needs the permission `templates:write`.
         */
        delete: operations["archiveTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a version live in an environment
         * @description Only in the first stage of the application's pipeline and in the sandbox. For later stages, use a promotion (POST /v1/promotions); otherwise the answer is 409.
         *
         *     Needs the permission `templates:write`.
         */
        post: operations["deployTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/kill-switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch a template off or on in an environment
         * @description Takes effect immediately. While a template is switched off, no new message uses it in that environment, and waiting messages with it are not sent. The live version and promotions are not affected. 409 if the template is not live there.
         *
         *     Needs the permission `promotions:approve`.
         */
        put: operations["setKillSwitch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test of a template version
         * @description Uses the real route of the environment, whether the version is live there or not. No consent is needed, but opt-outs and suppressions apply. A message that the provider accepts counts as the version's successful test, which a stage can require before a promotion. Tests through the simulator don't count. At most 120 per hour.
         *
         *     Needs the permission `notifications:send` or `templates:write`.
         */
        post: operations["testTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Needs the permission `webhooks:manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events of one application in the API key's environment are posted to the URL. The signing secret is only returned here.
         *
         *     Needs the permission `webhooks:manage`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Needs the permission `webhooks:manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Needs the permission `webhooks:manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Needs the permission `webhooks:manage`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret
         * @description For 24 hours, the webhook-signature header contains a signature with the old secret as well, also when you rotate again in that time. The signature in the body uses the new secret immediately.
         *
         *     Needs the permission `webhooks:manage`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Posts a webhook.test event, signed and logged like any other.
         *
         *     Needs the permission `webhooks:manage`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook endpoint
         * @description Needs the permission `webhooks:manage`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts and body
         * @description Needs the permission `webhooks:manage`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a delivery
         * @description Posts it again, with a fresh schedule. One that is waiting for its next attempt is attempted at once and keeps its schedule.
         *
         *     Needs the permission `webhooks:manage`.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay failed deliveries since a given time
         * @description Needs the permission `webhooks:manage`.
         */
        post: operations["replayFailedWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read events, oldest first
         * @description Everything of the last 30 days that webhooks report of the API key's environment, with or without a webhook endpoint, in the order in which it was recorded. Go on with `nextCursor`, also when nothing is there yet: no event is missed or repeated. Without `content:reveal`, addresses and texts are masked.
         *
         *     Needs the permission `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the consent of an address
         * @description Where the address stands by channel, class and region, whether a message would be sent, and what was said, newest first.
         *
         *     Needs the permission `consent:read`.
         */
        get: operations["getConsents"];
        put?: never;
        /**
         * Record what recipients agreed to or opted out of
         * @description Up to 1,000 entries, each with a result of its own. What a recipient said last counts, whenever it is reported; of a yes and a no of the same moment, the no. The sandbox has consent of its own; the other environments share theirs, which is recorded with a key of a production environment.
         *
         *     Needs the permission `consent:write`.
         */
        post: operations["recordConsents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consents/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an address to confirm an opt-in
         * @description Double opt-in: a message asks whether the recipient agrees, by a link (e-mail) or one word (SMS, WhatsApp). Once they do, the opt-in is recorded with this evidence and `consent.opted_in` is delivered. An address has at most one open confirmation for a class: asking again within an hour answers with it and sends nothing; at most 3 messages a day go to an address. Opt-outs of before do not stop the message; a suppressed address gets none (409). On WhatsApp only within 24 hours of the recipient's last message (409).
         *
         *     Needs the permission `consent:write`.
         */
        post: operations["askConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consents/confirmations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a confirmation
         * @description Needs the permission `consent:read`.
         */
        get: operations["getConfirmation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consent-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the consent policy
         * @description What each class requires before a message is sent, as far as it differs from the default. The same in every environment. Needs a key of the whole organisation.
         *
         *     Needs the permission `settings:manage`.
         */
        get: operations["getConsentPolicy"];
        /**
         * Change the consent policy
         * @description Replaces all overrides; the most specific one for a message holds. Takes effect within two seconds. Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `settings:manage`.
         */
        put: operations["updateConsentPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressed addresses
         * @description Current suppressions, newest first. With `address`, only those of this address. The sandbox has its own; all other environments share theirs. Without `address`, it needs a key of the whole organisation.
         *
         *     Needs the permission `consent:read`.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppress addresses
         * @description Up to 1,000, each with its own result. Nothing is sent to them from now on, whatever the class and consent. If an address is already suppressed, the longer period is kept. Outside the sandbox, it needs a key of a production environment.
         *
         *     Needs the permission `consent:write`.
         */
        post: operations["addSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a suppression
         * @description Messages can be sent to the address again. Removing a complaint requires a reason. Needs a key of the whole organisation, and outside the sandbox one of a production environment. Agents cannot remove suppressions.
         *
         *     Needs the permission `consent:write`.
         */
        delete: operations["removeSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/messages/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Act as the recipient of a sandbox message
         * @description The simulated provider then sends a signed callback to the public callback route, like a real one. Webhooks follow as usual. A message in another environment is 409.
         *
         *     Needs the permission `notifications:send`.
         */
        post: operations["simulateRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search contacts
         * @description Needs the permission `contacts:read`.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Add a contact
         * @description Needs an address or an external ID. An address belongs to one contact: if another contact has it, the answer is 409.
         *
         *     Needs the permission `contacts:write`.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact
         * @description Needs the permission `contacts:read`.
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /**
         * Delete a contact
         * @description Its messages and consent are kept. To erase a person, use erasures.
         *
         *     Needs the permission `contacts:write`.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Change a contact
         * @description Omitted fields are kept, null removes. Attributes are changed individually, addresses as a whole: send those you read as expectedAddresses, so that nobody else's change is lost.
         *
         *     Needs the permission `contacts:write`.
         */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/v1/contacts/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or change many contacts
         * @description Up to 1,000, each with its own result. An item updates the contact with its external ID, otherwise the one with any of its addresses, otherwise it creates a new one. Its addresses are placed before existing ones.
         *
         *     Needs the permission `contacts:write`.
         */
        post: operations["upsertContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contact-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contact groups
         * @description Needs the permission `contacts:read`.
         */
        get: operations["listContactGroups"];
        put?: never;
        /**
         * Add a contact group
         * @description With a filter, the group contains everyone who matches. Without one, the contacts added to it.
         *
         *     Needs the permission `contacts:write`.
         */
        post: operations["createContactGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contact-groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact group
         * @description Needs the permission `contacts:read`.
         */
        get: operations["getContactGroup"];
        put?: never;
        post?: never;
        /**
         * Delete a contact group
         * @description Needs the permission `contacts:write`.
         */
        delete: operations["deleteContactGroup"];
        options?: never;
        head?: never;
        /**
         * Change a contact group
         * @description Omitted fields are kept. The filter is replaced as a whole: send the one you read as expectedFilter, so that nobody else's change is lost.
         *
         *     Needs the permission `contacts:write`.
         */
        patch: operations["updateContactGroup"];
        trace?: never;
    };
    "/v1/contact-groups/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add contacts to a group
         * @description Up to 1,000, by ID or external ID.
         *
         *     Needs the permission `contacts:write`.
         */
        post: operations["addContactGroupMembers"];
        /**
         * Remove contacts from a group
         * @description Up to 1,000, by ID or external ID. The contacts are kept.
         *
         *     Needs the permission `contacts:write`.
         */
        delete: operations["removeContactGroupMembers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/broadcasts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List broadcasts, newest first
         * @description A broadcast is a send request to contact groups. Those of the key's environment are listed.
         *
         *     Needs the permission `notifications:read`.
         */
        get: operations["listBroadcasts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/broadcasts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a broadcast and its figures
         * @description The figures are at most two seconds old.
         *
         *     Needs the permission `notifications:read`.
         */
        get: operations["getBroadcast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the rate of a broadcast
         * @description Needs the permission `notifications:send`.
         */
        patch: operations["changeBroadcastRate"];
        trace?: never;
    };
    "/v1/broadcasts/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a broadcast
         * @description No further messages are sent until it is resumed. Messages already on their way, at most 2,000, are still sent.
         *
         *     Needs the permission `notifications:send`.
         */
        post: operations["pauseBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/broadcasts/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a broadcast
         * @description Needs the permission `notifications:send`.
         */
        post: operations["resumeBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/broadcasts/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a broadcast
         * @description No further messages are sent, and messages that have not been handed to a provider are canceled.
         *
         *     Needs the permission `notifications:cancel`.
         */
        post: operations["cancelBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations with recipients, most recent first
         * @description A conversation starts when a recipient replies. It belongs to the application and environment of the message they replied to.
         *
         *     Needs the permission `notifications:read`.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation, newest first
         * @description Needs the permission `notifications:read`.
         */
        get: operations["listConversationMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pipelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pipelines
         * @description The stages of each application in order, with their gates. Saved templates go live in the first stage automatically.
         *
         *     Needs the permission `templates:read`.
         */
        get: operations["listPipelines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pipelines/{application}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the stages and gates of a pipeline
         * @description Replaces all stages. A change that loosens the pipeline (a lower gate, a stage removed or moved forward) returns 202 and waits in `proposal` until another person with pipelines:manage confirms it. Promotions in progress keep the gates from when they were requested. Each stage is a different environment, without the sandbox. A key can only change the stage of its own environment, and not which other stage is first (403 environment_mismatch). While a promotion between two stages is in progress, they must stay neighbours: otherwise 409, which lists the promotions. Versions live in a removed stage stay live there.
         *
         *     Needs the permission `pipelines:manage`.
         */
        put: operations["updatePipeline"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pipelines/{application}/proposal/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a change that loosens a pipeline
         * @description Must be a different person than the proposer (403 otherwise). An API key counts as the member who created it. 409 if the pipeline has changed since.
         *
         *     Needs the permission `pipelines:manage`.
         */
        post: operations["confirmPipelineChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pipelines/{application}/proposal/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a change that loosens a pipeline
         * @description Needs the permission `pipelines:manage`.
         */
        delete: operations["withdrawPipelineChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/promotions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List promotions
         * @description Promotions into the key's environment. Get a single promotion for its templates.
         *
         *     Needs the permission `templates:read`.
         */
        get: operations["listPromotions"];
        put?: never;
        /**
         * Request a promotion
         * @description Versions that are live in the stage before become live in the named stage: all of them in one moment, or none. The answer says what the gates of the stage wait for; when they wait for nothing, an automatic promotion is deployed already. The key must belong to the environment that is promoted into. 409 promotion_conflict: another promotion into the stage holds one of the templates; `conflicts` names them, the promotion and who requested it.
         *
         *     Needs the permission `promotions:request`.
         */
        post: operations["createPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/promotions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a promotion
         * @description Needs the permission `templates:read`.
         */
        get: operations["getPromotion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/promotions/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a promotion
         * @description Once per person, and not by the requester (403). An API key counts as the member who created it. The last approval deploys an automatic promotion if its other gates have passed; otherwise it is deployed when they have. 409 promotion_conflict: the stage has changed since the request, and the approval is not kept.
         *
         *     Needs the permission `promotions:approve`.
         */
        post: operations["approvePromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/promotions/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject or withdraw a promotion
         * @description One rejection ends the promotion. The requester withdraws it this way with promotions:request: its state is then `withdrawn`.
         *
         *     Needs the permission `promotions:approve` or `promotions:request`.
         */
        post: operations["rejectPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/promotions/{id}/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deploy a promotion
         * @description For promotions that are not automatic, and for others whose last gate has just passed. 409 while a gate has not passed; see `gates`. The requester only needs promotions:request.
         *
         *     Needs the permission `promotions:approve` or `promotions:request`.
         */
        post: operations["deployPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/promotions/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll back a promotion
         * @description Restores exactly the versions it replaced, all at once. Templates that were not live before are removed from the stage. 409 promotion_conflict if one of them has changed since; see `conflicts`. With `force`, these are restored as well.
         *
         *     Needs the permission `promotions:approve`.
         */
        post: operations["rollBackPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/template-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an application's templates as files
         * @description One folder per template: `order-shipped/email.lang-de/` with `template.json`, `subject.txt`, `body.html` (or `body.mjml`, `body.txt`) and `text.txt`. Files are deterministic, so they work well in version control. `npm run templates -- pull` writes them to a folder.
         *
         *     Needs the permission `templates:read`.
         */
        get: operations["exportTemplateFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/template-imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the newest imports
         * @description Needs the permission `templates:read`.
         */
        get: operations["listTemplateImports"];
        put?: never;
        /**
         * Plan an import of template files
         * @description Shows for each folder whether it would create a template, create a version, change nothing, or is invalid. Only the plan is saved; start it with `POST /v1/template-imports/{id}/start`. Add more files to an import of your own in another call with `importId`; send all files of one template in the same call. Templates without a folder are not changed.
         *
         *     Needs the permission `templates:write`.
         */
        post: operations["planTemplateImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/template-imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import and its progress
         * @description Needs the permission `templates:read`.
         */
        get: operations["getTemplateImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/template-imports/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a planned import
         * @description In the background, each template is checked, moderated and saved. One that fails does not stop the others. Only the key that planned it can start it; in the portal, others can as well.
         *
         *     Needs the permission `templates:write`.
         */
        post: operations["startTemplateImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/template-imports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an import
         * @description Saved templates are kept. The rest is not changed.
         *
         *     Needs the permission `templates:write`.
         */
        post: operations["cancelTemplateImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List provider connections and their health
         * @description Figures cover all attempts through a connection in the API key's environment, by any unit or application.
         *
         *     Needs the permission `providers:read`.
         */
        get: operations["listProviders"];
        put?: never;
        /**
         * Add a provider connection
         * @description A connection is an account at a provider. It serves every environment, so it needs an API key of a production environment. Routing rules decide what is sent through it.
         *
         *     The members of `credentials` and `settings` depend on `provider`; `GET /v1/provider-adapters` returns their JSON Schemas. Credentials are stored encrypted and never returned.
         *
         *     | provider | credentials | settings |
         *     |---|---|---|
         *     | `ses` | `accessKeyId`, `secretAccessKey` | `region`, `configurationSet`?, `topicArn`?, `baseUrl`? |
         *     | `http` | `secrets`?, `callbackSecret`? | `method`? (POST, PUT, PATCH, GET), `url`, `headers`?, `contentType`? (application/json, application/x-www-form-urlencoded, application/xml, text/plain), `body`?, `timeoutSeconds`?, `recognisesRepeats`?, `successStatuses`?, `retryStatuses`?, `successPath`?, `successValue`?, `successText`?, `successPattern`?, `idPath`?, `idPattern`?, `idHeader`?, `errorPath`?, `errorPattern`?, `errorHeader`?, `errorCodePath`?, `errorCodePattern`?, `errorCodeHeader`?, `pricePath`?, `priceCurrency`?, `receiptStatusPath`?, `receiptIdPath`?, `receiptStatuses`?, `receiptSignatureHeader`? |
         *     | `infobip` | `apiKey`, `callbackSecret` | `baseUrl`, `whatsappSender`?, `signatureHeader`? |
         *     | `meta` | `accessToken`, `appSecret`, `verifyToken` | `phoneNumberId`, `wabaId`?, `version`?, `baseUrl`? |
         *     | `microsoft365` | `clientSecret` | `tenantId`, `clientId`, `saveToSentItems`?, `baseUrl`? |
         *     | `resend` | `apiKey`, `webhookSecret`? | `baseUrl`? |
         *     | `sendgrid` | `apiKey` | `region`? (global, eu), `verificationKey`?, `baseUrl`? |
         *     | `smpp` | `systemId`, `password` | `host`, `port`?, `security`? (tls, none), `systemType`?, `serviceType`?, `bindAs`? (transceiver, separate, transmitter, receiver), `binds`?, `window`?, `enquireLinkSeconds`?, `receiptIds`? (same, submit_hex, submit_decimal), `validityPeriod`? (absolute, relative, none), `sourceTon`?, `sourceNpi`?, `destinationTon`?, `destinationNpi`? |
         *     | `smtp` | `user`?, `password`?, `dkimPrivateKey`?, `bounceSecret`? | `host`, `port`?, `security`? (tls, starttls, none), `clientName`?, `maxConnections`?, `bounceDomain`?, `dkim`? |
         *     | `twilio` | `accountSid`, `authToken` | `region`? (us1, ie1, au1), `messagingServiceSid`?, `baseUrl`? |
         *     | `vonage` | `applicationId`, `privateKey`, `signatureSecret`, `apiKey`?, `apiSecret`? | `region`? (global, eu, us), `baseUrl`? |
         *
         *     Needs the permission `providers:manage`.
         */
        post: operations["createProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a provider connection
         * @description Includes its callback address and the rules that use it. Of credentials, only which fields are set.
         *
         *     Needs the permission `providers:read`.
         */
        get: operations["getProvider"];
        put?: never;
        post?: never;
        /**
         * Delete a provider connection and its credentials
         * @description Refused with `connection_in_use` while routing rules use it, unless `force` is true. Later receipts are lost: switch the connection off first and delete it once they have arrived.
         *
         *     Needs the permission `providers:manage`.
         */
        delete: operations["deleteProvider"];
        options?: never;
        head?: never;
        /**
         * Change a provider connection, or switch it on or off
         * @description Takes effect within two seconds. Stored credentials are never sent to a new address: changing a host or URL requires all credentials again.
         *
         *     Needs the permission `providers:manage`.
         */
        patch: operations["updateProvider"];
        trace?: never;
    };
    "/v1/provider-adapters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the supported providers
         * @description Needs the permission `providers:read`.
         */
        get: operations["listProviderAdapters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/providers/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a provider connection
         * @description Checks address and credentials without sending a message. At most 20 tests per minute in an organisation.
         *
         *     Needs the permission `providers:manage`.
         */
        post: operations["testProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routing-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the routing rules of the API key's environment
         * @description All rules the caller can see, in order of precedence: more specific rules first, then the lower priority number.
         *
         *     Needs the permission `providers:read`.
         */
        get: operations["listRoutingRules"];
        /**
         * Replace the routing rules
         * @description Replaces all rules the caller can manage, based on a revision. Other rules are kept. Takes effect within two seconds. Every change creates a revision you can revert to.
         *
         *     Needs the permission `routing:manage`.
         */
        put: operations["replaceRoutingRules"];
        /**
         * Add a routing rule
         * @description Takes effect within two seconds. Every change creates a revision you can revert to.
         *
         *     Needs the permission `routing:manage`.
         */
        post: operations["createRoutingRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routing-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a routing rule
         * @description Needs the permission `providers:read`.
         */
        get: operations["getRoutingRule"];
        /**
         * Change a routing rule
         * @description Replaces the rule. Omitted members take their default. Takes effect within two seconds. Every change creates a revision you can revert to.
         *
         *     Needs the permission `routing:manage`.
         */
        put: operations["updateRoutingRule"];
        post?: never;
        /**
         * Delete a routing rule
         * @description Takes effect within two seconds. Every change creates a revision you can revert to.
         *
         *     Needs the permission `routing:manage`.
         */
        delete: operations["deleteRoutingRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routing-rules/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the history of the routing rules
         * @description Needs the permission `providers:read`.
         */
        get: operations["listRoutingRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routing-rules/revisions/{number}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revert to an earlier revision
         * @description Restores the rules the caller can manage as a new revision. If connections no longer exist or are no longer allowed, the answer is 409 with the missing ones, unless dropMissing omits them. Takes effect within two seconds. Every change creates a revision you can revert to.
         *
         *     Needs the permission `routing:manage`.
         */
        post: operations["revertRoutingRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routing-rules/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test how a message would be routed
         * @description With the current rules or unsaved ones: which rule applies, which connections are used in which order, and why the others are not. Sends nothing.
         *
         *     Needs the permission `providers:read`.
         */
        post: operations["dryRunRouting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shorteners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the link shorteners of environments
         * @description Needs the permission `settings:manage`.
         */
        get: operations["listShorteners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shorteners/{environment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the link shortener of an environment
         * @description Needs the permission `settings:manage`.
         */
        get: operations["getShortener"];
        /**
         * Choose the link shortener of an environment
         * @description The built-in shortener counts clicks itself. An external service must process data in a region the organisation allows. If it fails, messages are sent with full links and a `processing.error` event has the reason.
         *
         *     Needs the permission `settings:manage`.
         */
        put: operations["updateShortener"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shorteners/{environment}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the link shortener of an environment
         * @description Needs the permission `settings:manage`.
         */
        post: operations["testShortener"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the delivery statistics of a period
         * @description Needs the permission `reports:read`.
         */
        get: operations["getDeliveryReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the costs of a period
         * @description As totals, time series and groups, or with `format=focus` as CSV rows of the FinOps Open Cost and Usage Specification (FOCUS 1.2), by day (UTC). FOCUS ignores `interval`, `groupBy` and `limit`.
         *
         *     Needs the permission `costs:read`.
         */
        get: operations["getCostReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/objectives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get objectives and error budgets
         * @description Of the whole organisation in the last 30 days: send requests that were accepted, and one-time codes that were handed to a provider in time. The key must see reports of the whole organisation.
         *
         *     Needs the permission `reports:read`.
         */
        get: operations["getObjectives"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the key's exports, newest first
         * @description Needs the permission `notifications:read` or `costs:read`.
         */
        get: operations["listExports"];
        put?: never;
        /**
         * Export messages or costs to a file
         * @description Exports everything in the key's environment up to now, without a row limit. `messages` needs `notifications:read`; without `content:reveal`, addresses are masked, and without `costs:read`, cost columns are omitted. `costs` needs `costs:read`.
         *
         *     Needs the permission `notifications:read` or `costs:read`.
         */
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an export and its progress
         * @description Needs the permission `notifications:read` or `costs:read`.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        /**
         * Delete an export and its file
         * @description Needs the permission `notifications:read` or `costs:read`.
         */
        delete: operations["deleteExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the file of an export
         * @description Needs the permission `notifications:read` or `costs:read`.
         */
        get: operations["downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an export
         * @description Needs the permission `notifications:read` or `costs:read`.
         */
        post: operations["cancelExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get retention periods and purge progress
         * @description Needs a key of the whole organisation.
         *
         *     Needs the permission `settings:manage`.
         */
        get: operations["getRetention"];
        /**
         * Change retention periods
         * @description Also applies to existing data: older data is permanently removed within an hour. Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `settings:manage`.
         */
        put: operations["updateRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List erasures of recipients
         * @description Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `settings:manage`.
         */
        get: operations["listErasures"];
        put?: never;
        /**
         * Erase recipients
         * @description Removes every copy of these addresses and their data in the background. Unsent messages are canceled. Counts and costs are kept, and opt-outs and suppressions are kept as tokens. Repeating the request while it is in progress returns the same erasure. Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `settings:manage`.
         */
        post: operations["eraseRecipients"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an erasure and its report
         * @description The report contains no addresses.
         *
         *     Needs the permission `settings:manage`.
         */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notification-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notification types
         * @description The types and subtypes that messages and templates can have. They are the same in every environment.
         *
         *     Needs the permission `templates:read` or `notifications:read` or `organization:manage`.
         */
        get: operations["listNotificationTypes"];
        put?: never;
        /**
         * Create a notification type
         * @description Its class decides how soon its messages go, how long they are tried and what consent they need. Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `organization:manage`.
         */
        post: operations["createNotificationType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notification-types/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a notification type
         * @description Replaces class and subtypes; the name stays. Send those you read as expected, so that nobody else's change is lost. Messages that are accepted from then on follow the new class. A subtype that templates or routing rules are for can't be removed. Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `organization:manage`.
         */
        put: operations["updateNotificationType"];
        post?: never;
        /**
         * Delete a notification type
         * @description Only one that no template and no routing rule is for. Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `organization:manage`.
         */
        delete: operations["deleteNotificationType"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipient-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get quiet hours and frequency caps
         * @description They hold in every environment. Needs a key of the whole organisation.
         *
         *     Needs the permission `settings:manage`.
         */
        get: operations["getRecipientLimits"];
        /**
         * Change quiet hours and frequency caps
         * @description Replaces all rules and caps. Times are by the clocks where the recipient is; without channels or regions a rule is for all. Takes effect within two seconds, also for messages that wait. Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `settings:manage`.
         */
        put: operations["updateRecipientLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/residency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the allowed data regions
         * @description Also lists what processes data in which region. Needs a key of the whole organisation.
         *
         *     Needs the permission `settings:manage`.
         */
        get: operations["getResidency"];
        /**
         * Change the allowed data regions
         * @description Replaces the additional regions where the organisation's data may be processed. Takes effect within two seconds. Connections, shorteners and AI services elsewhere are not used. The audit trail records each change with its reason. Needs a key of the whole organisation in a production environment.
         *
         *     Needs the permission `settings:manage`.
         */
        put: operations["updateResidency"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It is refused everywhere within two seconds. A revoked key stays in the list of ended ones.
         *
         *     Needs the permission `api_keys:manage`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of the environment of the key you use, newest first, without their texts.
         *
         *     Needs the permission `api_keys:manage`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is in the answer, this once. It gets no permission that the key you use does not have, and reaches no further.
         *
         *     Needs the permission `api_keys:manage`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events
         * @description Changes, newest first. A key sees events of its unit and environment, or of no environment. A key bound to an application sees changes to that application only.
         *
         *     Needs the permission `audit:read`.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an audit event
         * @description Needs the permission `audit:read`.
         */
        get: operations["getAuditEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Actor: {
            type: string;
            /** Format: uuid */
            id: string | null;
            name: string;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            purpose: string;
            /** @description How the key begins and ends */
            hint: string;
            /** @description Its short name */
            environment: string;
            /** @description The application that it is bound to; null: it is not bound to one */
            application: string | null;
            role: components["schemas"]["ApiKeyRole"];
            rateLimitPerMinute: number;
            /** @description Where it may be used from; empty: anywhere */
            allowedNetworks: string[];
            /**
             * @description `expiring`: it ends within 30 days. `paused`: who it belongs to is suspended
             * @enum {string}
             */
            state: "active" | "expiring" | "expired" | "revoked" | "paused" | (string & {});
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        ApiKeyCreate: {
            name: string;
            purpose?: string;
            /** @description Key of a role, built in or your own. You need each of its permissions. Default: `sender` */
            role?: string;
            /** @description Short name or id. Default: the environment of the key you use */
            environment?: string;
            /** @description Only for this application. Default: that of the key you use, if it is bound to one */
            application?: string;
            /** @description Addresses and ranges it may be used from. Default: those of the key you use */
            allowedNetworks?: string[];
            /**
             * Format: date-time
             * @description Not after the end of the key you use. Default: the same end, if it has one
             */
            expiresAt?: string;
            /** @description Not above that of the key you use. Default: 6000, or that of the key you use if lower */
            rateLimitPerMinute?: number;
        };
        ApiKeyCreated: {
            /** Format: uuid */
            id: string;
            /** @description The key, shown this once */
            key: string;
            hint: string;
            /** Format: date-time */
            expiresAt: string | null;
        };
        ApiKeyList: {
            data: components["schemas"]["ApiKey"][];
            nextCursor: string | null;
        };
        ApiKeyRole: {
            key: string;
            name: string;
        };
        AuditEvent: {
            /** Format: uuid */
            id: string;
            /** @description Its position in the organisation's chain; null for the first few seconds */
            sequence: number | null;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            actorType: "user" | "apiKey" | "system" | (string & {});
            /** Format: uuid */
            actorId: string | null;
            actorName: string;
            action: string;
            targetType: string;
            targetId: string | null;
            /** Format: uuid */
            unitId: string | null;
            /** Format: uuid */
            environmentId: string | null;
            /** @description Also in the answer to the request and in the log */
            requestId: string;
            /** @description `before` and `after` contain what changed, without secrets and with addresses as tokens */
            data: {
                [key: string]: unknown;
            };
        };
        AuditEventList: {
            data: components["schemas"]["AuditEvent"][];
            nextCursor: string | null;
        };
        Broadcast: {
            /**
             * Format: uuid
             * @description Of the request: its notifications have it as requestId
             */
            id: string;
            name: string;
            application: string;
            environment: string;
            transactionId: string | null;
            notificationType: string;
            notificationSubtype: string;
            class: string;
            groups: components["schemas"]["BroadcastGroup"][];
            /**
             * @description `ready`: a draft with its recipients listed, to be started by a person
             * @enum {string}
             */
            state: "listing" | "ready" | "scheduled" | "sending" | "paused" | "canceling" | "finished" | "canceled" | "failed" | (string & {});
            /** @description What is blocking it at the moment, or why it failed */
            problem: components["schemas"]["Reason"] | (never | null);
            /** @description Listed so far; each counts once per channel */
            recipients: number;
            /** @description Of these, those that have become messages or were left out */
            released: number;
            ratePerSecond: number | null;
            /** Format: date-time */
            startsAt: string | null;
            pausedBy: string | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
            /** @description How many of its messages have each status */
            counts: {
                [key: string]: number;
            };
            /** @description Recipients who got no message, by reason. Together with the counts they add up to `recipients` */
            leftOut: {
                [key: string]: number;
            };
            /** @description On the service's own short links in its messages: of people, and of programs such as scanners and previews */
            clicks: components["schemas"]["BroadcastClicks"];
            /** @description Of a draft: who would be refused, as of when it was listed */
            forecast: components["schemas"]["BroadcastForecast"][];
        };
        BroadcastClicks: {
            people: number;
            machines: number;
        };
        BroadcastForecast: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            recipients: number;
            consentDenied: number;
            suppressed: number;
            noAddress: number;
        };
        BroadcastGroup: {
            group: string;
            channels: ("sms" | "email" | "whatsapp")[];
        };
        BroadcastList: {
            data: components["schemas"]["BroadcastSummary"][];
            nextCursor: string | null;
        };
        BroadcastSummary: {
            /**
             * Format: uuid
             * @description Of the request: its notifications have it as requestId
             */
            id: string;
            name: string;
            application: string;
            environment: string;
            transactionId: string | null;
            notificationType: string;
            notificationSubtype: string;
            class: string;
            groups: components["schemas"]["BroadcastGroup"][];
            /**
             * @description `ready`: a draft with its recipients listed, to be started by a person
             * @enum {string}
             */
            state: "listing" | "ready" | "scheduled" | "sending" | "paused" | "canceling" | "finished" | "canceled" | "failed" | (string & {});
            /** @description What is blocking it at the moment, or why it failed */
            problem: components["schemas"]["Reason"] | (never | null);
            /** @description Listed so far; each counts once per channel */
            recipients: number;
            /** @description Of these, those that have become messages or were left out */
            released: number;
            ratePerSecond: number | null;
            /** Format: date-time */
            startsAt: string | null;
            pausedBy: string | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
        };
        BroadcastUpdate: {
            /** @description Maximum messages per second; null: as fast as the providers accept them */
            ratePerSecond: number | null;
        };
        Confirmation: {
            /** Format: uuid */
            id: string;
            /**
             * @description `withdrawn`: the recipient opted out after being asked, so confirming has no effect
             * @enum {string}
             */
            state: "pending" | "confirmed" | "expired" | "withdrawn" | (string & {});
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description Masked without content:reveal */
            address: string;
            /** @enum {string} */
            class: "marketing" | "service" | "transactional" | (string & {});
            /** @description Null: every region */
            region: string | null;
            /** Format: date-time */
            askedAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            confirmedAt: string | null;
        };
        ConfirmationCreate: {
            /** @description Your own name for this request. Sent again, nobody is asked twice. */
            id: string;
            /** @description The application that asks */
            application: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            /** @description An e-mail address, or a number in international form */
            address: string;
            /**
             * @description Default: `"marketing"`
             * @enum {string}
             */
            class?: "marketing" | "service" | "transactional";
            /** @description Default: every region */
            region?: string;
            /** @description Of the message and the page. Default: the application's */
            language?: string;
            /** @description How you know they signed up. Kept as evidence of the opt-in */
            evidence?: {
                [key: string]: string;
            };
            /** @description How long they can confirm. Default: `48` */
            expiresInHours?: number;
        };
        ConsentBatch: {
            consents: components["schemas"]["ConsentCreate"][];
        };
        ConsentBatchResult: {
            /** @description One for each item, in the order of the request */
            results: components["schemas"]["ConsentResult"][];
        };
        ConsentCreate: {
            /** @description Your own name for this entry. Reported again it is recorded once. */
            id: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            /** @description An e-mail address, or a number in international form; on WhatsApp also a business-scoped user id */
            address: string;
            /** @enum {string} */
            state: "opted_in" | "opted_out";
            /** @description Null: every region */
            region?: string | null;
            /**
             * @description Null: every class
             * @enum {string|null}
             */
            class?: "authentication" | "transactional" | "service" | "marketing" | null;
            /**
             * Format: date-time
             * @description When the recipient said so. Default: now. Times in the future count as now
             */
            at?: string;
            /** @description How you know, such as the form, its version and the IP address */
            evidence?: {
                [key: string]: string;
            };
        };
        ConsentEntry: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description Masked without content:reveal */
            address: string;
            /** @description Null: every region */
            region: string | null;
            /**
             * @description Null: every class
             * @enum {string|null}
             */
            class: "authentication" | "transactional" | "service" | "marketing" | null | (string & {});
            /** @enum {string} */
            state: "opted_in" | "opted_out" | (string & {});
            /** @enum {string} */
            source: "api" | "portal" | "keyword" | "unsubscribe_link" | "double_opt_in" | "import" | "provider" | "review" | (string & {});
            /** @description How it is known; null without content:reveal */
            evidence: {
                [key: string]: string;
            } | null;
            /** Format: date-time */
            at: string;
        };
        ConsentEntryList: {
            data: components["schemas"]["ConsentEntry"][];
            nextCursor: string | null;
        };
        ConsentPolicy: {
            overrides: components["schemas"]["ConsentPolicyOverride"][];
            /**
             * @description What is stored cannot be read, the policy alone or all settings: `overrides` is the strictest, which holds
             * @enum {string|null}
             */
            problem: "policy" | "settings" | null | (string & {});
            /** @description Pass it with the next change */
            revision: string;
        };
        ConsentPolicyOverride: {
            /** @enum {string} */
            class: "authentication" | "transactional" | "service" | "marketing" | (string & {});
            /** @enum {string} */
            channel?: "sms" | "email" | "whatsapp" | (string & {});
            region?: string;
            /** @enum {string} */
            policy: "opt_in_required" | "opt_out" | "exempt" | (string & {});
        };
        ConsentPolicyUpdate: {
            overrides: components["schemas"]["ConsentPolicyUpdateOverride"][];
            /** @description As read: refused when the policy has changed since */
            revision: string;
        };
        ConsentPolicyUpdateOverride: {
            /** @enum {string} */
            class: "authentication" | "transactional" | "service" | "marketing";
            /** @enum {string} */
            channel?: "sms" | "email" | "whatsapp";
            region?: string;
            /** @enum {string} */
            policy: "opt_in_required" | "opt_out" | "exempt";
        };
        ConsentResult: {
            id: string;
            /** @enum {string} */
            status: "recorded" | "already_recorded" | "rejected" | (string & {});
            /** @description Why it was rejected */
            reason: components["schemas"]["ConsentResultReason"] | (never | null);
        };
        ConsentResultReason: {
            /** @enum {string} */
            code: "invalid_recipient" | "idempotency_mismatch" | "duplicate_id" | (string & {});
            detail: string;
        };
        ConsentStanding: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description Nothing is sent to it, regardless of consent */
            suppressed: boolean;
            states: components["schemas"]["ConsentStandingState"][];
        };
        ConsentStandingState: {
            /** @enum {string} */
            class: "authentication" | "transactional" | "service" | "marketing" | (string & {});
            /** @description Null: all other regions */
            region: string | null;
            /**
             * @description Null: no record
             * @enum {string|null}
             */
            state: "opted_in" | "opted_out" | null | (string & {});
            /** @enum {string} */
            policy: "opt_in_required" | "opt_out" | "exempt" | (string & {});
            /** @description Whether a message would be sent */
            allowed: boolean;
        };
        ConsentsOfAddress: {
            /** @description As it is stored; masked without content:reveal */
            address: string;
            /** @description By channel, class and region */
            standing: components["schemas"]["ConsentStanding"][];
            /** @description Open confirmations */
            confirmations: components["schemas"]["Confirmation"][];
            /** @description History, newest first */
            history: components["schemas"]["ConsentEntryList"];
        };
        Contact: {
            /** Format: uuid */
            id: string;
            externalId: string | null;
            name: string | null;
            region: string | null;
            language: string | null;
            timeZone: string | null;
            /** @description Null without content:reveal */
            attributes: {
                [key: string]: string;
            } | null;
            addresses: components["schemas"]["ContactAddress"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ContactAddress: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description Masked without content:reveal */
            address: string;
        };
        ContactAddressCreate: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            address: string;
        };
        ContactBatch: {
            contacts: components["schemas"]["ContactUpsert"][];
        };
        ContactBatchResult: {
            /** @description One for each item, in the order of the request */
            results: components["schemas"]["ContactUpsertResult"][];
        };
        ContactCreate: {
            /** @description The contact's ID in your systems */
            externalId?: string | null;
            name?: string | null;
            /** @description ISO 3166-1 */
            region?: string | null;
            /** @description ISO 639-1 */
            language?: string | null;
            /** @description IANA name */
            timeZone?: string | null;
            /** @description Values by name. Null or an empty text removes one, others are kept */
            attributes?: {
                [key: string]: string | null;
            };
            /** @description The first address of each channel is used. Default: `[]` */
            addresses?: components["schemas"]["ContactAddressCreate"][];
        };
        ContactDetail: {
            /** Format: uuid */
            id: string;
            externalId: string | null;
            name: string | null;
            region: string | null;
            language: string | null;
            timeZone: string | null;
            /** @description Null without content:reveal */
            attributes: {
                [key: string]: string;
            } | null;
            addresses: components["schemas"]["ContactAddress"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Static groups only */
            groups: components["schemas"]["NamedReference"][];
        };
        ContactGroup: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string;
            /** @enum {string} */
            kind: "static" | "filter" | (string & {});
            filter: components["schemas"]["ContactGroupFilter"] | (never | null);
            /** @description Null: not counted yet */
            size: number | null;
            /** Format: date-time */
            countedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ContactGroupCondition: {
            /** @enum {string} */
            field: "region" | "language" | "timeZone" | "attribute" | (string & {});
            /** @description Of the attribute, where the field is one */
            name?: string;
            /** @enum {string} */
            op: "is" | "is_not" | "contains" | "starts_with" | "one_of" | "is_set" | "is_not_set" | "greater" | "less" | (string & {});
            /** @description A list for one_of; a number or a day (2026-01-31) for greater and less */
            value?: string | number | string[];
        };
        ContactGroupConditionCreate: {
            /** @enum {string} */
            field: "region" | "language" | "timeZone" | "attribute";
            /** @description Of the attribute, where the field is one */
            name?: string;
            /** @enum {string} */
            op: "is" | "is_not" | "contains" | "starts_with" | "one_of" | "is_set" | "is_not_set" | "greater" | "less";
            /** @description A list for one_of; a number or a day (2026-01-31) for greater and less */
            value?: string | number | string[];
        };
        /** @description A group of contacts */
        ContactGroupCreate: {
            name: string;
            /** @description Default: `""` */
            description?: string;
            /** @description Without a filter, the group contains the contacts added to it */
            filter?: components["schemas"]["ContactGroupCreateFilter"] | (never | null);
        };
        ContactGroupCreateFilter: {
            /** @description Default: `[]` */
            all?: components["schemas"]["ContactGroupConditionCreate"][];
            any?: components["schemas"]["ContactGroupConditionCreate"][];
        };
        ContactGroupFilter: {
            all: components["schemas"]["ContactGroupCondition"][];
            any?: components["schemas"]["ContactGroupCondition"][];
        };
        ContactGroupList: {
            data: components["schemas"]["ContactGroup"][];
            nextCursor: string | null;
        };
        ContactGroupMembers: {
            /** @description Default: `[]` */
            contactIds?: string[];
            /** @description Default: `[]` */
            externalIds?: string[];
        };
        ContactGroupMembersResult: {
            /** @description Number of contacts added or removed */
            changed: number;
            /** @description IDs and external IDs without a contact */
            unknown: string[];
        };
        ContactGroupUpdate: {
            name?: string;
            description?: string;
            /** @description Only of a group by filter */
            filter?: components["schemas"]["ContactGroupCreateFilter"];
            /** @description The filter you read. The change is refused if someone has changed it since */
            expectedFilter?: components["schemas"]["ContactGroupCreateFilter"];
        };
        ContactList: {
            data: components["schemas"]["Contact"][];
            nextCursor: string | null;
        };
        ContactUpdate: {
            /** @description The contact's ID in your systems */
            externalId?: string | null;
            name?: string | null;
            /** @description ISO 3166-1 */
            region?: string | null;
            /** @description ISO 639-1 */
            language?: string | null;
            /** @description IANA name */
            timeZone?: string | null;
            /** @description Values by name. Null or an empty text removes one, others are kept */
            attributes?: {
                [key: string]: string | null;
            };
            /** @description All addresses. Omitted ones are removed */
            addresses?: components["schemas"]["ContactAddressCreate"][];
            /** @description The addresses you read. The change is refused if someone has changed them since */
            expectedAddresses?: components["schemas"]["ContactAddressCreate"][];
        };
        ContactUpsert: {
            /** @description The contact's ID in your systems */
            externalId?: string;
            name?: string | null;
            /** @description ISO 3166-1 */
            region?: string | null;
            /** @description ISO 639-1 */
            language?: string | null;
            /** @description IANA name */
            timeZone?: string | null;
            /** @description Values by name. Null or an empty text removes one, others are kept */
            attributes?: {
                [key: string]: string | null;
            };
            /** @description The first address of each channel is used. Existing ones follow these. Default: `[]` */
            addresses?: components["schemas"]["ContactAddressCreate"][];
            /** @description Static groups to add the contact to */
            groupIds?: string[];
        };
        ContactUpsertResult: {
            /** @enum {string} */
            status: "created" | "updated" | "unchanged" | "error" | (string & {});
            /** Format: uuid */
            contactId: string | null;
            error: components["schemas"]["ContactUpsertResultError"] | (never | null);
        };
        ContactUpsertResultError: {
            /** @description Where in the item, e.g. addresses.0.address; empty: all of it */
            field: string;
            /** @enum {string} */
            code: "invalid" | "invalid_recipient" | "nothing_to_recognise" | "several_contacts" | "other_external_id" | "too_many_addresses" | "too_many_attributes" | "unknown_group" | (string & {});
            detail: string;
        };
        Conversation: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description The recipient; masked without content:reveal */
            address: string;
            /** @description Your number, short code or name */
            ownAddress: string;
            /** @description Null if the message replies to none of yours and its connection has no default application */
            application: string | null;
            environment: string | null;
            /** @description The connection that received the newest message */
            provider: string | null;
            /** @description Latest text from the recipient; null without content:reveal */
            lastMessage: components["schemas"]["ConversationLastMessage"] | (never | null);
            /** Format: date-time */
            lastMessageAt: string;
            /** @description Unread messages from the recipient */
            unread: number;
            /** @description The recipient has opted out on this channel */
            optedOut: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        ConversationLastMessage: {
            text: string;
            kind: string | null;
        };
        ConversationList: {
            data: components["schemas"]["Conversation"][];
            nextCursor: string | null;
        };
        ConversationMessage: {
            /**
             * Format: uuid
             * @description Of an outbound message: its notificationId
             */
            id: string;
            /** @enum {string} */
            direction: "inbound" | "outbound" | (string & {});
            /** Format: date-time */
            at: string;
            /** @description Null without content:reveal, and when the text of a message of yours can no longer be rendered */
            text: string | null;
            /** @description Kind of a message without text, such as image */
            kind: string | null;
            /** @description The quick-reply button that the recipient tapped */
            button: components["schemas"]["ConversationMessageButton"] | (never | null);
            /**
             * @description The keyword that the provider took it for
             * @enum {string|null}
             */
            optOut: "stop" | "start" | "help" | null | (string & {});
            /**
             * Format: uuid
             * @description The notification it replies to
             */
            repliesTo: string | null;
            /**
             * @description Of an outbound message
             * @enum {string|null}
             */
            status: "pending_approval" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "rejected" | "expired" | "canceled" | "undetermined" | null | (string & {});
            /** Format: date-time */
            readAt: string | null;
            /** @description Of an outbound message: the simulator carried it, so nobody received it, whatever the status says */
            simulated: boolean;
            template: string | null;
        };
        ConversationMessageButton: {
            payload: string;
            text: string;
        };
        ConversationMessageList: {
            data: components["schemas"]["ConversationMessage"][];
            nextCursor: string | null;
        };
        CostReport: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            interval: "hour" | "day" | "week" | "month" | (string & {});
            /** @description By currency, the largest first */
            totals: components["schemas"]["CostReportFigures"][];
            /** @description Total in the organisation's currency at its own rates; null if it has none */
            own: components["schemas"]["CostReportOwn"] | (never | null);
            series: components["schemas"]["CostReportSeriesPoint"][];
            groups: components["schemas"]["CostReportGroup"][];
            moreGroups: boolean;
            /** @description Connections that took messages, with how many have a price */
            unpriced: components["schemas"]["CostReportUnpriced"][];
        };
        CostReportFigures: {
            currency: string;
            /** @description What providers charge */
            messages: string;
            /** @description What the operator charges */
            platformFees: string;
            /** @description Decimal number with six places */
            total: string;
            /** @description Of `messages`, what providers reported */
            reported: string;
            /** @description Of `messages`, what is estimated from price lists */
            estimated: string;
            /** @description Attempts with a price */
            charged: number;
            /** @description Segments of these; only SMS has any */
            segments: number;
            /** @description `messages` ÷ `charged` */
            averagePerMessage: string | null;
            /** @description Cost of attempts with segments ÷ `segments`; null if there are none */
            averagePerSegment: string | null;
        };
        CostReportGroup: {
            /** @description One member for each dimension of groupBy */
            key: {
                [key: string]: components["schemas"]["CostReportGroupKey"];
            };
            costs: components["schemas"]["CostReportFigures"][];
            /** @description Total in the organisation's currency at its own rates; null if it has none */
            own: components["schemas"]["CostReportOwn"] | (never | null);
            series: components["schemas"]["CostReportSeriesPoint"][];
        };
        CostReportGroupKey: {
            /** @description What the filter takes; null: there is none */
            value: string | null;
            label: string;
        };
        CostReportOwn: {
            currency: string;
            /** @description Decimal number with six places */
            messages: string;
            /** @description Decimal number with six places */
            platformFees: string;
            /** @description Decimal number with six places */
            total: string;
            /** @description Currencies without a rate for a day, excluded from totals */
            withoutRate: string[];
        };
        CostReportSeriesPoint: {
            /** Format: date-time */
            at: string;
            costs: components["schemas"]["CostReportFigures"][];
            /** @description Total in the organisation's currency at its own rates; null if it has none */
            own: components["schemas"]["CostReportOwn"] | (never | null);
        };
        CostReportUnpriced: {
            /** Format: uuid */
            connectionId: string;
            provider: string;
            /** @description Attempts it accepted */
            sent: number;
            /** @description Of these, those with a price */
            charged: number;
        };
        DeliveryReport: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            interval: "hour" | "day" | "week" | "month" | (string & {});
            totals: components["schemas"]["DeliveryReportTotals"];
            /** @description Of these, what the simulator took: the totals count it as sent and delivered, and nobody received it */
            simulated: components["schemas"]["DeliveryReportSimulated"];
            /** @description From accepted (or scheduled) to sent and to delivered, in ms; accurate to a fifth */
            latencyMs: components["schemas"]["DeliveryReportLatencyMs"];
            series: components["schemas"]["DeliveryReportSeriesPoint"][];
            /** @description By groupBy, the largest first */
            groups: components["schemas"]["DeliveryReportGroup"][];
            /** @description There are more groups than `limit` */
            moreGroups: boolean;
            /** @description Reasons for failure, most frequent first, at most 50 */
            failures: components["schemas"]["DeliveryReportFailure"][];
        };
        DeliveryReportFailure: {
            status: string;
            code: string;
            /** @description The provider's own code; empty when it gave none */
            providerCode: string;
            /** Format: uuid */
            connectionId: string | null;
            provider: string | null;
            count: number;
        };
        DeliveryReportGroup: {
            accepted: number;
            /** @description Handed to a provider */
            sent: number;
            delivered: number;
            /** @description Sent through a provider that reports no deliveries */
            sentWithoutReceipt: number;
            failed: number;
            rejected: number;
            expired: number;
            canceled: number;
            undetermined: number;
            /** @description Read, as the recipient's app reports it */
            read: number;
            /** @description Clicks on links in them */
            clicked: number;
            /** @description Bounced after acceptance */
            bounced: number;
            /** @description Reported as spam by their recipients */
            complained: number;
            /** @description Delivered as a share of delivered, failed, expired and undetermined; null if there are none. Excludes providers without receipts, and rejected or canceled messages */
            deliveryRate: number | null;
            /** @description One member for each dimension of groupBy */
            key: {
                [key: string]: components["schemas"]["CostReportGroupKey"];
            };
            /** @description From accepted (or scheduled) to sent and to delivered, in ms; accurate to a fifth */
            latencyMs: components["schemas"]["DeliveryReportLatencyMs"];
            /** @description Time series; empty unless `interval` is given */
            series: components["schemas"]["DeliveryReportGroupSeriesPoint"][];
        };
        DeliveryReportGroupSeriesPoint: {
            /** Format: date-time */
            at: string;
            accepted: number;
            delivered: number;
            failed: number;
        };
        DeliveryReportLatencyMs: {
            sent: components["schemas"]["LatencyPercentiles"] | (never | null);
            delivered: components["schemas"]["LatencyPercentiles"] | (never | null);
        };
        DeliveryReportSeriesPoint: {
            accepted: number;
            /** @description Handed to a provider */
            sent: number;
            delivered: number;
            /** @description Sent through a provider that reports no deliveries */
            sentWithoutReceipt: number;
            failed: number;
            rejected: number;
            expired: number;
            canceled: number;
            undetermined: number;
            /** @description Read, as the recipient's app reports it */
            read: number;
            /** @description Clicks on links in them */
            clicked: number;
            /** @description Bounced after acceptance */
            bounced: number;
            /** @description Reported as spam by their recipients */
            complained: number;
            /** @description Delivered as a share of delivered, failed, expired and undetermined; null if there are none. Excludes providers without receipts, and rejected or canceled messages */
            deliveryRate: number | null;
            /** Format: date-time */
            at: string;
            sentP50Ms: number | null;
            sentP95Ms: number | null;
            deliveredP50Ms: number | null;
            deliveredP95Ms: number | null;
        };
        DeliveryReportSimulated: {
            /**
             * Format: uuid
             * @description The simulator; null: the organisation has none
             */
            connectionId: string | null;
            sent: number;
            delivered: number;
        };
        DeliveryReportTotals: {
            accepted: number;
            /** @description Handed to a provider */
            sent: number;
            delivered: number;
            /** @description Sent through a provider that reports no deliveries */
            sentWithoutReceipt: number;
            failed: number;
            rejected: number;
            expired: number;
            canceled: number;
            undetermined: number;
            /** @description Read, as the recipient's app reports it */
            read: number;
            /** @description Clicks on links in them */
            clicked: number;
            /** @description Bounced after acceptance */
            bounced: number;
            /** @description Reported as spam by their recipients */
            complained: number;
            /** @description Delivered as a share of delivered, failed, expired and undetermined; null if there are none. Excludes providers without receipts, and rejected or canceled messages */
            deliveryRate: number | null;
        };
        DryRun: {
            application: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            /** @description The application's default region without it */
            region?: string;
            notificationType: string;
            notificationSubtype: string;
            /** @description Rules to test instead of the current ones. Nothing is saved */
            rules?: components["schemas"]["RoutingRuleDraft"][];
            /** @description One rule to test among them, in place of the one with its ID */
            draft?: components["schemas"]["RoutingRuleDraft"];
        };
        DryRunResult: {
            application: string;
            region: string;
            route: components["schemas"]["Route"];
            /** @description Why such a message would not be sent */
            problem: components["schemas"]["RoutingRuleConnectionProblem"] | (never | null);
            warnings: components["schemas"]["DryRunResultWarning"][];
        };
        DryRunResultWarning: {
            code: string;
            detail: string;
            /** Format: uuid */
            connectionId: string;
        };
        EmailMetadata: {
            /**
             * @description What the body is written in; html without it. MJML becomes HTML when it is saved
             * @enum {string}
             */
            format?: "html" | "mjml";
            /**
             * Format: email
             * @description Sender address; the connection's own without it
             */
            from?: string;
            fromName?: string;
            /** Format: email */
            replyTo?: string;
            /** @description What inboxes show after the subject (Liquid) */
            preheader?: string;
            /** @description Plain-text part (Liquid); derived from the HTML without it */
            text?: string;
            attachments?: components["schemas"]["EmailMetadataAttachment"][];
        };
        EmailMetadataAttachment: {
            /** @description Where the file is fetched from when sending (Liquid) */
            url: string;
            /** @description Name that the recipient sees (Liquid) */
            filename: string;
        };
        Erasure: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | (string & {});
            /** @description How many */
            addresses: number;
            reference: string | null;
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            finishedAt: string | null;
            /** @description Where something was found, and how many rows were changed or deleted */
            tables: components["schemas"]["ErasureTable"][];
        };
        ErasureCreate: {
            /** @description E-mail addresses, numbers with their country code, and WhatsApp user ids; each is erased on every channel, with the addresses that are known to be the same person's */
            addresses: string[];
            /** @description Your reference, such as a case number. Kept, so don't include an address */
            reference?: string;
        };
        ErasureList: {
            data: components["schemas"]["Erasure"][];
            nextCursor: string | null;
        };
        ErasureTable: {
            table: string;
            rows: number;
        };
        ExplainNotificationRequest: components["schemas"]["ExplainSendRequest"] | components["schemas"]["NotificationCreate"];
        ExplainSendRequest: {
            /** @description Your ID for this request. Repeating it returns the first answer and sends nothing again */
            transactionId?: string;
            application: string;
            /** @description Country or region code (ISO 3166-1 alpha-2) */
            region: string;
            /** @description Language code (ISO 639-1) */
            language: string;
            notificationType: string;
            notificationSubtype: string;
            /** @description Default: `[]` */
            recipients?: components["schemas"]["Recipient"][];
            /** @description Contacts in these groups get one message on each of the channels they have an address for. Their attributes are used as variables, and their language and region select the template. Messages are sent in the background: follow the broadcast with the request's ID. Default: `[]` */
            contactGroups?: components["schemas"]["SendRequestContactGroup"][];
            /** @description Values for the template, the same for every recipient. Several objects are put together; a variable with two different values is refused. What differs goes to `variables` of the recipient. Default: `[]` */
            templateVariables?: {
                [key: string]: string;
            }[];
            /**
             * Format: date-time
             * @description At most 30 days ahead; a time in the past means now
             */
            scheduledAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            /** @description String pairs that are echoed in webhooks. Default: `{}` */
            metadata?: {
                [key: string]: string;
            };
        };
        Explanation: {
            application: string;
            environment: string;
            class: string;
            /** @description Whether it would need approval, as messages of agents do in production */
            needsApproval: boolean;
            messages: components["schemas"]["ExplanationMessage"][];
        };
        ExplanationMessage: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            recipient: string;
            /** @enum {string} */
            outcome: "would_send" | "would_reject" | "would_fail" | (string & {});
            reason: components["schemas"]["Reason"] | (never | null);
            template: components["schemas"]["ExplanationMessageTemplate"] | (never | null);
            otherTemplates: components["schemas"]["ExplanationMessageOtherTemplate"][];
            route: components["schemas"]["Route"];
            consent: components["schemas"]["ExplanationMessageConsent"];
            suppressed: boolean;
            limits: components["schemas"]["ExplanationMessageLimits"];
            segments: number | null;
            encoding: string | null;
            estimatedCost: components["schemas"]["ExplanationMessageEstimatedCost"] | (never | null);
            preview: components["schemas"]["ExplanationMessagePreview"] | (never | null);
        };
        ExplanationMessageConsent: {
            /**
             * @description Of which class consent is asked: marketing where WhatsApp counts the template as that
             * @enum {string}
             */
            class: "authentication" | "transactional" | "service" | "marketing" | (string & {});
            /** @enum {string} */
            policy: "opt_in_required" | "opt_out" | "exempt" | (string & {});
            /** @enum {string|null} */
            state: "opted_in" | "opted_out" | null | (string & {});
        };
        ExplanationMessageEstimatedCost: {
            amount: string;
            currency: string;
        };
        ExplanationMessageLimits: {
            /** @description Why it would wait if it were sent now */
            waits: components["schemas"]["ExplanationMessageLimitsWaits"] | (never | null);
            /** @description How many messages of the class the recipient can get */
            caps: components["schemas"]["ExplanationMessageLimitsCap"][];
        };
        ExplanationMessageLimitsCap: {
            /** @enum {string} */
            class: "transactional" | "service" | "marketing" | (string & {});
            /** @enum {string|null} */
            channel: "sms" | "email" | "whatsapp" | null | (string & {});
            most: number;
            hours: number;
            /** @enum {string} */
            over: "wait" | "reject" | (string & {});
            /** @description How many the recipient has received */
            had: number;
        };
        ExplanationMessageLimitsWaits: {
            /** @enum {string} */
            code: "quiet_hours" | "frequency_cap" | "mail_hold" | (string & {});
            /**
             * Format: date-time
             * @description Null: never, or with mail_hold when it ends
             */
            until: string | null;
            detail: string;
        };
        ExplanationMessageOtherTemplate: {
            name: string;
            version: number;
            why: string;
        };
        ExplanationMessagePreview: {
            /** @description Sender that the template names; else the connection's own */
            from: string | null;
            fromName: string | null;
            replyTo: string | null;
            subject: string | null;
            text: string | null;
            html: string | null;
            attachments: components["schemas"]["ExplanationMessagePreviewAttachment"][];
            header: components["schemas"]["ExplanationMessagePreviewHeader"] | (never | null);
            footer: string | null;
            buttons: components["schemas"]["ExplanationMessagePreviewButton"][];
        };
        ExplanationMessagePreviewAttachment: {
            url: string;
            filename: string;
        };
        ExplanationMessagePreviewButton: {
            /** @enum {string} */
            type: "quick_reply" | "url" | "phone" | (string & {});
            text: string;
            value?: string;
        };
        ExplanationMessagePreviewHeader: {
            /** @enum {string} */
            type: "text" | "image" | "video" | "document" | (string & {});
            value: string;
        };
        ExplanationMessageTemplate: {
            /** Format: uuid */
            id: string;
            name: string;
            version: number;
            region: string | null;
            language: string | null;
            provider: string | null;
        };
        Export: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "messages" | "costs" | (string & {});
            /** @enum {string} */
            state: "waiting" | "running" | "finished" | "canceled" | "failed" | "expired" | (string & {});
            fileName: string;
            /** @description The requested filters */
            filter: {
                [key: string]: unknown;
            };
            /** @description Of the file; empty until it is begun */
            columns: string[];
            /** @description Written so far */
            rows: number;
            /** @description Of its rows so far */
            bytes: number;
            /** @description Progress */
            share: number;
            /** @description Exports of the organisation before this one */
            ahead: number;
            /** @description Why there is no file */
            problem: string | null;
            /**
             * Format: date-time
             * @description Later data is not in the file
             */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
            /**
             * Format: date-time
             * @description When the file is deleted
             */
            expiresAt: string | null;
        };
        ExportCreate: components["schemas"]["ExportCreateMessages"] | components["schemas"]["ExportCreateCosts"];
        ExportCreateCosts: {
            /** @enum {string} */
            kind: "costs";
            /** @description Default: `{}` */
            filter?: components["schemas"]["ExportCreateCostsFilter"];
        };
        ExportCreateCostsFilter: {
            /**
             * Format: date-time
             * @description When the cost arose
             */
            from?: string;
            /** Format: date-time */
            to?: string;
            /** Format: uuid */
            unitId?: string;
            application?: string;
            /** @enum {string} */
            channel?: "sms" | "email" | "whatsapp";
        };
        ExportCreateMessages: {
            /** @enum {string} */
            kind: "messages";
            /** @description Same as for listing notifications. Default: `{}` */
            filter?: components["schemas"]["ExportCreateMessagesFilter"];
        };
        ExportCreateMessagesFilter: {
            notificationSubtype?: string;
            /** Format: uuid */
            templateId?: string;
            country?: string;
            /** @enum {string} */
            mailDomain?: "gmail" | "yahoo" | "microsoft" | "other";
            providerCode?: string;
            /** @description Handed to a provider, or not */
            sent?: boolean;
            /** @description Completed */
            final?: boolean;
            /** @description Carried by a simulator, or not */
            simulated?: boolean;
            without?: ("provider" | "template" | "country" | "mailDomain" | "notificationType" | "notificationSubtype" | "code" | "providerCode")[];
            /** Format: uuid */
            unitId?: string;
            /** @description Only these */
            ids?: string[];
            statuses?: ("pending_approval" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "rejected" | "expired" | "canceled" | "undetermined")[];
            /** @enum {string} */
            channel?: "sms" | "email" | "whatsapp";
            application?: string;
            template?: string;
            /** Format: uuid */
            connectionId?: string;
            notificationType?: string;
            failureCode?: string;
            search?: string;
            /** Format: date-time */
            createdFrom?: string;
            /** Format: date-time */
            createdTo?: string;
            to?: string;
            transactionId?: string;
            provider?: string;
        };
        ExportList: {
            data: components["schemas"]["Export"][];
            nextCursor: string | null;
        };
        Failure: {
            /** @description One of the message codes at `/docs/errors#messages`, which says whether it is retried */
            code: string;
            detail: string;
            /** @description The provider's own code, or the reply code of a mail server */
            providerCode?: string | null;
            /** @description The provider's own words, without addresses */
            providerMessage?: string | null;
        };
        FeedAuditCheckpointSigned: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "audit.checkpoint";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookAuditCheckpointSignedData"];
        };
        FeedBudgetThresholdReached: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "budget.threshold_reached";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookBudgetThresholdReachedData"];
        };
        FeedButtonTapped: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "button.tapped";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookButtonTappedData"];
        };
        FeedConsentChanged: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "consent.opted_in" | "consent.opted_out";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookConsentChangedData"];
        };
        /** @description What happened: the body of a webhook without its signature, and an id. `event` says which of these it is */
        FeedEvent: components["schemas"]["FeedNotificationChanged"] | components["schemas"]["FeedNotificationBounced"] | components["schemas"]["FeedLinkClicked"] | components["schemas"]["FeedConsentChanged"] | components["schemas"]["FeedSuppressionChanged"] | components["schemas"]["FeedImportFinished"] | components["schemas"]["FeedMessageReceived"] | components["schemas"]["FeedButtonTapped"] | components["schemas"]["FeedProcessingError"] | components["schemas"]["FeedBudgetThresholdReached"] | components["schemas"]["FeedAuditCheckpointSigned"];
        FeedImportFinished: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "import.finished";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookImportFinishedData"];
        };
        FeedLinkClicked: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "link.clicked";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookLinkClickedData"];
        };
        FeedMessageReceived: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "message.received";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookMessageReceivedData"];
        };
        FeedNotificationBounced: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "notification.bounced";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookNotificationBouncedData"];
        };
        FeedNotificationChanged: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "notification.pending_approval" | "notification.queued" | "notification.sending" | "notification.sent" | "notification.delivered" | "notification.failed" | "notification.rejected" | "notification.expired" | "notification.canceled" | "notification.undetermined" | "notification.read" | "notification.complained";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookNotificationChangedData"];
        };
        FeedPage: {
            data: components["schemas"]["FeedEvent"][];
            /** @description Where to go on. Never null: keep it, and ask again with it for what happens later */
            nextCursor: string;
            /** @description True if more can be read at once. A page may then be shorter than `limit`, or empty */
            hasMore: boolean;
        };
        FeedProcessingError: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "processing.error";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookProcessingErrorData"];
        };
        FeedSuppressionChanged: {
            /** @description The same whenever the event is read */
            id: string;
            /** @enum {string} */
            event: "suppression.created" | "suppression.removed";
            /**
             * Format: date-time
             * @description When it happened. Not the order of the feed
             */
            timestamp: string;
            data: components["schemas"]["WebhookSuppressionChangedData"];
        };
        KillSwitch: {
            /** Format: uuid */
            environmentId: string;
            /** @description Its short name */
            environment: string;
            version: number;
            /** @description Switched off by the kill switch */
            disabled: boolean;
            /** Format: date-time */
            disabledAt: string | null;
            disabledBy: string | null;
            disabledReason: string | null;
            /** Format: date-time */
            deployedAt: string;
            /** Format: uuid */
            templateId: string;
        };
        KillSwitchUpdate: {
            /** @description Short name or id of an environment; the API key's own without it */
            environment?: string;
            /** @description true: switched off immediately */
            disabled: boolean;
            /** @description Reason, shown with the switch and kept in the audit trail */
            reason?: string;
        };
        LatencyPercentiles: {
            p50: number;
            p95: number;
            p99: number;
        };
        NamedReference: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        Notification: {
            /** Format: uuid */
            notificationId: string;
            /** Format: uuid */
            requestId: string;
            transactionId: string | null;
            application: string;
            environment: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            to: string;
            template: components["schemas"]["NotificationTemplate"] | (never | null);
            notificationType: string;
            notificationSubtype: string;
            region: string;
            language: string;
            /** @enum {string} */
            status: "pending_approval" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "rejected" | "expired" | "canceled" | "undetermined" | (string & {});
            /** @description True once the status can no longer change */
            final: boolean;
            reason: components["schemas"]["Reason"] | (never | null);
            failure: components["schemas"]["Failure"] | (never | null);
            provider: string | null;
            /** @description Sent through the simulator: whatever the status, nobody received it. Always true in the sandbox, elsewhere if a routing rule uses the simulator */
            simulated: boolean;
            providerMessageId: string | null;
            segments: number | null;
            /** @description Provider cost of all attempts; `estimated` from price lists until the provider has reported every one. Excludes the platform fee and attempts in other currencies than the latest one. Null if unknown, and in the sandbox */
            cost: components["schemas"]["NotificationCost"] | (never | null);
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            scheduledAt: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            sentAt: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
            /** Format: date-time */
            failedAt: string | null;
            /** Format: date-time */
            readAt: string | null;
            events: components["schemas"]["NotificationEvent"][];
        };
        NotificationCost: {
            amount: string;
            currency: string;
            /** @enum {string} */
            source: "reported" | "estimated" | (string & {});
        };
        NotificationCreate: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            to: string;
            /** @description Name of the template */
            template: string;
            /** @description Default: `{}` */
            variables?: {
                [key: string]: string;
            };
            /** @description Needed when the key serves more than one application */
            application?: string;
            /** @description Country or region code (ISO 3166-1 alpha-2) */
            region?: string;
            /** @description Language code (ISO 639-1) */
            language?: string;
            /**
             * Format: date-time
             * @description At most 30 days ahead; a time in the past means now
             */
            scheduledAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            /** @description String pairs that are echoed in webhooks. Default: `{}` */
            metadata?: {
                [key: string]: string;
            };
        };
        NotificationEvent: {
            sequence: number;
            /** Format: date-time */
            at: string;
            type: string;
            provider?: string | null;
            reason?: components["schemas"]["Reason"] | (never | null);
            failure?: components["schemas"]["Failure"] | (never | null);
            /** @description Problems that did not stop the message, such as a failed shortener */
            problem?: components["schemas"]["Reason"];
            /** @description Of `clicked`: the address that was opened, for those who may see contents */
            url?: string;
        };
        NotificationList: {
            data: components["schemas"]["NotificationSummary"][];
            nextCursor: string | null;
        };
        NotificationSummary: {
            /** Format: uuid */
            notificationId: string;
            /** Format: uuid */
            requestId: string;
            transactionId: string | null;
            application: string;
            environment: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            to: string;
            template: components["schemas"]["NotificationTemplate"] | (never | null);
            notificationType: string;
            notificationSubtype: string;
            region: string;
            language: string;
            /** @enum {string} */
            status: "pending_approval" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "rejected" | "expired" | "canceled" | "undetermined" | (string & {});
            /** @description True once the status can no longer change */
            final: boolean;
            reason: components["schemas"]["Reason"] | (never | null);
            failure: components["schemas"]["Failure"] | (never | null);
            provider: string | null;
            /** @description Sent through the simulator: whatever the status, nobody received it. Always true in the sandbox, elsewhere if a routing rule uses the simulator */
            simulated: boolean;
            providerMessageId: string | null;
            segments: number | null;
            /** @description Provider cost of all attempts; `estimated` from price lists until the provider has reported every one. Excludes the platform fee and attempts in other currencies than the latest one. Null if unknown, and in the sandbox */
            cost: components["schemas"]["NotificationCost"] | (never | null);
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            scheduledAt: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            sentAt: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
            /** Format: date-time */
            failedAt: string | null;
            /** Format: date-time */
            readAt: string | null;
        };
        NotificationTemplate: {
            name: string;
            version: number;
        };
        NotificationType: {
            /** Format: uuid */
            id: string;
            /** @description What requests name it */
            type: string;
            /** @enum {string} */
            class: "authentication" | "transactional" | "service" | "marketing" | (string & {});
            subtypes: string[];
        };
        NotificationTypeCreate: {
            type: string;
            /** @enum {string} */
            class: "authentication" | "transactional" | "service" | "marketing";
            subtypes: string[];
        };
        NotificationTypeList: {
            data: components["schemas"]["NotificationType"][];
        };
        NotificationTypeUpdate: {
            /** @enum {string} */
            class: "authentication" | "transactional" | "service" | "marketing";
            subtypes: string[];
            /** @description Class and subtypes as you read them. The change is refused if someone has changed them since */
            expected?: components["schemas"]["NotificationTypeUpdateExpected"];
        };
        NotificationTypeUpdateExpected: {
            /** @enum {string} */
            class: "authentication" | "transactional" | "service" | "marketing";
            subtypes: string[];
        };
        Objective: {
            /** @enum {string} */
            objective: "availability" | "codes" | (string & {});
            target: number;
            good: number;
            missed: number;
            downSeconds: number;
            share: number | null;
            budgetUsed: number | null;
            budgetLeft: number | null;
            burn: components["schemas"]["ObjectiveBurn"];
            days: components["schemas"]["ObjectiveDay"][];
        };
        ObjectiveAlert: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            objective: "availability" | "codes" | (string & {});
            /** @enum {string} */
            speed: "fast" | "slow" | (string & {});
            /** Format: date-time */
            beganAt: string;
            /** Format: date-time */
            endedAt: string | null;
            burn: number;
        };
        ObjectiveBurn: {
            hour: number | null;
            sixHours: number | null;
        };
        ObjectiveDay: {
            /** Format: date */
            day: string;
            good: number;
            missed: number;
            downSeconds: number;
            share: number | null;
        };
        Objectives: {
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            to: string;
            codesSeconds: number;
            codesMeasuredSeconds: number;
            objectives: components["schemas"]["Objective"][];
            /** @description The newest 50 */
            alerts: components["schemas"]["ObjectiveAlert"][];
        };
        Pipeline: {
            application: string;
            /** Format: uuid */
            applicationId: string;
            title: string;
            /** Format: uuid */
            unitId: string;
            stages: components["schemas"]["PipelineStage"][];
            /** @description A change awaiting confirmation by another person with pipelines:manage */
            proposal: components["schemas"]["PipelineProposal"] | (never | null);
            /** @description Pass it with the next change */
            revision: string;
        };
        PipelineList: {
            data: components["schemas"]["Pipeline"][];
        };
        PipelineProposal: {
            /** Format: uuid */
            id: string;
            stages: components["schemas"]["PipelineProposalStage"][];
            /** @description What it loosens */
            loosens: string[];
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            /** @description What the caller can do with it */
            may: components["schemas"]["PipelineProposalMay"];
        };
        PipelineProposalMay: {
            confirm: boolean;
            withdraw: boolean;
        };
        PipelineProposalStage: {
            /** Format: uuid */
            environmentId: string;
            environment: string;
            gates: components["schemas"]["PipelineStageGates"];
        };
        PipelineStage: {
            /** Format: uuid */
            environmentId: string;
            /** @description Its short name */
            environment: string;
            name: string;
            /** @enum {string} */
            kind: "production" | "nonproduction" | (string & {});
            gates: components["schemas"]["PipelineStageGates"];
        };
        PipelineStageGates: {
            /**
             * @description How many other people must approve; the requester never counts
             * @default 0
             */
            approvals: number;
            /**
             * @description Versions must have passed moderation; for production by the AI service, too, unless the organisation allows less
             * @default true
             */
            moderation: boolean;
            /**
             * @description WhatsApp templates must be approved at the provider
             * @default false
             */
            whatsappApproval: boolean;
            /**
             * @description WhatsApp must not count a template as marketing, nor have announced that, whose type is of another class
             * @default false
             */
            whatsappCategory: boolean;
            /**
             * @description Each version must have been sent in a test
             * @default false
             */
            testSend: boolean;
            /**
             * @description A version that AI drafted or edited must have been reviewed by a person who did not save it
             * @default false
             */
            humanReview: boolean;
        };
        PipelineUpdate: {
            stages: components["schemas"]["PipelineUpdateStage"][];
            /** @description The revision the change is based on. If the stages, their gates or the waiting change are others by now, the answer is 409 revision_conflict */
            revision?: string;
        };
        PipelineUpdateStage: {
            /** @description Short name or id of an environment */
            environment: string;
            /** @description What promotions into this stage must pass; without it the stage keeps its gates, and a new one gets those of its kind */
            gates?: components["schemas"]["PipelineUpdateStageGates"];
        };
        PipelineUpdateStageGates: {
            /** @description How many other people must approve; the requester never counts. Default: `0` */
            approvals?: number;
            /** @description Versions must have passed moderation; for production by the AI service, too, unless the organisation allows less. Default: `true` */
            moderation?: boolean;
            /** @description WhatsApp templates must be approved at the provider. Default: `false` */
            whatsappApproval?: boolean;
            /** @description WhatsApp must not count a template as marketing, nor have announced that, whose type is of another class. Default: `false` */
            whatsappCategory?: boolean;
            /** @description Each version must have been sent in a test. Default: `false` */
            testSend?: boolean;
            /** @description A version that AI drafted or edited must have been reviewed by a person who did not save it. Default: `false` */
            humanReview?: boolean;
        };
        /** @description RFC 9457 problem document */
        Problem: {
            /**
             * Format: uri
             * @description Where the code is explained
             */
            type: string;
            /** @description The same for every error of this code */
            title: string;
            status: number;
            /** @description What to change */
            detail: string;
            /** @description Identifies this occurrence */
            instance: string;
            /**
             * @description For programs. New codes are added over time. Handle unknown codes by their status
             * @enum {string}
             */
            code: "address_not_allowed" | "agent_limit" | "ai_budget_exhausted" | "ai_unavailable" | "conflict" | "connection_in_use" | "cursor_expired" | "depth_exceeded" | "environment_mismatch" | "forbidden_address" | "idempotency_mismatch" | "internal_error" | "invalid_cursor" | "invalid_encoding" | "invalid_json" | "invalid_request" | "invalid_signature" | "invalid_template" | "invalid_variable" | "method_not_allowed" | "missing_variable" | "moderation_blocked" | "moderation_unavailable" | "not_found" | "organisation_required" | "organisation_suspended" | "payload_too_large" | "permission_denied" | "promotion_conflict" | "quota_exceeded" | "rate_limited" | "region_not_allowed" | "request_in_progress" | "revision_conflict" | "second_factor_failed" | "second_factor_missing" | "second_factor_required" | "sender_not_allowed" | "sending_held" | "service_overloaded" | "sign_in_failed" | "sign_in_slowed" | "sign_in_way_not_allowed" | "template_exists" | "tenant_mismatch" | "unauthenticated" | "unknown_application" | "unknown_contact_group" | "unknown_notification_type" | "unknown_template" | "unsupported_media_type" | (string & {});
            /** @description Quote this when you ask for help */
            requestId: string;
            /** @description Each problem in the request, at most 20 */
            errors: components["schemas"]["ProblemError"][];
        };
        ProblemError: {
            /** @description RFC 6901 pointer into the body, or /query/… or /headers/… */
            pointer: string;
            code: string;
            detail: string;
        };
        Promotion: {
            /** Format: uuid */
            id: string;
            application: string;
            /** Format: uuid */
            applicationId: string;
            from: components["schemas"]["PromotionStage"];
            to: components["schemas"]["PromotionStage"];
            /** @enum {string} */
            state: "pending" | "approved" | "deployed" | "rejected" | "withdrawn" | "rolled_back" | (string & {});
            note: string | null;
            automatic: boolean;
            /** @description Number of templates */
            templates: number;
            requestedBy: components["schemas"]["Actor"];
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            decidedAt: string | null;
            /** Format: date-time */
            deployedAt: string | null;
            deployedBy: string | null;
            /** Format: date-time */
            rolledBackAt: string | null;
            rolledBackBy: string | null;
            rollbackNote: string | null;
            items: components["schemas"]["PromotionItem"][];
            /** @description Empty once it is final */
            gates: components["schemas"]["PromotionGate"][];
            decisions: components["schemas"]["PromotionDecision"][];
            /** @description What the caller can do with it */
            may: components["schemas"]["PromotionMay"];
        };
        PromotionComment: {
            comment?: string;
        };
        PromotionCreate: {
            /** @description May be left out by a caller who may promote in one application only */
            application?: string;
            /** @description The stage to promote into; it takes from the stage before it */
            to: string;
            /** @description Default: all templates that differ between the two stages */
            templates?: components["schemas"]["PromotionCreateTemplate"][];
            note?: string;
            /** @description Deploy as soon as every gate has passed: with the request, with the last approval, or within two minutes of the last other gate. One that is not automatic waits for POST …/deploy. Default: `true` */
            automatic?: boolean;
        };
        PromotionCreateTemplate: {
            /** Format: uuid */
            templateId: string;
            /** @description Must be the version live in the previous stage, which is the default */
            version?: number;
        };
        PromotionDecision: {
            by: string;
            /** @enum {string} */
            decision: "approve" | "reject" | (string & {});
            /** @description False while who decided is suspended, and once they were removed: an approval is then left out */
            counts: boolean;
            /** @description Withdrawn by the requester */
            withdrawn: boolean;
            comment: string | null;
            /** Format: date-time */
            at: string;
        };
        PromotionGate: {
            /** @enum {string} */
            gate: "approvals" | "moderation" | "whatsappApproval" | "whatsappCategory" | "testSend" | "humanReview" | (string & {});
            /** @enum {string} */
            state: "passed" | "waiting" | "failed" | (string & {});
            /** @description What is missing, or why it passed */
            detail: string;
            /** @description The templates it waits for or fails on, at most 50 */
            templates: string[];
        };
        PromotionItem: {
            /** Format: uuid */
            templateId: string;
            name: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            region: string | null;
            language: string | null;
            provider: string | null;
            version: number;
            /** @description The version it replaces; null: none */
            previousVersion: number | null;
        };
        PromotionList: {
            data: components["schemas"]["PromotionSummary"][];
            nextCursor: string | null;
        };
        PromotionMay: {
            /** @description Approve or reject it */
            decide: boolean;
            /** @description Withdraw it as the one who requested it */
            withdraw: boolean;
            deploy: boolean;
            rollBack: boolean;
        };
        PromotionRollback: {
            note?: string;
            /** @description Also restore templates changed since. Default: `false` */
            force?: boolean;
        };
        PromotionStage: {
            /** Format: uuid */
            environmentId: string;
            environment: string;
        };
        PromotionSummary: {
            /** Format: uuid */
            id: string;
            application: string;
            /** Format: uuid */
            applicationId: string;
            from: components["schemas"]["PromotionStage"];
            to: components["schemas"]["PromotionStage"];
            /** @enum {string} */
            state: "pending" | "approved" | "deployed" | "rejected" | "withdrawn" | "rolled_back" | (string & {});
            note: string | null;
            automatic: boolean;
            /** @description Number of templates */
            templates: number;
            requestedBy: components["schemas"]["Actor"];
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            decidedAt: string | null;
            /** Format: date-time */
            deployedAt: string | null;
            deployedBy: string | null;
            /** Format: date-time */
            rolledBackAt: string | null;
            rolledBackBy: string | null;
            rollbackNote: string | null;
        };
        Provider: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            provider: "smtp" | "sendgrid" | "ses" | "resend" | "microsoft365" | "twilio" | "vonage" | "infobip" | "meta" | "smpp" | "http" | "simulator" | (string & {});
            /** @description Short name of its unit; null: everyone */
            unit: string | null;
            /** @description Whether the account is the operator's own */
            platform: boolean;
            channels: ("sms" | "email" | "whatsapp")[];
            /** @enum {string} */
            status: "operational" | "degraded" | "down" | "idle" | "disabled" | (string & {});
            enabled: boolean;
            processingRegion: string;
            /** @description Whether the organisation's data may be processed there */
            regionAllowed: boolean;
            senders: components["schemas"]["ProviderSender"][];
            ratePerSecond: number | null;
            maxConcurrency: number;
            slowAfterMs: number;
            /** @description Whether the provider reports deliveries */
            receipts: boolean;
            /** @description Null: no problems so far */
            health: components["schemas"]["ProviderHealth"] | (never | null);
            lastTest: components["schemas"]["ProviderLastTest"] | (never | null);
            last24Hours: components["schemas"]["ProviderLast24Hours"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ProviderAdapter: {
            /** @enum {string} */
            name: "smtp" | "sendgrid" | "ses" | "resend" | "microsoft365" | "twilio" | "vonage" | "infobip" | "meta" | "smpp" | "http" | "simulator" | (string & {});
            label: string;
            channels: ("sms" | "email" | "whatsapp")[];
            /** @description Channels on which deliveries are reported */
            receipts: ("sms" | "email" | "whatsapp")[];
            /** @description Channels on which messages from recipients are read */
            inbound: ("sms" | "email" | "whatsapp")[];
            /**
             * @description When a message's price becomes known
             * @enum {string}
             */
            price: "none" | "rate_card" | "answer" | "receipt" | "later" | (string & {});
            /** @description Whether a message can be tried again safely after an unknown outcome */
            idempotent: boolean;
            /** @description What to set up at the provider; {url} is the connection's callback address */
            callbackSetup: string | null;
            /** @description A JSON Schema */
            credentials: {
                [key: string]: unknown;
            };
            /** @description A JSON Schema */
            settings: {
                [key: string]: unknown;
            };
        };
        ProviderAdapterList: {
            data: components["schemas"]["ProviderAdapter"][];
        };
        ProviderCreate: {
            /** @description Unique in the organisation */
            name: string;
            /** @enum {string} */
            provider: "smtp" | "sendgrid" | "ses" | "resend" | "microsoft365" | "twilio" | "vonage" | "infobip" | "meta" | "smpp" | "http" | "simulator";
            /** @description Short name of the unit the connection belongs to; null: everyone. Default: `null` */
            unit?: string | null;
            /** @description The channels the connection is used for */
            channels?: ("sms" | "email" | "whatsapp")[];
            /** @description Default: `{}` */
            credentials?: {
                [key: string]: unknown;
            };
            /** @description Default: `{}` */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Default: `[]` */
            senders?: components["schemas"]["ProviderCreateSender"][];
            /** @description Messages per second across all workers; null: no limit. Default: `null` */
            ratePerSecond?: number | null;
            /** @description Concurrent calls per worker. Default: `50` */
            maxConcurrency?: number;
            /** @description Longer calls count as slow, ms. Default: `5000` */
            slowAfterMs?: number;
            /** @description Default: `[]` */
            priceList?: components["schemas"]["ProviderPriceCreate"][];
            /** @description Where the provider processes data. Not needed if the provider's settings say so */
            processingRegion?: string;
            /** @description Default: `null` */
            inbound?: components["schemas"]["ProviderCreateInbound"] | (never | null);
            /** @description Default: `true` */
            enabled?: boolean;
        };
        ProviderCreateInbound: {
            /** @description Its name */
            application: string;
            /** @description Its short name */
            environment: string;
        };
        ProviderCreateSender: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            region?: string;
            sender: string;
            /** @description Short name of the unit that owns the sender: only its messages use it, and only it sees the replies. Null or omitted: the unit of the connection, or everyone */
            unit?: string | null;
        };
        ProviderDeleted: {
            /** @description Rules that named it and now do without */
            rules: components["schemas"]["ProviderDeletedRule"][];
            hiddenRules: number;
        };
        ProviderDeletedRule: {
            /** Format: uuid */
            id: string;
            name: string;
            environment: string;
            enabled: boolean;
            /** @description The first tier with the connection, from 1 */
            tier: number;
            /** @description Whether the rule has no other active connection */
            unroutable: boolean;
        };
        ProviderDetail: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            provider: "smtp" | "sendgrid" | "ses" | "resend" | "microsoft365" | "twilio" | "vonage" | "infobip" | "meta" | "smpp" | "http" | "simulator" | (string & {});
            /** @description Short name of its unit; null: everyone */
            unit: string | null;
            /** @description Whether the account is the operator's own */
            platform: boolean;
            channels: ("sms" | "email" | "whatsapp")[];
            /** @enum {string} */
            status: "operational" | "degraded" | "down" | "idle" | "disabled" | (string & {});
            enabled: boolean;
            processingRegion: string;
            /** @description Whether the organisation's data may be processed there */
            regionAllowed: boolean;
            senders: components["schemas"]["ProviderSender"][];
            ratePerSecond: number | null;
            maxConcurrency: number;
            slowAfterMs: number;
            /** @description Whether the provider reports deliveries */
            receipts: boolean;
            /** @description Null: no problems so far */
            health: components["schemas"]["ProviderHealth"] | (never | null);
            lastTest: components["schemas"]["ProviderLastTest"] | (never | null);
            last24Hours: components["schemas"]["ProviderLast24Hours"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            settings: {
                [key: string]: unknown;
            };
            /** @description Names of the stored credentials; their values are never shown */
            credentialsSet: string[];
            priceList: components["schemas"]["ProviderPrice"][];
            inbound: components["schemas"]["ProviderInbound"] | (never | null);
            /** @description Where the provider reports to, and what is to be set up there */
            callback: components["schemas"]["ProviderDetailCallback"] | (never | null);
            rules: components["schemas"]["ProviderDeletedRule"][];
            /** @description Further rules, for applications of teams that you cannot see */
            hiddenRules: number;
            /** @description Why the connection cannot be used at all, e.g. unreadable credentials */
            problem: string | null;
        };
        ProviderDetailCallback: {
            url: string;
            setup: string | null;
            /**
             * Format: date-time
             * @description How long callbacks signed with a replaced credential are still accepted
             */
            oldSecretsUntil: string | null;
        };
        ProviderHealth: {
            /** @enum {string} */
            breaker: "closed" | "open" | "half_open" | (string & {});
            /** Format: date-time */
            since: string;
            reason: components["schemas"]["ProviderHealthReason"] | (never | null);
            /** Format: date-time */
            nextProbeAt: string | null;
            slow: boolean;
        };
        ProviderHealthReason: {
            code: string;
            detail: string | null;
        };
        ProviderInbound: {
            /** @description Its name */
            application: string;
            /** @description Its short name */
            environment: string;
        };
        ProviderLast24Hours: {
            attempts: number;
            sent: number;
            notSent: number;
            unknown: number;
            errors: components["schemas"]["ProviderLast24HoursError"][];
        };
        ProviderLast24HoursError: {
            code: string;
            count: number;
        };
        ProviderLastTest: {
            /** Format: date-time */
            at: string;
            /** @description The problem and what to change; null: no problem */
            problem: string | null;
        };
        ProviderList: {
            data: components["schemas"]["Provider"][];
        };
        ProviderPrice: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @enum {string} */
            category?: "marketing" | "utility" | "authentication" | "authentication_international" | "service" | (string & {});
            country?: string;
            amount: string;
            currency: string;
            /**
             * Format: date
             * @description First day (UTC) it applies; omitted: no start
             */
            validFrom?: string;
            /**
             * Format: date
             * @description Last day (UTC) it applies; omitted: no end
             */
            validTo?: string;
            /** @description Free segments or messages per month (UTC) */
            freePerMonth?: number;
            /** @description Volume prices in ascending order; `amount` applies below the first */
            tiers?: components["schemas"]["ProviderPriceTier"][];
        };
        ProviderPriceCreate: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            /** @enum {string} */
            category?: "marketing" | "utility" | "authentication" | "authentication_international" | "service";
            country?: string;
            amount: string;
            currency: string;
            /**
             * Format: date
             * @description First day (UTC) it applies; omitted: no start
             */
            validFrom?: string;
            /**
             * Format: date
             * @description Last day (UTC) it applies; omitted: no end
             */
            validTo?: string;
            /** @description Free segments or messages per month (UTC) */
            freePerMonth?: number;
            /** @description Volume prices in ascending order; `amount` applies below the first */
            tiers?: components["schemas"]["ProviderPriceCreateTier"][];
        };
        ProviderPriceCreateTier: {
            /** @description Applies after this many segments or messages in the month (UTC) */
            above: number;
            amount: string;
        };
        ProviderPriceTier: {
            /** @description Applies after this many segments or messages in the month (UTC) */
            above: number;
            amount: string;
        };
        ProviderSender: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            region?: string;
            sender: string;
            /** @description Short name of the unit that owns the sender: only its messages use it, and only it sees the replies. Null or omitted: the unit of the connection, or everyone */
            unit?: string | null;
        };
        ProviderTestResult: {
            ok: boolean;
            /** @description What is wrong and what to change */
            problem: string | null;
            facts: components["schemas"]["ProviderTestResultFact"][];
            /** @description What works and is likely not meant, such as that any answer counts as sent */
            warnings: string[];
        };
        ProviderTestResultFact: {
            label: string;
            value: string;
        };
        ProviderUpdate: {
            /**
             * Format: date-time
             * @description The revision you read. The change is refused if someone has changed the connection since
             */
            updatedAt?: string;
            name?: string;
            /** @description Short name of the unit the connection belongs to; null: everyone */
            unit?: string | null;
            /** @description The channels the connection is used for */
            channels?: ("sms" | "email" | "whatsapp")[];
            /** @description Given fields replace stored ones, null removes one, omitted ones are kept. All are required when an address in the settings changes */
            credentials?: {
                [key: string]: unknown;
            };
            /** @description Whether callbacks signed with a credential that the change replaces are accepted for 24 hours more. False ends that at once, also for those replaced before. Default: true */
            callbackOverlap?: boolean;
            /** @description Given fields replace stored ones, null removes one, omitted ones are kept */
            settings?: {
                [key: string]: unknown;
            };
            senders?: components["schemas"]["ProviderCreateSender"][];
            /** @description Messages per second across all workers; null: no limit */
            ratePerSecond?: number | null;
            /** @description Concurrent calls per worker */
            maxConcurrency?: number;
            /** @description Longer calls count as slow, ms */
            slowAfterMs?: number;
            priceList?: components["schemas"]["ProviderPriceCreate"][];
            /** @description Where the provider processes the data, e.g. EU */
            processingRegion?: string;
            inbound?: components["schemas"]["ProviderCreateInbound"] | (never | null);
            enabled?: boolean;
        };
        Reason: {
            /** @description One of the message codes at `/docs/errors#messages`, which says whether it is retried */
            code: string;
            detail: string;
        };
        Recipient: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            /** @description A phone number starting with + for sms and whatsapp, an e-mail address for email, its domain in any letters; for whatsapp also a business-scoped user id, like US.13491208655302741918 */
            recipient: string;
            /** @description Overrides the request's variables for this recipient */
            variables?: {
                [key: string]: string;
            };
        };
        RecipientLimits: {
            quietHours: components["schemas"]["RecipientLimitsQuietHour"][];
            caps: components["schemas"]["RecipientLimitsCap"][];
            /** @description Pass it with the next change */
            revision: number;
            /** @description What is stored cannot be read: marketing waits until it is saved again */
            problem: boolean;
        };
        RecipientLimitsCap: {
            /** @enum {string} */
            class: "transactional" | "service" | "marketing" | (string & {});
            /** @enum {string|null} */
            channel: "sms" | "email" | "whatsapp" | null | (string & {});
            most: number;
            hours: number;
            /** @enum {string} */
            over: "wait" | "reject" | (string & {});
        };
        RecipientLimitsQuietHour: {
            classes: ("transactional" | "service" | "marketing")[];
            channels: ("sms" | "email" | "whatsapp")[];
            regions: string[];
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            from: string;
            to: string | "24:00";
            pack?: components["schemas"]["RecipientLimitsQuietHourPack"];
        };
        RecipientLimitsQuietHourPack: {
            id: string;
            version: string;
        };
        RecipientLimitsUpdate: {
            quietHours: components["schemas"]["RecipientLimitsUpdateQuietHour"][];
            caps: components["schemas"]["RecipientLimitsUpdateCap"][];
            /** @description As read: refused when something has changed since */
            revision: number;
        };
        RecipientLimitsUpdateCap: {
            /** @enum {string} */
            class: "transactional" | "service" | "marketing";
            /** @enum {string|null} */
            channel: "sms" | "email" | "whatsapp" | null;
            most: number;
            hours: number;
            /** @enum {string} */
            over: "wait" | "reject";
        };
        RecipientLimitsUpdateQuietHour: {
            classes: ("transactional" | "service" | "marketing")[];
            channels: ("sms" | "email" | "whatsapp")[];
            regions: string[];
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            from: string;
            to: string | "24:00";
            pack?: components["schemas"]["RecipientLimitsUpdateQuietHourPack"];
        };
        RecipientLimitsUpdateQuietHourPack: {
            id: string;
            version: string;
        };
        Residency: {
            /** @description The organisation's own region, where data may always be processed */
            dataRegion: components["schemas"]["ResidencyRegion"];
            allowedTransferRegions: components["schemas"]["ResidencyAllowedTransferRegion"][];
            /** @description Every region that can be allowed */
            regions: components["schemas"]["ResidencyRegion"][];
            uses: components["schemas"]["ResidencyUse"][];
        };
        ResidencyAllowedTransferRegion: {
            code: string;
            name: string;
            /** Format: date-time */
            since: string | null;
            by: string | null;
            /** @description Why it was allowed, as far as the audit trail goes back */
            reason: string | null;
        };
        ResidencyChanged: {
            /** @description The organisation's own region, where data may always be processed */
            dataRegion: components["schemas"]["ResidencyRegion"];
            allowedTransferRegions: components["schemas"]["ResidencyAllowedTransferRegion"][];
            /** @description Every region that can be allowed */
            regions: components["schemas"]["ResidencyRegion"][];
            uses: components["schemas"]["ResidencyUse"][];
            /** @description What is not used any more because of this change */
            stopped: components["schemas"]["ResidencyChangedStopped"][];
        };
        ResidencyChangedStopped: {
            /** @enum {string} */
            kind: "connection" | "shortener" | "ai" | (string & {});
            /** @description The connection's name, the shortener's environment, or the AI service */
            name: string;
            region: string;
        };
        ResidencyRegion: {
            code: string;
            name: string;
        };
        ResidencyUpdate: {
            /** @description All regions outside its own in which the organisation's data may be processed */
            allowedTransferRegions: string[];
            /** @description Kept in the audit trail with each permission and each withdrawal */
            reason: string;
            /** @description The regions as you read them: the change is refused when somebody has changed them since */
            expected?: string[];
        };
        ResidencyUse: {
            /** @enum {string} */
            kind: "connection" | "shortener" | "ai" | (string & {});
            /** @description The connection's name, the shortener's environment, or the AI service */
            name: string;
            region: string;
            /** @description False: nothing is sent there */
            allowed: boolean;
        };
        Retention: {
            contentDays: number;
            metadataMonths: number;
            webhookLogDays: number;
            limits: components["schemas"]["RetentionLimits"];
            /**
             * Format: date-time
             * @description When the purge last finished a step
             */
            lastRunAt: string | null;
            steps: components["schemas"]["RetentionStep"][];
        };
        RetentionLimit: {
            min: number;
            max: number;
        };
        RetentionLimits: {
            contentDays: components["schemas"]["RetentionLimit"];
            metadataMonths: components["schemas"]["RetentionLimit"];
            webhookLogDays: components["schemas"]["RetentionLimit"];
        };
        RetentionStep: {
            id: string;
            /**
             * @description Which period it carries out; fixed: the same for every organisation
             * @enum {string}
             */
            period: "content" | "metadata" | "webhookLog" | "fixed" | (string & {});
            what: string;
            /**
             * @description blank: the row stays without its content
             * @enum {string}
             */
            action: "blank" | "delete" | (string & {});
            /**
             * Format: date-time
             * @description What is older goes
             */
            before: string;
            /** @description Rows since the beginning; whole months that are dropped are not counted */
            removed: number;
            /** @description Rows in the last run that found any */
            lastRemoved: number;
            /** Format: date-time */
            removedAt: string | null;
            /**
             * Format: date-time
             * @description When nothing was left to do; null while there is
             */
            checkedAt: string | null;
            problem: string | null;
        };
        RetentionUpdate: {
            /** @description Days after which addresses and content are removed from messages */
            contentDays: number;
            /** @description Full calendar months after which messages and their events are deleted */
            metadataMonths: number;
            /** @description Days after which webhook deliveries are deleted */
            webhookLogDays: number;
            /** @description The periods you read. The change is refused if someone has changed them since */
            expected?: components["schemas"]["RetentionUpdateExpected"];
        };
        RetentionUpdateExpected: {
            contentDays: number;
            metadataMonths: number;
            webhookLogDays: number;
        };
        Route: {
            /**
             * Format: uuid
             * @description The rule that applies; null: none
             */
            ruleId: string | null;
            ruleName: string | null;
            /** @description In current order of use. Within a tier, unavailable connections come last */
            candidates: components["schemas"]["RouteCandidate"][];
            excluded: components["schemas"]["RouteExcluded"][];
        };
        RouteCandidate: {
            /** Format: uuid */
            connectionId: string;
            name: string;
            /** @description From 0 */
            tier: number;
            weight: number;
            /** @description Current share of the tier's messages, in percent */
            share: number;
            health: components["schemas"]["RouteHealth"] | (never | null);
        };
        RouteExcluded: {
            /** Format: uuid */
            ruleId: string;
            ruleName: string;
            /** Format: uuid */
            connectionId?: string;
            name?: string;
            /** @enum {string} */
            code: "not_matching" | "outranked" | "connection_missing" | "connection_disabled" | "channel_not_carried" | "other_unit" | "region_not_allowed" | "sandbox_only" | "no_weight" | (string & {});
            why: string;
        };
        RouteHealth: {
            /** @enum {string} */
            breaker: "closed" | "open" | "half_open" | (string & {});
            /** Format: date-time */
            since: string;
            reason: components["schemas"]["RouteHealthReason"];
            /** Format: date-time */
            nextProbeAt: string | null;
            slow: boolean;
            /** Format: date-time */
            slowSince: string | null;
        };
        RouteHealthReason: {
            code: string | null;
            detail: string | null;
        };
        RoutingRevert: {
            /** @description The revision the change is based on. If there is a newer one, the answer is 409 revision_conflict */
            revision?: number;
            /** @description Why, for the history */
            note?: string;
            /** @description Omit connections that no longer exist or are no longer allowed, instead of refusing. Default: `false` */
            dropMissing?: boolean;
        };
        RoutingRevertResult: {
            /** @description 0 until the first change */
            revision: number;
            /** Format: date-time */
            changedAt: string | null;
            changedBy: string | null;
            /** @description In order of precedence */
            data: components["schemas"]["RoutingRule"][];
            /** @description What could not be restored; connection null: the whole rule */
            dropped: components["schemas"]["RoutingRevertResultDropped"][];
        };
        RoutingRevertResultDropped: {
            rule: string;
            connection: string | null;
            why: string;
        };
        RoutingRevision: {
            number: number;
            /** Format: date-time */
            at: string;
            by: components["schemas"]["RoutingRevisionBy"];
            summary: string;
            note: string | null;
            /** @description Number of rules after it */
            rules: number;
            /** @description From the revision before; at most 100 */
            differences: components["schemas"]["RoutingRevisionDifference"][];
            moreDifferences: number;
        };
        RoutingRevisionBy: {
            type: string;
            name: string;
        };
        RoutingRevisionDifference: {
            /** @enum {string} */
            kind: "added" | "removed" | "changed" | (string & {});
            /** Format: uuid */
            ruleId: string;
            name: string;
            fields: components["schemas"]["RoutingRevisionDifferenceField"][];
        };
        RoutingRevisionDifferenceField: {
            field: string;
            before: string | null;
            after: string | null;
        };
        RoutingRevisionList: {
            current: number;
            /** @description Newest first */
            data: components["schemas"]["RoutingRevision"][];
            nextCursor: string | null;
        };
        RoutingRule: {
            /** Format: uuid */
            id: string;
            name: string;
            enabled: boolean;
            region: string | null;
            application: string | null;
            /** @enum {string|null} */
            channel: "sms" | "email" | "whatsapp" | null | (string & {});
            notificationType: string | null;
            notificationSubtype: string | null;
            priority: number;
            /** @description Number of conditions. The more specific rule wins */
            specificity: number;
            tiers: components["schemas"]["RoutingRuleConnection"][][];
            /** @description A rule with the same conditions that always wins */
            shadowedBy: components["schemas"]["NamedReference"] | (never | null);
            /** @description Whether the caller can change it */
            editable: boolean;
            /** Format: date-time */
            updatedAt: string;
        };
        RoutingRuleChange: {
            name: string;
            /** @description Default: `true` */
            enabled?: boolean;
            /** @description Default: `null` */
            region?: string | null;
            /** @description Default: `null` */
            application?: string | null;
            /**
             * @description Default: `null`
             * @enum {string|null}
             */
            channel?: "sms" | "email" | "whatsapp" | null;
            /** @description Default: `null` */
            notificationType?: string | null;
            /** @description Default: `null` */
            notificationSubtype?: string | null;
            /** @description Among equally specific rules, the lower number wins. Default: `100` */
            priority?: number;
            /** @description In order of use */
            tiers: components["schemas"]["RoutingRuleMember"][][];
            /** @description The revision the change is based on. If there is a newer one, the answer is 409 revision_conflict */
            revision?: number;
            /** @description Why, for the history */
            note?: string;
        };
        RoutingRuleConnection: {
            /** Format: uuid */
            connectionId: string;
            /** @description Null: it no longer exists, or is not yours to see */
            name: string | null;
            weight: number;
            /** @description Percent of its tier */
            share: number;
            problem: components["schemas"]["RoutingRuleConnectionProblem"] | (never | null);
            health: components["schemas"]["RouteHealth"] | (never | null);
        };
        RoutingRuleConnectionProblem: {
            code: string;
            detail: string;
        };
        RoutingRuleDraft: {
            name: string;
            /** @description Default: `true` */
            enabled?: boolean;
            /** @description Default: `null` */
            region?: string | null;
            /** @description Default: `null` */
            application?: string | null;
            /**
             * @description Default: `null`
             * @enum {string|null}
             */
            channel?: "sms" | "email" | "whatsapp" | null;
            /** @description Default: `null` */
            notificationType?: string | null;
            /** @description Default: `null` */
            notificationSubtype?: string | null;
            /** @description Among equally specific rules, the lower number wins. Default: `100` */
            priority?: number;
            /** @description In order of use */
            tiers: components["schemas"]["RoutingRuleMember"][][];
            /** Format: uuid */
            id?: string;
        };
        RoutingRuleList: {
            /** @description 0 until the first change */
            revision: number;
            /** Format: date-time */
            changedAt: string | null;
            changedBy: string | null;
            /** @description In order of precedence */
            data: components["schemas"]["RoutingRule"][];
        };
        RoutingRuleMember: {
            /** Format: uuid */
            connectionId: string;
            /** @description Percent; those of a tier add up to 100 */
            weight: number;
        };
        RoutingRuleSaved: {
            /** Format: uuid */
            id: string;
            name: string;
            enabled: boolean;
            region: string | null;
            application: string | null;
            /** @enum {string|null} */
            channel: "sms" | "email" | "whatsapp" | null | (string & {});
            notificationType: string | null;
            notificationSubtype: string | null;
            priority: number;
            /** @description Number of conditions. The more specific rule wins */
            specificity: number;
            tiers: components["schemas"]["RoutingRuleConnection"][][];
            /** @description A rule with the same conditions that always wins */
            shadowedBy: components["schemas"]["NamedReference"] | (never | null);
            /** @description Whether the caller can change it */
            editable: boolean;
            /** Format: date-time */
            updatedAt: string;
            /** @description The environment's revision now */
            revision: number;
        };
        RoutingRuleSet: {
            /** @description The revision the change is based on. If there is a newer one, the answer is 409 revision_conflict */
            revision: number;
            /** @description Why, for the history */
            note?: string;
            /** @description All rules the caller can manage. A rule with an ID is updated, one without is created, and rules that are not listed are deleted */
            rules: components["schemas"]["RoutingRuleDraft"][];
        };
        SandboxAction: {
            /**
             * @description reply, tap a quick-reply button, open (WhatsApp: read), click a link in an e-mail, bounce, complain, optOut (phones: reply STOP), optIn (reply START); deliver and fail are reports from the provider
             * @enum {string}
             */
            action: "reply" | "tap" | "open" | "click" | "bounce" | "complain" | "optOut" | "optIn" | "deliver" | "fail";
            /** @description Text of the reply */
            text?: string;
            /** @description Which of the message's quick-reply buttons, from 0; of tap */
            button?: number;
            /** @description For bounce: whether it is permanent; default true */
            permanent?: boolean;
        };
        SandboxActionAccepted: {
            /** Format: uuid */
            notificationId: string;
            /**
             * @description reply, tap a quick-reply button, open (WhatsApp: read), click a link in an e-mail, bounce, complain, optOut (phones: reply STOP), optIn (reply START); deliver and fail are reports from the provider
             * @enum {string}
             */
            action: "reply" | "tap" | "open" | "click" | "bounce" | "complain" | "optOut" | "optIn" | "deliver" | "fail" | (string & {});
        };
        SendRequest: {
            /** @description Your ID for this request. Repeating it returns the first answer and sends nothing again */
            transactionId: string;
            application: string;
            /** @description Country or region code (ISO 3166-1 alpha-2) */
            region: string;
            /** @description Language code (ISO 639-1) */
            language: string;
            notificationType: string;
            notificationSubtype: string;
            /** @description Default: `[]` */
            recipients?: components["schemas"]["Recipient"][];
            /** @description Contacts in these groups get one message on each of the channels they have an address for. Their attributes are used as variables, and their language and region select the template. Messages are sent in the background: follow the broadcast with the request's ID. Default: `[]` */
            contactGroups?: components["schemas"]["SendRequestContactGroup"][];
            /** @description Values for the template, the same for every recipient. Several objects are put together; a variable with two different values is refused. What differs goes to `variables` of the recipient. Default: `[]` */
            templateVariables?: {
                [key: string]: string;
            }[];
            /**
             * Format: date-time
             * @description At most 30 days ahead; a time in the past means now
             */
            scheduledAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            /** @description String pairs that are echoed in webhooks. Default: `{}` */
            metadata?: {
                [key: string]: string;
            };
        };
        SendRequestContactGroup: {
            /** @description Name of the group */
            group: string;
            channels: ("sms" | "email" | "whatsapp")[];
        };
        SendResponse: {
            /** Format: uuid */
            requestId: string;
            transactionId: string;
            notifications: components["schemas"]["SendResponseNotification"][];
            /** @description Of a request with contactGroups; `GET /v1/broadcasts/{requestId}` has its progress */
            groups?: components["schemas"]["SendResponseGroup"][];
        };
        SendResponseGroup: {
            group: string;
            channels: ("sms" | "email" | "whatsapp")[];
            /** @description How many contacts the group has; null: not counted yet */
            contacts: number | null;
        };
        SendResponseNotification: {
            /** Format: uuid */
            notificationId: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            recipient: string;
            /**
             * @description `pending_approval`: sent to production with an agent's key, awaiting approval
             * @enum {string}
             */
            status: "queued" | "scheduled" | "rejected" | "pending_approval" | (string & {});
            reason?: components["schemas"]["Reason"];
        };
        Shortener: {
            environment: string;
            /** @enum {string} */
            kind: "built_in" | "bitly" | "tinyurl" | "rebrandly" | "none" | (string & {});
            /** @description Whether a secret is stored */
            hasSecret: boolean;
            domain: string | null;
            account: string | null;
            processingRegion: string | null;
            baseUrl: string | null;
            validDays: number;
            /** @description Example of its links; null: links are not shortened */
            example: string | null;
            /** Format: date-time */
            testedAt: string | null;
            /** @description Problem found by the last test */
            testProblem: string | null;
            /** Format: date-time */
            problemAt: string | null;
            /** @description Why a message was last sent with a full link */
            problem: string | null;
            /**
             * Format: date-time
             * @description Pass it with the next change. Null: never changed
             */
            updatedAt: string | null;
        };
        ShortenerList: {
            data: components["schemas"]["Shortener"][];
        };
        ShortenerTest: {
            /**
             * Format: uri
             * @description The address to shorten. Default: `"https://www.example.com/a-page-for-a-test"`
             */
            url?: string;
        };
        ShortenerTestResult: {
            ok: boolean;
            url: string;
            shortUrl: string | null;
            problem: string | null;
        };
        ShortenerUpdate: {
            /** @enum {string} */
            kind: "built_in" | "bitly" | "tinyurl" | "rebrandly" | "none";
            /** @description Bitly: access token. TinyURL: API token. Rebrandly: API key. Never returned. If omitted, the stored one is kept */
            secret?: string;
            /** @description Your own domain at the service */
            domain?: string | null;
            /** @description Bitly: GUID of the group. Rebrandly: id of the workspace */
            account?: string | null;
            /** @description Where the service processes data; needed for a service */
            processingRegion?: string | null;
            /**
             * Format: uri
             * @description Only if the service has a different address
             */
            baseUrl?: string | null;
            /** @description Days for which built-in links work; default 90 */
            validDays?: number;
            /**
             * Format: date-time
             * @description The revision you read. The change is refused if someone has changed the shortener since
             */
            updatedAt?: string | null;
        };
        SmsMetadata: {
            /** @description Sender number or name; the connection's own without it */
            senderId?: string & (string);
            /**
             * @description How segments are counted; auto takes GSM-7 when every character fits
             * @enum {string}
             */
            encoding?: "auto" | "GSM-7" | "UCS-2";
        };
        Suppression: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description Masked without content:reveal */
            address: string;
            /**
             * @description `hard_bounce`: the address does not work; `complaint`: the recipient reported spam; `soft_bounces`: five messages in a row bounced temporarily; `manual`: added by a person or a system
             * @enum {string}
             */
            reason: "hard_bounce" | "complaint" | "soft_bounces" | "manual" | (string & {});
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ends; null: no end
             */
            expiresAt: string | null;
            /**
             * Format: uuid
             * @description The message that caused it
             */
            notificationId: string | null;
            /** @description Who or what added it */
            madeBy: string | null;
            /** @description Null without content:reveal */
            note: string | null;
        };
        SuppressionBatch: {
            suppressions: components["schemas"]["SuppressionCreate"][];
        };
        SuppressionBatchResult: {
            /** @description One for each item, in the order of the request */
            results: components["schemas"]["SuppressionResult"][];
        };
        SuppressionCreate: {
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            /** @description An e-mail address, or a number in international form */
            address: string;
            /**
             * Format: date-time
             * @description When it ends. Default: no end
             */
            expiresAt?: string | null;
            /** @description Reason, visible with content:reveal */
            note?: string;
        };
        SuppressionList: {
            data: components["schemas"]["Suppression"][];
            nextCursor: string | null;
        };
        SuppressionResult: {
            /**
             * @description `extended`: it was suppressed already, for a shorter time
             * @enum {string}
             */
            status: "added" | "extended" | "already_suppressed" | "rejected" | (string & {});
            /**
             * Format: uuid
             * @description Of the suppression; null when the item was rejected
             */
            id: string | null;
            /** @description Why it was rejected */
            reason: components["schemas"]["SuppressionResultReason"] | (never | null);
        };
        SuppressionResultReason: {
            /** @enum {string} */
            code: "invalid_recipient" | "invalid_end" | (string & {});
            detail: string;
        };
        Template: {
            /** Format: uuid */
            id: string;
            application: string;
            /** Format: uuid */
            applicationId: string;
            name: string;
            notificationType: string;
            notificationSubtype: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            region: string | null;
            language: string | null;
            provider: string | null;
            latestVersion: number;
            /** @description Newest first, at most 100 */
            versions: components["schemas"]["TemplateVersion"][];
            deployments: components["schemas"]["TemplateDeployment"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            archivedAt: string | null;
            /** @description Which version the content below is */
            version: number;
            subject: string | null;
            body: string;
            metadata: {
                [key: string]: unknown;
            };
            variables: components["schemas"]["TemplateVariable"][];
            note: string | null;
            moderation: components["schemas"]["TemplateModeration"];
            provenance: components["schemas"]["TemplateVersionProvenance"];
            /** @description Review of AI content by a person; null: none, or not needed */
            review: components["schemas"]["TemplateVersionReview"] | (never | null);
            /** @description Of the approved WhatsApp template that this version names; null when it names none */
            whatsappApproval: components["schemas"]["TemplateWhatsappApproval"] | (never | null);
            /** @description What the caller can do with it */
            may: components["schemas"]["TemplateMay"];
        };
        TemplateCreate: {
            /** @description May be left out by a caller who may write in one application only */
            application?: string;
            /** @description What requests call it */
            name: string;
            notificationType: string;
            notificationSubtype: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp";
            /** @description Empty: any */
            region?: string | null;
            /** @description Empty: any */
            language?: string | null;
            /** @description Adapter that the text is for, one of smtp, sendgrid, ses, resend, microsoft365, twilio, vonage, infobip, meta, smpp, http, simulator; empty: any */
            provider?: string | null;
            /** @description E-mail only (Liquid) */
            subject?: string | null;
            /** @description The text in Liquid; HTML or, with metadata.format, MJML for e-mail, plain for the others */
            body: string;
            /** @description What belongs to the channel: of sms, of email or of whatsapp. Default: `{}` */
            metadata?: components["schemas"]["SmsMetadata"] | components["schemas"]["EmailMetadata"] | components["schemas"]["WhatsappMetadata"];
            /** @description Every variable that the texts use. Default: `[]` */
            variables?: components["schemas"]["TemplateCreateVariable"][];
            /** @description What this version changes */
            note?: string | null;
            /** @description Who wrote this version: people, or AI with or without changes by people. Default: a person, or AI for an agent's key. A version based on an unreviewed AI version counts as edited by AI */
            provenance?: components["schemas"]["TemplateCreateProvenance"];
        };
        TemplateCreateProvenance: {
            /** @enum {string} */
            kind: "human" | "ai_drafted" | "ai_edited";
            /** @description The model that wrote or changed it */
            model?: string | null;
        };
        TemplateCreateVariable: {
            name: string;
            /**
             * @description Default: `"string"`
             * @enum {string}
             */
            type?: "string" | "number" | "date" | "url" | "enum";
            /** @description Default: `true` */
            required?: boolean;
            /** @description For previews and the trial render of each save */
            example?: string;
            /** @description In characters */
            maxLength?: number;
            /** @description What an enum may be */
            values?: string[];
        };
        TemplateDeploy: {
            /** @description Short name or id of the first stage's environment or of the sandbox; the API key's own without it */
            environment?: string;
            /** @description Default: the latest */
            version?: number;
        };
        TemplateDeployResult: {
            /** Format: uuid */
            environmentId: string;
            /** @description Its short name */
            environment: string;
            version: number;
            /** @description Switched off by the kill switch */
            disabled: boolean;
            /** Format: date-time */
            disabledAt: string | null;
            disabledBy: string | null;
            disabledReason: string | null;
            /** Format: date-time */
            deployedAt: string;
            /** Format: uuid */
            templateId: string;
            /** @description What was live before */
            previousVersion: number | null;
        };
        TemplateDeployment: {
            /** Format: uuid */
            environmentId: string;
            /** @description Its short name */
            environment: string;
            version: number;
            /** @description Switched off by the kill switch */
            disabled: boolean;
            /** Format: date-time */
            disabledAt: string | null;
            disabledBy: string | null;
            disabledReason: string | null;
            /** Format: date-time */
            deployedAt: string;
        };
        TemplateFiles: {
            application: string;
            /** @description How many templates these files hold */
            templates: number;
            files: components["schemas"]["TemplateFilesFile"][];
            nextCursor: string | null;
        };
        TemplateFilesFile: {
            /** @description With slashes, below the folder of the application */
            path: string;
            /** @description The file's text in UTF-8 */
            content: string;
        };
        TemplateImport: {
            /** Format: uuid */
            id: string;
            application: string;
            /** Format: uuid */
            applicationId: string;
            /** @enum {string} */
            state: "planned" | "running" | "finished" | "canceled" | (string & {});
            note: string | null;
            by: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            counts: components["schemas"]["TemplateImportCounts"];
            /** @description In the order of their paths; empty in lists */
            items: components["schemas"]["TemplateImportItem"][];
        };
        TemplateImportCounts: {
            create: number;
            update: number;
            unchanged: number;
            invalid: number;
            done: number;
            failed: number;
        };
        TemplateImportItem: {
            position: number;
            /** @description The template's folder */
            path: string;
            /** Format: uuid */
            templateId: string | null;
            /** @enum {string} */
            action: "create" | "update" | "unchanged" | "invalid" | (string & {});
            /** @enum {string} */
            state: "planned" | "done" | "failed" | "skipped" | (string & {});
            /** @description The version that it became */
            version: number | null;
            problem: components["schemas"]["TemplateImportItemProblem"] | (never | null);
        };
        TemplateImportItemProblem: {
            code: string;
            detail: string;
            errors: components["schemas"]["TemplateImportItemProblemError"][];
        };
        TemplateImportItemProblemError: {
            pointer: string;
            code: string;
            detail: string;
        };
        TemplateImportList: {
            data: components["schemas"]["TemplateImport"][];
        };
        TemplateImportPlan: {
            /**
             * Format: uuid
             * @description Adds to this import instead of making one
             */
            importId?: string;
            application?: string;
            files: components["schemas"]["TemplateImportPlanFile"][];
            /** @description The note of every version it makes */
            note?: string;
        };
        TemplateImportPlanFile: {
            /** @description With slashes, below the folder of the application */
            path: string;
            /** @description The file's text in UTF-8 */
            content: string;
        };
        TemplateList: {
            data: components["schemas"]["TemplateSummary"][];
            nextCursor: string | null;
        };
        TemplateMay: {
            /** @description Mark this version as reviewed */
            review: boolean;
        };
        TemplateModeration: {
            /** @description Which checks ran */
            checkedBy: string[];
            findings: components["schemas"]["TemplateModerationFinding"][];
        };
        TemplateModerationFinding: {
            /** @enum {string} */
            category: "policy_violation" | "abusive_language" | "sensitive_data" | "non_compliant_claim" | (string & {});
            /**
             * @description block refuses the save
             * @enum {string}
             */
            severity: "block" | "warn" | (string & {});
            /** @description Which text of the template, e.g. /body */
            pointer: string;
            /** @description Where it starts, in UTF-16 code units */
            start: number;
            /** @description Where it ends, exclusive */
            end: number;
            /** @description The place in the text; secrets and numbers shortened */
            excerpt: string;
            explanation: string;
            /** @description A text to put in its place */
            suggestion: string | null;
        };
        TemplateSummary: {
            /** Format: uuid */
            id: string;
            application: string;
            /** Format: uuid */
            applicationId: string;
            name: string;
            notificationType: string;
            notificationSubtype: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            region: string | null;
            language: string | null;
            provider: string | null;
            latestVersion: number;
            /** @description Newest first, at most 100 */
            versions: components["schemas"]["TemplateVersion"][];
            deployments: components["schemas"]["TemplateDeployment"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            archivedAt: string | null;
        };
        TemplateTest: {
            /** @description The latest without it */
            version?: number;
            /** @description Short name or id: a stage of the application's pipeline or the sandbox; the first stage without it */
            environment?: string;
            to: string;
            /** @description Over the examples of the declared variables. Default: `{}` */
            variables?: {
                [key: string]: string;
            };
            /** @description Country or region code (ISO 3166-1 alpha-2) */
            region?: string;
            /** @description Language code (ISO 639-1) */
            language?: string;
        };
        TemplateTestResult: {
            /** Format: uuid */
            notificationId: string;
            /**
             * @description `pending_approval`: sent to production with an agent's key, awaiting approval
             * @enum {string}
             */
            status: "queued" | "scheduled" | "rejected" | "pending_approval" | (string & {});
            reason: components["schemas"]["Reason"] | (never | null);
            version: number;
            environment: string;
        };
        TemplateUpdate: {
            application?: string;
            /** @description What requests call it */
            name?: string;
            notificationType?: string;
            notificationSubtype?: string;
            /** @enum {string} */
            channel?: "sms" | "email" | "whatsapp";
            /** @description Empty: any */
            region?: string | null;
            /** @description Empty: any */
            language?: string | null;
            /** @description Adapter that the text is for, one of smtp, sendgrid, ses, resend, microsoft365, twilio, vonage, infobip, meta, smpp, http, simulator; empty: any */
            provider?: string | null;
            /** @description E-mail only (Liquid) */
            subject?: string | null;
            /** @description The text in Liquid; HTML or, with metadata.format, MJML for e-mail, plain for the others */
            body: string;
            /** @description What belongs to the channel: of sms, of email or of whatsapp. Default: `{}` */
            metadata?: components["schemas"]["SmsMetadata"] | components["schemas"]["EmailMetadata"] | components["schemas"]["WhatsappMetadata"];
            /** @description Every variable that the texts use. Default: `[]` */
            variables?: components["schemas"]["TemplateCreateVariable"][];
            /** @description What this version changes */
            note?: string | null;
            /** @description Who wrote this version: people, or AI with or without changes by people. Default: a person, or AI for an agent's key. A version based on an unreviewed AI version counts as edited by AI */
            provenance?: components["schemas"]["TemplateCreateProvenance"];
            /** @description The version this one is based on. A newer version in between is a conflict */
            expectedVersion?: number;
        };
        TemplateVariable: {
            name: string;
            /** @enum {string} */
            type: "string" | "number" | "date" | "url" | "enum" | (string & {});
            required: boolean;
            example?: string;
            maxLength?: number;
            values?: string[];
        };
        TemplateVersion: {
            version: number;
            author: string;
            note: string | null;
            checkedBy: string[];
            /** @description Number of moderation findings */
            findings: number;
            provenance: components["schemas"]["TemplateVersionProvenance"];
            /** @description Review of AI content by a person; null: none, or not needed */
            review: components["schemas"]["TemplateVersionReview"] | (never | null);
            /** Format: date-time */
            createdAt: string;
        };
        TemplateVersionProvenance: {
            /**
             * @description ai_edited: AI changed a person's text, or a person one of AI
             * @enum {string}
             */
            kind: "human" | "ai_drafted" | "ai_edited" | (string & {});
            model: string | null;
        };
        TemplateVersionReview: {
            by: string;
            /** Format: date-time */
            at: string;
        };
        TemplateWhatsappApproval: {
            /** @enum {string} */
            status: "unsubmitted" | "pending" | "approved" | "rejected" | "paused" | (string & {});
            /** @description Why it was rejected or paused */
            reason: string | null;
            /**
             * @description Whether the provider reported it or a person entered it
             * @enum {string}
             */
            source: "provider" | "manual" | (string & {});
            /**
             * Format: date-time
             * @description When the provider was last asked
             */
            checkedAt: string | null;
            /**
             * @description WhatsApp's category; null if unknown. For marketing, consent for marketing is required, whatever the class of the type
             * @enum {string|null}
             */
            category: "marketing" | "utility" | "authentication" | null | (string & {});
            /**
             * @description The category announced by WhatsApp
             * @enum {string|null}
             */
            nextCategory: "marketing" | "utility" | "authentication" | null | (string & {});
            /**
             * Format: date-time
             * @description From when
             */
            nextCategoryAt: string | null;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            description: string | null;
            application: string;
            environment: string;
            events: string[];
            retrySchedule: number[];
            enabled: boolean;
            /** @enum {string|null} */
            disabledReason: "manual" | "gone" | "failing" | null | (string & {});
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description Since when every attempt has failed
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description How long the previous secret also signs
             */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WebhookAttempt: {
            number: number;
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            status: number | null;
            error: string | null;
            /** @description The first 2 KiB of the response */
            responseBody: string | null;
            /** @description The headers as sent, lower case, without those that HTTP itself needs. The signature is hidden without content:reveal. Null for attempts from before they were kept */
            requestHeaders: {
                [key: string]: string;
            } | null;
        };
        WebhookAuditCheckpointSigned: {
            /** @enum {string} */
            event: "audit.checkpoint";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookAuditCheckpointSignedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookAuditCheckpointSignedData: {
            /** Format: uuid */
            tenantId: string;
            sequence: number;
            /** @description Of the entry that `sequence` numbers */
            hash: string;
            /** Format: date-time */
            at: string;
            /** @description Numbers the installation's checkpoints */
            checkpoint: number;
            /** @description Of the installation's public key */
            keyId: string;
            /** @description Ed25519; docs/audit.md says over what */
            signature: string;
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookBudgetThresholdReached: {
            /** @enum {string} */
            event: "budget.threshold_reached";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookBudgetThresholdReachedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookBudgetThresholdReachedData: {
            /** Format: uuid */
            budgetId: string;
            budget: string;
            /** @description The threshold; of several at once the highest */
            percent: number;
            /** @description By UTC */
            month: string;
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookButtonTapped: {
            /** @enum {string} */
            event: "button.tapped";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookButtonTappedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookButtonTappedData: {
            /** Format: uuid */
            messageId: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description The recipient who wrote */
            from: string;
            /** @description Your sender */
            to: string;
            text: string;
            /** @description For messages other than text, e.g. image */
            kind?: string;
            /**
             * Format: uuid
             * @description The notification that it answers
             */
            repliesTo?: string;
            /** Format: date-time */
            receivedAt: string;
            provider: string;
            /** @description The quick-reply button that was tapped */
            button: components["schemas"]["ConversationMessageButton"];
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookConsentChanged: {
            /** @enum {string} */
            event: "consent.opted_in" | "consent.opted_out";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookConsentChangedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookConsentChangedData: {
            /** Format: uuid */
            consentId: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            address: string;
            /** @description Null: every region */
            region: string | null;
            /** @description Null: every class */
            class: string | null;
            source: string;
            /** Format: date-time */
            at: string;
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookCreate: {
            /** @description Where events are posted; https, without user information */
            url: string;
            description?: string | null;
            /** @description Kinds of events to receive; empty: all but `budget.threshold_reached` and `audit.checkpoint` */
            events?: ("notification.pending_approval" | "notification.queued" | "notification.sending" | "notification.sent" | "notification.delivered" | "notification.failed" | "notification.rejected" | "notification.expired" | "notification.canceled" | "notification.undetermined" | "notification.read" | "notification.bounced" | "notification.complained" | "consent.opted_in" | "consent.opted_out" | "suppression.created" | "suppression.removed" | "import.finished" | "link.clicked" | "button.tapped" | "message.received" | "processing.error" | "budget.threshold_reached" | "audit.checkpoint")[];
            /** @description Seconds before each attempt, including the first. Each delay varies by ±20%. Null: the default schedule */
            retrySchedule?: number[] | null;
            /** @description Needed when the key serves more than one application */
            application?: string;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Also the webhook-id header
             */
            id: string;
            event: string;
            /** Format: uuid */
            notificationId: string | null;
            sequence: number | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed" | "discarded" | (string & {});
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            lastStatus: number | null;
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it happened
             */
            at: string;
            /** Format: date-time */
            deliveredAt: string | null;
        };
        WebhookDeliveryDetail: {
            /**
             * Format: uuid
             * @description Also the webhook-id header
             */
            id: string;
            event: string;
            /** Format: uuid */
            notificationId: string | null;
            sequence: number | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed" | "discarded" | (string & {});
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            lastStatus: number | null;
            lastError: string | null;
            /**
             * Format: date-time
             * @description When it happened
             */
            at: string;
            /** Format: date-time */
            deliveredAt: string | null;
            /** @description The exact body, as signed now. Without content:reveal the address is hidden and the signature left out; null once the message was erased */
            body: string | null;
            masked: boolean;
            attemptLog: components["schemas"]["WebhookAttempt"][];
        };
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            nextCursor: string | null;
        };
        /** @description What is posted to a webhook endpoint; `event` says which of these it is */
        WebhookEvent: components["schemas"]["WebhookNotificationChanged"] | components["schemas"]["WebhookNotificationBounced"] | components["schemas"]["WebhookLinkClicked"] | components["schemas"]["WebhookConsentChanged"] | components["schemas"]["WebhookSuppressionChanged"] | components["schemas"]["WebhookImportFinished"] | components["schemas"]["WebhookMessageReceived"] | components["schemas"]["WebhookButtonTapped"] | components["schemas"]["WebhookProcessingError"] | components["schemas"]["WebhookBudgetThresholdReached"] | components["schemas"]["WebhookAuditCheckpointSigned"] | components["schemas"]["WebhookTested"];
        WebhookFailure: {
            /** @description One of the codes of messages at `/docs/errors#messages`, which says whether it is tried again */
            code: string;
            detail: string;
            providerCode?: string | null;
            providerMessage?: string | null;
        };
        WebhookImportCounts: {
            created: number;
            updated: number;
            unchanged: number;
            failed: number;
        };
        WebhookImportFinished: {
            /** @enum {string} */
            event: "import.finished";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookImportFinishedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookImportFinishedData: {
            /** Format: uuid */
            importId: string;
            /** @enum {string} */
            kind: "consent" | "contacts" | "suppressions" | (string & {});
            /** @enum {string} */
            state: "finished" | "canceled" | "failed" | (string & {});
            /** @description Rows of the file by outcome */
            counts: components["schemas"]["WebhookImportCounts"];
            /** Format: date-time */
            startedAt: string | null;
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookLinkClicked: {
            /** @enum {string} */
            event: "link.clicked";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookLinkClickedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookLinkClickedData: {
            /** Format: uuid */
            notificationId: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            to: string;
            /** @description As of the notification, when this happened */
            status: string;
            provider: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
            /** @description Numbers the events of a notification without gaps */
            sequence: number;
            application: string;
            environment: string;
            transactionId: string | null;
            reason: components["schemas"]["WebhookNotificationChangedDataReason"] | (never | null);
            failure: components["schemas"]["WebhookFailure"] | (never | null);
            metadata: {
                [key: string]: string;
            };
            /** @description The address that was opened */
            url?: string;
        } & {
            [key: string]: unknown;
        };
        WebhookList: {
            data: components["schemas"]["Webhook"][];
            nextCursor: string | null;
        };
        WebhookMessageReceived: {
            /** @enum {string} */
            event: "message.received";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookMessageReceivedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookMessageReceivedData: {
            /** Format: uuid */
            messageId: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description The recipient who wrote */
            from: string;
            /** @description Your sender */
            to: string;
            text: string;
            /** @description For messages other than text, e.g. image */
            kind?: string;
            /**
             * Format: uuid
             * @description The notification that it answers
             */
            repliesTo?: string;
            /** Format: date-time */
            receivedAt: string;
            provider: string;
            /** @description The quick-reply button that was tapped */
            button?: components["schemas"]["ConversationMessageButton"];
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookNotificationBounced: {
            /** @enum {string} */
            event: "notification.bounced";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookNotificationBouncedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookNotificationBouncedData: {
            /** Format: uuid */
            notificationId: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            to: string;
            /** @description As of the notification, when this happened */
            status: string;
            provider: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
            /** @description Numbers the events of a notification without gaps */
            sequence: number;
            application: string;
            environment: string;
            transactionId: string | null;
            reason: components["schemas"]["WebhookNotificationChangedDataReason"] | (never | null);
            failure: components["schemas"]["WebhookFailure"] | (never | null);
            metadata: {
                [key: string]: string;
            };
            /** @description Whether the address is permanently undeliverable; absent if the provider does not say */
            permanent?: boolean;
        } & {
            [key: string]: unknown;
        };
        WebhookNotificationChanged: {
            /** @enum {string} */
            event: "notification.pending_approval" | "notification.queued" | "notification.sending" | "notification.sent" | "notification.delivered" | "notification.failed" | "notification.rejected" | "notification.expired" | "notification.canceled" | "notification.undetermined" | "notification.read" | "notification.complained";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookNotificationChangedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookNotificationChangedData: {
            /** Format: uuid */
            notificationId: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            to: string;
            /** @description As of the notification, when this happened */
            status: string;
            provider: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
            /** @description Numbers the events of a notification without gaps */
            sequence: number;
            application: string;
            environment: string;
            transactionId: string | null;
            reason: components["schemas"]["WebhookNotificationChangedDataReason"] | (never | null);
            failure: components["schemas"]["WebhookFailure"] | (never | null);
            metadata: {
                [key: string]: string;
            };
        } & {
            [key: string]: unknown;
        };
        WebhookNotificationChangedDataReason: {
            /** @description One of the codes of messages at `/docs/errors#messages`, which says whether it is tried again */
            code: string;
            detail: string;
        };
        WebhookProcessingError: {
            /** @enum {string} */
            event: "processing.error";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookProcessingErrorData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookProcessingErrorData: {
            /** @description What went wrong; further members depend on it */
            code: string;
            detail?: string;
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookReplay: {
            /**
             * Format: date-time
             * @description Failed and missed events since this time are delivered again
             */
            since: string;
        };
        WebhookReplayResult: {
            replayed: number;
            /** @description False if more are left. Repeat the call */
            complete: boolean;
        };
        WebhookSuppressionChanged: {
            /** @enum {string} */
            event: "suppression.created" | "suppression.removed";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookSuppressionChangedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookSuppressionChangedData: {
            /** Format: uuid */
            suppressionId: string;
            /** @enum {string} */
            channel: "sms" | "email" | "whatsapp" | (string & {});
            /** @description Null: the recipient's data was erased */
            address: string | null;
            reason: string;
            /** Format: uuid */
            notificationId: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            at: string;
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookTested: {
            /** @enum {string} */
            event: "webhook.test";
            /** Format: date-time */
            timestamp: string;
            data: components["schemas"]["WebhookTestedData"];
            /** @description sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_` */
            signature: string;
        };
        WebhookTestedData: {
            /** Format: uuid */
            webhookId: string;
            application: string;
            environment: string;
        } & {
            [key: string]: unknown;
        };
        WebhookUpdate: {
            /** @description Where events are posted; https, without user information */
            url?: string;
            description?: string | null;
            /** @description Kinds of events to receive; empty: all but `budget.threshold_reached` and `audit.checkpoint` */
            events?: ("notification.pending_approval" | "notification.queued" | "notification.sending" | "notification.sent" | "notification.delivered" | "notification.failed" | "notification.rejected" | "notification.expired" | "notification.canceled" | "notification.undetermined" | "notification.read" | "notification.bounced" | "notification.complained" | "consent.opted_in" | "consent.opted_out" | "suppression.created" | "suppression.removed" | "import.finished" | "link.clicked" | "button.tapped" | "message.received" | "processing.error" | "budget.threshold_reached" | "audit.checkpoint")[];
            /** @description Seconds before each attempt, including the first. Each delay varies by ±20%. Null: the default schedule */
            retrySchedule?: number[] | null;
            /** @description Enabling resets the endpoint's failure state */
            enabled?: boolean;
        };
        WebhookWithSecret: {
            /** Format: uuid */
            id: string;
            url: string;
            description: string | null;
            application: string;
            environment: string;
            events: string[];
            retrySchedule: number[];
            enabled: boolean;
            /** @enum {string|null} */
            disabledReason: "manual" | "gone" | "failing" | null | (string & {});
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description Since when every attempt has failed
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description How long the previous secret also signs
             */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Signs the events; shown this once */
            secret: string;
        };
        WhatsappMetadata: {
            /** @description The approved template at the provider (name or content id); without it the text is a session message */
            templateName?: string;
            /** @enum {string} */
            category?: "authentication" | "utility" | "marketing";
            /** @description Language code of the approved template */
            language?: string;
            /** @description Values of {{1}}, {{2}}, … of the approved template (Liquid); the declared variables in order without it */
            parameters?: string[];
            header?: components["schemas"]["WhatsappMetadataHeaderText"] | components["schemas"]["WhatsappMetadataHeaderMedia"];
            footer?: string;
            buttons?: (components["schemas"]["WhatsappMetadataButtonQuickReply"] | components["schemas"]["WhatsappMetadataButtonUrl"] | components["schemas"]["WhatsappMetadataButtonPhone"])[];
            /**
             * @description Sets by hand what the provider said of the approved template, unless the provider itself has told; kept beside the versions, and answered as whatsappApproval
             * @enum {string}
             */
            approvalStatus?: "unsubmitted" | "pending" | "approved" | "rejected" | "paused";
            rejectionReason?: string;
        };
        WhatsappMetadataButtonPhone: {
            /** @enum {string} */
            type: "phone";
            text: string;
            phone: string;
        };
        WhatsappMetadataButtonQuickReply: {
            /** @enum {string} */
            type: "quick_reply";
            text: string;
            payload?: string;
        };
        WhatsappMetadataButtonUrl: {
            /** @enum {string} */
            type: "url";
            text: string;
            url: string;
        };
        WhatsappMetadataHeaderMedia: {
            /** @enum {string} */
            type: "image" | "video" | "document";
            url: string;
        };
        WhatsappMetadataHeaderText: {
            /** @enum {string} */
            type: "text";
            text: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Actor = components['schemas']['Actor'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyCreate = components['schemas']['ApiKeyCreate'];
export type ApiKeyCreated = components['schemas']['ApiKeyCreated'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type ApiKeyRole = components['schemas']['ApiKeyRole'];
export type AuditEvent = components['schemas']['AuditEvent'];
export type AuditEventList = components['schemas']['AuditEventList'];
export type Broadcast = components['schemas']['Broadcast'];
export type BroadcastClicks = components['schemas']['BroadcastClicks'];
export type BroadcastForecast = components['schemas']['BroadcastForecast'];
export type BroadcastGroup = components['schemas']['BroadcastGroup'];
export type BroadcastList = components['schemas']['BroadcastList'];
export type BroadcastSummary = components['schemas']['BroadcastSummary'];
export type BroadcastUpdate = components['schemas']['BroadcastUpdate'];
export type Confirmation = components['schemas']['Confirmation'];
export type ConfirmationCreate = components['schemas']['ConfirmationCreate'];
export type ConsentBatch = components['schemas']['ConsentBatch'];
export type ConsentBatchResult = components['schemas']['ConsentBatchResult'];
export type ConsentCreate = components['schemas']['ConsentCreate'];
export type ConsentEntry = components['schemas']['ConsentEntry'];
export type ConsentEntryList = components['schemas']['ConsentEntryList'];
export type ConsentPolicy = components['schemas']['ConsentPolicy'];
export type ConsentPolicyOverride = components['schemas']['ConsentPolicyOverride'];
export type ConsentPolicyUpdate = components['schemas']['ConsentPolicyUpdate'];
export type ConsentPolicyUpdateOverride = components['schemas']['ConsentPolicyUpdateOverride'];
export type ConsentResult = components['schemas']['ConsentResult'];
export type ConsentResultReason = components['schemas']['ConsentResultReason'];
export type ConsentStanding = components['schemas']['ConsentStanding'];
export type ConsentStandingState = components['schemas']['ConsentStandingState'];
export type ConsentsOfAddress = components['schemas']['ConsentsOfAddress'];
export type Contact = components['schemas']['Contact'];
export type ContactAddress = components['schemas']['ContactAddress'];
export type ContactAddressCreate = components['schemas']['ContactAddressCreate'];
export type ContactBatch = components['schemas']['ContactBatch'];
export type ContactBatchResult = components['schemas']['ContactBatchResult'];
export type ContactCreate = components['schemas']['ContactCreate'];
export type ContactDetail = components['schemas']['ContactDetail'];
export type ContactGroup = components['schemas']['ContactGroup'];
export type ContactGroupCondition = components['schemas']['ContactGroupCondition'];
export type ContactGroupConditionCreate = components['schemas']['ContactGroupConditionCreate'];
export type ContactGroupCreate = components['schemas']['ContactGroupCreate'];
export type ContactGroupCreateFilter = components['schemas']['ContactGroupCreateFilter'];
export type ContactGroupFilter = components['schemas']['ContactGroupFilter'];
export type ContactGroupList = components['schemas']['ContactGroupList'];
export type ContactGroupMembers = components['schemas']['ContactGroupMembers'];
export type ContactGroupMembersResult = components['schemas']['ContactGroupMembersResult'];
export type ContactGroupUpdate = components['schemas']['ContactGroupUpdate'];
export type ContactList = components['schemas']['ContactList'];
export type ContactUpdate = components['schemas']['ContactUpdate'];
export type ContactUpsert = components['schemas']['ContactUpsert'];
export type ContactUpsertResult = components['schemas']['ContactUpsertResult'];
export type ContactUpsertResultError = components['schemas']['ContactUpsertResultError'];
export type Conversation = components['schemas']['Conversation'];
export type ConversationLastMessage = components['schemas']['ConversationLastMessage'];
export type ConversationList = components['schemas']['ConversationList'];
export type ConversationMessage = components['schemas']['ConversationMessage'];
export type ConversationMessageButton = components['schemas']['ConversationMessageButton'];
export type ConversationMessageList = components['schemas']['ConversationMessageList'];
export type CostReport = components['schemas']['CostReport'];
export type CostReportFigures = components['schemas']['CostReportFigures'];
export type CostReportGroup = components['schemas']['CostReportGroup'];
export type CostReportGroupKey = components['schemas']['CostReportGroupKey'];
export type CostReportOwn = components['schemas']['CostReportOwn'];
export type CostReportSeriesPoint = components['schemas']['CostReportSeriesPoint'];
export type CostReportUnpriced = components['schemas']['CostReportUnpriced'];
export type DeliveryReport = components['schemas']['DeliveryReport'];
export type DeliveryReportFailure = components['schemas']['DeliveryReportFailure'];
export type DeliveryReportGroup = components['schemas']['DeliveryReportGroup'];
export type DeliveryReportGroupSeriesPoint = components['schemas']['DeliveryReportGroupSeriesPoint'];
export type DeliveryReportLatencyMs = components['schemas']['DeliveryReportLatencyMs'];
export type DeliveryReportSeriesPoint = components['schemas']['DeliveryReportSeriesPoint'];
export type DeliveryReportSimulated = components['schemas']['DeliveryReportSimulated'];
export type DeliveryReportTotals = components['schemas']['DeliveryReportTotals'];
export type DryRun = components['schemas']['DryRun'];
export type DryRunResult = components['schemas']['DryRunResult'];
export type DryRunResultWarning = components['schemas']['DryRunResultWarning'];
export type EmailMetadata = components['schemas']['EmailMetadata'];
export type EmailMetadataAttachment = components['schemas']['EmailMetadataAttachment'];
export type Erasure = components['schemas']['Erasure'];
export type ErasureCreate = components['schemas']['ErasureCreate'];
export type ErasureList = components['schemas']['ErasureList'];
export type ErasureTable = components['schemas']['ErasureTable'];
export type ExplainNotificationRequest = components['schemas']['ExplainNotificationRequest'];
export type ExplainSendRequest = components['schemas']['ExplainSendRequest'];
export type Explanation = components['schemas']['Explanation'];
export type ExplanationMessage = components['schemas']['ExplanationMessage'];
export type ExplanationMessageConsent = components['schemas']['ExplanationMessageConsent'];
export type ExplanationMessageEstimatedCost = components['schemas']['ExplanationMessageEstimatedCost'];
export type ExplanationMessageLimits = components['schemas']['ExplanationMessageLimits'];
export type ExplanationMessageLimitsCap = components['schemas']['ExplanationMessageLimitsCap'];
export type ExplanationMessageLimitsWaits = components['schemas']['ExplanationMessageLimitsWaits'];
export type ExplanationMessageOtherTemplate = components['schemas']['ExplanationMessageOtherTemplate'];
export type ExplanationMessagePreview = components['schemas']['ExplanationMessagePreview'];
export type ExplanationMessagePreviewAttachment = components['schemas']['ExplanationMessagePreviewAttachment'];
export type ExplanationMessagePreviewButton = components['schemas']['ExplanationMessagePreviewButton'];
export type ExplanationMessagePreviewHeader = components['schemas']['ExplanationMessagePreviewHeader'];
export type ExplanationMessageTemplate = components['schemas']['ExplanationMessageTemplate'];
export type Export = components['schemas']['Export'];
export type ExportCreate = components['schemas']['ExportCreate'];
export type ExportCreateCosts = components['schemas']['ExportCreateCosts'];
export type ExportCreateCostsFilter = components['schemas']['ExportCreateCostsFilter'];
export type ExportCreateMessages = components['schemas']['ExportCreateMessages'];
export type ExportCreateMessagesFilter = components['schemas']['ExportCreateMessagesFilter'];
export type ExportList = components['schemas']['ExportList'];
export type Failure = components['schemas']['Failure'];
export type FeedAuditCheckpointSigned = components['schemas']['FeedAuditCheckpointSigned'];
export type FeedBudgetThresholdReached = components['schemas']['FeedBudgetThresholdReached'];
export type FeedButtonTapped = components['schemas']['FeedButtonTapped'];
export type FeedConsentChanged = components['schemas']['FeedConsentChanged'];
export type FeedEvent = components['schemas']['FeedEvent'];
export type FeedImportFinished = components['schemas']['FeedImportFinished'];
export type FeedLinkClicked = components['schemas']['FeedLinkClicked'];
export type FeedMessageReceived = components['schemas']['FeedMessageReceived'];
export type FeedNotificationBounced = components['schemas']['FeedNotificationBounced'];
export type FeedNotificationChanged = components['schemas']['FeedNotificationChanged'];
export type FeedPage = components['schemas']['FeedPage'];
export type FeedProcessingError = components['schemas']['FeedProcessingError'];
export type FeedSuppressionChanged = components['schemas']['FeedSuppressionChanged'];
export type KillSwitch = components['schemas']['KillSwitch'];
export type KillSwitchUpdate = components['schemas']['KillSwitchUpdate'];
export type LatencyPercentiles = components['schemas']['LatencyPercentiles'];
export type NamedReference = components['schemas']['NamedReference'];
export type Notification = components['schemas']['Notification'];
export type NotificationCost = components['schemas']['NotificationCost'];
export type NotificationCreate = components['schemas']['NotificationCreate'];
export type NotificationEvent = components['schemas']['NotificationEvent'];
export type NotificationList = components['schemas']['NotificationList'];
export type NotificationSummary = components['schemas']['NotificationSummary'];
export type NotificationTemplate = components['schemas']['NotificationTemplate'];
export type NotificationType = components['schemas']['NotificationType'];
export type NotificationTypeCreate = components['schemas']['NotificationTypeCreate'];
export type NotificationTypeList = components['schemas']['NotificationTypeList'];
export type NotificationTypeUpdate = components['schemas']['NotificationTypeUpdate'];
export type NotificationTypeUpdateExpected = components['schemas']['NotificationTypeUpdateExpected'];
export type Objective = components['schemas']['Objective'];
export type ObjectiveAlert = components['schemas']['ObjectiveAlert'];
export type ObjectiveBurn = components['schemas']['ObjectiveBurn'];
export type ObjectiveDay = components['schemas']['ObjectiveDay'];
export type Objectives = components['schemas']['Objectives'];
export type Pipeline = components['schemas']['Pipeline'];
export type PipelineList = components['schemas']['PipelineList'];
export type PipelineProposal = components['schemas']['PipelineProposal'];
export type PipelineProposalMay = components['schemas']['PipelineProposalMay'];
export type PipelineProposalStage = components['schemas']['PipelineProposalStage'];
export type PipelineStage = components['schemas']['PipelineStage'];
export type PipelineStageGates = components['schemas']['PipelineStageGates'];
export type PipelineUpdate = components['schemas']['PipelineUpdate'];
export type PipelineUpdateStage = components['schemas']['PipelineUpdateStage'];
export type PipelineUpdateStageGates = components['schemas']['PipelineUpdateStageGates'];
export type Problem = components['schemas']['Problem'];
export type ProblemError = components['schemas']['ProblemError'];
export type Promotion = components['schemas']['Promotion'];
export type PromotionComment = components['schemas']['PromotionComment'];
export type PromotionCreate = components['schemas']['PromotionCreate'];
export type PromotionCreateTemplate = components['schemas']['PromotionCreateTemplate'];
export type PromotionDecision = components['schemas']['PromotionDecision'];
export type PromotionGate = components['schemas']['PromotionGate'];
export type PromotionItem = components['schemas']['PromotionItem'];
export type PromotionList = components['schemas']['PromotionList'];
export type PromotionMay = components['schemas']['PromotionMay'];
export type PromotionRollback = components['schemas']['PromotionRollback'];
export type PromotionStage = components['schemas']['PromotionStage'];
export type PromotionSummary = components['schemas']['PromotionSummary'];
export type Provider = components['schemas']['Provider'];
export type ProviderAdapter = components['schemas']['ProviderAdapter'];
export type ProviderAdapterList = components['schemas']['ProviderAdapterList'];
export type ProviderCreate = components['schemas']['ProviderCreate'];
export type ProviderCreateInbound = components['schemas']['ProviderCreateInbound'];
export type ProviderCreateSender = components['schemas']['ProviderCreateSender'];
export type ProviderDeleted = components['schemas']['ProviderDeleted'];
export type ProviderDeletedRule = components['schemas']['ProviderDeletedRule'];
export type ProviderDetail = components['schemas']['ProviderDetail'];
export type ProviderDetailCallback = components['schemas']['ProviderDetailCallback'];
export type ProviderHealth = components['schemas']['ProviderHealth'];
export type ProviderHealthReason = components['schemas']['ProviderHealthReason'];
export type ProviderInbound = components['schemas']['ProviderInbound'];
export type ProviderLast24Hours = components['schemas']['ProviderLast24Hours'];
export type ProviderLast24HoursError = components['schemas']['ProviderLast24HoursError'];
export type ProviderLastTest = components['schemas']['ProviderLastTest'];
export type ProviderList = components['schemas']['ProviderList'];
export type ProviderPrice = components['schemas']['ProviderPrice'];
export type ProviderPriceCreate = components['schemas']['ProviderPriceCreate'];
export type ProviderPriceCreateTier = components['schemas']['ProviderPriceCreateTier'];
export type ProviderPriceTier = components['schemas']['ProviderPriceTier'];
export type ProviderSender = components['schemas']['ProviderSender'];
export type ProviderTestResult = components['schemas']['ProviderTestResult'];
export type ProviderTestResultFact = components['schemas']['ProviderTestResultFact'];
export type ProviderUpdate = components['schemas']['ProviderUpdate'];
export type Reason = components['schemas']['Reason'];
export type Recipient = components['schemas']['Recipient'];
export type RecipientLimits = components['schemas']['RecipientLimits'];
export type RecipientLimitsCap = components['schemas']['RecipientLimitsCap'];
export type RecipientLimitsQuietHour = components['schemas']['RecipientLimitsQuietHour'];
export type RecipientLimitsQuietHourPack = components['schemas']['RecipientLimitsQuietHourPack'];
export type RecipientLimitsUpdate = components['schemas']['RecipientLimitsUpdate'];
export type RecipientLimitsUpdateCap = components['schemas']['RecipientLimitsUpdateCap'];
export type RecipientLimitsUpdateQuietHour = components['schemas']['RecipientLimitsUpdateQuietHour'];
export type RecipientLimitsUpdateQuietHourPack = components['schemas']['RecipientLimitsUpdateQuietHourPack'];
export type Residency = components['schemas']['Residency'];
export type ResidencyAllowedTransferRegion = components['schemas']['ResidencyAllowedTransferRegion'];
export type ResidencyChanged = components['schemas']['ResidencyChanged'];
export type ResidencyChangedStopped = components['schemas']['ResidencyChangedStopped'];
export type ResidencyRegion = components['schemas']['ResidencyRegion'];
export type ResidencyUpdate = components['schemas']['ResidencyUpdate'];
export type ResidencyUse = components['schemas']['ResidencyUse'];
export type Retention = components['schemas']['Retention'];
export type RetentionLimit = components['schemas']['RetentionLimit'];
export type RetentionLimits = components['schemas']['RetentionLimits'];
export type RetentionStep = components['schemas']['RetentionStep'];
export type RetentionUpdate = components['schemas']['RetentionUpdate'];
export type RetentionUpdateExpected = components['schemas']['RetentionUpdateExpected'];
export type Route = components['schemas']['Route'];
export type RouteCandidate = components['schemas']['RouteCandidate'];
export type RouteExcluded = components['schemas']['RouteExcluded'];
export type RouteHealth = components['schemas']['RouteHealth'];
export type RouteHealthReason = components['schemas']['RouteHealthReason'];
export type RoutingRevert = components['schemas']['RoutingRevert'];
export type RoutingRevertResult = components['schemas']['RoutingRevertResult'];
export type RoutingRevertResultDropped = components['schemas']['RoutingRevertResultDropped'];
export type RoutingRevision = components['schemas']['RoutingRevision'];
export type RoutingRevisionBy = components['schemas']['RoutingRevisionBy'];
export type RoutingRevisionDifference = components['schemas']['RoutingRevisionDifference'];
export type RoutingRevisionDifferenceField = components['schemas']['RoutingRevisionDifferenceField'];
export type RoutingRevisionList = components['schemas']['RoutingRevisionList'];
export type RoutingRule = components['schemas']['RoutingRule'];
export type RoutingRuleChange = components['schemas']['RoutingRuleChange'];
export type RoutingRuleConnection = components['schemas']['RoutingRuleConnection'];
export type RoutingRuleConnectionProblem = components['schemas']['RoutingRuleConnectionProblem'];
export type RoutingRuleDraft = components['schemas']['RoutingRuleDraft'];
export type RoutingRuleList = components['schemas']['RoutingRuleList'];
export type RoutingRuleMember = components['schemas']['RoutingRuleMember'];
export type RoutingRuleSaved = components['schemas']['RoutingRuleSaved'];
export type RoutingRuleSet = components['schemas']['RoutingRuleSet'];
export type SandboxAction = components['schemas']['SandboxAction'];
export type SandboxActionAccepted = components['schemas']['SandboxActionAccepted'];
export type SendRequest = components['schemas']['SendRequest'];
export type SendRequestContactGroup = components['schemas']['SendRequestContactGroup'];
export type SendResponse = components['schemas']['SendResponse'];
export type SendResponseGroup = components['schemas']['SendResponseGroup'];
export type SendResponseNotification = components['schemas']['SendResponseNotification'];
export type Shortener = components['schemas']['Shortener'];
export type ShortenerList = components['schemas']['ShortenerList'];
export type ShortenerTest = components['schemas']['ShortenerTest'];
export type ShortenerTestResult = components['schemas']['ShortenerTestResult'];
export type ShortenerUpdate = components['schemas']['ShortenerUpdate'];
export type SmsMetadata = components['schemas']['SmsMetadata'];
export type Suppression = components['schemas']['Suppression'];
export type SuppressionBatch = components['schemas']['SuppressionBatch'];
export type SuppressionBatchResult = components['schemas']['SuppressionBatchResult'];
export type SuppressionCreate = components['schemas']['SuppressionCreate'];
export type SuppressionList = components['schemas']['SuppressionList'];
export type SuppressionResult = components['schemas']['SuppressionResult'];
export type SuppressionResultReason = components['schemas']['SuppressionResultReason'];
export type Template = components['schemas']['Template'];
export type TemplateCreate = components['schemas']['TemplateCreate'];
export type TemplateCreateProvenance = components['schemas']['TemplateCreateProvenance'];
export type TemplateCreateVariable = components['schemas']['TemplateCreateVariable'];
export type TemplateDeploy = components['schemas']['TemplateDeploy'];
export type TemplateDeployResult = components['schemas']['TemplateDeployResult'];
export type TemplateDeployment = components['schemas']['TemplateDeployment'];
export type TemplateFiles = components['schemas']['TemplateFiles'];
export type TemplateFilesFile = components['schemas']['TemplateFilesFile'];
export type TemplateImport = components['schemas']['TemplateImport'];
export type TemplateImportCounts = components['schemas']['TemplateImportCounts'];
export type TemplateImportItem = components['schemas']['TemplateImportItem'];
export type TemplateImportItemProblem = components['schemas']['TemplateImportItemProblem'];
export type TemplateImportItemProblemError = components['schemas']['TemplateImportItemProblemError'];
export type TemplateImportList = components['schemas']['TemplateImportList'];
export type TemplateImportPlan = components['schemas']['TemplateImportPlan'];
export type TemplateImportPlanFile = components['schemas']['TemplateImportPlanFile'];
export type TemplateList = components['schemas']['TemplateList'];
export type TemplateMay = components['schemas']['TemplateMay'];
export type TemplateModeration = components['schemas']['TemplateModeration'];
export type TemplateModerationFinding = components['schemas']['TemplateModerationFinding'];
export type TemplateSummary = components['schemas']['TemplateSummary'];
export type TemplateTest = components['schemas']['TemplateTest'];
export type TemplateTestResult = components['schemas']['TemplateTestResult'];
export type TemplateUpdate = components['schemas']['TemplateUpdate'];
export type TemplateVariable = components['schemas']['TemplateVariable'];
export type TemplateVersion = components['schemas']['TemplateVersion'];
export type TemplateVersionProvenance = components['schemas']['TemplateVersionProvenance'];
export type TemplateVersionReview = components['schemas']['TemplateVersionReview'];
export type TemplateWhatsappApproval = components['schemas']['TemplateWhatsappApproval'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookAuditCheckpointSigned = components['schemas']['WebhookAuditCheckpointSigned'];
export type WebhookAuditCheckpointSignedData = components['schemas']['WebhookAuditCheckpointSignedData'];
export type WebhookBudgetThresholdReached = components['schemas']['WebhookBudgetThresholdReached'];
export type WebhookBudgetThresholdReachedData = components['schemas']['WebhookBudgetThresholdReachedData'];
export type WebhookButtonTapped = components['schemas']['WebhookButtonTapped'];
export type WebhookButtonTappedData = components['schemas']['WebhookButtonTappedData'];
export type WebhookConsentChanged = components['schemas']['WebhookConsentChanged'];
export type WebhookConsentChangedData = components['schemas']['WebhookConsentChangedData'];
export type WebhookCreate = components['schemas']['WebhookCreate'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryDetail = components['schemas']['WebhookDeliveryDetail'];
export type WebhookDeliveryList = components['schemas']['WebhookDeliveryList'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookFailure = components['schemas']['WebhookFailure'];
export type WebhookImportCounts = components['schemas']['WebhookImportCounts'];
export type WebhookImportFinished = components['schemas']['WebhookImportFinished'];
export type WebhookImportFinishedData = components['schemas']['WebhookImportFinishedData'];
export type WebhookLinkClicked = components['schemas']['WebhookLinkClicked'];
export type WebhookLinkClickedData = components['schemas']['WebhookLinkClickedData'];
export type WebhookList = components['schemas']['WebhookList'];
export type WebhookMessageReceived = components['schemas']['WebhookMessageReceived'];
export type WebhookMessageReceivedData = components['schemas']['WebhookMessageReceivedData'];
export type WebhookNotificationBounced = components['schemas']['WebhookNotificationBounced'];
export type WebhookNotificationBouncedData = components['schemas']['WebhookNotificationBouncedData'];
export type WebhookNotificationChanged = components['schemas']['WebhookNotificationChanged'];
export type WebhookNotificationChangedData = components['schemas']['WebhookNotificationChangedData'];
export type WebhookNotificationChangedDataReason = components['schemas']['WebhookNotificationChangedDataReason'];
export type WebhookProcessingError = components['schemas']['WebhookProcessingError'];
export type WebhookProcessingErrorData = components['schemas']['WebhookProcessingErrorData'];
export type WebhookReplay = components['schemas']['WebhookReplay'];
export type WebhookReplayResult = components['schemas']['WebhookReplayResult'];
export type WebhookSuppressionChanged = components['schemas']['WebhookSuppressionChanged'];
export type WebhookSuppressionChangedData = components['schemas']['WebhookSuppressionChangedData'];
export type WebhookTested = components['schemas']['WebhookTested'];
export type WebhookTestedData = components['schemas']['WebhookTestedData'];
export type WebhookUpdate = components['schemas']['WebhookUpdate'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type WhatsappMetadata = components['schemas']['WhatsappMetadata'];
export type WhatsappMetadataButtonPhone = components['schemas']['WhatsappMetadataButtonPhone'];
export type WhatsappMetadataButtonQuickReply = components['schemas']['WhatsappMetadataButtonQuickReply'];
export type WhatsappMetadataButtonUrl = components['schemas']['WhatsappMetadataButtonUrl'];
export type WhatsappMetadataHeaderMedia = components['schemas']['WhatsappMetadataHeaderMedia'];
export type WhatsappMetadataHeaderText = components['schemas']['WhatsappMetadataHeaderText'];
export type $defs = Record<string, never>;
export interface operations {
    sendNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendRequest"];
            };
        };
        responses: {
            /** @description Accepted, each recipient with its own result */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendResponse"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description One status, or several as repeated parameters */
                status?: ("pending_approval" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "rejected" | "expired" | "canceled" | "undetermined") | ("pending_approval" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "rejected" | "expired" | "canceled" | "undetermined")[];
                /** @description Only this channel */
                channel?: "sms" | "email" | "whatsapp";
                /** @description The whole address; a number in any form: `+41799496443`, `0041 79 949 64 43`, or `079 949 64 43` as dialled in a region that is an application's default. Needs `content:reveal`, 403 without it */
                to?: string;
                /** @description Only this application */
                application?: string;
                /** @description Only this template */
                template?: string;
                /** @description Only this request */
                transactionId?: string;
                /** @description Only messages sent through this connection */
                provider?: string;
                /** @description Only this type */
                notificationType?: string;
                /** @description Created at or after this time (ISO 8601 with a zone) */
                createdFrom?: string;
                /** @description Created before this time (ISO 8601 with a zone) */
                createdTo?: string;
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationList"];
                };
            };
        };
    };
    createNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationCreate"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    getNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notification */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    cancelNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Canceled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    explainNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainNotificationRequest"];
            };
        };
        responses: {
            /** @description What would happen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Only this application */
                application?: string;
                /** @description Only this channel */
                channel?: "sms" | "email" | "whatsapp";
                /** @description Only this name */
                name?: string;
                /** @description Only this type */
                notificationType?: string;
                /** @description Only with this in their name or text */
                search?: string;
                /** @description true: the archived ones, and only those */
                archived?: "true" | "false";
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateCreate"];
            };
        };
        responses: {
            /** @description The template with its version 1 */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                /** @description Default: the latest */
                version?: number;
            };
            header?: never;
            path: {
                /** @description The template */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template with the content of one version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateUpdate"];
            };
        };
        responses: {
            /** @description The template with its latest version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    archiveTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Archived */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deployTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateDeploy"];
            };
        };
        responses: {
            /** @description The live version */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDeployResult"];
                };
            };
        };
    };
    setKillSwitch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KillSwitchUpdate"];
            };
        };
        responses: {
            /** @description The live version and the switch */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KillSwitch"];
                };
            };
        };
    };
    testTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateTest"];
            };
        };
        responses: {
            /** @description Accepted. Follow the notification for its status */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateTestResult"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Only this application */
                application?: string;
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The endpoint with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, without its secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted; deliveries that were still pending are discarded */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description The endpoint as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint with its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only in this state */
                state?: "pending" | "delivered" | "failed" | "discarded";
                /** @description Only this kind of event */
                event?: "notification.pending_approval" | "notification.queued" | "notification.sending" | "notification.sent" | "notification.delivered" | "notification.failed" | "notification.rejected" | "notification.expired" | "notification.canceled" | "notification.undetermined" | "notification.read" | "notification.bounced" | "notification.complained" | "consent.opted_in" | "consent.opted_out" | "suppression.created" | "suppression.removed" | "import.finished" | "link.clicked" | "button.tapped" | "message.received" | "processing.error" | "budget.threshold_reached" | "audit.checkpoint" | "webhook.test";
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
                /** @description The delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
                /** @description The delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is pending again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    replayFailedWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description Number of deliveries pending again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayResult"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description nextCursor of the previous page */
                cursor?: string;
                /** @description Where to begin without a cursor. Default: 30 days ago, as far as the feed goes back */
                since?: string;
                /** @description One kind of event, or several as repeated parameters. Default: all but `budget.threshold_reached` and `audit.checkpoint` */
                event?: ("notification.pending_approval" | "notification.queued" | "notification.sending" | "notification.sent" | "notification.delivered" | "notification.failed" | "notification.rejected" | "notification.expired" | "notification.canceled" | "notification.undetermined" | "notification.read" | "notification.bounced" | "notification.complained" | "consent.opted_in" | "consent.opted_out" | "suppression.created" | "suppression.removed" | "import.finished" | "link.clicked" | "button.tapped" | "message.received" | "processing.error" | "budget.threshold_reached" | "audit.checkpoint") | ("notification.pending_approval" | "notification.queued" | "notification.sending" | "notification.sent" | "notification.delivered" | "notification.failed" | "notification.rejected" | "notification.expired" | "notification.canceled" | "notification.undetermined" | "notification.read" | "notification.bounced" | "notification.complained" | "consent.opted_in" | "consent.opted_out" | "suppression.created" | "suppression.removed" | "import.finished" | "link.clicked" | "button.tapped" | "message.received" | "processing.error" | "budget.threshold_reached" | "audit.checkpoint")[];
                /** @description Only this application */
                application?: string;
                /** @description Maximum number of items per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
        };
    };
    getConsents: {
        parameters: {
            query: {
                /** @description The full address; needs `content:reveal`, 403 without it */
                address: string;
                /** @description Default: every channel */
                channel?: "sms" | "email" | "whatsapp";
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Standing and history */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentsOfAddress"];
                };
            };
        };
    };
    recordConsents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentBatch"];
            };
        };
        responses: {
            /** @description A result for each entry */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentBatchResult"];
                };
            };
        };
    };
    askConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmationCreate"];
            };
        };
        responses: {
            /** @description The confirmation, `pending` at first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
        };
    };
    getConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The confirmation and its state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
        };
    };
    getConsentPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overrides */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentPolicy"];
                };
            };
        };
    };
    updateConsentPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentPolicyUpdate"];
            };
        };
        responses: {
            /** @description The overrides as they are now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentPolicy"];
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description One full address; needs `content:reveal`, 403 without it */
                address?: string;
                /** @description Only this channel */
                channel?: "sms" | "email" | "whatsapp";
                /** @description Only with this reason */
                reason?: "hard_bounce" | "complaint" | "soft_bounces" | "manual";
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of suppressions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionList"];
                };
            };
        };
    };
    addSuppressions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuppressionBatch"];
            };
        };
        responses: {
            /** @description A result for each item */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionBatchResult"];
                };
            };
        };
    };
    removeSuppression: {
        parameters: {
            query?: {
                /** @description Reason, kept in the audit trail. Required for a complaint */
                reason?: string;
            };
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    simulateRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The notification */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxAction"];
            };
        };
        responses: {
            /** @description The callback is on its way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxActionAccepted"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Start of the name, external ID or address, or a full number in any format. Returns the first matches by name, on one page. Without content:reveal, addresses are not searched and searching for one is 403 */
                search?: string;
                /** @description Contacts in this group. With a filter group, a page can be short without being the last */
                groupId?: string;
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactCreate"];
            };
        };
        responses: {
            /** @description The contact */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact and its groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactDetail"];
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            /** @description The updated contact */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    upsertContacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBatch"];
            };
        };
        responses: {
            /** @description A result for each item */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactBatchResult"];
                };
            };
        };
    };
    listContactGroups: {
        parameters: {
            query?: {
                /** @description A part of the name */
                search?: string;
                /** @description Only static groups, or only groups with a filter */
                kind?: "static" | "filter";
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactGroupList"];
                };
            };
        };
    };
    createContactGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactGroupCreate"];
            };
        };
        responses: {
            /** @description The group */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactGroup"];
                };
            };
        };
    };
    getContactGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactGroup"];
                };
            };
        };
    };
    deleteContactGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. Its contacts are kept */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateContactGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactGroupUpdate"];
            };
        };
        responses: {
            /** @description The updated group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactGroup"];
                };
            };
        };
    };
    addContactGroupMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactGroupMembers"];
            };
        };
        responses: {
            /** @description Number of contacts added */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactGroupMembersResult"];
                };
            };
        };
    };
    removeContactGroupMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactGroupMembers"];
            };
        };
        responses: {
            /** @description Number of contacts removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactGroupMembersResult"];
                };
            };
        };
    };
    listBroadcasts: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BroadcastList"];
                };
            };
        };
    };
    getBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The broadcast as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
        };
    };
    changeBroadcastRate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastUpdate"];
            };
        };
        responses: {
            /** @description The broadcast as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
        };
    };
    pauseBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The broadcast as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
        };
    };
    resumeBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The broadcast as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
        };
    };
    cancelBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The broadcast as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Only this channel */
                channel?: "sms" | "email" | "whatsapp";
                /** @description Only this application */
                application?: string;
                /** @description Exactly this recipient, a number in any form as in `to` of the notifications; needs `content:reveal`, 403 without it */
                address?: string;
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationList"];
                };
            };
        };
    };
    listConversationMessages: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationMessageList"];
                };
            };
        };
    };
    listPipelines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One for each application, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PipelineList"];
                };
            };
        };
    };
    updatePipeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the application */
                application: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineUpdate"];
            };
        };
        responses: {
            /** @description The updated pipeline */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            /** @description Unchanged: the change waits in `proposal` for a second person */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
        };
    };
    confirmPipelineChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the application */
                application: string;
                /** @description The proposal */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated pipeline */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
        };
    };
    withdrawPipelineChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the application */
                application: string;
                /** @description The proposal */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pipeline, unchanged */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
        };
    };
    listPromotions: {
        parameters: {
            query?: {
                /** @description Only this application */
                application?: string;
                /** @description Target stage */
                environment?: string;
                /** @description Only in this state */
                state?: "pending" | "approved" | "deployed" | "rejected" | "withdrawn" | "rolled_back";
                /** @description Only promotions of this template */
                templateId?: string;
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromotionList"];
                };
            };
        };
    };
    createPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromotionCreate"];
            };
        };
        responses: {
            /** @description The promotion */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    getPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The promotion */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its templates, gates and decisions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    approvePromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The promotion */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PromotionComment"];
            };
        };
        responses: {
            /** @description The updated promotion */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    rejectPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The promotion */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PromotionComment"];
            };
        };
        responses: {
            /** @description The promotion, rejected or withdrawn */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    deployPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The promotion */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The promotion, deployed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    rollBackPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The promotion */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PromotionRollback"];
            };
        };
        responses: {
            /** @description The promotion, rolled back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    exportTemplateFiles: {
        parameters: {
            query?: {
                /** @description Only this application */
                application?: string;
                /** @description Short name or id: the versions that are live there; without it the latest ones */
                environment?: string;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files of one page of templates */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateFiles"];
                };
            };
        };
    };
    listTemplateImports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 20, without their templates */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateImportList"];
                };
            };
        };
    };
    planTemplateImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateImportPlan"];
            };
        };
        responses: {
            /** @description The plan */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateImport"];
                };
            };
        };
    };
    getTemplateImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import with each of its templates */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateImport"];
                };
            };
        };
    };
    startTemplateImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Running */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateImport"];
                };
            };
        };
    };
    cancelTemplateImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Canceled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateImport"];
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connections */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderList"];
                };
            };
        };
    };
    createProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderCreate"];
            };
        };
        responses: {
            /** @description The connection, without its credentials */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderDetail"];
                };
            };
        };
    };
    getProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderDetail"];
                };
            };
        };
    };
    deleteProvider: {
        parameters: {
            query?: {
                /** @description Delete even if routing rules use it. The rules continue without it */
                force?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The connection */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, with the rules that used it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderDeleted"];
                };
            };
        };
    };
    updateProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderUpdate"];
            };
        };
        responses: {
            /** @description The updated connection */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderDetail"];
                };
            };
        };
    };
    listProviderAdapters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAdapterList"];
                };
            };
        };
    };
    testProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the test */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderTestResult"];
                };
            };
        };
    };
    listRoutingRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules and their revision */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRuleList"];
                };
            };
        };
    };
    replaceRoutingRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoutingRuleSet"];
            };
        };
        responses: {
            /** @description The rules and their new revision */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRuleList"];
                };
            };
        };
    };
    createRoutingRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoutingRuleChange"];
            };
        };
        responses: {
            /** @description The rule */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRuleSaved"];
                };
            };
        };
    };
    getRoutingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The rule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRuleSaved"];
                };
            };
        };
    };
    updateRoutingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The rule */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoutingRuleChange"];
            };
        };
        responses: {
            /** @description The updated rule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRuleSaved"];
                };
            };
        };
    };
    deleteRoutingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The rule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. Revert to an earlier revision to restore it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listRoutingRevisions: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRevisionList"];
                };
            };
        };
    };
    revertRoutingRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Revision number */
                number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoutingRevert"];
            };
        };
        responses: {
            /** @description The rules and their new revision */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRevertResult"];
                };
            };
        };
    };
    dryRunRouting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRun"];
            };
        };
        responses: {
            /** @description The route */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DryRunResult"];
                };
            };
        };
    };
    listShorteners: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One for each environment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShortenerList"];
                };
            };
        };
    };
    getShortener: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's short name or its id */
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shortener, without its secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shortener"];
                };
            };
        };
    };
    updateShortener: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's short name or its id */
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShortenerUpdate"];
            };
        };
        responses: {
            /** @description The updated shortener */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shortener"];
                };
            };
        };
    };
    testShortener: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment's short name or its id */
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShortenerTest"];
            };
        };
        responses: {
            /** @description The short link, or the problem */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShortenerTestResult"];
                };
            };
        };
    };
    getDeliveryReport: {
        parameters: {
            query?: {
                /** @description Only this application */
                application?: string;
                /** @description Only this channel */
                channel?: "sms" | "email" | "whatsapp";
                /** @description Short name of the unit */
                unit?: string;
                /** @description Id of the connection */
                provider?: string;
                /** @description Of the recipient's number; of an e-mail address, which has none, the request's region */
                country?: string;
                /** @description Only this type */
                notificationType?: string;
                /** @description Only this subtype */
                notificationSubtype?: string;
                /** @description Id of the template */
                template?: string;
                /** @description Only to mailboxes at this provider, by the domain of the address */
                mailDomain?: "gmail" | "yahoo" | "microsoft" | "other";
                /** @description Default: 24 hours before `to`; rounded down to the hour */
                from?: string;
                /** @description Default: now; rounded up to the hour */
                to?: string;
                /** @description Of the course over time, in UTC; weeks begin on Monday. Default: hours up to 3 days, else days */
                interval?: "hour" | "day" | "week" | "month";
                /** @description Up to three of channel, application, environment, unit, provider, country, notificationType, notificationSubtype, template, mailDomain, by commas */
                groupBy?: string | string[];
                /** @description The most groups; default 100, and 20 with `interval` */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics of the key's environment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryReport"];
                };
            };
        };
    };
    getCostReport: {
        parameters: {
            query?: {
                /** @description Only this application */
                application?: string;
                /** @description Only this channel */
                channel?: "sms" | "email" | "whatsapp";
                /** @description Short name of the unit */
                unit?: string;
                /** @description Id of the connection */
                provider?: string;
                /** @description Of the recipient's number; of an e-mail address, which has none, the request's region */
                country?: string;
                /** @description Only this type */
                notificationType?: string;
                /** @description Only this subtype */
                notificationSubtype?: string;
                /** @description Id of the template */
                template?: string;
                /** @description Only to mailboxes at this provider, by the domain of the address */
                mailDomain?: "gmail" | "yahoo" | "microsoft" | "other";
                /** @description Default: the beginning of the month (UTC); rounded down to the hour */
                from?: string;
                /** @description Default: now; rounded up to the hour */
                to?: string;
                /** @description Of the course over time, in UTC; weeks begin on Monday. Default: hours up to 3 days, else days */
                interval?: "hour" | "day" | "week" | "month";
                /** @description Up to three of channel, application, environment, unit, provider, country, notificationType, notificationSubtype, template, mailDomain, by commas */
                groupBy?: string | string[];
                /** @description The most groups; default 100, and 20 with `interval` */
                limit?: number;
                /** @description Only costs in this currency (ISO 4217) */
                currency?: string;
                /** @description JSON, or the rows of FOCUS as CSV */
                format?: "json" | "focus";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The costs of the key's environment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getObjectives: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both objectives, and the newest alerts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Objectives"];
                };
            };
        };
    };
    listExports: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportList"];
                };
            };
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportCreate"];
            };
        };
        responses: {
            /** @description Started in the background */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    deleteExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    downloadExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV in UTF-8 with a byte order mark */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    cancelExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Canceled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    getRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The periods and the steps of the purge */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
        };
    };
    updateRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetentionUpdate"];
            };
        };
        responses: {
            /** @description The updated periods */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
        };
    };
    listErasures: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureList"];
                };
            };
        };
    };
    eraseRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasureCreate"];
            };
        };
        responses: {
            /** @description Requested */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The erasure */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    listNotificationTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationTypeList"];
                };
            };
        };
    };
    createNotificationType: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "parcel",
                 *       "class": "transactional",
                 *       "subtypes": [
                 *         "shipped",
                 *         "delivered"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NotificationTypeCreate"];
            };
        };
        responses: {
            /** @description The type */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197f4a0-5b7e-7c1a-9d3e-000000000046",
                     *       "type": "parcel",
                     *       "class": "transactional",
                     *       "subtypes": [
                     *         "shipped",
                     *         "delivered"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationType"];
                };
            };
        };
    };
    updateNotificationType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The notification type */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationTypeUpdate"];
            };
        };
        responses: {
            /** @description The type as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197f4a0-5b7e-7c1a-9d3e-000000000046",
                     *       "type": "parcel",
                     *       "class": "transactional",
                     *       "subtypes": [
                     *         "shipped",
                     *         "delivered"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationType"];
                };
            };
        };
    };
    deleteNotificationType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The notification type */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getRecipientLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientLimits"];
                };
            };
        };
    };
    updateRecipientLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecipientLimitsUpdate"];
            };
        };
        responses: {
            /** @description What is set now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientLimits"];
                };
            };
        };
    };
    getResidency: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The regions, and what uses them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Residency"];
                };
            };
        };
    };
    updateResidency: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResidencyUpdate"];
            };
        };
        responses: {
            /** @description The regions, and what is no longer used */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResidencyChanged"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description true: also revoked and expired ones */
                includeEnded?: "true" | "false";
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description A name, an action, the ID of a resource, event or request, or a recipient's full address */
                q?: string;
                /** @description e.g. `api_key.revoked` */
                action?: string;
                /** @description The person or API key that acted */
                actorId?: string;
                /** @description Only by people, keys or the system */
                actorType?: "user" | "apiKey" | "system";
                /** @description e.g. `template` */
                targetType?: string;
                /** @description Only changes to the resource with this ID */
                targetId?: string;
                /** @description Only this environment */
                environmentId?: string;
                /** @description Only this unit */
                unitId?: string;
                /** @description At this moment or later */
                from?: string;
                /** @description Before this moment */
                to?: string;
                /** @description Maximum number of items per page */
                limit?: number;
                /** @description nextCursor of the previous page, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventList"];
                };
            };
        };
    };
    getAuditEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEvent"];
                };
            };
        };
    };
}

/** The error codes of this version of the API. */
export type KnownErrorCode =
  | "address_not_allowed"
  | "agent_limit"
  | "ai_budget_exhausted"
  | "ai_unavailable"
  | "conflict"
  | "connection_in_use"
  | "cursor_expired"
  | "depth_exceeded"
  | "environment_mismatch"
  | "forbidden_address"
  | "idempotency_mismatch"
  | "internal_error"
  | "invalid_cursor"
  | "invalid_encoding"
  | "invalid_json"
  | "invalid_request"
  | "invalid_signature"
  | "invalid_template"
  | "invalid_variable"
  | "method_not_allowed"
  | "missing_variable"
  | "moderation_blocked"
  | "moderation_unavailable"
  | "not_found"
  | "organisation_required"
  | "organisation_suspended"
  | "payload_too_large"
  | "permission_denied"
  | "promotion_conflict"
  | "quota_exceeded"
  | "rate_limited"
  | "region_not_allowed"
  | "request_in_progress"
  | "revision_conflict"
  | "second_factor_failed"
  | "second_factor_missing"
  | "second_factor_required"
  | "sender_not_allowed"
  | "sending_held"
  | "service_overloaded"
  | "sign_in_failed"
  | "sign_in_slowed"
  | "sign_in_way_not_allowed"
  | "template_exists"
  | "tenant_mismatch"
  | "unauthenticated"
  | "unknown_application"
  | "unknown_contact_group"
  | "unknown_notification_type"
  | "unknown_template"
  | "unsupported_media_type";
