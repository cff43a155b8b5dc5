// Picker of the model for the next request; `/model provider/id` sets an unlisted model.
import { useState } from 'react'
import type { ReactElement } from 'react'
import { defer } from 'rxjs'
import { useRequest } from '../hooks/use-request.ts'
import { launchContext } from '../contract/ui.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import { usePickerActions } from './use-picker-actions.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { formatTokens } from '../../text/window-text.ts'

export function ModelsPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, act, close } = usePickerActions()
  const { session, model } = view
  const [isAll, setAll] = useState(false)
  const request = { ...launchContext(ui), ...(session && { session: session.id }), ...(isAll ? {} : { usable: true }) }
  const loaded = useRequest(() => ui.request({ type: 'list_models', ...request }), String(isAll))
  return (
    <LoadedPicker
      key={String(isAll)}
      title={isAll ? 'All models' : 'Models'}
      loaded={loaded}
      rowsOf={({ models }) => modelRows(models, model)}
      columns={columns}
      height={height}
      query={argument ?? ''}
      empty="No model is available: /login stores a key"
      foot={isAll ? 'Tab: available models' : 'Tab: all'}
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

// Formats a model as a row: name, limits, price; marks a model without a key.

export type ListedModel = ResultOf<'list_models'>['models'][number]

/** @param current `provider/id` of the session's model */
function modelRow({ model, usable, served }: ListedModel, current: string): PickerRow {
  const name = `${model.provider}/${model.id}`
  const facts = [
    name === current ? 'in use' : '',
    usable ? '' : 'needs a key: /login',
    served ? 'local' : '',
    model.name === undefined || model.name === model.id ? '' : model.name,
    model.contextWindow === undefined ? '' : `${formatTokens(model.contextWindow)} tokens`,
    model.prices === undefined ? '' : `$${model.prices.input}/$${model.prices.output} per million`,
    model.reasoning ? 'thinks' : '',
    model.inputs.includes('image') ? 'sees images' : '',
  ]
  return {
    key: name,
    label: name,
    mark: name === current ? '●' : usable ? '○' : '–',
    hint: facts.filter((fact) => fact !== '').join(' · '),
    isAside: !usable,
  }
}

/** Sorts available models first, the current model before all. */
export function modelRows(models: readonly ListedModel[], current: string): readonly PickerRow[] {
  const rank = ({ model, usable, served }: ListedModel): number => {
    if (`${model.provider}/${model.id}` === current) return 0
    return usable ? (served ? 1 : 2) : 3
  }
  return models
    .map((listed, index) => ({ listed, index, rank: rank(listed) }))
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ listed }) => modelRow(listed, current))
}
