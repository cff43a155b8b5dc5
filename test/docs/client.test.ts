// Tests that the page of clients names every member of both clients.
import { readFileSync } from 'node:fs'
import { NEVER } from 'rxjs'
import { expect, it } from 'vitest'
import { connect } from '../../lib/server/client/client.ts'
import { linkedPair } from '../../lib/server/protocol/linked-pair.ts'
import { reconnectingClient } from '../../lib/server/client/reconnecting-client.ts'

const text = readFileSync('docs/client.md', 'utf8')

it('docs/client.md names every member of both clients', () => {
  const clients = [reconnectingClient({ open: () => NEVER }), connect(linkedPair()[0])]
  const names = clients.flatMap((client) => Object.keys(client))
  for (const client of clients) client.close()
  const isNamed = (name: string): boolean => new RegExp(`\`[^\`]*\\b${name.replace('$', '')}\\b[^\`]*\``).test(text)
  expect(names.filter((name) => !isNamed(name))).toEqual([])
})
