// Tests the validators of events, commands, lines and files.
// Over 250 lines: one table with a sample of every event, command and line, good and bad.
import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandSchemas } from '../../../lib/streams/commands/command.ts'
import type { CompiledValidator } from '../../../lib/streams/schema/compiled-validator.ts'
import { createCheck, describeProblem } from '../../../lib/streams/schema/compiled-validator.ts'
import { eventSchemas } from '../../../lib/streams/events/event.ts'
import { fileSchemas } from '../../../lib/streams/validation/file-schemas.ts'
import { WrittenModelsFile } from '../../../lib/streams/generated/file-validators.js'
import * as compiledForFiles from '../../../lib/streams/generated/file-validators.js'
import * as compiledForAll from '../../../lib/streams/generated/validators.js'
import { schemas as schemasForAll } from '../../../lib/streams/validation/schemas.ts'
import {
  checkCheckpoint,
  checkCommand,
  checkEvent,
  checkHeader,
  checkLogLine,
  checkModel,
  checkRequest,
  checkSettings,
  knowsCommand,
} from '../../../lib/streams/validation/validators.ts'
import { knowsEvent } from '../../../lib/streams/events/known-events.ts'
import { sampleCommands } from '../commands/sample-commands.ts'
import { assistant, everyEvent, sampleEvents, sampleUsage, toolResult, user } from '../events/samples.ts'

const schemas = { ...schemasForAll, ...fileSchemas }
const compiled = { ...compiledForAll, ...compiledForFiles }

const sessionId = 'abcdefghij23'
const header = {
  type: 'session',
  v: 1,
  id: sessionId,
  createdAt: 1,
  cwd: '/tmp',
  parent: { sessionId, entryId: 'abcdefg2' },
  chosen: { model: 'p/m', thinkingLevel: 'low', tools: ['read'] },
}
const line = { seq: 1, at: 2, runId: 'abcdefg2', opId: 'op', event: { type: 'agent_settled' }, crc: '0123abcd' }
const checkpoint = { at: 1, event: sampleEvents.message_update, crc: '0123abcd' }
const model = {
  id: 'm',
  provider: 'p',
  api: 'a',
  name: 'M',
  baseUrl: 'http://localhost/v1',
  contextWindow: 1,
  maxOutput: 2,
  inputs: ['text', 'image'],
  reasoning: true,
  prices: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  local: true,
  notice: 'n',
}
const settings = {
  model: 'p/m',
  thinkingLevel: 'low',
  tools: ['read'],
  toolExecution: 'parallel',
  steeringMode: 'all',
  followUpMode: 'one-at-a-time',
  limits: { turns: 1, tokens: 2, usd: 0.5, idleMs: 3, wallClockMs: 4 },
  bash: { timeoutMs: 5 },
  models: { smol: 'p/m:low', plan: ['p/m', 'p/n'], paths: { '**/*.py': { default: 'p/py' } } },
}
const modelsFile = {
  providers: {
    local: {
      api: 'openai-completions',
      baseUrl: 'http://localhost:1/v1',
      apiKey: '$KEY',
      headers: { a: 'b' },
      models: [{ id: 'm', name: 'M', contextWindow: 1, maxOutput: 2, inputs: ['text'], reasoning: false }],
    },
  },
}
const request = { v: 1, id: '7', type: 'prompt', timeoutMs: 5, opId: 'op' }
const facts = {
  id: 'abcdefghij23',
  title: 't',
  cwd: '/tmp',
  createdAt: 1,
  updatedAt: 2,
  firstWords: 'Hi',
  lastWords: 'Bye',
  messages: 3,
  model: 'p/m',
  parent: { sessionId: 'abcdefghij23', entryId: 'abcdefg2' },
  size: 4,
  damaged: 'line 2: torn',
}

