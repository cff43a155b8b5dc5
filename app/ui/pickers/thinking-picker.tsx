// Picker of the thinking level for the next request.
import type { ReactElement } from 'react'
import { defer } from 'rxjs'
import { thinkingLevels } from '../../../lib/streams/models/model.ts'
import { Picker } from '../lists/picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import { usePickerActions } from './use-picker-actions.ts'

export function ThinkingPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, act, close } = usePickerActions()
  const { session, thinkingLevel } = view
  const rows = thinkingLevels.map((level) => ({ key: level, label: level, mark: level === thinkingLevel ? '●' : '○' }))
  return (
    <Picker
      title="Thinking"
      rows={rows}
      columns={columns}
      height={height}
      initial={thinkingLevel}
      query={argument ?? ''}
      keepsOrder
      empty=""
      onCancel={close}
      onAccept={({ key }) => {
        const level = thinkingLevels.find((each) => each === key)
        if (session === undefined || level === undefined) return
        act(defer(() => ui.request({ type: 'set_thinking_level', session: session.id, thinkingLevel: level })))
      }}
    />
  )
}
