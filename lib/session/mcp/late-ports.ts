// Answers what MCP servers ask before their session is open, and keeps their notices for it.
import { EMPTY, defer, of } from 'rxjs'
import type { McpClientPorts } from '../../mcp/contract/mcp-requests.ts'
import type { ServerPorts } from './opened-servers.ts'

/** Declines requests of servers before the session is open; notices wait for it. */
export function latePorts() {
  let target: ServerPorts | undefined
  const waiting: Parameters<ServerPorts['onNotice']>[0][] = []
  const ports: Pick<McpClientPorts, 'elicit' | 'sample' | 'onNotice'> = {
    elicit: (request) => defer(() => target?.elicit(request) ?? of({ action: 'decline' as const })),
    sample: (request) => defer(() => target?.sample?.(request) ?? EMPTY),
    onNotice: (notice) => {
      if (target !== undefined) target.onNotice(notice)
      else if (waiting.length < mostNotices) waiting.push(notice)
    },
  }
  return {
    ports,
    connect: (next: ServerPorts): void => {
      target = next
      for (const notice of waiting.splice(0)) next.onNotice(notice)
    },
  }
}

/** Notices that wait for the session; more are left out. */
const mostNotices = 100
