// Picker of the thinking level for the next request.
import type { ReactElement } from 'react'
import { thinkingLevels } from '../../../lib/streams/models/model.ts'
import type { PickerFrame } from './use-picker-actions.ts'
import { ValuePicker } from './value-picker.tsx'

export function ThinkingPicker(frame: PickerFrame): ReactElement {
  return (
    <ValuePicker
      {...frame}
      title="Thinking"
      values={thinkingLevels}
      current={frame.view.thinkingLevel}
      commandOf={(session, thinkingLevel) => ({ type: 'set_thinking_level', session, thinkingLevel })}
    />
  )
}
