// Actions at one entry of the tree: continue there, restore files, copy, or label it.
import { useState } from 'react'
import type { ReactElement } from 'react'
import { concat, ignoreElements, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { foldMentions } from '../../../lib/streams/messages/mentions.ts'
import { displayText } from '../../../lib/streams/messages/message-text.ts'
import { TextLine } from '../dialogs/text-line.tsx'
import { openCopy } from '../session/open-session.ts'
import type { Ui } from '../contract/ui.ts'
import { Picker } from '../lists/picker.tsx'
import { branchTo } from './use-picker-actions.ts'
import { RestoreFiles } from './restore-files.tsx'
import { treeActions } from './tree-actions.ts'
import type { TreeAction, TreeNode } from './tree-actions.ts'
import type { TreeEntryProps } from './tree-actions.ts'
import { usePickerActions } from './use-picker-actions.ts'

export function TreeEntry(props: TreeEntryProps): ReactElement {
  const { session, node, columns, height, onBack } = props
  const [step, setStep] = useState<'choose' | 'files' | 'label'>('choose')
  const { act, close, ui } = usePickerActions()
  const title = `${node.role}: ${node.firstWords}`
  if (step === 'files') return <RestoreFiles {...props} />
  if (step === 'label') {
    const name = (label: string): void => {
      act(ui.request({ type: 'set_label', session, entryId: node.entryId, label: label === '' ? null : label }))
    }
    return (
      <TextLine
        title="Label of this entry"
        initial={node.label ?? ''}
        columns={columns}
        onDone={name}
        onCancel={onBack}
      />
    )
  }
  const accept = (action: TreeAction): void => {
    if (action === 'files' || action === 'label') setStep(action)
    else if (action === 'again') act(editPromptAgain(ui, session, node))
    else if (action === 'copy') {
      close()
      ui.open(openCopy(ui, session, node.entryId))
    } else if (action === 'summary') {
      ui.input({ type: 'notice', level: 'info', text: 'The model summarises the branch that is left …' })
      act(branchTo(ui, { session, entryId: node.entryId, summarise: true }))
    } else act(branchTo(ui, { session, entryId: node.entryId }))
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

/** Goes back before a prompt and returns its text to the editor. */
function editPromptAgain(ui: Ui, session: string, { parentId, seq }: TreeNode): Observable<unknown> {
  const drafted$ = ui.request({ type: 'get_entries', session, after: seq - 1, limit: 1 }).pipe(
    tap(({ entries: [entry] }) => {
      if (entry !== undefined) ui.input({ type: 'draft', text: foldMentions(displayText(entry.message)) })
    }),
  )
  return concat(branchTo(ui, { session, entryId: parentId }).pipe(ignoreElements()), drafted$)
}
