// Opens an entry of the tree whole, on a page that scrolls.
import { tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { messageBody } from '../../text/message-body.ts'
import { nodeText } from '../../text/tree-picture.ts'
import type { Ui } from '../contract/ui.ts'
import { spanLines } from '../text/span.ts'
import type { TreeNode } from './tree-actions.ts'

/** Emits when the page is open; empty if the server does not have the entry any more. */
export function readEntry(ui: Ui, session: string, node: TreeNode): Observable<unknown> {
  const { entryId, seq } = node
  const range = { branch: entryId, before: seq + 1, limit: 1 } as const
  return ui.request({ type: 'get_entries', session, ...range }).pipe(
    tap(({ entries, summaries = [] }) => {
      const summary = summaries.find(({ event }) => event.entryId === entryId)?.event.summary
      const message = entries.find((entry) => entry.entryId === entryId)?.message
      const text = summary ?? (message === undefined ? '' : messageBody(message))
      const [title = ''] = nodeText(node).split(':')
      ui.input({ type: 'overlay', overlay: { name: 'page', title: `${title} · ${entryId}`, lines: spanLines(text) } })
    }),
  )
}
