// Computes the identity of a call, to which a remembered approval is bound.
// Guarantees: another argument, folder or sandbox gives another key; the order of keys does not count.
import { createHash } from 'node:crypto'
import type { PolicyRequest } from '../../streams/ports/policy.ts'

/** 256 bits of tool, final arguments, folder and sandbox; of a tool of an MCP server also its digest. */
export function approvalKey({ tool, args, cwd, isSandboxed }: PolicyRequest): string {
  const identity = [tool.name, ordered(args), cwd, isSandboxed, tool.mcp?.digest ?? null]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex')
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => [key, ordered(each)])
}
