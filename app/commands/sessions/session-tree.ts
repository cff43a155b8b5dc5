// Runs `rxpi sessions tree`: prints the tree; a terminal shows entries off the current branch dimmed.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { TreeInvocation } from '../../cli/invocation.ts'
import type { Output } from '../../process/output.ts'
import { drawTree } from '../../text/tree-picture.ts'
import type { TreeLine } from '../../text/tree-picture.ts'
import type { World } from '../../process/world.ts'

/**
 * Emits the exit code.
 * @param now Unix ms
 */
export function printTree(
  { target, json }: TreeInvocation,
  { client, stdout }: World,
  now = Date.now(),
): Observable<number> {
  return client.request({ type: 'get_tree', ...target }).pipe(
    map((tree) => {
      if (json) stdout.json(JSON.stringify(tree))
      else {
        stdout.text(headText(tree, 'file' in target ? target.file : `Session ${tree.header.id}`))
        writeLines(drawTree(tree, now), stdout)
      }
      return 0
    }),
  )
}

function headText({ header: { cwd, parent }, title, entries }: ResultOf<'get_tree'>, what: string): string {
  const name = title === undefined ? '' : `: ${title}`
  const origin = parent === undefined ? '' : `It begins at entry ${parent.entryId} of session ${parent.sessionId}\n`
  const none = entries.length === 0 ? 'There are no entries yet\n' : ''
  return `${what}${name} (${cwd})\n${origin}${none}`
}

/** Writes neighbouring lines of one kind together. */
function writeLines(lines: readonly TreeLine[], stdout: Output): void {
  for (let start = 0; start < lines.length;) {
    const isAside = lines[start]?.isAside === true
    let end = start + 1
    while (end < lines.length && lines[end]?.isAside === isAside) end += 1
    // a node is one line, whatever its text
    const text = lines.slice(start, end).map((line) => `${line.text.replaceAll(/[\n\r]/g, ' ')}\n`)
    if (isAside) stdout.dimmed(text.join(''))
    else stdout.text(text.join(''))
    start = end
  }
}
