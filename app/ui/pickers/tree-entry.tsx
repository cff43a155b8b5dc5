// Actions at one entry of the tree: go there, copy, label, read, or change what a model receives.
import { useState } from 'react'
import type { ReactElement } from 'react'
import { concat, ignoreElements, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Command } from '../../../lib/streams/commands/command.ts'
import { foldMentions } from '../../../lib/streams/messages/mentions.ts'
import { displayText } from '../../../lib/streams/messages/message-text.ts'
import { TextLine } from '../dialogs/text-line.tsx'
import { openCopy } from '../session/open-session.ts'
import type { Ui } from '../contract/ui.ts'
import { Picker } from '../lists/picker.tsx'
import { branchTo, usePickerActions } from './use-picker-actions.ts'
import { RestoreFiles } from './restore-files.tsx'
import { readEntry } from './read-entry.ts'
import { contextCommand, treeActions } from './tree-actions.ts'
import type { TreeAction, TreeNode, TreeEntryProps } from './tree-actions.ts'

export function TreeEntry(props: TreeEntryProps): ReactElement {
  const { session, node, columns, height, onBack } = props
  const [step, setStep] = useState<'choose' | 'files' | 'label' | 'replace'>('choose')
  const { act, close, ui } = usePickerActions()
  const title = `${node.role}: ${node.firstWords}`
  if (step === 'files') return <RestoreFiles {...props} />
  if (step === 'label' || step === 'replace') return <EntryText {...props} of={step} />
  const accept = (action: TreeAction): void => {
    if (action === 'files' || action === 'label' || action === 'replace') setStep(action)
    else if (action === 'read') act(readEntry(ui, session, node))
    else if (action === 'pin' || action === 'hide') {
      const command = contextCommand(session, node, action)
      if (command !== undefined) act(ui.request<Command>(command))
    } else if (action === 'again') act(editPromptAgain(ui, session, node))
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

/** Asks for a label, or for the text that the model receives. */
function EntryText({ of, session, node, columns, onBack }: TreeEntryProps & { readonly of: 'label' | 'replace' }) {
  const { act, ui } = usePickerActions()
  const { entryId, label: initial = '' } = node
  const isLabel = of === 'label'
  const save = (text: string): void => {
    if (isLabel) act(ui.request({ type: 'set_label', session, entryId, label: text === '' ? null : text }))
    else if (text === '') onBack()
    else act(ui.request({ type: 'context_edit', session, entryId, text }))
  }
  return (
    <TextLine
      title={isLabel ? 'Label of this entry' : 'What the model receives in its place'}
      initial={isLabel ? initial : ''}
      columns={columns}
      onDone={save}
      onCancel={onBack}
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
