// Tests that the layers build the tools of a session: each one replaced by an option, in requests and in calls.
import { Type } from '@sinclair/typebox'
import { BehaviorSubject, combineLatest, map, of, tap, throwError, timer } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { cancellable } from '../../../lib/operators/tool-pipeline/wrap-cancellation.ts'
import { mapTools } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import { overrideTool } from '../../../lib/streams/tool-definition/override-tool.ts'
import type { ToolLayer } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import type { ToolLayers } from '../../../lib/operators/tool-pipeline/tool-pipeline.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Provider, ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import type { SessionSandbox } from '../../../lib/streams/ports/sandbox.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

interface Scene {
  readonly session: Session
  readonly requests: readonly ProviderRequest[]
  readonly events: readonly AgentEvent[]
}

/** A session whose model calls `tool` once, and then answers. */
function scene(tool: string, toolLayers: Partial<ToolLayers>, more: CreateSessionOptions = {}): Scene {
  const requests: ProviderRequest[] = []
  const provider = scripted([{ toolCalls: [{ name: tool, arguments: {} }] }, 'done', 'done'])
  const session = createSession({
    model: {
      model: scriptedModel,
      provider: (request) => {
        requests.push(request)
        return provider(request)
      },
    },
    cwd: '/somewhere',
    env: {},
    system: 'Be brief.',
    approve: 'auto',
    toolLayers,
    ...more,
  })
  const events: AgentEvent[] = []
  session.events$.subscribe((event) => events.push(event))
  return { session, requests, events }
}

function prompt({ session }: Scene): void {
  session.send({ type: 'prompt', text: 'Hi' }).subscribe()
}

function namesIn(request: ProviderRequest | undefined): string[] {
  return request?.tools.map(({ name }) => name) ?? []
}

function resultsIn({ events }: Scene): string {
  return JSON.stringify(events.flatMap((event) => (event.type === 'tool_execution_end' ? [event.content] : [])))
}

const extra = fakeTool('extra', 'from the layer', { capability: 'read' })
const adding$: ToolLayer = map((draft) => ({ ...draft, tools: [...draft.tools, extra] }))

afterEach(() => vi.useRealTimers())

