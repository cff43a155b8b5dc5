// Runs the provider contract against the scripted provider.
import { NEVER, concat, finalize, from, throwError } from 'rxjs'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { scriptedDeltas } from '../../../lib/providers/offline/message-deltas.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { parseToolArguments } from '../../../lib/streams/messages/parse-tool-arguments.ts'
import { providerContract } from '../../contract/provider-contract.ts'
import type { ProviderHarness, AnswerPart, Scenario } from '../../contract/provider-contract.ts'

const harness: ProviderHarness = {
  name: 'scripted',
  without: ['garbage', 'notAStream', 'lingers'], // there is no transport
  open: (scenario) => {
    const abandoned = Promise.withResolvers<number>()
    const deltas$ = concat(from(deltasOf(scenario)), restOf(scenario)).pipe(
      finalize(() => {
        abandoned.resolve(performance.now())
      }),
    )
    return Promise.resolve({
      provider: scripted(() => ({ deltas$ })),
      model: scriptedModel,
      abandoned: abandoned.promise,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    })
  },
}

function restOf({ ending }: Scenario) {
  if (ending === 'stall' || ending === 'silent') return NEVER
  const cut = new Failure('provider_error', 'cut', { data: { kind: 'network' } })
  return ending === 'cut' ? throwError(() => cut) : from([])
}

/** The scenario as a script; as deltas if it contains pieces of a call. */
function deltasOf({ parts: output, ending }: Scenario): AssistantDelta[] {
  const calls = output.filter((part) => 'call' in part)
  const thinking = output.flatMap((part) => ('thinking' in part ? [part.thinking] : []))
  const text = output.flatMap((part) => ('text' in part ? [part.text] : []))
  const answer = {
    ...(thinking.length === 0 ? {} : { thinking }),
    ...(text.length === 0 ? {} : { text }),
    ...(ending === 'done' ? {} : { end: 'early' as const }),
  }
  const spoken = [...scriptedDeltas(answer, { model: scriptedModel }, 1)]
  const last = spoken.at(-1)
  if (calls.length === 0 || last?.type !== 'done') return [...spoken, ...openCalls(calls, spoken)]
  return [...spoken.slice(0, -1), ...closedCalls(calls, spoken), { ...last, stopReason: 'toolUse' }]
}

type Called = Extract<AnswerPart, { call: string }>

function closedCalls(calls: readonly Called[], spoken: readonly AssistantDelta[]): AssistantDelta[] {
  const first = spoken.filter(({ type }) => type.endsWith('_start')).length
  return calls.flatMap((call, index) => [
    ...piecesOf(call, first + index),
    { type: 'toolcall_end', contentIndex: first + index, ...parseToolArguments(call.pieces.join('')) },
  ])
}

function openCalls(calls: readonly Called[], spoken: readonly AssistantDelta[]): AssistantDelta[] {
  const first = spoken.filter(({ type }) => type.endsWith('_start')).length
  return calls.flatMap((call, index) => piecesOf(call, first + index))
}

function piecesOf({ call: id, name, pieces }: Called, contentIndex: number): AssistantDelta[] {
  return [
    { type: 'toolcall_start', contentIndex, id, name },
    ...pieces.map((text): AssistantDelta => ({ type: 'toolcall_delta', contentIndex, text })),
  ]
}

providerContract(harness)
