// Tests a command of the user: output in order, its end, an early end, and a failed start.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NEVER, Subject, tap } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ShellEnd, ShellOutput } from '../../../lib/streams/ports/user-shell.ts'
import { userShell } from '../../../lib/tools/shell/spawn-user-shell.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-user-shell-')))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const shell = (more: { home?: string; cwd?: string } = {}) =>
  userShell({ cwd: folder, env: { PATH: process.env['PATH'] ?? '', MARK: 'mine' }, sessionId: 'aaaaaaaaaaaa', ...more })
const played = (command: string, more?: { home?: string; cwd?: string }): Promise<(ShellOutput | ShellEnd)[]> =>
  valuesOf(shell(more)(command, NEVER))

it('runs in the folder with the environment, and emits both outputs in the order of their arrival', async () => {
  const all = await played('pwd; sleep 0.2; echo "$MARK" >&2; exit 3')
  const end = all.at(-1)
  const text = `${folder}\nmine\n`
  expect(end).toEqual({ type: 'end', output: text, exitCode: 3, truncated: false })
  expect(all.flatMap((event) => (event.type === 'output' ? [event.content] : [])).join('')).toBe(text)
})

it('ends on request, with the output so far', async () => {
  const end$ = new Subject<void>()
  const all$ = shell()('echo a; sleep 60', end$).pipe(
    tap((event) => {
      if (event.type === 'output') end$.next()
    }),
  )
  expect((await valuesOf(all$)).at(-1)).toMatchObject({ type: 'end', exitCode: null, output: 'a\n' })
})

it('shows the end of long output, and stores all of it in a file', async () => {
  const all = await played('seq 1 3000', { home: folder })
  const end = all.at(-1)
  if (end?.type !== 'end') throw new Error('no end')
  expect(end).toMatchObject({ truncated: true, exitCode: 0 })
  expect(end.output.startsWith('1001\n')).toBe(true)
  expect(readFileSync(end.fullOutputPath ?? '', 'utf8').split('\n')).toHaveLength(3001)
})

it('omits the escape sequences at the end of its output', async () => {
  const all = await played(String.raw`printf '\033[31mred\033[0m'`)
  expect(all.at(-1)).toMatchObject({ output: 'red' })
})

it('explains that it cannot start', async () => {
  const all = await played('ls', { cwd: path.join(folder, 'gone') })
  expect(all).toEqual([
    { type: 'end', output: expect.stringContaining('gone') as string, exitCode: null, truncated: false },
  ])
})
