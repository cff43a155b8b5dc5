// Converts changes of files into the diffs of ACP: old and new text, a pair for each hunk.
import path from 'node:path'
import type { ToolCallContent } from '@agentclientprotocol/sdk'
import { parsePatch } from 'diff'
import { isRecord } from '../../../lib/streams/values/json.ts'

/** Hunks of one call; later ones are left out. */
const mostHunks = 100

/** Empty for a text that is no unified diff. @param file absolute, of all hunks */
export function diffContent(unified: string, file: string): ToolCallContent[] {
  return parsed(unified)
    .flatMap(({ oldFileName, hunks }) =>
      hunks.map((hunk) => ({ lines: hunk.lines, isNew: oldFileName === '/dev/null' })),
    )
    .slice(0, mostHunks)
    .map(({ lines, isNew }) => ({
      type: 'diff',
      path: file,
      newText: sideOf(lines, '+'),
      oldText: isNew ? null : sideOf(lines, '-'),
    }))
}

function parsed(unified: string): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(unified)
  } catch {
    return [] // text of an extension
  }
}

/** A side ends with a line feed, unless the patch says that the file does not. */
function sideOf(lines: readonly string[], sign: '+' | '-'): string {
  let text = ''
  let isOwn = false
  for (const line of lines) {
    if (line.startsWith('\\')) {
      if (isOwn && text.endsWith('\n')) text = text.slice(0, -1)
      continue
    }
    isOwn = line.startsWith(sign) || line.startsWith(' ')
    if (isOwn) text += `${line.slice(1)}\n`
  }
  return text
}

/** The changes that a call of `edit` asks for, before it runs; empty for other arguments. */
export function requestedDiff(args: Readonly<Record<string, unknown>>, cwd: string): ToolCallContent[] {
  const { path: file, edits, content } = args
  if (typeof file !== 'string') return []
  const target = path.resolve(cwd, file)
  if (typeof content === 'string') return [{ type: 'diff', path: target, newText: content }]
  if (!Array.isArray(edits)) return []
  return edits.slice(0, mostHunks).flatMap((edit: unknown): ToolCallContent[] => {
    if (!isRecord(edit) || typeof edit['oldText'] !== 'string' || typeof edit['newText'] !== 'string') return []
    return [{ type: 'diff', path: target, oldText: edit['oldText'], newText: edit['newText'] }]
  })
}
