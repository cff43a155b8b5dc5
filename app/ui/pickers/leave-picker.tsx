// Picker shown on leaving with an active run: stop it, let it go on in the server, or stay.
import type { ReactElement } from 'react'
import { stopAndLeave } from '../commands/leave.ts'
import { useUi } from '../hooks/use-ui.ts'
import { Picker } from '../lists/picker.tsx'
import type { PickerRow } from '../lists/list-state.ts'
import type { PickerFrame } from './use-picker-actions.ts'

const rows: readonly PickerRow[] = [
  { key: 'stop', label: 'Stop the run and leave' },
  { key: 'leave', label: 'Leave; the run goes on in the server', hint: 'rxpi -c returns to it' },
  { key: 'stay', label: 'Stay' },
]

export function LeavePicker({ columns, height }: PickerFrame): ReactElement {
  const ui = useUi()
  const close = (): void => {
    ui.input({ type: 'overlay' })
  }
  return (
    <Picker
      title="A run is active"
      rows={rows}
      columns={columns}
      height={height}
      keepsOrder
      empty=""
      onAccept={({ key }) => {
        close()
        if (key === 'stop') stopAndLeave(ui)
        else if (key === 'leave') ui.leave()
      }}
      onCancel={close}
    />
  )
}