describe('the layers of a session', () => {
  it('build its tools: those of the options, then the built-in ones for files and for the session', () => {
    const { session } = scene('own', {}, { customTools: [fakeTool('own', '')] })
    const names =
      'own read write edit bash hashline_edit grep find ls job_output job_input job_kill todo ask propose_plan'
    expect(session.registeredTools.map(({ name }) => name).join(' ')).toBe(names)
  })

  it('are built once for each change, not for each request [LOOP-37c]', () => {
    let builds = 0
    const own = scene('extra', { cancellation: tap(() => (builds += 1)) }, { tools: [extra] })
    const before = builds
    prompt(own)
    prompt(own)
    expect([own.requests.length, builds]).toEqual([3, before])
    void own.session.send({ type: 'set_active_tools', tools: ['read'] })
    expect(builds).toBe(before + 1)
  })

  it.each(['base', 'sandbox', 'runtime', 'channel'] as const)(
    '%s: replaced, its tools can be requested and called [LOOP-37d]',
    (name) => {
      const own = scene('extra', { [name]: adding$ }, { tools: ['extra'] })
      prompt(own)
      expect(namesIn(own.requests[0])).toEqual(['extra'])
      expect(resultsIn(own)).toContain('from the layer')
    },
  )

  it('sandbox: replaced, a tool runs elsewhere', () => {
    const elsewhere$ = mapTools((tool) =>
      tool.name === 'bash' ? overrideTool(tool, { execute: () => of(textResult('in the container')) }) : tool,
    )
    const own = scene('bash', { sandbox: elsewhere$ }, { validatorOf: () => () => [] })
    prompt(own)
    expect(resultsIn(own)).toContain('in the container')
  })

  it('sandbox: each call gets the sandbox of the session', () => {
    const sandbox = { ready$: of(undefined), forbid: () => undefined } as unknown as SessionSandbox
    const tool = fakeTool('look', 'seen', { capability: 'read' })
    prompt(scene('look', {}, { sandbox, tools: [tool] }))
    expect(tool.calls[0]?.context.sandbox).toBe(sandbox)
  })

  it('policy: replaced, it decides which tools are registered and active', () => {
    const onlyRead$: ToolLayer = map(({ inputs, tools }) => {
      const chosen = tools.filter(({ name }) => name === 'read')
      return { inputs, tools: chosen, registered: chosen }
    })
    const own = scene('bash', { policy: onlyRead$ })
    prompt(own)
    expect([namesIn(own.requests[0]), own.session.registeredTools]).toEqual([['read', 'use_tool'], [expect.anything()]])
    expect(resultsIn(own)).toContain('no active tool')
  })

  it('policy: tools without a granted scope or capability can neither be named nor called', () => {
    const mail = fakeTool('mail', '', { capability: 'http', requiredScope: 'mail' })
    const own = scene('bash', {}, { customTools: [mail], allowedTools: { capabilities: ['read', 'http'], scopes: [] } })
    prompt(own)
    expect(namesIn(own.requests[0])).toEqual(['read', 'grep', 'find', 'todo', 'ask', 'job_output', 'use_tool'])
    expect(resultsIn(own)).toContain('no active tool')
    let failure: unknown
    own.session
      .send({ type: 'set_active_tools', tools: ['mail'] })
      .subscribe({ error: (error: unknown) => (failure = error) })
    expect(failure).toMatchObject({ code: 'bad_request' })
  })

  it('schemas: replaced, the model gets another schema, and calls are checked by the own one', () => {
    const parameters = Type.Object({ n: Type.Integer() })
    const tool = fakeTool('count', 'counted', { parameters, capability: 'read' })
    const titled$ = mapTools((each) =>
      overrideTool(each, { parametersFor: ({ api }) => ({ ...each.parameters, title: api }) }),
    )
    const own = scene('count', { schemas: titled$ }, { tools: [tool] })
    prompt(own)
    expect(own.requests[0]?.tools).toMatchObject([{ name: 'count', parameters: { ...parameters, title: 'scripted' } }])
    expect(resultsIn(own)).toContain('not valid')
  })

  it('schemas: each model gets the form of its API, a fallback too; an API without rules gets the own one', () => {
    const parameters = Type.Object({ n: Type.Literal(7) })
    const tool = fakeTool('count', 'counted', { parameters, capability: 'read' })
    vi.useFakeTimers() // a fallback is asked off the stack
    const sent: unknown[] = []
    const provider =
      (failure?: Failure): Provider =>
      (request) => {
        sent.push(request.tools[0]?.parameters)
        return failure === undefined ? scripted(['done'])(request) : throwError(() => failure)
      }
    const google = { ...scriptedModel, id: 'google', api: 'google-generative-ai' }
    const failure = new Failure('provider_error', 'no', { data: { kind: 'auth' } })
    const fallbacks = [{ model: scriptedModel, provider: provider() }]
    prompt(scene('count', {}, { tools: [tool], model: { model: google, provider: provider(failure), fallbacks } }))
    vi.advanceTimersByTime(1)
    const withLiteral = (literal: object): object => ({
      ...parameters,
      properties: { n: { ...literal, type: 'number' } },
    })
    const plain: unknown = JSON.parse(JSON.stringify([withLiteral({ enum: [7] }), withLiteral({ const: 7 })]))
    expect(JSON.parse(JSON.stringify(sent))).toEqual(plain)
  })

  it('cancellation: replaced, an abort still unsubscribes the tool [LOOP-37d]', () => {
    vi.useFakeTimers()
    const late = fakeTool('late', () => timer(50).pipe(map(() => textResult('too late'))), { capability: 'read' })
    const received: string[] = []
    const watch$ = mapTools((tool) =>
      overrideTool(tool, {
        execute: (args, context) =>
          cancellable(tool)
            .execute(args, context)
            .pipe(
              tap({ unsubscribe: () => received.push('unsubscribed'), complete: () => received.push('completed') }),
            ),
      }),
    )
    const own = scene('late', { cancellation: watch$ }, { tools: [late] })
    prompt(own)
    void own.session.send({ type: 'abort' })
    vi.advanceTimersByTime(100)
    expect(received).toEqual(['unsubscribed'])
    expect(resultsIn(own)).toContain('Aborted')
  })

  it('runtime: a layer that emits by itself changes the tools of the next request, by an event', () => {
    const found$ = new BehaviorSubject([extra])
    const runtime$: ToolLayer = (draft$) =>
      combineLatest([draft$, found$]).pipe(map(([draft, found]) => ({ ...draft, tools: [...draft.tools, ...found] })))
    const own = scene('extra', { runtime: runtime$ }, { tools: ['extra', 'read'] })
    prompt(own)
    found$.next([])
    prompt(own)
    expect(own.requests.map(namesIn)).toEqual([['extra', 'read'], ['extra', 'read'], ['read']])
    expect(own.events.filter(({ type }) => type === 'active_tools_change')).toEqual([
      { type: 'active_tools_change', from: ['extra', 'read'], to: ['read'], by: 'server' },
    ])
    found$.error(new Error('lost'))
    expect(own.events.at(-1)).toMatchObject({ type: 'warning', code: 'tool_layer_failed' })
    own.session.close().subscribe()
  })

  it('that fail refuse the session or the command, and are unsubscribed when it closes', () => {
    const failing$: ToolLayer = map(() => {
      throw new Error('broken layer')
    })
    expect(() => scene('a', { channel: failing$ })).toThrow(/broken layer/)
    const source$ = new BehaviorSubject(0)
    const following$: ToolLayer = (draft$) => combineLatest([draft$, source$]).pipe(map(([draft]) => draft))
    expect(() => scene('a', { base: following$ }, { tools: ['gone'] })).toThrow(/gone/)
    expect(source$.observed).toBe(false)
    const { session } = scene('a', { base: following$ })
    expect(source$.observed).toBe(true)
    session.close().subscribe()
    expect(source$.observed).toBe(false)
  })
})
