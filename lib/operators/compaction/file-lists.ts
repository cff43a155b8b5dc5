// Lists the files that summarised calls read and changed, for the summary to name.
import type { EventNamed } from '../../streams/events/event.ts'
import { innerCall } from '../../streams/messages/inner-call.ts'
import type { Message } from '../../streams/messages/message.ts'

export type FileLists = NonNullable<EventNamed<'compaction'>['details']>

/** Most files of a list: the last ones stay. */
const mostFiles = 50
const changing = new Set(['write', 'edit', 'hashline_edit'])

/**
 * The lists of an earlier compaction with the calls of these messages. A file that was changed is not listed as read; a
 * call that failed counts for nothing.
 */
export function mergeFiles(earlier: FileLists | undefined, messages: readonly Message[]): FileLists {
  const read = new Set(earlier?.readFiles)
  const modified = new Set(earlier?.modifiedFiles)
  const failed = failedCalls(messages)
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.content) {
      if (block.type !== 'toolCall' || failed.has(block)) continue
      const call = innerCall(block)
      const path: unknown = call.arguments['path']
      if (typeof path !== 'string') continue
      if (changing.has(call.name)) moveToEnd(modified, path)
      else if (call.name === 'read') moveToEnd(read, path)
    }
  }
  const readFiles = [...read].filter((path) => !modified.has(path))
  return { readFiles: readFiles.slice(-mostFiles), modifiedFiles: [...modified].slice(-mostFiles) }
}

/** By call, as providers repeat ids: a result belongs to the answer before it. */
function failedCalls(messages: readonly Message[]): ReadonlySet<object> {
  const failed = new Set<object>()
  let answer: Extract<Message, { role: 'assistant' }> | undefined
  for (const message of messages) {
    if (message.role === 'assistant') answer = message
    else if (message.role === 'toolResult' && message.isError) {
      const call = answer?.content.find((block) => block.type === 'toolCall' && block.id === message.toolCallId)
      if (call !== undefined) failed.add(call)
    }
  }
  return failed
}

/** The section of a summary, with as many of the last files as fit into `most` UTF-16 units; empty without files. */
export function filesText({ readFiles, modifiedFiles }: FileLists, most = Infinity): string {
  const changed = lastFitting(modifiedFiles.map(oneLine), most)
  const read = lastFitting(readFiles.map(oneLine), most - changed.join(', ').length)
  const lines = [
    ...(changed.length === 0 ? [] : [`Changed: ${changed.join(', ')}`]),
    ...(read.length === 0 ? [] : [`Read: ${read.join(', ')}`]),
  ]
  return lines.length === 0 ? '' : `${heading}${lines.join('\n')}`
}

const heading = '\n\n## Files\n'

/** A summary without the section of these files: the next one has its own. */
export function withoutFiles(summary: string, { readFiles, modifiedFiles }: FileLists): string {
  const at = readFiles.length + modifiedFiles.length === 0 ? -1 : summary.lastIndexOf(heading)
  return at === -1 ? summary : summary.slice(0, at)
}

/** A model chooses the paths: none may look like a line of the summary. */
function oneLine(path: string): string {
  return path.replace(/\s+/g, ' ')
}

function lastFitting(paths: readonly string[], most: number): string[] {
  const fitting: string[] = []
  let units = 0
  for (const path of paths.toReversed()) {
    units += path.length + 2
    if (units > most) break
    fitting.unshift(path)
  }
  return fitting
}

function moveToEnd(set: Set<string>, value: string): void {
  set.delete(value)
  set.add(value)
}
