// Slash command /compact: summarises earlier messages, shows the summary, or takes it back.
import { randomUUID } from 'node:crypto'
import { finalize } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { nodeText } from '../../text/tree-picture.ts'
import { markdownLines } from '../markdown/markdown-lines.ts'
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { compactionText } from '../../text/compaction-text.ts'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { askServer, notify, withSession } from './ask-server.ts'

type Compaction = NonNullable<ResultOf<'get_entries'>['compaction']>
type Tree = ResultOf<'get_tree'>

/** @param argument `show`, `undo`, or what the summary must look after */
export function compact(ui: Ui, argument: string): void {
  withSession(ui, (session) => {
    if (argument === 'show') showSummary(ui, session)
    else if (argument === 'undo') undoSummary(ui, session)
    else summarise(ui, session, argument)
  })
}

function summarise(ui: Ui, session: string, focus: string): void {
  if (ui.now().compacting !== undefined) {
    notify(ui, 'The conversation is being summarised already; Esc stops it', 'warning')
    return
  }
  ui.input({ type: 'compacting', since: Date.now() })
  const command = { type: 'compact', session, ...(focus === '' ? {} : { focus }) } as const
  ui.request(command, { opId: randomUUID() }) // the server runs a repeated request once
    .pipe(
      finalize(() => {
        ui.input({ type: 'compacting' })
      }),
    )
    .subscribe({
      error: (error: unknown) => {
        reportFailure(ui, Failure.from(error))
      },
    })
}

function reportFailure(ui: Ui, failure: Failure): void {
  const { code, message } = failure
  if (code === 'cancelled')
    ui.input({ type: 'notice', level: 'stopped', text: 'Stopped: the conversation is as it was' })
  else if (code === 'bad_request') notify(ui, message)
  else if (code === 'busy') notify(ui, 'A run is active: /compact works when it has ended, or after Esc', 'warning')
  else
    ui.input(
      failureNotice(failure, 'The conversation is as it was; /compact tries again, /model chooses another model'),
    )
}

/** Emits the end of the branch: the head, its last entry, and the summary that its context begins with. */
function branchEnd(
  ui: Ui,
  session: string,
  onEnd: (end: ResultOf<'get_entries'>, compaction: Compaction) => void,
): void {
  const range = { branch: 'head', before: Number.MAX_SAFE_INTEGER, limit: 1 } as const
  askServer(ui, { type: 'get_entries', session, ...range }, (end) => {
    if (end.compaction === undefined) notify(ui, 'Nothing is summarised here: the model receives every message')
    else onEnd(end, end.compaction)
  })
}

function showSummary(ui: Ui, session: string): void {
  branchEnd(ui, session, (_, compaction) => {
    askServer(ui, { type: 'get_tree', session }, (tree) => {
      const lines = summaryPage(compaction, tree)
      ui.input({ type: 'overlay', overlay: { name: 'page', title: 'Summary of earlier messages', lines } })
    })
  })
}

/** The messages after the summary are not part of what it stands for: only a head at the summary moves before it. */
function undoSummary(ui: Ui, session: string): void {
  branchEnd(ui, session, ({ headEntryId }, { event }) => {
    const { entryId, parentId } = event
    if (headEntryId === entryId) askServer(ui, { type: 'branch_session', session, entryId: parentId })
    else nameEntryBefore(ui, session, parentId)
  })
}

function nameEntryBefore(ui: Ui, session: string, before: string | null): void {
  askServer(ui, { type: 'get_tree', session }, ({ entries }) => {
    const node = entries.find(({ entryId }) => entryId === before)
    const name = node === undefined ? 'the entry before it' : `“${nodeText(node)}”`
    notify(
      ui,
      `Messages have followed the summary. Choose ${name} in /tree to go on before it; what followed stays in the tree`,
    )
  })
}

/** Width of a page at which a summary is laid out; the page wraps longer lines. */
const pageColumns = 100

/** The summary, how it came about, and the first words of each message that it stands for. */
export function summaryPage({ event }: Compaction, { entries }: Pick<Tree, 'entries'>): Line[] {
  const facts = event.type === 'compaction' ? compactionFacts(event) : []
  const summarised = entries.filter(({ received }) => received === 'summarised')
  return [
    ...facts,
    [],
    ...markdownLines(event.summary, pageColumns),
    [],
    [span(`The messages that it replaces (${summarised.length}); /tree reads each in full`, 'strong')],
    ...summarised.map((node) => [span(`  ${nodeText(node)}`, 'dim')]),
  ]
}

function compactionFacts(event: Extract<Compaction['event'], { readonly type: 'compaction' }>): Line[] {
  const { focus, model } = event
  return [
    [span(compactionText(event))],
    ...(focus === undefined ? [] : [[span('focus: ', 'dim'), span(focus)]]),
    ...(model === undefined ? [] : [[span('written by: ', 'dim'), span(model)]]),
  ]
}
