// Frames the content of a resource of an MCP server as a part of a user message.
import type { UserContent } from './message.ts'

const opening = '<mcp_resource '

/** The content cannot close its own frame. */
export function resourcePart(server: string, uri: string, content: string): UserContent {
  const safe = content.replaceAll(/<(?=\/?mcp_resource)/gi, '&lt;')
  return { type: 'text', text: `${opening}server="${server}" uri=${JSON.stringify(uri)}>\n${safe}\n</mcp_resource>` }
}

/** True for a part that was made of a resource. */
export function isResourcePart(part: UserContent): boolean {
  return part.type === 'text' && part.text.startsWith(opening)
}
