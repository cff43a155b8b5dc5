// The model that the next request goes to; what is on no list can be typed as `/model provider/id`.
import { useState } from 'react'
import type { ReactElement } from 'react'
import { defer } from 'rxjs'
import { useLoaded } from '../hooks/use-loaded.ts'
import { placeOf } from '../session/place-of.ts'
import { LoadedPicker } from './loaded-picker.tsx'
import { modelRows } from './model-row.ts'
import type { PickerPlace } from './picker-place.ts'
import { usePickerActs } from './use-picker-acts.ts'

export function ModelsPicker({ view, columns, height, argument }: PickerPlace): ReactElement {
  const { ui, act, close } = usePickerActs()
  const { session, model } = view
  const [isAll, setAll] = useState(false)
  const asked = { ...placeOf(ui), ...(isAll ? {} : { usable: true }) }
  const loaded = useLoaded(() => ui.request({ type: 'list_models', ...asked }), String(isAll))
  return (
    <LoadedPicker
      key={String(isAll)}
      title={isAll ? 'All models' : 'Models'}
      loaded={loaded}
      rowsOf={({ models }) => modelRows(models, model)}
      columns={columns}
      height={height}
      query={argument ?? ''}
      empty="No model can be asked: /login stores a key"
      foot={isAll ? 'Tab: those that can be asked' : 'Tab: all'}
      onComplete={() => {
        setAll(!isAll)
      }}
      onCancel={close}
      onAccept={({ key }) => {
        if (session === undefined) return
        act(defer(() => ui.request({ type: 'set_model', session: session.id, model: key })))
      }}
    />
  )
}
