// Runs `rxpi models`: prints one line a model, or two on a narrow terminal; cuts off no name.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import { modelName } from '../../lib/streams/models/model.ts'
import type { Model } from '../../lib/streams/models/model.ts'
import { currentFolder } from '../process/current-folder.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import type { ModelsInvocation } from '../cli/models-arguments.ts'
import { report } from '../process/progress.ts'
import { sourceText, updateModels } from './models-update.ts'
import type { World } from '../process/world.ts'
import { formatTokens } from '../text/window-text.ts'
import { countOf } from '../../lib/streams/values/count-of.ts'

type List = ResultOf<'list_models'>
type Listed = List['models'][number]

/** Emits the exit code: 1 if no model matches. */
export function models({ search, json, update }: ModelsInvocation, world: World): Observable<number> {
  if (update !== undefined) return updateModels({ ...update, json }, world)
  const { client, env, stdout, stderr, signals$ } = world
  const words = search === '' ? {} : { search }
  return client.request({ type: 'list_models', cwd: currentFolder(), env: { ...env }, ...words }).pipe(
    map((list) => {
      if (json) stdout.json(JSON.stringify(list))
      else stdout.text(listText(list, stdout.columns))
      if (!json && search === '') for (const role of list.roles ?? []) report(stderr, roleText(role))
      if (!json) report(stderr, summaryText(list, search))
      if (!json && list.source.problem !== undefined) report(stderr, list.source.problem)
      return list.models.length === 0 ? 1 : 0
    }),
    endAtSignal(signals$),
  )
}

interface Row {
  readonly name: string
  readonly window: string
  readonly price: string
  readonly traits: string
}

function listText({ models: all }: List, columns = Number.POSITIVE_INFINITY): string {
  const rows = all.map(rowOf)
  const width = (pick: (row: Row) => string): number => Math.max(0, ...rows.map((row) => pick(row).length))
  const widths = {
    name: width(({ name }) => name),
    window: width((row) => row.window),
    price: width((row) => row.price),
  }
  const whole = widths.name + widths.window + widths.price + width(({ traits }) => traits) + 6
  const lineOf = whole <= columns ? (row: Row) => formatWide(row, widths) : formatNarrow
  return rows.map((row) => `${lineOf(row)}\n`).join('')
}

function formatWide({ name, window, price, traits }: Row, widths: Record<'name' | 'window' | 'price', number>): string {
  const cells = [name.padEnd(widths.name), window.padEnd(widths.window), price.padEnd(widths.price), traits]
  return cells.join('  ').trimEnd()
}

function formatNarrow({ name, window, price, traits }: Row): string {
  const details = [window, price, traits].filter((text) => text !== '')
  return details.length === 0 ? name : `${name}\n    ${details.join('  ')}`
}

function rowOf({ model, usable, served }: Listed): Row {
  const mark = served ? '◆' : usable ? '●' : ' '
  const { contextWindow, maxOutput, reasoning, inputs } = model
  const window = contextWindow === undefined ? '' : formatTokens(contextWindow)
  const output = maxOutput === undefined ? '' : `/${formatTokens(maxOutput)}`
  const traits = [...(reasoning ? ['thinks'] : []), ...(inputs.includes('image') ? ['sees'] : [])]
  return {
    name: `${mark} ${modelName(model)}`,
    window: `${window}${output}`,
    price: priceOf(model),
    traits: traits.join(' '),
  }
}

function priceOf({ prices }: Model): string {
  if (prices === undefined) return ''
  if (prices.input === 0 && prices.output === 0) return 'free'
  return `$${prices.input}/$${prices.output}${prices.tiers === undefined ? '' : '+'}`
}

function roleText({ role, model, thinkingLevel, fallbacks = [], setting }: NonNullable<List['roles']>[number]): string {
  const level = thinkingLevel === undefined ? '' : `:${thinkingLevel}`
  const behind = fallbacks.length === 0 ? '' : `, else ${fallbacks.join(', ')}`
  return `@${role} is ${model}${level}${behind} (${setting})`
}

/** Formats the line below the list; it names a problem only if exactly one local endpoint failed. */
function summaryText({ models: all, total, endpoints, source }: List, search: string): string {
  const found = `${countOf(total, 'model')}${search === '' ? '' : ` for "${search}"`}`
  const usable = all.filter((listed) => listed.usable).length
  const here = endpoints.filter(({ problem }) => problem === undefined).map(({ provider }) => provider)
  const local = here.length === 0 ? '' : `; local: ${here.join(', ')}`
  const [only, ...others] = endpoints
  const problem = only?.problem === undefined || others.length > 0 ? '' : `; at ${only.baseUrl} ${only.problem}`
  return `${found}, ${usable} available${local}${problem}; windows, levels and prices as of ${sourceText(source)}`
}
