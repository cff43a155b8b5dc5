// Asks before files are restored: lists the changes and conflicts; the default is no.
import type { ReactElement } from 'react'
import { useRequest } from '../hooks/use-request.ts'
import { branchTo, usePickerActions } from './use-picker-actions.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import type { PickerRow } from '../lists/list-state.ts'
import { restoreRows } from './tree-actions.ts'
import type { TreeEntryProps } from './tree-actions.ts'

export function RestoreFiles({ session, node, columns, height, onBack }: TreeEntryProps): ReactElement {
  const acts = usePickerActions()
  const { entryId } = node
  const plan$ = () => acts.ui.request({ type: 'branch_session', session, entryId, restoreFiles: true, dryRun: true })
  const loaded = useRequest(plan$, entryId)
  const accept = ({ key }: PickerRow): void => {
    if (key === 'no') onBack()
    else if (key === 'go') acts.act(branchTo(acts.ui, { session, entryId }))
    else
      acts.act(branchTo(acts.ui, { session, entryId, restoreFiles: true, ...(key === 'force' ? { force: true } : {}) }))
  }
  return (
    <LoadedPicker
      title="Restore the files of this entry?"
      loaded={loaded}
      rowsOf={restoreRows}
      columns={columns}
      height={height}
      keepsOrder
      empty=""
      onCancel={onBack}
      onAccept={accept}
    />
  )
}
