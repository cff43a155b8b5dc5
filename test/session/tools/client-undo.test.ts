// Tests what undo takes back of changes that a client took: the disk, as it was before the run.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defer, filter, firstValueFrom, lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { ClientFiles } from '../../../lib/streams/environment/file-exchange.ts'
import { resultOf } from '../../support/result-of.ts'

let top: string
const file = (): string => path.join(top, 'work/a.txt')
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-client-undo-')))
  mkdirSync(path.join(top, 'work'))
  writeFileSync(file(), 'saved\n')
})
afterEach(() => rmSync(top, { recursive: true }))

/** A client with a text that is not saved. */
function client(saves: boolean): { files: ClientFiles; text(): string } {
  let text = 'saved\ntyped\n'
  const write$ = (name: string, next: string) =>
    defer(() => {
      text = next
      if (saves) writeFileSync(name, next)
      return of(undefined)
    })
  return {
    files: { canWrite: true, read: (name) => of(name === file() ? text : undefined), write: write$ },
    text: () => text,
  }
}

it.each([
  [
    'takes back what the client saved, with what the person had typed',
    true,
    [['a.txt'], 'saved\n', 'saved\nchanged\n'],
  ],
  ['has nothing to take back of what the client did not save', false, [[], 'saved\n', 'saved\nchanged\n']],
])('undo %s', async (_, saves, [paths, onDisk, atClient]) => {
  const args = { path: 'a.txt', edits: [{ oldText: 'typed', newText: 'changed' }] }
  const model = {
    model: scriptedModel,
    provider: scripted([{ toolCalls: [{ name: 'edit', arguments: args }] }, 'done']),
  }
  const env = { PATH: process.env['PATH'] ?? '', RXPI_HOME: path.join(top, 'home'), HOME: top }
  const session = createSession({ model, cwd: path.join(top, 'work'), env, approve: 'auto', snapshots: true })
  const { files, text } = client(saves)
  const withdraw = session.offerFiles?.({ files })
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), { defaultValue: undefined }) // prettier-ignore
  await resultOf(session.send({ type: 'prompt', text: 'Go.' }))
  await settled
  expect(readFileSync(file(), 'utf8')).toBe(saves ? 'saved\nchanged\n' : 'saved\n')
  const undone = await resultOf(session.send({ type: 'undo' }))
  expect([undone.paths ?? [], readFileSync(file(), 'utf8'), text()]).toEqual([paths, onDisk, atClient])
  withdraw?.()
  await lastValueFrom(session.close(), { defaultValue: undefined })
})