const piece = { contentIndex: 0, offset: 0, text: 'x' }
const sampleDeltas = {
  delta_start: { type: 'start', responseId: 'r' },
  delta_text_start: { type: 'text_start', contentIndex: 0 },
  delta_text_delta: { type: 'text_delta', contentIndex: 0, text: 'x' },
  delta_text_end: { type: 'text_end', contentIndex: 0, signature: 's' },
  delta_thinking_start: { type: 'thinking_start', contentIndex: 0, redacted: true },
  delta_thinking_delta: { type: 'thinking_delta', contentIndex: 0, text: 'x' },
  delta_thinking_end: { type: 'thinking_end', contentIndex: 0 },
  delta_toolcall_start: { type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'read' },
  delta_toolcall_delta: { type: 'toolcall_delta', contentIndex: 0, text: '{' },
  delta_toolcall_end: { type: 'toolcall_end', contentIndex: 0, arguments: {} },
  delta_usage: { type: 'usage', usage: sampleUsage },
  delta_warning: { type: 'warning', code: 'foreign_frames', message: 'm', context: { frames: 2 }, recoverable: true },
  delta_done: { type: 'done', stopReason: 'stop', usage: sampleUsage },
  piece_text_delta: { type: 'text_delta', ...piece },
  piece_thinking_delta: { type: 'thinking_delta', ...piece },
  piece_toolcall_delta: { type: 'toolcall_delta', ...piece, id: 'c', name: 'read' },
}

/** A valid value for every compiled schema. */
const fitting: Readonly<Record<string, unknown>> = {
  TextContent: { type: 'text', text: 'x', textSignature: 's' },
  ThinkingContent: { type: 'thinking', thinking: 'x', redacted: false },
  ImageContent: { type: 'image', mimeType: 'image/png', blob: 'a'.repeat(64), bytes: 3 },
  ToolCall: { type: 'toolCall', id: 'c', name: 'read', arguments: {}, argumentsText: '{' },
  Usage: sampleUsage,
  UserMessage: user([{ type: 'text', text: 'x' }]),
  AssistantMessage: assistant([{ type: 'text', text: 'x' }], { errorMessage: 'e' }),
  ToolResultMessage: toolResult(),
  Message: { role: 'bashExecution', timestamp: 1, command: 'ls' },
  AssistantDelta: { type: 'done', stopReason: 'stop', usage: sampleUsage },
  MessageDelta: { type: 'text_delta', contentIndex: 0, offset: 0, text: 'x' },
  ...sampleDeltas,
  PlanItem: { id: '1', text: 't', state: 'pending' },
  QuestionOutcome: { choice: 'once', pattern: 'p', text: 't', values: { a: 1 } },
  FailureShape: { code: 'busy', message: 'm', data: { a: 1 } },
  SessionHeader: header,
  LogLine: line,
  CheckpointLine: checkpoint,
  Model: model,
  RunLimits: { turns: 1, tokens: 2, usd: 0.5, sameCalls: 5, idleMs: 3, wallClockMs: 4 },
  Settings: settings,
  TrustFile: { v: 1, folders: { '/a': { answer: 'trusted', digest: 'a'.repeat(64), at: 1 }, '/b': { answer: 'never', at: 2 } } }, // prettier-ignore
  ExtensionTrustFile: { v: 1, extensions: { 'user:/a': { state: 'trusted', digest: 'a'.repeat(64), at: 1, dev: true, mayReplace: ['bash'] } } }, // prettier-ignore
  McpServersFile: { mcpServers: { files: { command: 'npx', args: ['-y', 'server'], tools: { exclude: ['a'] } } } },
  CatalogueHeader: { v: 1, source: { name: 'a', version: '1.0.0', date: '2026-01-02', licence: 'MIT', at: 1 }, integrity: 'sha512-a', crc: 1 }, // prettier-ignore
  PublishedModel: { id: 'm', name: 'M', api: 'openai-completions', reasoning: true, input: ['text'], cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, tiers: [{ inputTokensAbove: 7, input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }] }, contextWindow: 10, maxTokens: 5, thinkingLevelMap: { off: null, low: 'low' }, compat: { thinkingFormat: 'zai' } }, // prettier-ignore
  PackagesFile: { v: 1, packages: [{ source: 'npm:a', name: 'a', version: '1.0.0', key: 'a', folder: 'node_modules/a', pinned: false, at: 1 }] }, // prettier-ignore
  AccountsFile: {
    v: 1,
    providers: {
      xai: {
        id: 'abcdefg2',
        origin: 'https://api.x.ai',
        tokens: { access: 'a', refresh: 'r' },
        renewedAt: 1_795_694_400_000,
      },
    },
  },
  AuthFile: { v: 1, providers: { openai: [{ id: 'abcdefg2', origin: 'https://api.openai.com', value: '$KEY' }] } },
  WrittenModelsFile: modelsFile,
  ConverseCompat: { thinking: 'adaptive', cachePoints: true },
  ConversationsCompat: { thinking: 'effort', effort: { off: 'none' } },
  ApiCompat: { 'openai-completions': { systemRole: 'developer' }, 'google-vertex': {} },
  CompletionsCompat: { maxTokensField: 'max_completion_tokens', effort: { high: 'max' } },
  ResponsesCompat: {},
  MessagesCompat: {},
  GeminiCompat: {},
  ScenarioFile: { description: 'a', phases: [{ name: 'a', transitions: [{ to: 'a', on: 'tool', tool: 'b' }] }] },
  ScriptFile: ['Hello', { text: ['a'], toolCalls: [{ name: 'read', arguments: {} }], error: { kind: 'auth' } }],
  RequestEnvelope: request,
  SessionFacts: facts,
  SessionsIndex: {
    type: 'sessions_index',
    v: 1,
    logs: [{ name: '1_abcdefghij23.jsonl', mtimeMs: 1.5, facts }],
  },
  ...Object.fromEntries(everyEvent.map((event) => [`event_${event.type}`, event])),
  ...Object.fromEntries(
    Object.entries(sampleCommands).map(([type, fields]) => [`command_${type}`, { type, ...fields }]),
  ),
}

