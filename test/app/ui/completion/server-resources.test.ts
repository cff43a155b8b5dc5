// Tests the suggestions for resources of MCP servers: their places beside files, and templates.
import { lastValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { serverResources, suggestionsOf } from '../../../../app/ui/completion/server-resources.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const today = { server: 'notes', uri: 'note:///today', name: 'Today', description: 'of this day' }
const day = { server: 'notes', uri: 'note:///{day}', name: 'note:///{day}', template: true }
const found = { servers: [{ server: 'notes', resources: 2 }], resources: [today, day], more: false }
const server = { label: 'notes:', value: '@notes:', description: '2 resources of an MCP server' }
const resource = { label: 'notes:note:///today', value: '@notes:note:///today ', description: 'Today: of this day' }
const template = { label: 'notes:note:///{day}', value: '@notes:note:///' }

it.each([
  ['', { first: [], last: [server] }],
  ['no', { first: [server], last: [resource, template] }],
  ['notes:', { first: [resource, template], last: [] }],
  ['today', { first: [], last: [resource, template] }],
])('stand beside those of files for %j', (query, expected) => {
  expect(suggestionsOf(found, query)).toEqual(expected)
})

it('behind files are few', () => {
  const many = {
    ...found,
    resources: Array.from({ length: 50 }, (_, index) => ({ ...today, uri: `note:///${index}` })),
  }
  expect(suggestionsOf(many, 'today').last).toHaveLength(10)
  expect(suggestionsOf(many, 'notes:').first).toHaveLength(50)
})

it('are none of a server that does not know the command', async () => {
  const { ui } = fakeUi({ answers: { find_resources: new Failure('unknown_command', 'no') } })
  expect(await lastValueFrom(serverResources(ui, 's', 'a'), { defaultValue: undefined })).toEqual({
    first: [],
    last: [],
  })
})
