// Tests that docs/protocol.md is generated from the schemas and that its examples are valid.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { commandSchemas } from '../../lib/streams/commands/command.ts'
import { failureTable } from '../../lib/streams/values/failure.ts'
import { protocolSchema } from '../../lib/streams/validation/protocol-schema.ts'
import { commandGroups } from '../../scripts/pages/protocol/protocol-commands.ts'
import { protocolPage } from '../../scripts/pages/protocol/protocol-page.ts'
import { askingServer, askingTool } from '../support/asking-server.ts'
import { lineClient } from '../support/line-client.ts'

const schema = protocolSchema()
const ajv = new Ajv2020({ strict: false, discriminator: false, validateFormats: false })
ajv.addSchema(schema, 'protocol')

/** Why a value does not fit a definition; '' if it does. */
function misfit(name: string, value: unknown): string {
  const validate = ajv.getSchema(`protocol#/$defs/${name}`)
  if (validate === undefined) throw new Error(`no ${name}`)
  return validate(value) === true ? '' : ajv.errorsText(validate.errors)
}

const notes = commandGroups.flatMap(({ commands }) => Object.entries(commands))

describe('docs/protocol.md', () => {
  it('matches the schemas and its template [WIRE-schema]', () => {
    expect(readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8')).toBe(protocolPage())
    expect(protocolPage()).not.toContain('{{')
  })

  it('lists each command once', () => {
    expect(notes.map(([name]) => name).sort()).toEqual(Object.keys(commandSchemas).sort())
  })

  it.each(notes)('shows a valid example of %s [WIRE-schema]', (name, { ask, answer, errors }) => {
    expect(misfit('Request', { id: '1', type: name, ...ask })).toBe('')
    expect(misfit(`command_${name}`, { id: '1', type: name, ...ask })).toBe('')
    expect(misfit(`result_${name}`, answer)).toBe('')
    expect(errors.filter((code) => !Object.hasOwn(failureTable, code))).toEqual([])
  })

  it('has no reference to a missing heading', () => {
    const page = protocolPage()
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'))
    const links = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor)
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([])
  })
})

describe('the schema of the protocol', () => {
  it('has no reference to a missing definition', () => {
    const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name = '']) => name)
    expect(refs.filter((name) => !Object.hasOwn(schema.$defs, name))).toEqual([])
  })

  it('fits every line of a conversation, from both sides [WIRE-schema]', () => {
    const { server, session } = askingServer({
      script: [{ text: 'Look', toolCalls: [{ name: 'ask' }] }, 'done'],
      tools: [askingTool({ kind: 'confirm', text: 'Sure?' })],
    })
    const client = lineClient(server)
    const requests = [
      { type: 'hello', client: 'test' },
      { type: 'new_session', cwd: '/' },
      { type: 'attach', session: session.id, after: 0 },
      { type: 'prompt', session: session.id, text: 'Hi' },
      { type: 'rename_session', session: session.id, title: 'A title' },
      { type: 'server_status' },
    ].map((fields, index) => ({ id: String(index), ...fields }))
    for (const request of requests) client.send(JSON.stringify(request))
    client.send('null')
    expect(requests.map((request) => misfit('Request', request))).toEqual(requests.map(() => ''))
    expect(client.frames.map((frame) => misfit('Frame', frame)).filter((problem) => problem !== '')).toEqual([])
    const kinds = new Set(
      client.frames.map(({ type, ok, seq }) => `${String(type)} ${ok === undefined ? seq !== undefined : ok === true}`),
    )
    expect([...kinds].sort()).toEqual([
      'caught_up true',
      'delta false',
      'event false',
      'event true',
      'hello false',
      'response false',
      'response true',
    ])
  })

  it.each([
    ['a command that is not there', { id: '1', type: 'fly' }],
    ['a request without an id', { type: 'ping' }],
    ['a field of the wrong shape', { id: '1', type: 'prompt', session: 'me', text: 'Hi' }],
  ])('refuses %s', (_, request) => {
    expect(misfit('Request', request)).not.toBe('')
  })
})