describe('events', () => {
  it('are known by their type, one sample each', () => {
    expect(Object.keys(eventSchemas).sort()).toEqual(everyEvent.map(({ type }) => type).sort())
    expect(everyEvent.every(({ type }) => knowsEvent(type))).toBe(true)
    expect([knowsEvent('no_such'), knowsEvent('toString'), knowsEvent('')]).toEqual([false, false, false])
  })

  it.each(everyEvent)('$type goes through JSON and its check unchanged [EVENT-schema]', (event) => {
    const read: unknown = JSON.parse(JSON.stringify(event))
    expect(checkEvent(read as typeof event)).toEqual({ ok: true, value: event })
  })

  it('are refused if their type is unknown', () => {
    expect(checkEvent({ type: 'constructor' })).toEqual({ ok: false, problem: 'unknown event type "constructor"' })
  })

  it.each<[object, string]>([
    [{ ...sampleEvents.turn_start, turnIndex: -1 }, '/turnIndex must be at least 0'],
    [{ ...sampleEvents.turn_start, turnIndex: 0.5 }, '/turnIndex must be a whole number'],
    [{ ...sampleEvents.turn_start, turnId: 'ABCDEFGH' }, '/turnId must be an id of 8 characters of a–z and 2–7'],
    [{ type: 'turn_start', turnIndex: 0 }, 'it needs the field "turnId"'],
    [{ ...sampleEvents.agent_start, thinkingLevel: 'deep' }, '/thinkingLevel must be one of off,'],
    [{ ...sampleEvents.agent_start, tools: ['a', 1] }, '/tools/1 must be text'],
    [{ ...sampleEvents.agent_end, terminationReason: 'bored' }, '/terminationReason must be one of'],
    [{ ...sampleEvents.agent_end, usage: { ...sampleUsage, input: -1 } }, '/usage/input must be at least 0'],
    [{ ...sampleEvents.tool_execution_start, toolCallId: '' }, '/toolCallId must not be empty'],
    [{ ...sampleEvents.tool_execution_end, durationMs: null }, '/durationMs must be a number'],
    [{ ...sampleEvents.head_moved, entryId: 7 }, '/entryId must be text or null'],
    [{ ...sampleEvents.head_moved, entryId: 'no' }, '/entryId must be an id of 8 characters'],
    [{ ...sampleEvents.message_end, message: { ...user(), role: '' } }, '/message'],
    [
      { ...sampleEvents.message_end, message: assistant([], { stopReason: 'bored' as never }) },
      '/message/stopReason must be one of stop,',
    ],
    [
      { ...sampleEvents.message_end, message: assistant([{ type: 'thinking' } as never]) },
      '/message/content/0 needs the field "thinking"',
    ],
    [
      { ...sampleEvents.message_update, delta: { type: 'toolcall_delta', contentIndex: 0, offset: -1, text: '' } },
      '/delta/offset must be at least 0',
    ],
    [{ ...sampleEvents.message_update, delta: { type: 'done' } }, '/delta has an unknown "type"'],
    [{ ...sampleEvents.message_update, delta: {} }, '/delta needs the field "type", as text'],
    [{ ...sampleEvents.ui_request, requestId: 'abcdefg2' }, '/requestId must be an id of 26 characters'],
    [{ ...sampleEvents.custom, customType: 1 }, '/customType must be text'],
  ])('refuses %j and names the place [EVENT-schema]', (event, problem) => {
    expect(checkEvent(event as { type: string })).toEqual({
      ok: false,
      problem: expect.stringContaining(problem) as string,
    })
  })

  it.each(everyEvent)('$type does not fit under another type', (event) => {
    const other = event.type === 'custom' ? 'status' : 'custom'
    expect(checkEvent({ ...event, type: other }).ok).toBe(false)
  })
})

