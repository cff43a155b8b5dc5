// Tests that two sessions of one server, or of one program, never interleave their changes of a file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, firstValueFrom, forkJoin, lastValueFrom, map, take } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/index.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'

let folder: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-shared-'))
  const home = path.join(folder, 'home')
  env = { RXPI_HOME: home, XDG_CONFIG_HOME: path.join(folder, 'config'), PATH: process.env['PATH'] ?? '' }
  writeFileSync(path.join(folder, 'a.txt'), 'start\n')
  mkdirSync(path.join(folder, 'sub'))
  symlinkSync('../a.txt', path.join(folder, 'sub/link'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const callCount = 15

/** Each call adds a line to one file, by another name of it. */
function script(name: string) {
  const paths = ['a.txt', 'sub/link', 'sub/../a.txt']
  const toolCalls = Array.from({ length: callCount }, (_, index) => ({
    name: 'edit',
    arguments: {
      path: paths[index % paths.length] ?? '',
      edits: [{ oldText: 'start\n', newText: `start\n${name}${index}\n` }],
    },
  }))
  return [{ toolCalls }, 'done']
}

function nextSettled$({ events$ }: Session) {
  return events$.pipe(
    filter(({ type }) => type === 'agent_settled'),
    take(1),
  )
}

/** The lines of the file after both sessions have run and closed. */
async function linesAfter(sessions: readonly Session[]): Promise<readonly string[]> {
  const settled = firstValueFrom(forkJoin(sessions.map(nextSettled$)), { defaultValue: undefined })
  for (const session of sessions) void session.send({ type: 'prompt', text: 'go' })
  await settled
  for (const session of sessions) await lastValueFrom(session.close(), { defaultValue: undefined })
  return readFileSync(path.join(folder, 'a.txt'), 'utf8').trim().split('\n').toSorted()
}

const wanted = ['one', 'two'].flatMap((name) => Array.from({ length: callCount }, (_, index) => `${name}${index}`))

describe('no edit of one file is lost', () => {
  it('if two sessions of one server make them at once [TOOLS-edit-locks]', async () => {
    const server = createServerBackend({ env, version: '0.0.0' })
    const open = (name: string) => {
      const file = path.join(folder, `${name}.json`)
      writeFileSync(file, JSON.stringify(script(name)))
      const opened$ = server.sessions.create({
        approve: 'auto',
        cwd: folder,
        model: `scripted/${file}`,
        store: false,
        env,
      })
      return lastValueFrom(opened$.pipe(map(({ session }) => session)), { defaultValue: undefined })
    }
    const sessions = [await open('one'), await open('two')].filter((session) => session !== undefined)
    expect(await linesAfter(sessions)).toEqual([...wanted, 'start'].toSorted())
    await lastValueFrom(server.close(), { defaultValue: undefined })
  })

  it('if two sessions of one program make them at once [TOOLS-edit-locks]', async () => {
    const open = (name: string) =>
      createSession({
        model: { model: scriptedModel, provider: scripted(script(name)) },
        cwd: folder,
        env,
        approve: 'auto',
      })
    expect(await linesAfter([open('one'), open('two')])).toEqual([...wanted, 'start'].toSorted())
  })
})
