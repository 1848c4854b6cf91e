import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { createQueryClient } from "./client.tsx";

test("what is done without a network fails at once, and is not done when there is one again", async () => {
  const client = createQueryClient(() => undefined, 10_000);
  client.mount();
  const send = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
  onlineManager.setOnline(false);
  try {
    await expect(new MutationObserver(client, { mutationFn: send }).mutate()).rejects.toThrow();
    onlineManager.setOnline(true);
    await client.resumePausedMutations();
    expect(send).toHaveBeenCalledTimes(1);
  } finally {
    onlineManager.setOnline(true);
    client.unmount();
  }
});
