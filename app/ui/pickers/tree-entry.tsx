// One entry of the tree: the conversation goes on from it, with or without its files, or it gets a name.
import { useState } from 'react'
import type { ReactElement } from 'react'
import { EMPTY, concat, defer, ignoreElements, mergeMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed } from '../../../lib/streams/command.ts'
import { messageText } from '../../../lib/streams/message-text.ts'
import { TextLine } from '../dialogs/text-line.tsx'
import { Picker } from './picker.tsx'
import type { PickerPlace } from './picker-place.ts'
import { PutBack } from './put-back.tsx'
import { treeActions } from './tree-actions.ts'
import type { TreeAction, TreeNode } from './tree-actions.ts'
import { usePickerActs } from './use-picker-acts.ts'
import type { PickerActs } from './use-picker-acts.ts'

export interface TreeEntryProps extends PickerPlace {
  readonly session: string
  readonly node: TreeNode
  readonly onBack: () => void
}

export function TreeEntry(props: TreeEntryProps): ReactElement {
  const { session, node, columns, height, onBack } = props
  const acts = usePickerActs()
  const [step, setStep] = useState<'choose' | 'files' | 'label'>('choose')
  const { act, ui } = acts
  const title = `${node.role}: ${node.firstWords}`
  if (step === 'files') return <PutBack {...props} />
  if (step === 'label') {
    const name = (label: string): void => {
      act(ui.request({ type: 'set_label', session, entryId: node.entryId, label: label === '' ? null : label }))
    }
    return (
      <TextLine
        title="Name of this entry"
        initial={node.label ?? ''}
        columns={columns}
        onDone={name}
        onCancel={onBack}
      />
    )
  }
  const accept = (action: TreeAction): void => {
    if (action === 'files' || action === 'label') setStep(action)
    else if (action === 'again') act(askAnew(acts, session, node))
    else if (action === 'copy') act(branched(acts, { session, entryId: node.entryId, newFile: true }))
    else act(branched(acts, { session, entryId: node.entryId, ...(action === 'summary' ? { summarise: true } : {}) }))
  }
  return (
    <Picker
      title={title}
      rows={treeActions(node)}
      columns={columns}
      height={height}
      keepsOrder
      empty=""
      onCancel={onBack}
      onAccept={({ key }) => {
        accept(key as TreeAction) // its rows have these keys
      }}
    />
  )
}

/** Moves the head, which its events show; a session of its own is shown from now on. */
export function branched(
  { ui, show }: PickerActs,
  command: Omit<CommandNamed<'branch_session'>, 'type'>,
): Observable<unknown> {
  return defer(() => ui.request({ type: 'branch_session', ...command })).pipe(
    mergeMap(({ session }) => (session === undefined ? EMPTY : show(session))),
  )
}

/** Back to before a prompt, which returns to the editor. */
function askAnew(acts: PickerActs, session: string, { parentId, seq }: TreeNode): Observable<unknown> {
  const { ui } = acts
  const drafted$ = ui.request({ type: 'get_entries', session, after: seq - 1, limit: 1 }).pipe(
    tap(({ entries: [entry] }) => {
      if (entry !== undefined) ui.input({ type: 'draft', text: messageText(entry.message) })
    }),
  )
  return concat(branched(acts, { session, entryId: parentId }).pipe(ignoreElements()), drafted$)
}
