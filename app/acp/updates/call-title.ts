// Describes a tool call for an editor: its kind, a title, and the files that it is about.
import path from 'node:path'
import type { ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import { previewStart } from '../../../lib/streams/values/display-text.ts'

type Arguments = Readonly<Record<string, unknown>>

const kinds: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  ls: 'read',
  grep: 'search',
  find: 'search',
  search_tools: 'search',
  edit: 'edit',
  hashline_edit: 'edit',
  write: 'edit',
  bash: 'execute',
  job_output: 'execute',
  job_input: 'execute',
  job_kill: 'execute',
  todo: 'think',
  propose_plan: 'switch_mode',
}

/** `other` for tools that rxpi does not bring. */
export function kindOf(tool: string): ToolKind {
  return Object.hasOwn(kinds, tool) ? (kinds[tool] ?? 'other') : 'other'
}

const longestTitle = 200

/** The command, the path or the pattern after the tool's name; the name alone without one. */
export function titleOf(tool: string, { command, pattern, query, path: file, url }: Arguments): string {
  if (typeof command === 'string' && tool === 'bash') return previewStart(command, longestTitle)
  const words = [command, pattern, query, file, url].filter((value) => typeof value === 'string')
  return previewStart([tool, ...words].join(' '), longestTitle)
}

/** The file of the call, with the line at which it reads or changes it, counted from 1. */
export function locationsOf(args: Arguments, cwd: string, line?: unknown): ToolCallLocation[] {
  const { path: file, offset } = args
  if (typeof file !== 'string' || file === '') return []
  const at = line ?? offset
  return [
    {
      path: path.resolve(cwd, file),
      ...(typeof at === 'number' && Number.isInteger(at) && at > 0 ? { line: at } : {}),
    },
  ]
}
