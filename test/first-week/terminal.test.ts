// Tests the first week in terminals: two people, a closed lid, an update under a running server.
// `npx vitest run test/first-week -u` rewrites the pages.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { walk } from '../first-hour/walk.ts'
import type { Walk } from '../first-hour/walk.ts'
import { isFull } from '../support/sample-size.ts'
import { hasTmux, terminal } from '../support/tmux.ts'
import type { Terminal } from '../support/tmux.ts'
import { weekModel } from './week-model.ts'

const size = { columns: 100, rows: 40 } as const

async function week(): Promise<Walk> {
  const begun = await walk({ says: weekModel })
  await begun.type('pass show openai | rxpi auth set openai >/dev/null')
  begun.place.configure('settings.json', { model: 'openai/gpt-6-luna' })
  return begun
}

const open = ({ place: workspace, env }: Walk, ...commandLine: readonly string[]): Terminal =>
  terminal(workspace, commandLine, { ...size, env })

function sessionOf({ place: workspace }: Walk): string {
  return /_([a-z2-7]{12})\.jsonl$/.exec(workspace.logs()[0]?.file ?? '')?.[1] ?? ''
}

function serverOf({ place: workspace }: Walk): number {
  return (JSON.parse(readFileSync(`${workspace.socket}.lock`, 'utf8')) as { pid: number }).pid
}

function since(screen: string, begin: string): string {
  return screen.slice(Math.max(0, screen.lastIndexOf(`\n${begin}`) + 1))
}

/** What the command printed about the server before the UI began. */
function noticeOf(ui: Terminal, { pid }: ChildProcess): string {
  return (/^rxpi: .*$/m.exec(ui.all())?.[0] ?? '').replace(String(pid), '4711')
}

describe.skipIf(!hasTmux)('the first week in a terminal', { timeout: 120_000 }, () => {
  it('two people work in one session', async () => {
    await using own = await week()
    using ada = open(own)
    await ada.shows('openai/gpt-6-luna ·')
    await ada.say('Wait for the file')
    await ada.shows('Running bash')
    using bob = open(own, '--session', sessionOf(own))
    await bob.shows('Running bash')
    await bob.say('Also say hello')
    own.see('what Ada sees of Bob', since(await ada.shows('Also say hello'), '› Wait'))
    own.place.write('go', '')
    await ada.shows('You said: Also say hello')
    await ada.loses('Esc stop')
    await bob.shows('You said: Also say hello')
    expect(since(await bob.loses('Esc stop'), '› Wait')).toBe(since(ada.screen(), '› Wait'))
    ada.press('C-c', 'C-c')
    await ada.shows('ended 0')
    await bob.say('Are you there?')
    await bob.shows(/You said: Are you there\?\n\n +[\d.,]+ m?s /) // the line of the run's end
    own.see('Bob, after Ada left', since(await bob.shows('(main) ·'), '› Are'))
    await expect(own.transcript()).toMatchFileSnapshot('seen/two-people.txt')
  })

  it('goes on where it stood when the lid is opened', async () => {
    await using own = await week()
    using ui = open(own)
    await ui.shows('openai/gpt-6-luna ·')
    await ui.say('Wait for the file')
    await ui.shows('Running bash')
    const [server, before] = [serverOf(own), ui.pid]
    for (const pid of [server, before]) process.kill(pid, 'SIGSTOP')
    own.place.write('go', '')
    await pause(2_500) // longer than a missed heartbeat or a poll
    for (const pid of [before, server]) process.kill(pid, 'SIGCONT')
    await ui.shows('You said: Wait for the file')
    await ui.loses('Esc stop')
    expect(ui.screen()).not.toMatch(/disconnected|lost/i)
    await ui.say('Still there?')
    await ui.shows('You said: Still there?')
    expect(serverOf(own)).toBe(server)
  })

  it.runIf(isFull)('a job goes on in the server over night', async () => {
    await using own = await week()
    {
      using evening = open(own)
      await evening.shows('openai/gpt-6-luna ·')
      await evening.say('Watch the clock in the background')
      await evening.shows('It says:')
      await evening.loses('Esc stop')
      evening.press('C-c', 'C-c')
      await evening.shows('ended 0')
    }
    using morning = open(own, '-c')
    await morning.shows('It says:')
    await morning.say('/jobs')
    await morning.shows(/^Jobs[^]*sleep 1/m)
    own.see('/jobs', since(await morning.shows('(main) ·'), 'Jobs'))
    await expect(own.transcript()).toMatchFileSnapshot('seen/night.txt')
    morning.press('Escape')
    await own.type('rxpi stop')
  })

  it.runIf(isFull)(
    'an update meets a server of the version before: it works on while it is used, then it is replaced',
    async () => {
      await using own = await week()
      const old = await serverOfSources(own)
      const program = own.place.start(['rpc', '--socket', own.place.socket], { stdin: null })
      await program.outputText('"type":"hello"')
      {
        using ada = open(own)
        await ada.shows('openai/gpt-6-luna ·')
        own.see('while a program uses it', noticeOf(ada, old))
        await ada.say('Hello')
        await ada.shows('You said: Hello')
        await ada.loses('Esc stop')
        ada.press('C-c', 'C-c')
        await ada.shows('ended 0')
      }
      expect(old.exitCode).toBeNull()
      program.child.kill('SIGTERM')
      await program.ended
      using ui = open(own, '-c')
      await ui.shows('You said: Hello')
      own.see('later', noticeOf(ui, old))
      expect(old.exitCode).toBe(0)
      expect(serverOf(own)).not.toBe(old.pid)
      await expect(own.transcript()).toMatchFileSnapshot('seen/update.txt')
    },
  )
})

/** A server as a client starts it, of another version: the sources have none. */
async function serverOfSources({ env, place: workspace }: Walk): Promise<ChildProcess> {
  const main = join(dirname(dirname(import.meta.dirname)), 'app/main.ts')
  const program = `import(${JSON.stringify(main)}).then(({ main }) => main(['serve', '--socket', ${JSON.stringify(workspace.socket)}, '--idle-exit', '30m']))`
  const child = spawn(process.execPath, ['-e', program], {
    env: { ...env, RXPI_STARTED_BY: 'client' },
    cwd: workspace.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await once(child.stderr, 'data')
  return child
}
