// Picker of one of a few values, which a command sets in the session.
import type { ReactElement } from 'react'
import { defer } from 'rxjs'
import type { CommandNamed } from '../../../lib/streams/commands/command.ts'
import { Picker } from '../lists/picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import { usePickerActions } from './use-picker-actions.ts'

export interface ValuePickerProps<Value extends string> extends PickerFrame {
  readonly title: string
  readonly values: readonly Value[]
  readonly labelOf?: (value: Value) => string
  readonly current: string | undefined
  readonly commandOf: (session: string, value: Value) => CommandNamed<'set_thinking_level' | 'set_approval_mode'>
}

export function ValuePicker<Value extends string>(props: ValuePickerProps<Value>): ReactElement {
  const { view, columns, height, argument, title, values, current, commandOf, labelOf = String } = props
  const { ui, act, close } = usePickerActions()
  const rows = values.map((value) => ({ key: value, label: labelOf(value), mark: value === current ? '●' : '○' }))
  return (
    <Picker
      {...{ title, rows, columns, height }}
      {...(current === undefined ? {} : { initial: current })}
      query={argument ?? ''}
      keepsOrder
      empty=""
      onCancel={close}
      onAccept={({ key }) => {
        const value = values.find((each) => each === key)
        const { session } = view
        if (session === undefined || value === undefined) return
        act(defer(() => ui.request(commandOf(session.id, value))))
      }}
    />
  )
}
