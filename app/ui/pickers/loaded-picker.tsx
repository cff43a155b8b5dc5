// A list whose rows come from the server: it says that it waits, and what went wrong.
import { Text } from 'ink'
import type { ReactElement } from 'react'
import type { Loaded } from '../hooks/use-loaded.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { useListKeys } from '../keys/use-keys.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import { Picker } from './picker.tsx'
import type { PickerRow } from './picker-state.ts'
import type { PickerProps } from './picker.tsx'

export interface LoadedPickerProps<Value> extends Omit<PickerProps, 'rows' | 'initial'> {
  readonly loaded: Loaded<Value>
  readonly rowsOf: (value: Value) => readonly PickerRow[]
  readonly initialOf?: (value: Value) => string | undefined
}

export function LoadedPicker<Value>(props: LoadedPickerProps<Value>): ReactElement {
  const { loaded, rowsOf, initialOf, ...picker } = props
  if (loaded.state !== 'loaded') return <Waiting {...picker} failed={loaded} />
  const initial = initialOf?.(loaded.value)
  return <Picker {...picker} rows={rowsOf(loaded.value)} {...(initial === undefined ? {} : { initial })} />
}

interface WaitingProps extends Pick<PickerProps, 'title' | 'columns' | 'onCancel'> {
  readonly failed: Exclude<Loaded<unknown>, { readonly state: 'loaded' }>
}

function Waiting({ title, columns, onCancel, failed }: WaitingProps): ReactElement {
  const theme = useTheme()
  useListKeys((action) => {
    if (action === 'listCancel') onCancel()
  }, true)
  const isFailed = failed.state === 'failed'
  const text = isFailed ? `${title}: ${span(failed.failure.message).text} (Esc closes)` : `${title} …`
  return <Text wrap="truncate">{theme.paint(isFailed ? 'danger' : 'dim', cutToWidth(text, columns))}</Text>
}
