// Picker of the mode that decides which tool calls ask.
import type { ReactElement } from 'react'
import { defer } from 'rxjs'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import type { ApprovalMode } from '../../../lib/streams/ports/policy.ts'
import { Picker } from '../lists/picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import { usePickerActions } from './use-picker-actions.ts'

/** What each mode asks, in the words of docs/security.md. */
const meanings: Readonly<Record<ApprovalMode, string>> = {
  ask: 'ask: everything but reads of the folder',
  writes: 'writes: changes and commands outside the sandbox, reads outside the folder',
  auto: 'auto: only critical commands, protected files and ask rules',
}

export function ApprovalPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, act, close } = usePickerActions()
  const { session, approvalMode } = view
  const rows = approvalModes.map((mode) => ({
    key: mode,
    label: meanings[mode],
    mark: mode === approvalMode ? '●' : '○',
  }))
  return (
    <Picker
      title="Which calls ask you"
      rows={rows}
      columns={columns}
      height={height}
      {...(approvalMode === undefined ? {} : { initial: approvalMode })}
      query={argument ?? ''}
      keepsOrder
      empty=""
      onCancel={close}
      onAccept={({ key }) => {
        const mode = approvalModes.find((each) => each === key)
        if (session === undefined || mode === undefined) return
        act(defer(() => ui.request({ type: 'set_approval_mode', session: session.id, mode })))
      }}
    />
  )
}
