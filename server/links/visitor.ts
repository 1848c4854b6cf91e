/**
 * Programs that open links before people do: previews in messengers, search engines, scanners of mail gateways that
 * identify themselves. Everything that looks like a person counts.
 */
const programs =
  /(?<!cu)bots?\b|crawl|spider|slurp|preview|facebookexternalhit|facebookcatalog|facebot|whatsapp\/|telegram|slack-img|skypeuri|pinterest\/|vkshare|embedly|quora link|outbrain|w3c_validator|google-?(read-aloud|safety|pagerenderer|inspectiontool|web-preview|imageproxy)|mediapartners-google|yahoomailproxy|barracuda|proofpoint|mimecast|urlscan|headlesschrome|lighthouse|curl\/|wget\/|python-|go-http-client|okhttp\/|node-fetch|undici|axios\/|java\/|libwww|httpclient/i;

/** Whether this request is a person opening a link, and not a program that checks where it leads. */
export function isPerson(request: { method: string; headers: Pick<Headers, "get"> }): boolean {
  if (request.method !== "GET") return false;
  const purpose = ["sec-purpose", "purpose", "x-purpose", "x-moz"].map(
    (name) => request.headers.get(name) ?? "",
  );
  if (/prefetch|prerender|preview/i.test(purpose.join(" "))) return false;
  const agent = request.headers.get("user-agent") ?? "";
  return agent !== "" && !programs.test(agent);
}
