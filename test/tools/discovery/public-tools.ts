// Reads the tools of public servers as tools of a session.
import { readFileSync } from 'node:fs'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'

const files = ['public-tools-1.txt', 'public-tools-2.txt']

/** In the order of the files; each call makes new ones. */
export function publicTools(): AnyTool[] {
  let server = ''
  return files.flatMap((file) => {
    const lines = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')
    return lines.flatMap((line) => {
      const heading = /^\[(.+)\]$/.exec(line)
      if (heading !== null) server = heading[1] ?? ''
      const [tool, keys, description] = line.split(' | ')
      if (line.startsWith('#') || tool === undefined || keys === undefined || description === undefined) return []
      return [makeTool({ server, tool, keys: keys.split(' ').filter(Boolean), description })]
    })
  })
}

interface PublicTool {
  readonly server: string
  readonly tool: string
  readonly keys: readonly string[]
  readonly description: string
}

function makeTool({ server, tool, keys, description }: PublicTool): AnyTool {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]))
  return {
    name: `mcp__${server}__${tool}`,
    description,
    parameters: { type: 'object', properties } as unknown as AnyTool['parameters'],
    origin: { server, tool },
    validate: () => [],
    execute: () => textResult(`${tool} ran`),
  }
}
