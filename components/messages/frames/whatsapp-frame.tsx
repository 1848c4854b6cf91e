"use client";

import { ExternalLink, FileText, Image as ImageIcon, Phone, Play, Reply } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Rendered } from "../rendered-message.tsx";
import { formatWhatsapp, type TextNode } from "./whatsapp-format.ts";
import { LinkedText } from "./linked-text.tsx";
import { PhoneFrame } from "./phone-frame.tsx";

/** A WhatsApp message of a business: header, text, footer and buttons as the recipient has them. */
export function WhatsappFrame({ message, className }: { message: Rendered; className?: string }) {
  const buttons = message.buttons ?? [];
  return (
    <PhoneFrame
      from={message.from ?? "WhatsApp"}
      kind="Business account"
      at={message.at}
      className={className}
    >
      {({ time }) => (
        <div className="w-[92%] self-start">
          <div className="overflow-hidden rounded-lg rounded-tl-none border border-line bg-surface">
            {message.header ? <Header header={message.header} /> : null}
            <div className="px-2.5 pt-1.5 pb-1">
              <div className="text-sm break-words whitespace-pre-wrap">
                <Marked nodes={formatWhatsapp(message.text ?? "")} />
              </div>
              {message.footer ? (
                <p dir="auto" className="mt-1 text-xs break-words text-ink-muted">
                  {message.footer}
                </p>
              ) : null}
              <p className="text-right text-2xs text-ink-muted tabular" suppressHydrationWarning>
                {time}
              </p>
            </div>
            {buttons.length > 0 ? (
              <ul className="divide-y divide-line border-t border-line">
                {buttons.map((button, index) => {
                  const Icon = buttonIcons[button.type];
                  return (
                    <li
                      key={index}
                      title={button.value}
                      className="flex items-center justify-center gap-1.5 px-2.5 py-2 text-sm font-medium text-accent-text"
                    >
                      <Icon className="size-3.5 shrink-0" aria-hidden />
                      <bdi className="min-w-0 break-words">{button.text}</bdi>
                      {button.type === "quick_reply" || !button.value ? null : (
                        <span className="sr-only">: {button.value}</span>
                      )}
                    </li>
                  );
                })}
              </ul>
            ) : null}
          </div>
        </div>
      )}
    </PhoneFrame>
  );
}

const buttonIcons = { quick_reply: Reply, url: ExternalLink, phone: Phone } as const;

function Header({ header }: { header: NonNullable<Rendered["header"]> }) {
  const [failed, setFailed] = useState<string | null>(null);
  if (header.type === "text") {
    return (
      <p dir="auto" className="px-2.5 pt-2 text-sm font-semibold break-words">
        {header.value}
      </p>
    );
  }
  const name = fileName(header.value);
  if (header.type === "document") {
    return (
      <p className="m-1.5 flex items-center gap-2 rounded-md bg-sunken px-2.5 py-3 text-sm">
        <FileText className="size-5 shrink-0 text-ink-muted" aria-hidden />
        <span className="min-w-0 break-all">{name}</span>
      </p>
    );
  }
  if (header.type === "image" && failed !== header.value) {
    return (
      // Comes from the tenant's own address, which the server has checked; it is told nothing of the portal.
      <img
        src={header.value}
        alt={`Header image ${name}`}
        referrerPolicy="no-referrer"
        onError={() => setFailed(header.value)}
        className="m-1.5 block aspect-[1.91] w-[calc(100%-0.75rem)] rounded-md bg-sunken object-cover"
      />
    );
  }
  const Icon = header.type === "video" ? Play : ImageIcon;
  return (
    <div className="m-1.5 grid aspect-[1.91] place-items-center rounded-md bg-sunken px-3 text-center text-xs text-ink-muted">
      <span className="grid justify-items-center gap-1.5">
        <Icon className="size-6" aria-hidden />
        <span className="break-all">{header.type === "video" ? name : `${name} could not be loaded`}</span>
      </span>
    </div>
  );
}

function fileName(url: string): string {
  const path = url.split(/[?#]/)[0] ?? "";
  return path.split("/").at(-1) || url;
}

function Marked({ nodes }: { nodes: readonly TextNode[] }): ReactNode {
  return nodes.map((node, index) => {
    if (typeof node === "string") return <LinkedText key={index} text={node} />;
    const inner = <Marked nodes={node.children} />;
    if (node.style === "bold") return <strong key={index}>{inner}</strong>;
    if (node.style === "italic") return <em key={index}>{inner}</em>;
    if (node.style === "strike") return <s key={index}>{inner}</s>;
    return (
      <code key={index} className="font-mono text-xs">
        {inner}
      </code>
    );
  });
}
