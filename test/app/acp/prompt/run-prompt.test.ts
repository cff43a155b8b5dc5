// Tests the requests of a prompt that an editor cancels before the server has answered it.
import { NEVER, Subject, lastValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { RunningPrompt } from '../../../../app/acp/prompt/run-prompt.ts'
import type { PromptSurroundings } from '../../../../app/acp/prompt/run-prompt.ts'
import type { Command } from '../../../../lib/streams/commands/command.ts'

const session = 'abcdefghij23'

it('sends one abort for one cancel, behind the prompt and after each lost connection too', async () => {
  const requests: [type: string, opId: string | undefined][] = []
  const answer$ = new Subject<object>()
  const client = {
    request: (command: Command, options: { opId?: string } = {}) => {
      requests.push([command.type, options.opId])
      return command.type === 'prompt' ? answer$ : of({})
    },
  } as PromptSurroundings['client'] // answers of two commands
  const prompt = new RunningPrompt({ client, session, received$: NEVER, onHandled: () => undefined })
  const ended = lastValueFrom(prompt.run({ text: 'Go', images: [] }), { defaultValue: undefined })
  prompt.cancel()
  answer$.next({ status: 'handled' })
  expect(await ended).toEqual({ stopReason: 'cancelled' })
  expect(requests.map(([type]) => type)).toEqual(['prompt', 'abort'])
  expect(new Set(requests.map(([, opId]) => opId)).size).toBe(2)
  expect(requests.every(([, opId]) => opId !== undefined)).toBe(true) // a client sends these again, in this order
})
