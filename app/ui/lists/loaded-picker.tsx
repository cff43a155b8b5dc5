// A picker whose rows come from the server; keys typed while it loads apply afterwards.
import { Text } from 'ink'
import { useLayoutEffect, useRef } from 'react'
import type { ReactElement } from 'react'
import type { Loaded } from '../hooks/use-request.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { maxQueuedKeys } from '../keys/create-keyboard.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { useKeyboard } from '../keys/keyboard.tsx'
import { useListKeys } from '../keys/use-keys.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import { Picker } from './picker.tsx'
import type { PickerRow } from './list-state.ts'
import type { PickerProps } from './picker.tsx'

export interface LoadedPickerProps<Value> extends Omit<PickerProps, 'rows' | 'initial'> {
  readonly loaded: Loaded<Value>
  readonly rowsOf: (value: Value) => readonly PickerRow[]
  readonly initialOf?: (value: Value) => string | undefined
}

export function LoadedPicker<Value>(props: LoadedPickerProps<Value>): ReactElement {
  const { loaded, rowsOf, initialOf, ...picker } = props
  const ahead = useTypedAhead(loaded.state)
  if (loaded.state !== 'loaded') return <Waiting {...picker} failed={loaded} onAhead={ahead} />
  const initial = initialOf?.(loaded.value)
  return <Picker {...picker} rows={rowsOf(loaded.value)} {...(initial === undefined ? {} : { initial })} />
}

/** Returns a function that collects keys while the rows load; delivers them afterwards, `maxQueuedKeys` at most. */
function useTypedAhead(state: Loaded<unknown>['state']): (press: KeyPress) => void {
  const keyboard = useKeyboard()
  const ahead = useRef<KeyPress[]>([])
  useLayoutEffect(() => {
    const waiting = ahead.current
    ahead.current = []
    if (state === 'loaded') keyboard.again(waiting)
  }, [state, keyboard])
  return (press) => {
    if (ahead.current.length < maxQueuedKeys) ahead.current.push(press)
  }
}

interface WaitingProps extends Pick<PickerProps, 'title' | 'columns' | 'onCancel'> {
  readonly failed: Exclude<Loaded<unknown>, { readonly state: 'loaded' }>
  readonly onAhead: (press: KeyPress) => void
}

function Waiting({ title, columns, onCancel, failed, onAhead }: WaitingProps): ReactElement {
  const theme = useTheme()
  const isFailed = failed.state === 'failed'
  useListKeys((action, press) => {
    if (action === 'listCancel') onCancel()
    else if (!isFailed) onAhead(press)
  }, true)
  const { text } = span(isFailed ? `${title}: ${failed.failure.message} (Esc closes)` : `${title} …`)
  return <Text wrap="truncate">{theme.paint(isFailed ? 'danger' : 'dim', cutToWidth(text, columns))}</Text>
}
