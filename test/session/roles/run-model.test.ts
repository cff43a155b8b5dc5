// Tests the models of a run by role: /commit, images, files, and the way back.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom, of, throwError, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import type { ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { ModelSettings } from '../../../lib/streams/config/model-roles.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { ProviderModel } from '../../../lib/streams/ports/provider.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { foldSession } from '../../../lib/streams/state/fold-session.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
let session: Session | undefined
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-roles-'))
  writeFileSync(path.join(folder, 'a.py'), 'print(1)\n')
  writeFileSync(path.join(folder, 'b.txt'), 'text\n')
})
afterEach(async () => {
  if (session !== undefined) await lastValueFrom(session.close(), { defaultValue: undefined })
  session = undefined
  rmSync(folder, { recursive: true })
})

type Script = readonly ScriptedReply[]

const levels: string[] = []

function model(id: string, script: Script, inputs: readonly ('text' | 'image')[] = ['text']): ProviderModel {
  const answer$ = scripted(script)
  return {
    model: { id, provider: 'p', api: 'scripted', inputs: [...inputs], reasoning: true, contextWindow: 200_000 },
    provider: (request) => {
      levels.push(`${id} ${request.thinkingLevel}`)
      return answer$(request)
    },
  }
}

interface Scene {
  readonly models: ModelSettings
  readonly scripts: Readonly<Record<string, Script>>
}

function open({ models, scripts }: Scene): Session {
  levels.length = 0
  const known = new Map(
    Object.entries(scripts).map(([id, script]) => [
      `p/${id}`,
      model(id, script, id === 'eyes' ? ['text', 'image'] : ['text']),
    ]),
  )
  session = createSession({
    cwd: folder,
    tools: ['read'],
    system: '-',
    commands: true,
    approve: 'auto',
    settings: { models },
    modelRegistry: {
      resolve: (name) => {
        const found = known.get(name)
        return found === undefined ? throwError(() => new Failure('bad_request', `no ${name}`)) : of(found)
      },
    },
  })
  return session
}

async function run(on: Session, input: { readonly text: string; readonly images?: [] }): Promise<AgentEvent[]> {
  const events = resultOf(on.events$.pipe(untilSettled(), toArray()))
  await lastValueFrom(on.send({ type: 'prompt', ...input }), { defaultValue: undefined })
  return events
}

const changes = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'model_change' ? [event] : []))
const answerers = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'message_end' && event.message.role === 'assistant' ? [event.message.model] : [],
  )
const warnings = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'warning' ? [`${event.code}: ${event.message}`] : []))
const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const
const read = (file: string) => ({ toolCalls: [{ name: 'read', arguments: { path: file } }] })

describe('a run of /commit', () => {
  it('has the model and the level of its role, and the session its own again [CONFIG-role_of_run]', async () => {
    const on = open({
      models: { default: 'p/own', commit: 'p/small:low' },
      scripts: { own: ['later'], small: ['done'] },
    })
    const events = await run(on, { text: '/commit' })
    expect(answerers(events)).toEqual(['small'])
    expect(changes(events)).toEqual([
      { type: 'model_change', from: 'p/own', to: 'p/small', by: 'server', contextWindow: 200_000, role: 'commit', thinkingLevel: 'low', reason: '/commit (models.commit)', ownModel: 'p/own' }, // prettier-ignore
      { type: 'model_change', from: 'p/small', to: 'p/own', by: 'server', contextWindow: 200_000, reason: 'the run has ended', ownModel: 'p/own' }, // prettier-ignore
    ])
    expect(events.find(({ type }) => type === 'turn_end')).toMatchObject({ role: 'commit' })
    expect(answerers(await run(on, { text: 'Hi' }))).toEqual(['own'])
    expect(levels).toEqual(['small low', 'own off'])
    expect(on.state$.value.model).toBe('p/own')
  })

  it('leaves the session its own model in a log that ends in the middle of the run', async () => {
    const on = open({ models: { default: 'p/own', commit: 'p/small' }, scripts: { own: [], small: ['done'] } })
    const events = await run(on, { text: '/commit' })
    const [first] = changes(events)
    expect(first && foldSession(on.state$.value, { seq: 100, event: first }).model).toBe('p/own')
  })

  it('goes on with the session’s model if that of the role cannot be used', async () => {
    const on = open({ models: { default: 'p/own', commit: 'p/gone' }, scripts: { own: ['mine'] } })
    const events = await run(on, { text: '/commit' })
    expect(answerers(events)).toEqual(['own'])
    expect(changes(events)).toEqual([])
    expect(warnings(events)).toEqual(['role_unusable: models.commit names p/gone, which cannot be used: no p/gone'])
  })
})

