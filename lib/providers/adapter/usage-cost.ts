// Converts a provider's usage report, and makes a usage that no response can have unknown.
import { mergeMap } from 'rxjs'
import type { StopReason, Usage } from '../../streams/messages/message.ts'
import type { ModelPrices, Model } from '../../streams/models/model.ts'
import type { Provider } from '../../streams/ports/provider.ts'
import { addUsage, noUsage } from '../../streams/messages/message.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { impossibleUsageCode } from '../../streams/models/price-usage.ts'
import { recordOf } from '../http/json-field.ts'

/** The usage of an endpoint that reports none: no tokens, and cost `unknown` unless the model is free of charge. */
export function unknownUsage({ prices }: Pick<Model, 'prices'>): Usage {
  const all = prices === undefined ? [] : [prices, ...(prices.tiers ?? [])]
  const isFree = all.length > 0 && all.every(({ input, output }) => input === 0 && output === 0)
  return isFree ? noUsage : { ...noUsage, cost: 'unknown' }
}

/** The usage report of one API. */
export interface UsageFormat {
  /** The fields that hold counts of tokens; a dot leads into an object. */
  readonly counts: readonly string[]
  /** Undefined if the value is not a usage. */
  readonly convert: (reported: unknown, prices: ModelPrices | undefined) => Usage | undefined
}

/** Model and provider. */
export interface UsageOwner {
  readonly model: Model
  readonly provider: string
  /** The usage of the earlier responses of the same answer, which is added to that of each report. */
  readonly earlier?: Usage
}

export interface UsageReporter {
  /** Emits the last delta with the usage of the report; unknown without one. */
  emitDone(stopReason: StopReason, reported: unknown): void
  /** Emits the usage of the report; without one, that of the earlier responses, if there were any. */
  emitUsage(reported: unknown): void
  /** Returns the usage that `emitDone` would emit. */
  total(reported: unknown): Usage
}

/**
 * Converts the usage report of one response. A count that no response can have (negative, a fraction, above 2⁵³−1)
 * makes the usage unknown, and a warning names it: read as zero it would be free, and a budget in USD would never end
 * the run.
 */
export function createUsageReporter(
  format: UsageFormat,
  { model, provider, earlier }: UsageOwner,
  emit: (delta: AssistantDelta) => void,
): UsageReporter {
  const convert = (reported: unknown): Usage | undefined => {
    const impossible = format.counts.find((path) => isImpossible(fieldAt(reported, path)))
    if (impossible === undefined) return format.convert(reported, model.prices)
    emit(impossibleUsage(provider, `${impossible} ${String(fieldAt(reported, impossible))}`))
    return unknownUsage(model)
  }
  const sum = (usage: Usage): Usage => (earlier === undefined ? usage : addUsage(earlier, usage))
  const total = (reported: unknown): Usage => sum(convert(reported) ?? unknownUsage(model))
  return {
    emitDone: (stopReason, reported) => {
      emit({ type: 'done', stopReason, usage: total(reported) })
    },
    emitUsage: (reported) => {
      const usage = convert(reported)
      if (usage !== undefined) emit({ type: 'usage', usage: sum(usage) })
      else if (earlier !== undefined) emit({ type: 'usage', usage: earlier })
    },
    total,
  }
}

const deltaCounts = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'totalTokens']

/**
 * Makes an impossible usage of the provider's answers unknown, with the same warning before it. Other values pass, even
 * if they are not deltas: the run checks them. Ends and fails as the provider does; buffers nothing.
 * @param name the provider in the warning; default: that of the model
 */
export function withPossibleUsage(provider: Provider, name?: string): Provider {
  return (request) =>
    provider(request).pipe(
      mergeMap((delta) => toPossibleUsage(delta, { model: request.model, provider: name ?? request.model.provider })),
    )
}

function toPossibleUsage(delta: AssistantDelta, { model, provider }: UsageOwner): AssistantDelta[] {
  const { type, usage } = recordOf(delta)
  if (type !== 'done' && type !== 'usage') return [delta]
  const impossible = deltaCounts.find((path) => isImpossible(fieldAt(usage, path)))
  if (impossible === undefined) return [delta]
  const report = `${impossible} ${String(fieldAt(usage, impossible))}`
  return [impossibleUsage(provider, report), { ...delta, usage: unknownUsage(model) } as AssistantDelta]
}

function impossibleUsage(provider: string, report: string): AssistantDelta {
  const message = `${provider} reported an impossible usage (${report}): rxpi counts the answer's tokens and cost as unknown, so a budget cannot include them. Limit the turns, or the time.`
  return { type: 'warning', code: impossibleUsageCode, message, context: { provider }, recoverable: true }
}

/** Values of other types are not counts: the converter ignores them. */
function isImpossible(value: unknown): boolean {
  return typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0)
}

function fieldAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((within, name) => recordOf(within)[name], value)
}
