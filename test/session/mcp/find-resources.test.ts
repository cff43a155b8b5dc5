// Tests which resources of MCP servers are found for a typed text, and values of templates.
import { EMPTY, NEVER, of, throwError } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { expect, it } from 'vitest'
import type { McpResource } from '../../../lib/mcp/contract/mcp-offer.ts'
import { findResources } from '../../../lib/session/mcp/find-resources.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'
import { fakeHub, status } from '../../services/mcp/fake-hub.ts'
import type { FakeHub } from '../../services/mcp/fake-hub.ts'

const resource = (server: string, uri: string, more: Partial<McpResource> = {}): McpResource => ({
  server,
  uri,
  name: uri,
  template: false,
  ...more,
})
const resources = [
  resource('notes', 'note:///today', { name: 'Today', mimeType: 'text/markdown' }),
  resource('notes', 'note:///old/today'),
  resource('notes', 'note:///{day}', { name: 'A day', description: 'of the diary', template: true }),
  resource('db', 'db://{table}/{row}', { name: 'A row', template: true }),
]

function scene(complete?: ReturnType<FakeHub['hub']['open']>['complete']) {
  const fake = fakeHub({ resources, statuses: [status('notes'), status('db'), status('empty')] })
  const opened = fake.hub.open([], {} as never)
  const connection = complete === undefined ? opened : { ...opened, complete }
  const servers = { connection, opened: fake.offer$.value, ready$: EMPTY, connect: () => undefined }
  const find$ = (query = '', limit = 50) => findResources({ query, limit }, servers)
  const uris = async (query: string) => (await resultOf(find$(query))).resources.map(({ uri }) => uri)
  return { fake, find$, uris }
}

it('without a text all are found, bounded, and the servers that have some', async () => {
  const { find$ } = scene()
  const found = await resultOf(find$())
  expect(found.servers).toEqual([
    { server: 'notes', resources: 3 },
    { server: 'db', resources: 1 },
  ])
  expect(found.resources[0]).toEqual({
    server: 'notes',
    uri: 'note:///today',
    name: 'Today',
    mimeType: 'text/markdown',
  })
  expect(found.resources[2]).toMatchObject({ template: true, description: 'of the diary' })
  expect([found.resources.length, found.more]).toEqual([4, false])
  const some = await resultOf(find$('', 3))
  expect([some.resources.length, some.more]).toEqual([3, true])
})

it('a text finds those of all servers by address and name; a server’s name in front restricts it [COMMAND-find_resources]', async () => {
  const { uris } = scene()
  expect(await uris('today')).toEqual(['note:///today', 'note:///old/today'])
  expect(await uris('Row')).toEqual(['db://{table}/{row}'])
  expect(await uris('db:')).toEqual(['db://{table}/{row}'])
  expect(await uris('notes:note:///o')).toContain('note:///old/today')
  expect(await uris('other:note')).toEqual([])
})

it('values of a variable come from the server, with what is known of the others', async () => {
  const { fake, find$, uris } = scene()
  expect(await uris('db:db://us')).toEqual(['db://us1/', 'db://us%202/'])
  expect(await uris('db:db://us/7')).toEqual(['db://us/71', 'db://us/7%202'])
  expect(fake.calls.slice(-1)).toEqual(['complete {"kind":"resource","server":"db","uri":"db://{table}/{row}"} row=7 {"table":"us"}']) // prettier-ignore
  const open = await resultOf(find$('db:db://us'))
  expect(open.resources[0]).toEqual({ server: 'db', uri: 'db://us1/', name: 'db://{table}/{row}', template: true })
})

it('a listed resource that is typed in full comes first, and once', async () => {
  const { uris } = scene(() => of(['today', 'tomorrow']))
  expect((await uris('notes:note:///today')).slice(0, 2)).toEqual(['note:///today', 'note:///tomorrow'])
})

it('a change of the list counts at once', async () => {
  const { fake, uris } = scene()
  fake.offer$.next({ ...fake.offer$.value, resources: [resource('notes', 'note:///new')] })
  expect(await uris('notes:')).toEqual(['note:///new'])
})

it('a server that proposes nothing leaves the template, also if it is silent', async () => {
  const refusing = scene(() => throwError(() => new Failure('mcp_error', 'Method not found')))
  expect(await refusing.uris('notes:note:///')).toHaveLength(3)
  new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted)).run(({ expectObservable }) => {
    const silent = scene(() => NEVER)
    expectObservable(silent.find$('db:db://x')).toBe('2s (a|)', {
      a: { servers: expect.anything() as unknown, resources: [], more: false },
    })
  })
})
