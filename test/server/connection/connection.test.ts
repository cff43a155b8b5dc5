// Tests a connection: the greeting, invalid lines, and the environment that a client sends.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeSession } from '../../support/fake-session.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { session, setup, outcome } from './connection-scene.ts'
import { binaryText } from '../../support/binary-text.ts'

const elsewhere = 'zzzzzzzzzzzz'

describe('a connection', () => {
  it('starts with hello [WIRE-hello]', () => {
    const { client } = setup()
    expect(client.frames).toMatchObject([
      {
        v: 1,
        type: 'hello',
        server: { name: 'rxpi', version: '1.0.0', pid: process.pid },
        protocol: { min: 1, max: 1 },
        limits: { lineBytes: 16_777_216, sessionCommands: 1_000 },
      },
    ])
    expect(client.frames[0]?.['capabilities']).toContain('prompt')
  })

  it('announces a new epoch at each start of the server [WIRE-hello]', () => {
    const epochs = [setup(), setup()].map(
      ({ client }) => (client.frames[0]?.['server'] as { epoch: string } | undefined)?.epoch,
    )
    expect(new Set(epochs).size).toBe(2)
  })

  const lines: [what: string, line: string, id: string | null, code: string][] = [
    ['null', 'null', null, 'bad_json'],
    ['a number', '17', null, 'bad_json'],
    ['a string', '"prompt"', null, 'bad_json'],
    ['an array', '[{"id":"1","type":"ping"}]', null, 'bad_json'],
    ['half a JSON object', '{"id":"1","type":"pi', null, 'bad_json'],
    ['two JSON objects', '{"id":"1","type":"ping"}{"id":"2","type":"ping"}', null, 'bad_json'],
    ['a raw U+2028 between values', '{"id":\u2028"1","type":"ping"}', null, 'bad_json'],
    ['a very deep value', '['.repeat(100_000), null, 'bad_json'],
    ['no id', '{"type":"ping"}', null, 'bad_request'],
    ['an id that is a number', '{"id":1,"type":"ping"}', null, 'bad_request'],
    ['an empty id', '{"id":"","type":"ping"}', null, 'bad_request'],
    ['an id without end', `{"id":"${'1'.repeat(129)}","type":"ping"}`, null, 'bad_request'],
    ['a name that no tool may have', '{"id":"1","type":"hello","client":"my editor"}', '1', 'bad_request'],
    ['no type', '{"id":"1"}', '1', 'bad_request'],
    ['a type that is an object', '{"id":"1","type":{}}', '1', 'bad_request'],
    ['a time-out that is text', '{"id":"1","type":"ping","timeoutMs":"5"}', '1', 'bad_request'],
    ['a time-out beyond what timers take', '{"id":"1","type":"ping","timeoutMs":2147483648}', '1', 'bad_request'],
    ['another version', '{"v":2,"id":"1","type":"ping"}', '1', 'unsupported_version'],
    [
      'a version that no text can be made of',
      '{"v":{"toString":1,"valueOf":1},"id":"1","type":"ping"}',
      '1',
      'unsupported_version',
    ],
    [
      'a version without end',
      `{"v":${'['.repeat(5_000)}${']'.repeat(5_000)},"id":"1","type":"ping"}`,
      '1',
      'unsupported_version',
    ],
    ['a field without end', `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},"id":"1","type":"ping"}`, '1', 'ok'],
    ['a command that is not there', '{"id":"1","type":"fly"}', '1', 'unknown_command'],
    ['the name of an inherited property', '{"id":"1","type":"constructor"}', '1', 'unknown_command'],
    ['no session', '{"id":"1","type":"prompt","text":"hi"}', '1', 'bad_request'],
    ['a session id that is a path', '{"id":"1","type":"attach","session":"../../../x"}', '1', 'bad_request'],
    ['a session that is not open', `{"id":"1","type":"abort","session":"${elsewhere}"}`, '1', 'unknown_session'],
    ['a session that is not there', `{"id":"1","type":"attach","session":"${elsewhere}"}`, '1', 'unknown_session'],
    ['a folder without a session', '{"id":"1","type":"open_session","cwd":"/empty"}', '1', 'unknown_session'],
    ['an environment that is no record', '{"id":"1","type":"new_session","cwd":"/","env":["A=1"]}', '1', 'bad_request'],
    [
      'a thinking level that is none',
      '{"id":"1","type":"new_session","cwd":"/","thinkingLevel":"deep"}',
      '1',
      'bad_request',
    ],
    ['unknown fields', '{"id":"1","type":"ping","extra":{"a":[1]}}', '1', 'ok'],
    ['no version', '{"id":"1","type":"ping"}', '1', 'ok'],
    ['a U+2028 in a string', '{"id":"\u2028","type":"ping"}', '\u2028', 'ok'],
    ['spaces around', '  {"id":"1","type":"ping"}\r', '1', 'ok'],
  ]
  it.each(lines)('answers %s with its result or failure, and goes on [WIRE-wrong, WIRE-once]', (_, line, id, code) => {
    const { client } = setup()
    client.send(line)
    expect(outcome(client, id)).toBe(code)
    client.ask('after', { type: 'ping' })
    expect(outcome(client, 'after')).toBe('ok')
  })

  it('names the field that does not fit [WIRE-wrong]', () => {
    const { client } = setup()
    client.ask('1', { type: 'prompt', session, text: 7 })
    expect(client.answers('1')).toMatchObject([{ error: { message: 'prompt is invalid: /text must be text' } }])
  })

  it.each([
    ['new_session', { cwd: '/' }],
    ['rename_session', { session }],
  ])('accepts a title of 200 characters in %s, and names the limit for a longer one [WIRE-wrong]', (type, fields) => {
    const { client } = setup()
    client.ask('1', { type, ...fields, title: '\u{1F600}'.repeat(200) })
    client.ask('2', { type, ...fields, title: 'a'.repeat(201) })
    expect(client.answers('1')).not.toMatchObject([{ error: { code: 'bad_request' } }])
    expect(client.answers('2')).toMatchObject([
      {
        error: { code: 'bad_request', message: `${type} is invalid: /title must have at most 200 characters` },
      },
    ])
  })

  it('answers a line over the limit without an id [WIRE-too_large]', () => {
    const { client } = setup()
    client.ask('1', { type: 'ping', padding: 'a'.repeat(16 * 1024 * 1024) })
    expect(outcome(client, null)).toBe('message_too_large')
  })

  it('survives random lines, and answers each once [WIRE-wrong]', { timeout: sampleSize(20_000, 600_000) }, () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(fc.constantFrom(null, true, 0, -1.5, '', '\u2028', 'ping'), fc.array(tie('any'), { maxLength: 3 })),
    })).any
    const line = fc.oneof(
      binaryText().map((text) => text.replaceAll('\n', '')),
      fc.json(),
      fc
        .record(
          {
            v: fc.constantFrom<unknown>(1, 1, 1, 2, '1', null),
            id: fc.oneof(fc.constant('x'), value),
            type: fc.oneof(
              fc.constantFrom('ping', 'prompt', 'attach', 'cancel', 'new_session', 'hello', '__proto__'),
              value,
            ),
            session: fc.oneof(fc.constantFrom(session, elsewhere), value),
            cwd: fc.oneof(fc.constant('/'), value),
            target: fc.oneof(fc.constant('x'), value),
            text: value,
            timeoutMs: value,
            opId: value,
          },
          { requiredKeys: [] },
        )
        .map((fields) => JSON.stringify(fields)),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), (sent) => {
        const { client } = setup()
        const real = sent.filter((each) => each.trim() !== '')
        for (const each of real) client.send(each)
        expect(client.frames.filter((frame) => frame['type'] === 'response')).toHaveLength(real.length)
        expect(client.closed).toBe(false)
      }),
      { numRuns: sampleSize(300, 20_000) },
    )
  })
})

describe('security rule S7', () => {
  it('passes a client’s environment to the backend and repeats it nowhere [S7b, S7c]', () => {
    const { client, host } = setup()
    const env = { OPENAI_API_KEY: 'sk-planted-secret' }
    client.ask('1', { type: 'new_session', cwd: '/a', env, model: 'x/y' })
    client.ask('2', { type: 'open_session', session, cwd: '/a', env })
    client.ask('3', { type: 'attach', session, after: 0 })
    client.ask('4', { type: 'open_session', session: elsewhere, cwd: '/a', env })
    client.ask('5', { type: 'new_session', cwd: 7, env })
    expect(host.requests[0]).toMatchObject({ new: { env } })
    expect(client.lines.join('\n')).not.toContain('planted')
  })

  it('opens a session for an attachment without the server’s environment [S7b]', () => {
    const { client, host } = setup()
    host.sessionsById.set(session, fakeSession({ id: session }))
    client.ask('1', { type: 'attach', session })
    expect(host.requests).toEqual([{ open: { session, cwd: '/' } }])
  })
})
