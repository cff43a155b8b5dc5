// Tests the network that commands and jobs of one session share.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, map, repeat, switchMap, take, tap, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSharedNetwork } from '../../../../lib/host/sandbox/network/shared-network.ts'
import type { Sandbox } from '../../../../lib/host/sandbox/session/create-sandbox.ts'
import type { SandboxedEvent } from '../../../../lib/host/sandbox/spawn-inside.ts'
import { valuesOf } from '../../../support/values-of.ts'
import { guardianOf, processesWith, until } from '../../process/processes-with.ts'
import { createBox, noSandbox, summary } from '../box.ts'
import type { Box, Ran } from '../box.ts'
import { fetchScript, serverScript } from './loopback-scripts.ts'
import { otherUserProblem } from '../../../support/other-user.ts'

const port = 3000

describe.skipIf(noSandbox !== undefined)('the network of a session', () => {
  let box: Box
  beforeEach(async () => (box = await createBox()))
  afterEach(() => box.close())

  const spawn$ = (sandbox: Sandbox, script: string): Observable<SandboxedEvent> =>
    sandbox.spawn({ program: '/bin/bash', args: ['-c', script], cwd: box.at('work'), env: box.env })
  const run$ = (sandbox: Sandbox, script: string): Observable<Ran> =>
    spawn$(sandbox, script).pipe(toArray(), map(summary))
  const listening$ = (sandbox: Sandbox): Observable<unknown> =>
    spawn$(sandbox, serverScript(port, box.at('work'))).pipe(
      filter((event) => event.type === 'output' && event.text === 'listening\n'),
    )
  /** Runs the script while a server runs in the sandbox. */
  const beside = (script: string, elsewhere$?: Observable<Sandbox>): Promise<Ran> =>
    firstOf(
      box.open().pipe(
        switchMap((sandbox) => listening$(sandbox).pipe(map(() => sandbox))),
        switchMap((sandbox) =>
          elsewhere$ === undefined ? run$(sandbox, script) : elsewhere$.pipe(switchMap((other) => run$(other, script))),
        ),
      ),
    )

  it('has one loopback: a command reaches the server of another one [SANDBOX-loopback]', async () => {
    expect(await beside(fetchScript(port))).toMatchObject({ stdout: 'hello', exitCode: 0 })
  })

  it('is not that of another session, nor of the machine [SANDBOX-loopback]', async () => {
    const other = await beside(`${fetchScript(port)}; true`, box.open())
    expect(other.stdout).toBe('')
    expect(other.stderr).toMatch(/refused/i)
    const isReached = firstOf(
      box.open().pipe(
        switchMap((sandbox) => listening$(sandbox)),
        switchMap(
          () =>
            new Promise<boolean>((resolve) => {
              connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
            }),
        ),
      ),
    )
    expect(await isReached).toBe(false)
  })

  it('gives a command no process of another one [SANDBOX-escape]', async () => {
    const ran = await beside('for p in /proc/[0-9]*; do tr "\\0" " " < $p/cmdline; done')
    expect(ran.stdout).not.toContain('createServer')
    expect(ran.stdout).toContain('bash')
  })

  it('is held by no process between commands, and closed with the session [SANDBOX-life]', async () => {
    const net = await firstOf(
      box.open().pipe(
        switchMap((sandbox) => run$(sandbox, 'readlink /proc/self/ns/net')),
        map(({ stdout }) => {
          expect(stdout).toMatch(/^net:\[\d+\]\n$/)
          expect(stdout).not.toContain(readlinkSync('/proc/self/ns/net'))
          expect(processesIn(stdout.trim())).toEqual([])
          expect(ownDescriptors()).toContain(stdout.trim())
          return stdout.trim()
        }),
      ),
    )
    expect(ownDescriptors()).not.toContain(net)
  })

  it.for([
    ['this user', undefined],
    ['an ordinary user', 65_534],
  ] as const)(
    'of %s ends with rxpi and its guardian, both killed at once [SANDBOX-life]',
    async ([, uid], { skip }) => {
      const problem = uid === undefined ? undefined : otherUserProblem()
      skip(problem !== undefined, problem)
      const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-serve-')))
      chmodSync(path.dirname(base), 0o711)
      for (const folder of [base, path.join(base, 'work'), path.join(base, 'home')]) {
        mkdirSync(folder, { recursive: true })
        chownSync(folder, uid ?? process.geteuid?.() ?? 0, uid ?? process.getegid?.() ?? 0)
        chmodSync(folder, 0o755)
      }
      try {
        const fixture = path.join(import.meta.dirname, '../fixtures/serve-and-fetch.ts')
        const rxpi = start([fixture, base], { uid, temp: base }) // no guardian removes its temporary folder
        const [net, answer] = await twoLines(rxpi)
        expect(answer).toBe('hello')
        expect(processesIn(net).length).toBeGreaterThan(0)
        const guardian = await guardianOf(rxpi.pid)
        process.kill(guardian, 'SIGSTOP') // it must not see the end of its pipe first
        rxpi.kill('SIGKILL')
        process.kill(guardian, 'SIGKILL')
        await until(() => processesIn(net).length === 0, 10_000)
      } finally {
        rmSync(base, { recursive: true, force: true })
      }
    },
  )

  it('serves the proxy again after the end of its forwarder, on another port if that one is taken [SANDBOX-network]', async () => {
    const settings = { mode: 'workspace', network: { allow: ['example.com'] } } as const
    const answers = await firstOf(
      box.open(settings).pipe(
        switchMap((sandbox) =>
          run$(sandbox, `readlink /proc/self/ns/net; ${askProxy}`).pipe(
            switchMap(({ stdout }) =>
              // takes the port as soon as it is free
              spawn$(sandbox, `echo begun; ${serverScript(3128, box.at('work'))}`).pipe(
                tap((event) => {
                  if (event.type === 'output' && event.text === 'begun\n') endForwarder(stdout.split('\n')[0] ?? '')
                }),
                filter((event) => event.type === 'output' && event.text.includes('listening')),
                // the port of before stays until the end of the forwarder is known
                switchMap(() => run$(sandbox, askProxy).pipe(repeat({ delay: 20 }))),
                filter(({ stdout: answer }) => answer.includes('HTTP/')),
                map((second) => [stdout.replace(/^net:.*\n/, ''), second.stdout]),
              ),
            ),
          ),
        ),
      ),
    )
    for (const answer of answers) expect(answer).toMatch(/^http:\/\/127\.0\.0\.1:\d+\nHTTP\/1\.1 403/)
    expect(answers.map((answer) => answer.includes(':3128\n'))).toEqual([true, false])
  })
})