describe('commands', () => {
  it('are known by their type', () => {
    expect(Object.keys(sampleCommands).sort()).toEqual(Object.keys(commandSchemas).sort())
    expect(Object.keys(sampleCommands).every(knowsCommand)).toBe(true)
    expect(knowsCommand('__proto__')).toBe(false)
    expect(checkCommand({ type: '__proto__' })).toEqual({ ok: false, problem: 'unknown command "__proto__"' })
  })

  it.each(Object.entries(sampleCommands))(
    '%s takes its fields, and fields that it does not know [COMMAND-fields]',
    (type, fields) => {
      const command = { type, ...fields, future: true }
      expect(checkCommand(command)).toEqual({ ok: true, value: command })
    },
  )

  it.each<[object, string]>([
    [{ type: 'prompt', session: sessionId }, 'it needs the field "text"'],
    [
      { type: 'prompt', session: 'short', text: 'x' },
      '/session must be the id of a session (12 characters of a–z and 2–7)',
    ],
    [
      { type: 'prompt', session: '../../../../etc', text: 'x' },
      '/session must be the id of a session (12 characters of a–z and 2–7)',
    ],
    [
      { type: 'prompt', session: sessionId, text: 'x', whileRunning: 'now' },
      '/whileRunning must be one of steer, follow_up',
    ],
    [{ type: 'prompt', session: sessionId, text: 'x', images: [{ type: 'text', text: 'x' }] }, '/images/0'],
    [
      { type: 'prompt', session: sessionId, text: 'x', limits: { idleMs: 2 ** 31 } },
      '/limits/idleMs must be at most 2147483647',
    ],
    [{ type: 'prompt', session: sessionId, text: 'x', limits: { turns: -1 } }, '/limits/turns must be at least 0'],
    [{ type: 'new_session' }, 'it needs the field "cwd"'],
    [{ type: 'new_session', cwd: '' }, '/cwd must not be empty'],
    [{ type: 'new_session', cwd: '/', env: { A: 1 } }, '/env/A must be text'],
    [{ type: 'attach', session: sessionId, after: -1 }, '/after must be at least 0'],
    [{ type: 'attach', session: sessionId, after: 1.5 }, '/after must be a whole number'],
    [{ type: 'cancel', target: 'x'.repeat(129) }, '/target must have at most 128 characters'],
    [{ type: 'run_tool', cwd: '/', name: 'read', args: [] }, '/args must be an object'],
  ])('refuses %j and names the place', (command, problem) => {
    expect(checkCommand(command as { type: string })).toEqual({
      ok: false,
      problem: expect.stringContaining(problem) as string,
    })
  })
})

