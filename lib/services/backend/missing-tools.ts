// Describes tools that a session used and lacks now, one notice for each MCP server.
import type { Notice } from '../contract/server-backend.ts'

export function missingToolNotices(names: readonly string[]): Notice[] {
  const servers = new Map<string, number>()
  const others: string[] = []
  for (const name of names) {
    const server = /^mcp__(.+?)__/.exec(name)?.[1]
    if (server === undefined) others.push(name)
    else servers.set(server, (servers.get(server) ?? 0) + 1)
  }
  return [...[...servers].map(missingServer), ...others.map(missingTool)]
}

function missingServer([server, count]: readonly [string, number]): Notice {
  const tools = count === 1 ? 'one tool' : `${count} tools`
  const message = `The session used ${tools} of the MCP server ${server}, which it does not have any more: no configuration names it, and the client that opens the session does not bring it`
  return { code: 'tool_missing', message }
}

function missingTool(name: string): Notice {
  return { code: 'tool_missing', message: `The session used the tool ${name}, which is not available any more` }
}
