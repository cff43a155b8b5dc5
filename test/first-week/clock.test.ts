// Tests that a run, a job and a terminal go on when the clock of the machine is set by hours.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { filter, firstValueFrom, fromEvent, takeUntil } from 'rxjs'
import { expect, it } from 'vitest'
import { walk } from '../first-hour/walk.ts'
import type { Walk } from '../first-hour/walk.ts'
import { hasTmux, terminal } from '../support/tmux.ts'
import { weekModel } from './week-model.ts'
import { isFull } from '../support/sample-size.ts'

const hour = 3_600_000
const preload = join(import.meta.dirname, 'shifted-clock.cjs')

it.runIf(isFull && hasTmux)(
  'a run, a job and a terminal go on when the clock is set hours forward and back',
  { timeout: 120_000 },
  async () => {
    await using own = await walk({ says: weekModel })
    await own.type('pass show openai | rxpi auth set openai >/dev/null')
    own.place.configure('settings.json', { model: 'openai/gpt-6-luna' })
    const server = await startServer(own)
    using ui = terminal(own.place, [], {
      columns: 100,
      rows: 40,
      env: { ...own.env, NODE_OPTIONS: `--require ${preload}` },
    })
    const setClock = (hours: number): void => {
      own.place.write('clock', String(hours * hour))
      for (const pid of [server, ui.pid]) process.kill(pid, 'SIGUSR2')
    }
    await ui.shows('openai/gpt-6-luna ·')
    await ui.say('Watch the clock in the background')
    await ui.shows('It says:')
    await ui.loses('Esc stop')
    for (const hours of [7, -5]) {
      await ui.say('Wait for the file')
      await ui.shows(/^● Running bash/m)
      setClock(hours)
      await ui.say(`Steered after ${hours}`)
      await ui.shows(`after this step: Steered after ${hours}`)
      own.place.write('go', '')
      await ui.shows(`You said: Steered after ${hours}`)
      const screen = await ui.loses('Esc stop')
      expect(screen).toContain('· 1 job')
      expect(screen).not.toMatch(/disconnected|lost|timed out|-\d+ (?:ms|s|min|h)/)
    }
    expect(ui.all()).toMatch(/rm go · 7 h(?: \d+ min)?$[^]*rm go · 0 ms$/m)
    ui.press('C-c', 'C-c')
    await ui.shows('ended 0')

    process.kill(server, 0) // still runs
    const [{ file, lines } = { file: 'none', lines: [] }] = own.place.logs()
    const verified = await own.place.run(['sessions', 'verify', file])
    expect(verified.stdout).toContain(`is clean: ${lines.length} lines`)
    const sequence = lines.flatMap((line) => /^\{"seq":(\d+)/.exec(line)?.[1] ?? [])
    expect(sequence).toEqual(sequence.map((_, at) => String(at + 1)))
    const listed = await own.place.run(['sessions', 'list'])
    expect(listed.stdout).toContain('Watch the clock in the background')
    expect(await own.place.run(['stop'])).toMatchObject({ code: 0 })
  },
)

async function startServer({ place: workspace, env }: Walk): Promise<number> {
  const start = join(dirname(dirname(import.meta.dirname)), 'bin/start.js')
  const child = spawn(process.execPath, ['--require', preload, start, 'serve'], {
    env,
    cwd: workspace.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const listening$ = fromEvent(child.stderr.setEncoding('utf8'), 'data').pipe(
    filter((text) => String(text).includes('listening at')),
    takeUntil(fromEvent(child, 'exit')),
  )
  await firstValueFrom(listening$, { defaultValue: undefined })
  expect(child.exitCode).toBeNull()
  return child.pid ?? 0
}
