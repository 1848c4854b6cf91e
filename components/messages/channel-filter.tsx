import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import type { Channel } from "../../server/kernel/channel.ts";
import { channelLabel, channels } from "./channel.tsx";

/** Narrows a list to one channel; null: every channel. */
export function ChannelFilter({
  value,
  onChange,
}: {
  value: Channel | null;
  onChange: (channel: Channel | null) => void;
}) {
  return (
    <ChoiceFilter
      label="Channel"
      value={value}
      onChange={onChange}
      options={channels.map((channel) => ({ value: channel, label: channelLabel(channel) }))}
    />
  );
}
