// Lists the files that summarised calls read and changed, for the summary to name.
import type { EventNamed } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'

export type FileLists = NonNullable<EventNamed<'compaction'>['details']>

/** Most files of a list: the last ones stay. */
const mostFiles = 50
const changing = new Set(['write', 'edit'])

/** The lists of an earlier compaction with the calls of these messages. A file that was changed is not listed as read. */
export function mergeFiles(earlier: FileLists | undefined, messages: readonly Message[]): FileLists {
  const read = new Set(earlier?.readFiles)
  const modified = new Set(earlier?.modifiedFiles)
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.content) {
      if (block.type !== 'toolCall') continue
      const path: unknown = block.arguments['path']
      if (typeof path !== 'string') continue
      if (changing.has(block.name)) moveToEnd(modified, path)
      else if (block.name === 'read') moveToEnd(read, path)
    }
  }
  const readFiles = [...read].filter((path) => !modified.has(path))
  return { readFiles: readFiles.slice(-mostFiles), modifiedFiles: [...modified].slice(-mostFiles) }
}

/** The section of a summary; empty without files. */
export function filesText({ readFiles, modifiedFiles }: FileLists): string {
  const lines = [
    ...(modifiedFiles.length === 0 ? [] : [`Changed: ${modifiedFiles.join(', ')}`]),
    ...(readFiles.length === 0 ? [] : [`Read: ${readFiles.join(', ')}`]),
  ]
  return lines.length === 0 ? '' : `\n\n## Files\n${lines.join('\n')}`
}

/** A summary without that section: the next one has its own. */
export function withoutFiles(summary: string): string {
  const at = summary.lastIndexOf('\n\n## Files\n')
  return at === -1 ? summary : summary.slice(0, at)
}

function moveToEnd(set: Set<string>, value: string): void {
  set.delete(value)
  set.add(value)
}