describe('lines, requests and files', () => {
  it.each<[string, (value: unknown) => { ok: boolean; problem?: string }, unknown, string]>([
    ['header', checkHeader, { ...header, id: 'ABC' }, '/id must be the id of a session'],
    ['header', checkHeader, { ...header, v: '1' }, '/v must be a whole number'],
    ['header', checkHeader, { ...header, type: 'log' }, '/type must be "session"'],
    ['header', checkHeader, { ...header, parent: {} }, '/parent needs the field'],
    ['header', checkHeader, { ...header, chosen: { thinkingLevel: 'much' } }, '/chosen/thinkingLevel must be one of'],
    ['header', checkHeader, null, 'it must be an object'],
    ['line', checkLogLine, { ...line, seq: 0 }, '/seq must be at least 1'],
    ['line', checkLogLine, { ...line, crc: 'XYZ' }, '/crc must have the form'],
    ['line', checkLogLine, { ...line, event: {} }, '/event needs the field "type"'],
    ['checkpoint', checkCheckpoint, { ...checkpoint, event: sampleEvents.custom }, '/event'],
    ['request', checkRequest, { ...request, id: '' }, '/id must not be empty'],
    ['request', checkRequest, { ...request, v: 2 }, '/v must be 1'],
    ['request', checkRequest, { ...request, timeoutMs: 2 ** 31 }, '/timeoutMs must be at most 2147483647'],
    ['request', checkRequest, [], 'it must be an object'],
    ['model', checkModel, { ...model, inputs: ['sound'] }, '/inputs/0 must be one of text, image'],
    ['settings', checkSettings, { modle: 'p/m' }, 'it has the unknown field "modle"'],
    ['settings', checkSettings, { limits: { hours: 1 } }, '/limits has the unknown field "hours"'],
    [
      'models.json',
      createCheck(WrittenModelsFile),
      { providers: { Local: {} } },
      '/providers has the unknown field "Local"',
    ],
    [
      'models.json',
      createCheck(WrittenModelsFile),
      { providers: { a: { baseUrl: 'file:///x' } } },
      '/providers/a/baseUrl must begin with http:// or https://',
    ],
  ])('a %s that does not fit is refused with place and reason', (_, check, value, problem) => {
    expect(check(value)).toEqual({ ok: false, problem: expect.stringContaining(problem) as string })
  })

  it('returns the same value if it fits', () => {
    expect(checkHeader(header)).toEqual({ ok: true, value: header })
    const checked = checkSettings(settings)
    expect(checked.ok && checked.value).toBe(settings)
  })
})

describe('the compiled validators', () => {
  const compiledByName = compiled as unknown as Readonly<Record<string, CompiledValidator>>
  const names = Object.keys(schemas)
  const runTime = runTimeValidators()

  it('exist for every schema, with a sample each', () => {
    expect(Object.keys(compiledByName).sort()).toEqual([...names].sort())
    expect(Object.keys(fitting).sort()).toEqual([...names].sort())
  })

  it.each(names)('%s accepts its sample', (name) => {
    expect([compiledByName[name]?.(fitting[name]), compiledByName[name]?.errors ?? null]).toEqual([true, null])
  })

  it.each(names)('%s agrees with Ajv at run time on any value', (name) => {
    const [ahead, now] = [compiledByName[name], runTime[name]]
    if (ahead === undefined || now === undefined) throw new Error(`${name} was not compiled`)
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const value = changes.reduce<unknown>(applyChange, structuredClone(fitting[name]))
        const verdicts = [ahead, now].map((validate) => (validate(value) ? 'fits' : describeProblem(validate)))
        expect(verdicts[0]).toBe(verdicts[1])
      }),
      { numRuns: 60 },
    )
  })
})

function runTimeValidators(): Record<string, CompiledValidator | undefined> {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, inlineRefs: false, discriminator: true })
  for (const schema of Object.values(schemas)) ajv.addSchema(plain(schema))
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, ajv.getSchema(String(schema.$id)) as CompiledValidator]),
  )
}

function plain(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema)) as object
}

interface Change {
  readonly at: number
  readonly act: 'replace' | 'remove' | 'add'
  readonly value: unknown
}

const oddities: readonly unknown[] = [
  null,
  '',
  'x',
  0,
  -1,
  0.5,
  2 ** 31,
  true,
  [],
  {},
  [null],
  { type: 'text' },
  'a'.repeat(600),
]
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(1_000),
  act: fc.constantFrom('replace', 'remove', 'add'),
  value: fc.oneof(fc.constantFrom(...oddities), fc.jsonValue({ maxDepth: 2 })),
})

/** The value with one change at one path; replaces the whole if it has no paths. */
function applyChange(value: unknown, { at, act, value: drawn }: Change): unknown {
  const next: unknown = structuredClone(drawn) // a later change can change it again, and the odd values are shared
  const paths = pathsOf(value)
  const chosen = paths[at % (paths.length + 1)]
  if (chosen === undefined) return next
  const [holder, key] = chosen
  if (act === 'remove') Reflect.deleteProperty(holder, key)
  else Reflect.set(holder, act === 'add' ? `${key}x` : key, next)
  return value
}

function pathsOf(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[value, key] as [object, string], ...pathsOf(inner)])
}
