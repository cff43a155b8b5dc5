// Commands in a real sandbox: what works, what stays, how they end.
// Over 250 lines: one sandbox, and each thing that a command may do in it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { mergeMap, of, Subject, switchMap, take, takeWhile, tap, timer, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox } from '../../../lib/host/sandbox/session/create-sandbox.ts'
import type { Sandbox } from '../../../lib/host/sandbox/session/create-sandbox.ts'
import { createBox, noSandbox, runIn, summary } from './box.ts'
import type { Box } from './box.ts'
import { withCompileCache } from '../../support/compile-cache.ts'
import { valuesOf } from '../../support/values-of.ts'
import { readProcess } from '../../../lib/host/process/process-table.ts'

describe.skipIf(noSandbox !== undefined)('a real sandbox, which bubblewrap builds', () => {
  let box: Box
  beforeEach(async () => {
    box = await createBox()
  })
  afterEach(() => box.close())

  it('writes in the workspace and in /tmp, and keeps /tmp between commands of a session', async () => {
    const { env, at } = box
    const ran = await valuesOf(
      box.open().pipe(
        switchMap((sandbox) =>
          sandbox
            .spawn({ program: '/bin/bash', args: ['-c', 'echo a > a; echo b > /tmp/b'], cwd: at('work'), env })
            .pipe(
              toArray(),
              tap(() => {
                expect(readFileSync(path.join(sandbox.temp ?? '', 'b'), 'utf8')).toBe('b\n')
                expect(sandbox.fence.check('/tmp/b', 'read')).toMatchObject({
                  path: path.join(sandbox.temp ?? '', 'b'),
                })
              }),
              mergeMap(() =>
                sandbox.spawn({
                  program: '/bin/bash',
                  args: ['-c', 'cat a /tmp/b "$STATE/spill/full.txt"'],
                  cwd: at('work'),
                  env,
                }),
              ),
            ),
        ),
        takeWhile(({ type }) => type !== 'end', true),
      ),
    )
    expect(summary(ran)).toMatchObject({ stdout: 'a\nb\nall of it', exitCode: 0 })
    expect(readFileSync(at('work/a'), 'utf8')).toBe('a\n')
  })

  it('writes nothing but /tmp in the profile read-only [SANDBOX-escape]', async () => {
    const ran = await box.run('echo a > /tmp/a && echo fine; echo x > x; echo x > "$OUT/canary"', { mode: 'read-only' })
    expect(ran).toMatchObject({ stdout: 'fine\n' })
    expect(existsSync(box.at('work/x'))).toBe(false)
    expect(readFileSync(box.at('outside/canary'), 'utf8')).toBe('alive')
  })

  it('takes a workspace that is a link, and a working folder below it', async () => {
    symlinkSync(box.at('work'), box.at('link'))
    mkdirSync(box.at('work/deep'))
    const sandbox$ = createSandbox(
      { mode: 'workspace' },
      { workspace: box.at('link'), homeFolder: box.at('home'), rxpiFolders: [], env: box.env },
    )
    const ran = await runIn(sandbox$, 'pwd; echo x > here; echo x > ../../outside/canary', box.at('link/deep'), box.env)
    expect(ran.stdout).toBe(`${box.at('work/deep')}\n`)
    expect(existsSync(box.at('work/deep/here'))).toBe(true)
    expect(readFileSync(box.at('outside/canary'), 'utf8')).toBe('alive')
  })

  it('protects the home if that is the workspace [SANDBOX-git, SANDBOX-escape]', async () => {
    const sandbox$ = createSandbox(
      { mode: 'workspace' },
      {
        workspace: box.at('home'),
        homeFolder: box.at('home'),
        rxpiFolders: [box.at('home/.config/rxpi'), box.at('home/.config/state')],
        env: box.env,
      },
    )
    mkdirSync(box.at('home/.config/rxpi'))
    const ran = await runIn(
      sandbox$,
      'cat .ssh/id_rsa; echo x >> .bashrc; echo x > .bash_profile; mv .config .c2; mkdir .pgpass; echo x > .config/rxpi/settings.json; echo x > fine',
      box.at('home'),
      box.env,
    )
    expect(ran.stdout).toBe('')
    expect(readFileSync(box.at('home/.bashrc'), 'utf8')).toBe('mine')
    expect(existsSync(box.at('home/.bash_profile'))).toBe(false)
    expect(readdirSync(box.at('home/.config/rxpi'))).toEqual([])
    expect(existsSync(box.at('home/fine'))).toBe(true)
    expect([...ran.moved].sort()).toEqual([
      box.at('home/.bash_profile.rxpi-blocked'),
      box.at('home/.pgpass.rxpi-blocked'),
    ])
  })

  it('moves aside what decides where git reads, and reports what a person should look at [SANDBOX-git]', async () => {
    rmSync(box.at('work/.envrc'))
    const ran = await box.run(
      'echo ../evil > .git/commondir; echo x > .envrc; mkdir -p .agents/skills; echo x > .git/config.worktree',
    )
    expect([...ran.moved].sort()).toEqual([
      box.at('work/.git/commondir.rxpi-blocked'),
      box.at('work/.git/config.worktree.rxpi-blocked'),
    ])
    expect(ran.appeared.toSorted()).toEqual([box.at('work/.agents/skills'), box.at('work/.envrc')])
    rmSync(box.at('work/.agents'), { recursive: true })
    expect(existsSync(box.at('work/.git/commondir'))).toBe(false)
  })

  it('restores a link that stood for a folder of hooks [SANDBOX-git]', async () => {
    rmSync(box.at('work/.git/hooks'), { recursive: true })
    symlinkSync('../.husky/_', box.at('work/.git/hooks'))
    const ran = await box.run('rm .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit')
    expect(ran.moved).toEqual([box.at('work/.git/hooks.rxpi-blocked')])
    expect(lstatSync(box.at('work/.git/hooks')).isSymbolicLink()).toBe(true)
  })

  it('creates no repository where there is none, and leaves no folder behind [SANDBOX-git]', async () => {
    rmSync(box.at('work'), { recursive: true })
    mkdirSync(box.at('work'))
    const ran = await box.run('mkdir -p .git/hooks && echo x > .git/config; echo fine')
    expect(ran).toMatchObject({ stdout: 'fine\n', moved: [] })
    expect(ran.stderr).toContain('Read-only file system')
    expect(readdirSync(box.at('work'))).toEqual([])
  })

  it('commits in a repository', async () => {
    const ran = await box.run(
      'command -v git >/dev/null || { echo committed; exit; }; echo x > file; git add file && git -c user.name=a -c user.email=a@b commit -qm first && echo committed',
    )
    expect(ran.stdout).toBe('committed\n')
  })

  it('ends what setsid and double forks leave behind [SANDBOX-life]', async () => {
    const marker = box.at('work/late')
    const ran = await box.run(
      `setsid sh -c 'sleep 0.4; echo x > late' & (nohup sh -c 'sleep 0.4; echo x > late' &) ; echo done`,
    )
    expect(ran.stdout).toBe('done\n')
    await valuesOf(timer(500))
    expect(existsSync(marker)).toBe(false)
  })

  it('lets the command end by SIGTERM at its time limit [SANDBOX-life]', async () => {
    const limit$ = new Subject<void>()
    const events = await valuesOf(
      box.open().pipe(
        switchMap((sandbox) =>
          sandbox.spawn({
            program: '/bin/bash',
            args: ['-c', 'trap "echo cleaned; exit 3" TERM; echo ready; while :; do sleep 0.01; done'],
            cwd: box.at('work'),
            env: box.env,
            endWhen$: limit$,
          }),
        ),
        tap(({ type }) => {
          if (type === 'output') limit$.next()
        }),
        takeWhile(({ type }) => type !== 'end', true),
      ),
    )
    expect(summary(events)).toMatchObject({ stdout: 'ready\ncleaned\n', exitCode: 3 })
  })

  it('ends with a killed rxpi, and its temporary folder with it [SANDBOX-life]', async () => {
    const script = path.join(import.meta.dirname, 'fixtures/hold-sandbox.ts')
    const child = spawn(process.execPath, [script, box.base], {
      env: withCompileCache({ TMPDIR: box.base }),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = await new Promise<number>((resolve) => {
      child.stdout.once('data', (line: Buffer) => resolve(Number(line.toString())))
    })
    expect(readProcess(pid)?.name).toBe('bwrap')
    const folders = (): string[] => readdirSync(box.base).filter((name) => name.startsWith('rxpi-session-'))
    expect(folders()).toHaveLength(1)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    await expect.poll(() => readProcess(pid), { timeout: 10_000, interval: 5 }).toBeUndefined()
    await expect.poll(folders, { timeout: 20_000, interval: 5 }).toEqual([])
  })

  it('keeps the number of processes and the size of files within limits', async () => {
    const settings = { mode: 'workspace', limits: { processes: 100, fileBytes: 4_096 } } as const
    const ran = await box.run('ulimit -u; head -c 10000 /dev/zero > big; wc -c < big', settings)
    expect(ran.stdout.split('\n').map((line) => line.trim())).toEqual(['100', '4096', ''])
  })

  it('does not let a loader variable of the environment reach bubblewrap [SANDBOX-escape]', async ({ skip }) => {
    const code = `#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) void loaded(void) { FILE *file = fopen(getenv("OUT_FILE"), "w"); if (file) fclose(file); }`
    const compiled = spawnSync('cc', ['-shared', '-fPIC', '-xc', '-', '-o', box.at('work/evil.so')], { input: code })
    skip(compiled.status !== 0, 'there is no compiler')
    const env = { LD_PRELOAD: box.at('work/evil.so'), OUT_FILE: box.at('outside/loaded') }
    expect((await box.run('echo "$LD_PRELOAD"', undefined, env)).stdout).toBe(`${box.at('work/evil.so')}\n`)
    expect(existsSync(box.at('outside/loaded'))).toBe(false) // only what runs inside has loaded it
    const inside = { ...env, OUT_FILE: box.at('work/loaded') }
    await box.run('true', undefined, inside)
    expect(existsSync(box.at('work/loaded'))).toBe(true)
  })
})

async function first(sandbox$: Observable<Sandbox>): Promise<Sandbox> {
  const [sandbox] = await valuesOf(sandbox$.pipe(take(1)))
  if (sandbox === undefined) throw new Error('no sandbox')
  return sandbox
}

describe('createSandbox without a sandbox', () => {
  const surroundings = {
    workspace: import.meta.dirname,
    homeFolder: '/home/ada',
    rxpiFolders: [],
    env: {},
    probe$: of({
      works: false,
      reason: 'missing',
      message: 'bubblewrap (bwrap) was not found; install it: x',
    } as const),
  }

  it.each(['workspace', 'read-only'] as const)('refuses %s with the way to get one [SANDBOX-probe]', async (mode) => {
    await expect(first(createSandbox({ mode }, surroundings))).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringContaining('install it') as string,
    })
  })

  it('runs outside in auto, and says why; credentials stay behind the fence [SANDBOX-probe]', async () => {
    const { profile, problem, fence } = await first(createSandbox({}, surroundings))
    expect(profile).toBeUndefined()
    expect(problem).toContain('install it')
    expect(fence.check('/home/ada/.ssh/x', 'read').allowed).toBe(false)
    expect(fence.check('/home/ada/x', 'write').allowed).toBe(true)
  })

  it('removes its temporary folder in the end', async () => {
    const works = { works: true, program: { kind: 'bubblewrap', program: '/usr/bin/bwrap' }, message: '' } as const
    const { temp, insideFolders } = await first(
      createSandbox({ mode: 'workspace', writable: ['/srv/a'] }, { ...surroundings, probe$: of(works) }),
    )
    expect(temp).toContain('rxpi-session-')
    expect(insideFolders).toEqual([temp, '/tmp', '/srv/a'])
    expect(() => realpathSync(temp ?? '')).toThrow()
  })
})