describe('a question with an image', () => {
  const sent = { text: 'What is this?', images: [image] } as never

  it('goes to the role vision if the model takes none [CONFIG-role_of_images]', async () => {
    const on = open({ models: { default: 'p/own', vision: 'p/eyes' }, scripts: { own: ['no'], eyes: ['a cat'] } })
    const events = await run(on, sent)
    expect(answerers(events)).toEqual(['eyes'])
    expect(changes(events).map(({ to, reason }) => [to, reason])).toEqual([
      ['p/eyes', 'p/own takes no images (models.vision)'],
      ['p/own', 'the run has ended'],
    ])
    expect(answerers(await run(on, { text: 'And now?' }))).toEqual(['own'])
  })

  it('stays with a model that takes images', async () => {
    const on = open({ models: { default: 'p/eyes', vision: 'p/own' }, scripts: { own: [], eyes: ['a cat'] } })
    expect(changes(await run(on, sent))).toEqual([])
  })

  it('warns once if no setting names a model', async () => {
    const on = open({ models: { default: 'p/own', smol: 'p/own' }, scripts: { own: ['1', '2'] } })
    expect(warnings(await run(on, sent))).toEqual([
      'vision_undefined: p/own takes no images, and the setting models.vision names no model for them',
    ])
    expect(warnings(await run(on, sent))).toEqual([])
  })
})

describe('a run that touches a file', () => {
  const paths = { '**/*.py': { default: 'p/snake' } }

  it('has the model of the last glob that matches, between turns [CONFIG-role_of_files]', async () => {
    const on = open({
      models: { default: 'p/own', paths },
      scripts: { own: [read('b.txt'), read('a.py'), 'again'], snake: ['done'] },
    })
    const events = await run(on, { text: 'Look' })
    expect(answerers(events)).toEqual(['own', 'own', 'snake'])
    expect(changes(events).map(({ to, reason }) => [to, reason])).toEqual([
      ['p/snake', 'a.py (models.paths."**/*.py".default)'],
      ['p/own', 'the run has ended'],
    ])
    expect(answerers(await run(on, { text: 'Again' }))).toEqual(['own'])
  })

  it('keeps a model that a person chose', async () => {
    const on = open({
      models: { default: 'p/own', paths },
      scripts: { own: [], other: [read('a.py'), 'done'], snake: ['never'] },
    })
    await resultOf(on.send({ type: 'set_model', model: 'p/other' }))
    expect(answerers(await run(on, { text: 'Look' }))).toEqual(['other', 'other'])
  })

  it('does not count a file that could not be read', async () => {
    const on = open({ models: { default: 'p/own', paths }, scripts: { own: [read('none.py'), 'done'], snake: [] } })
    expect(answerers(await run(on, { text: 'Look' }))).toEqual(['own', 'own'])
  })
})

describe('set_model with a role', () => {
  it('sets its model and level; an undefined role is the default [CONFIG-role_by_name]', async () => {
    const on = open({ models: { default: 'p/own:low', slow: 'p/big:high' }, scripts: { own: ['1'], big: ['2'] } })
    expect(on.thinkingLevel).toBe('low')
    await resultOf(on.send({ type: 'set_model', model: '@slow' }))
    expect([on.model.id, on.thinkingLevel]).toEqual(['big', 'high'])
    await run(on, { text: 'Hi' })
    await resultOf(on.send({ type: 'set_model', model: '@plan' }))
    expect([on.model.id, on.thinkingLevel]).toEqual(['own', 'low'])
    await expect(resultOf(on.send({ type: 'set_model', model: '@slwo' }))).rejects.toMatchObject({
      code: 'bad_request',
    })
    expect(levels).toEqual(['big high'])
  })
})

describe('the role summary', () => {
  it('summarises, and the session’s model is its last fallback [CONFIG-role_of_summaries]', async () => {
    const refused = new Failure('provider_error', 'no key', { data: { kind: 'auth' } })
    const on = open({
      models: { default: 'p/own', summary: 'p/sum:minimal' },
      scripts: {
        own: [...['one ', 'two ', 'three '].map((word) => word.repeat(400)), 'by own', 'by own'],
        sum: [refused, refused],
      },
    })
    for (const text of ['First', 'Second', 'Third']) await run(on, { text })
    levels.length = 0
    const events = resultOf(on.events$.pipe(toArray()))
    await lastValueFrom(on.send({ type: 'compact' }), { defaultValue: undefined })
    await lastValueFrom(on.close(), { defaultValue: undefined })
    session = undefined
    expect(levels.slice(0, 2)).toEqual(['sum minimal', 'own minimal'])
    expect((await events).find(({ type }) => type === 'compaction')).toMatchObject({
      summary: expect.stringMatching(/^by own/) as string,
    })
  })
})
