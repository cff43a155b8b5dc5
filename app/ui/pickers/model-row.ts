// A model in a list: the name that people type, and what tells it from others; one that needs a key says so.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { PickerRow } from './picker-state.ts'
import { windowText } from '../../text/window-text.ts'

export type ListedModel = ResultOf<'list_models'>['models'][number]

/** @param current `provider/id` of the session's model */
export function modelRow({ model, usable, served }: ListedModel, current: string): PickerRow {
  const name = `${model.provider}/${model.id}`
  const facts = [
    name === current ? 'in use' : '',
    usable ? '' : 'needs a key: /login',
    served ? 'runs here' : '',
    model.name === undefined || model.name === model.id ? '' : model.name,
    model.contextWindow === undefined ? '' : `${windowText(model.contextWindow)} tokens`,
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

/** What can be asked now comes first, the model in use before all. */
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