function endForwarder(net: string): void {
  const pids = processesWith('rxpi-proxy-').filter((pid) => linkOf(`/proc/${pid}/ns/net`) === net)
  expect(pids.length).toBeGreaterThan(0)
  process.kill(Math.max(...pids), 'SIGKILL') // the others end with it
}

/** Prints the address of the proxy, and what it answers about a host that is not allowed. */
const askProxy = String.raw`echo "$http_proxy"; exec 5<>/dev/tcp/127.0.0.1/"${'$'}{http_proxy##*:}"; printf 'CONNECT other.test:443 HTTP/1.1\r\n\r\n' >&5; head -n 1 <&5`

describe('openSharedNetwork', () => {
  it('emits undefined if no network can be created, so that each command gets its own', async () => {
    for (const program of ['/nonexistent/bwrap', '/bin/true'])
      expect(await firstOf(openSharedNetwork(program))).toBeUndefined()
  })
})

/** Fails for a stream without values. */
async function firstOf<Value>(source$: Observable<Value>): Promise<Value> {
  const [value] = (await valuesOf(source$.pipe(take(1)))) as [Value]
  return value
}

interface StartOptions {
  readonly uid: number | undefined
  readonly temp: string
}

function start(args: readonly string[], { uid, temp }: StartOptions): ChildProcess {
  const node = [process.execPath, '--no-warnings', ...args]
  const words = uid === undefined ? node : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...node]
  const [program = '', ...rest] = words
  return spawn(program, rest, {
    env: { PATH: process.env['PATH'], TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Rejects with what it printed if that is something else, or if it ends. */
function twoLines({ stdout }: ChildProcess): Promise<[string, string]> {
  return new Promise((resolve, reject) => {
    let text = ''
    const refuse = (): void => {
      reject(new Error(`It printed ${JSON.stringify(text)}`))
    }
    stdout
      ?.setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk
        const [first = '', second = ''] = text.split('\n')
        if (second === 'hello') resolve([first, second])
        else if (!'hello'.startsWith(second)) refuse()
      })
      .on('end', refuse)
  })
}

/** Pids in this network namespace. */
function processesIn(net: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && linkOf(`/proc/${name}/ns/net`) === net)
    .map(Number)
}

function ownDescriptors(): string[] {
  return readdirSync('/proc/self/fd').map((name) => linkOf(`/proc/self/fd/${name}`))
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return '' // it has ended
  }
}
