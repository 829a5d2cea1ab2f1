import { createHash } from 'node:crypto';
import { Markup, markup } from './markup.ts';

type Page = {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  /** Whether the script may connect to the server that the page came from. */
  readonly connects?: boolean;
  /** The text of the first link, which is visible only with the keyboard. */
  readonly skip: string;
  /** Contains the element `content`. */
  readonly main: Markup;
  readonly footer: Markup;
};

/** A page that fetches nothing, unless it `connects`, and runs only its own style and script, whatever text a target sends. */
export function page({ title, style, script, connects = false, skip, main, footer }: Page): string {
  const policy = [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    ...(script === undefined ? [] : [`script-src '${digest(script)}'`]),
    ...(connects ? ["connect-src 'self'"] : []),
    'img-src data:', // the icon, which browsers would otherwise request
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const { text } = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy.join('; '))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style></head>
<body><a class="skip" href="#content">${skip}</a>
<div class="page"><main>${main}</main>
<footer><p>${footer}</p></footer></div>${
    script === undefined
      ? undefined
      : markup`
<script>${new Markup(script)}</script>`
  }</body></html>
`;
  return text;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
