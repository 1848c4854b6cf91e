/**
 * The web process without the portal and its build, which a test may kill: the real front door and all that is served
 * behind it without Next. `node web-process.ts`, configured like the web (PORT, WEB_DATABASE_URL, …).
 */
import { createFrontDoor } from "../../front-door/front-door.ts";
import { env } from "../../kernel/env.ts";
import { sharedPathTree } from "../../rest/serve-path.ts";

const door = createFrontDoor({
  tree: sharedPathTree(),
  portal: async (_request, response) => {
    response.writeHead(404).end();
  },
  trustedProxies: env().trustedProxies,
});
door.server.listen(env().port, "127.0.0.1");
