// Tests the hints for failures.
import { expect, it } from 'vitest'
import { slashCommands } from '../../../../app/ui/commands/slash-commands.ts'
import { hintFor } from '../../../../app/ui/view/failure-notice.ts'
import { failureTable, providerFailureKinds } from '../../../../lib/streams/values/failure.ts'

const hints = [
  ...providerFailureKinds.map((kind) => hintFor({ code: 'provider_error', message: '', data: { kind } })),
  hintFor({ code: 'storage', message: '', data: { change: 'removed' } }),
  ...Object.keys(failureTable).map((code) => hintFor({ code, message: '' })),
].flatMap(({ hint }) => (hint === undefined ? [] : [hint]))

it('has a hint for common failures', () => {
  expect(hints.length).toBeGreaterThan(8)
})

it('does not ask for disk space if the log was removed [S24d]', () => {
  expect(hintFor({ code: 'storage', message: '', data: { change: 'removed' } }).hint).toContain('/new')
})

it.each(hints)('names only existing commands: %s', (hint) => {
  const names = slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  const named = [...hint.matchAll(/\/([a-z]+)/g)].map(([, name]) => name)
  expect(named.filter((name) => !names.includes(name ?? ''))).toEqual([])
})
