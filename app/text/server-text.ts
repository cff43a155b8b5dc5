// Writes an MCP server in one line: its command or address, and the names of what it gets.
import type { ServerSummary } from '../../lib/streams/config/mcp-servers.ts'

/** `npx -y server · TOKEN`; arguments with spaces are quoted. */
export function serverText({ command, args = [], env = [], url = '', headers = [] }: ServerSummary): string {
  const what = command === undefined ? url : [command, ...args].map(quoted).join(' ')
  const names = command === undefined ? headers : env
  return names.length === 0 ? what : `${what} · ${names.join(', ')}`
}

function quoted(word: string): string {
  return /^[^\s"']+$/.test(word) ? word : JSON.stringify(word)
}
