// Picker of the model for the next request, with the roles of the settings.
// `/model provider/id` sets an unlisted model.
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
      rowsOf={({ models, roles }) => modelRows(models, model, roles)}
      columns={columns}
      height={height}
      query={argument ?? ''}
      empty="No model is available: /login signs in or stores a key"
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

export type ListedModel = ResultOf<'list_models'>['models'][number]
type ListedRole = NonNullable<ResultOf<'list_models'>['roles']>[number]

/**
 * Formats a model as a row: name, limits, price; marks a model without a key.
 * @param current `provider/id` of the session's model
 */
function modelRow({ model, usable, served }: ListedModel, current: string): PickerRow {
  const name = `${model.provider}/${model.id}`
  const facts = [
    name === current ? 'in use' : '',
    usable ? '' : 'needs a key or an account: /login',
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

/** A role is chosen as a model is: `set_model` takes `@smol`. */
function roleRow({ role, model, thinkingLevel, fallbacks = [], setting }: ListedRole): PickerRow {
  const level = thinkingLevel === undefined ? '' : `:${thinkingLevel}`
  const others = fallbacks.length === 0 ? '' : `, else ${fallbacks.join(', ')}`
  const name = `@${role}`
  return { key: name, label: name, mark: '○', hint: `${model}${level}${others} · ${setting}` }
}

/** Sorts the current model before all, then the roles, then the available models. */
export function modelRows(
  models: readonly ListedModel[],
  current: string,
  roles: readonly ListedRole[] = [],
): readonly PickerRow[] {
  const rank = ({ model, usable, served }: ListedModel): number => {
    if (`${model.provider}/${model.id}` === current) return 0
    return usable ? (served ? 1 : 2) : 3
  }
  const rows = models
    .map((listed, index) => ({ listed, index, rank: rank(listed) }))
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ listed }) => modelRow(listed, current))
  const first = rows.findIndex(({ key }) => key === current) + 1 // 0 or 1: it is sorted so
  return [...rows.slice(0, first), ...roles.map(roleRow), ...rows.slice(first)]
}
