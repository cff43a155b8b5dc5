// Picker of the mode that decides which tool calls ask.
import type { ReactElement } from 'react'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import type { ApprovalMode } from '../../../lib/streams/ports/policy.ts'
import type { PickerFrame } from './use-picker-actions.ts'
import { ValuePicker } from './value-picker.tsx'

/** Describes each mode in the words of docs/security.md. */
const meanings: Readonly<Record<ApprovalMode, string>> = {
  ask: 'ask: everything but reads of the folder',
  writes: 'writes: changes and commands outside the sandbox, reads outside the folder',
  auto: 'auto: only critical commands, protected files and ask rules',
}

export function ApprovalPicker(frame: PickerFrame): ReactElement {
  return (
    <ValuePicker
      {...frame}
      title="Which calls ask you"
      values={approvalModes}
      labelOf={(mode) => meanings[mode]}
      current={frame.view.approvalMode}
      commandOf={(session, mode) => ({ type: 'set_approval_mode', session, mode })}
    />
  )
}
