// Tests sessions whose model is found later than they are created: by the catalogue, or by a registry of the program.
import { ReplaySubject, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { ProviderModel } from '../../../lib/streams/ports/provider.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { completionEnding, completionFrames } from '../../providers/openai/openai-frames.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

const open: Session[] = []
afterEach(async () => {
  for (const session of open.splice(0)) await valuesOf(session.close())
})
function create(options: CreateSessionOptions): Session {
  const session = createSession({ env: {}, tools: [], ...options })
  open.push(session)
  return session
}

/** The text of the answer to a prompt. */
async function ask(session: Session): Promise<string> {
  const events = valuesOf(session.events$.pipe(untilSettled()))
  await resultOf(session.send({ type: 'prompt', text: 'Hi' }))
  const answers = (await events).flatMap((event) => (event.type === 'message_end' ? [event.message] : []))
  return JSON.stringify(answers.findLast(({ role }) => role === 'assistant')?.content)
}

describe('a model of the catalogue', () => {
  it('opens a session by its name, and has its facts at the first request', async () => {
    const parts = [{ text: 'Hello' }]
    await using server = await rawSseServer({ body: [...completionFrames(parts), completionEnding(parts)] })
    const models = { providers: { groq: { baseUrl: `${server.url}/v1`, apiKey: 'k' } } }
    const session = create({ model: 'groq/openai/gpt-oss-120b', models })
    expect(session.model).toMatchObject({ provider: 'groq', id: 'openai/gpt-oss-120b', api: 'openai-completions' })
    expect([session.model.contextWindow, session.unusable]).toEqual([undefined, undefined])
    expect(await ask(session)).toContain('Hello')
    expect(session.model).toMatchObject({ contextWindow: 131_072, name: 'GPT OSS 120B' })
    expect([...session.logged()].map(({ event }) => event.type)).not.toContain('model_change')
  })

  it('is the one of the environment if none is named', () => {
    expect(create({ env: { GROQ_API_KEY: 'k' } }).model.provider).toBe('groq')
  })

  it.each([
    ['openai/gpt-5', 'provider_error', /OPENAI_API_KEY/],
    ['opneai/gpt-5', 'bad_request', /no provider/],
  ])('is refused in the call itself without a key or a provider: %s', (model, code, message) => {
    let thrown: unknown
    try {
      create({ model })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) as string })
  })
})

describe('a registry that answers later', () => {
  const ownModel = (): ProviderModel => ({ model: { ...scriptedModel, id: 'own' }, provider: scripted(['Hello']) })

  it('lets prompts wait for the model', async () => {
    const answer$ = new ReplaySubject<ProviderModel>(1)
    const session = create({ model: 'my/own', modelRegistry: { resolve: () => answer$ } })
    expect(session.model).toMatchObject({ provider: 'my', id: 'own', api: 'none' })
    const [found, answer] = [ownModel(), ask(session)]
    answer$.next(found)
    expect(await answer).toContain('Hello')
    expect(session.model).toBe(found.model)
  })

  it('fails the prompt that it has no model for, and is asked again by the next', async () => {
    const later$ = (result$: Observable<ProviderModel>) => {
      const answer$ = new ReplaySubject<ProviderModel>(1)
      queueMicrotask(() => void result$.subscribe(answer$))
      return answer$
    }
    const failure = new Failure('bad_request', 'there is none')
    let isThere = false
    const resolve = () => later$(isThere ? of(ownModel()) : throwError(() => failure))
    const session = create({ model: 'my/own', modelRegistry: { resolve } })
    await expect(resultOf(session.send({ type: 'prompt', text: 'Hi' }))).rejects.toBe(failure)
    isThere = true
    expect(await ask(session)).toContain('Hello')
  })

  it('waits for no model if a command has set another', async () => {
    const session = create({ model: 'my/own', modelRegistry: { resolve: () => new ReplaySubject<ProviderModel>(1) } })
    await resultOf(session.send({ type: 'set_model', model: ownModel() }))
    expect(await ask(session)).toContain('Hello')
  })

  it('never holds the end of a session', async () => {
    const session = create({ model: 'my/own', modelRegistry: { resolve: () => new ReplaySubject<ProviderModel>(1) } })
    const prompt = resultOf(session.send({ type: 'prompt', text: 'Hi' })).catch((error: unknown) => error)
    await valuesOf(session.close())
    expect(await prompt).toBeInstanceOf(Failure)
  })
})
