// Sends the prompt and waits for the end of its run; repairs an answer that does not fit once.
import { combineLatest, defer, filter, mergeMap, of, startWith, take, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import { repairPrompt } from './answer-check.ts'
import type { AnswerCheck } from './answer-check.ts'
import { exitCodeOfRun } from '../../process/exit-code.ts'
import type { PrintInvocation } from '../../cli/invocation.ts'
import { isReceived, toRunEnds } from './run-ends.ts'
import { report } from '../../process/progress.ts'
import type { PromptInput } from '../../cli/input/prompt-input.ts'
import type { RunEnd } from './run-ends.ts'
import type { World } from '../../process/world.ts'

export interface PromptRun {
  readonly input: PromptInput
  readonly opened: ResultOf<'open_session'>
  readonly invocation: PrintInvocation
  readonly world: World
  /** On the clock of `performance.now()`. */
  readonly deadline: number | undefined
  /** Of `--output-schema`. */
  readonly answerCheck: AnswerCheck | undefined
}

/** The prompt was a command of an extension, which started no run. */
export interface HandledPrompt {
  /** The command's text; may be empty. */
  readonly handled: string
}

/** Emits when the run of the prompt is settled; after a repair, when the run of the repair is. */
export function runPrompt(events$: Observable<ClientEvent>, parts: PromptRun): Observable<RunEnd | HandledPrompt> {
  const attached$ = events$.pipe(filter((event) => event.type === 'attached'))
  const { limits } = parts.invocation
  return sendPrompt(events$, attached$, parts, { ...parts.input, limits }).pipe(
    mergeMap((first) => {
      const repair = 'handled' in first ? undefined : planRepair(first, parts)
      if (repair === undefined) return of(first)
      const { stderr } = parts.world
      return sendPrompt(events$, of(undefined), parts, repair).pipe(
        tap({ subscribe: () => report(stderr, 'the answer does not fit the schema; asking the model to correct it') }),
      )
    }),
  )
}

interface Prompt {
  readonly text: string
  readonly images: readonly ImageContent[]
  readonly limits: PrintInvocation['limits']
}

function sendPrompt(
  events$: Observable<ClientEvent>,
  from$: Observable<unknown>,
  { opened, world, deadline, answerCheck }: PromptRun,
  { text, images, limits }: Prompt,
): Observable<RunEnd | HandledPrompt> {
  const started$ = from$.pipe(
    take(1),
    mergeMap(() => {
      const wallClockMs = deadline === undefined ? undefined : Math.max(1, Math.round(deadline - performance.now()))
      const prompt: CommandNamed<'prompt'> = {
        type: 'prompt',
        session: opened.session,
        text,
        ...(images.length === 0 ? {} : { images: [...images] }),
        limits: { ...limits, ...(wallClockMs === undefined ? {} : { wallClockMs }) },
        ...(answerCheck === undefined ? {} : { outputSchema: answerCheck.schema }),
      }
      return world.client.request(prompt)
    }),
  )
  const ends$ = events$.pipe(filter(isReceived), toRunEnds(), startWith(undefined))
  return defer(() => combineLatest([started$, ends$])).pipe(
    mergeMap(([{ status, runId, text: handled = '' }, each]) => {
      if (status === 'handled') return [{ handled }]
      return each?.runId === runId && each !== undefined ? [each] : []
    }),
    take(1),
  )
}

/** Prompt of the repair with the rest of the budget; undefined if the answer fits or the budget is spent. */
function planRepair({ end, answer }: RunEnd, { answerCheck, invocation }: PromptRun): Prompt | undefined {
  if (answerCheck === undefined || exitCodeOfRun(end) !== 0) return undefined
  const checked = answerCheck.check(answer)
  if (checked.ok) return undefined
  const { turns, usd } = invocation.limits
  const { cost } = end.usage
  const left = usd === undefined ? undefined : usd - (cost === 'unknown' ? 0 : cost.total)
  const turnsLeft = turns === undefined ? undefined : turns - end.totalTurns
  if ((left !== undefined && left <= 0) || (turnsLeft !== undefined && turnsLeft <= 0)) return undefined
  const limits = {
    ...(turnsLeft === undefined ? {} : { turns: turnsLeft }),
    ...(left === undefined ? {} : { usd: left }),
  }
  return { text: repairPrompt(checked.problem), images: [], limits }
}
