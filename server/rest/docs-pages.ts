import { errorTable } from "../kernel/errors.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { messageFailures, retryDescriptions } from "../kernel/message-failures.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import { docsPage, escapeHtml } from "./docs-frame.ts";
import { errorAdvice } from "./error-advice.ts";

/** GET /docs/explorer: Swagger UI, which needs its script; the reference does not. */
export function explorerPage(): Response {
  return docsPage({
    title: "API explorer",
    part: "/docs/explorer",
    content: `<noscript><p>The explorer needs JavaScript. <a href="/docs/reference">The API reference</a> works without.</p></noscript>
<div id="swagger-ui"></div>`,
    styles: '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">\n',
    scripts: `<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/explorer.js"></script>`,
  });
}

/** A table of codes, with the code in the first column as the row's anchor. */
function codeTable(label: string, columns: readonly string[], rows: readonly string[]): string {
  return `<div class="table codes" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody></table></div>`;
}

function errorRow(code: ErrorCode): string {
  const { status, title } = errorTable[code];
  return `<tr id="${code}"><th scope="row"><code>${code}</code></th><td class="status">${status}</td><td>${escapeHtml(title)}.</td><td>${escapeHtml(errorAdvice[code] ?? "")}</td></tr>`;
}

function failureRow(code: FailureCode): string {
  const { title, again } = messageFailures[code];
  return `<tr id="message-${code}"><th scope="row"><code>${code}</code></th><td>${escapeHtml(title)}.</td><td class="again">${retryDescriptions[again]}.</td></tr>`;
}

/** GET /docs/errors; every problem's `type` points at a row of its first table. */
export function errorsPage(): Response {
  const errors = (Object.keys(errorTable) as ErrorCode[]).sort().map(errorRow);
  const failures = (Object.keys(messageFailures) as FailureCode[]).sort().map(failureRow);
  return docsPage({
    title: "Errors",
    part: "/docs/errors",
    content: `<h1>Errors</h1>
<p class="lead">Every error is a problem document (RFC 9457, <code>application/problem+json</code>) with the members <code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code>, <code>instance</code>, <code>code</code>, <code>requestId</code> and <code>errors</code>. One code always has the same status.</p>
${codeTable("Error codes", ["Code", "Status", "What it means", "What to do"], errors)}
<h2 id="messages">Messages that were not delivered</h2>
<p class="lead">An accepted message that was not sent or delivered has the reason in <code>reason</code> and <code>failure</code>, and so do its events and webhooks. The provider's own answer is in <code>providerCode</code> and <code>providerMessage</code>. After a failed attempt, a message is retried as shown in the last column until it expires.</p>
${codeTable("Codes of messages", ["Code", "What it means", "Retried"], failures)}`,
  });
}
