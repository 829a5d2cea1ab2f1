/** A target file for a server of the bench. */
export function targetText(url: string, more = ''): string {
  return `name: Bench
baseUrl: ${url}
principals: { bench: { key: none, adminOf: [org_1] } }
organizations: { org_1: { chats: [cht_1] } }
allow: [load, messages]
${more}`;
}
