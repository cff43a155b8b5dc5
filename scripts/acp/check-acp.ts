// Drives `rxpi acp` of the built command with acpx, a client of ACP that is not ours.
// It installs acpx into a temporary folder, without its scripts: it is no dependency of rxpi.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const client = 'acpx@0.19.1'

const root = path.dirname(path.dirname(import.meta.dirname))
const start = path.join(root, 'bin/start.js')
const top = mkdtempSync(path.join(tmpdir(), 'rxpi-acp-check-'))
const env = {
  ...{ PATH: process.env['PATH'] ?? '', HOME: top, RXPI_HOME: path.join(top, 'home') },
  ...{ XDG_CONFIG_HOME: path.join(top, 'config'), RXPI_SOCKET: path.join(top, 'run/rxpi.sock') },
  ...{ RXPI_SANDBOX: 'off', RXPI_LOCAL_MODELS_MS: '0' },
}
let faults = 0

interface Expected {
  readonly code?: number
  readonly output: RegExp
  /** Whether the tool has written its file. */
  readonly writes?: boolean
}

interface Agent {
  readonly folder: string
  readonly command: string
}

/** A folder and a model that answers from a script. */
function agentOf(name: string, answers: readonly object[], approve: 'ask' | 'auto' = 'ask'): Agent {
  const [folder, script] = [path.join(top, name), path.join(top, `${name}.json`)]
  mkdirSync(folder)
  writeFileSync(script, JSON.stringify(answers))
  return { folder, command: `${process.execPath} ${start} acp --approve ${approve} --model scripted/${script}` }
}

function acpx(
  { folder, command }: Agent,
  args: readonly string[],
): { readonly code: number | null; readonly text: string } {
  const cli = path.join(top, 'node_modules/acpx/dist/cli.js')
  const all = [cli, '--ttl', '10', '--agent', command, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd: folder, env, encoding: 'utf8', timeout: 120_000 }) // prettier-ignore
  return { code: status, text: `${stdout}\n${stderr}` }
}

function check(name: string, agent: Agent, args: readonly string[], { code = 0, output, writes }: Expected): void {
  const found = acpx(agent, args)
  const written = existsSync(path.join(agent.folder, 'new.txt'))
  const ok = found.code === code && output.test(found.text) && (writes === undefined || writes === written)
  if (!ok) faults += 1
  console.log(`${ok ? 'ok    ' : 'FAILED'} acpx: ${name}${ok ? '' : `\ncode ${found.code ?? 'none'}\n${found.text}`}`)
}

const write = { toolCalls: [{ name: 'write', arguments: { path: 'new.txt', content: 'one\n' } }] }

function checkRuns(): void {
  const allowed = agentOf('allowed', [write, { text: 'Written.' }])
  check('initialize, session/new, prompt, permission allowed', allowed, ['--approve-all', 'exec', 'go'], {
    ...{ output: /write new\.txt \(completed\)[\s\S]*Written\.[\s\S]*end_turn/, writes: true },
  })
  const denied = agentOf('denied', [write, { text: 'Then not.' }])
  check('permission denied', denied, ['--deny-all', 'exec', 'go'], {
    ...{ code: 5, output: /write new\.txt \(failed\)[\s\S]*Then not\./, writes: false },
  })
  // acpx offers terminals unless it has --no-terminal; the shell's parent is the process that runs it
  const look = { toolCalls: [{ name: 'bash', arguments: { command: 'ps -o args= -p $PPID' } }] }
  const looking = agentOf('terminal', [look, { text: 'Seen.' }, look, { text: 'Seen.' }])
  check('a command in its terminal', looking, ['--approve-all', 'exec', 'go'], {
    output: /terminal\/create[\s\S]*output:\s+\[terminal\] [\s\S]*Seen\./,
  })
  const quiet = ['--approve-all', '--no-terminal', 'exec', 'go']
  check('a command without it', looking, quiet, { output: /output:\s+[^\n]*node[^\n]*\n[\s\S]*Seen\./ })
  const broken = { ...allowed, command: `${process.execPath} ${start} acp --model nothing/none` }
  check('an error says why', broken, ['exec', 'go'], { code: 1, output: /no provider for "nothing\/none"/ })
}

/** A client of its own for each prompt: the session goes on in the server. */
function checkSession(): void {
  const sleep = { toolCalls: [{ name: 'bash', arguments: { command: 'sleep 60' } }] }
  const agent = agentOf('session', [{ text: 'First.' }, { text: 'Second.' }, sleep, { text: 'Late.' }], 'auto')
  check('a session', agent, ['sessions', 'new'], { output: /[a-z2-7]{12}/ })
  check('a prompt in it', agent, ['prompt', 'one'], { output: /First\.[\s\S]*end_turn/ })
  check('a mode', agent, ['set-mode', 'writes'], { output: /mode set: writes/ })
  check('an option', agent, ['set', 'thinking', 'low'], { output: /thinking=low/ })
  check('an unknown mode', agent, ['set-mode', 'bold'], { code: 1, output: /no mode "bold"/ })
  acpx(agent, ['set-mode', 'auto'])
  execFileSync('sleep', ['12']) // acpx ends its agent, and resumes the session with another one
  check('resume', agent, ['--approve-all', 'prompt', 'two'], {
    output: /session\/(?:resume|load)[\s\S]*Second\.[\s\S]*end_turn/,
  })
  acpx(agent, ['--approve-all', 'prompt', '--no-wait', 'three']) // the command runs in a terminal of acpx
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline && !/^1 running|running: 1|"running":1/m.test(status())) execFileSync('sleep', ['0.2'])
  check('cancel', agent, ['cancel'], { output: /cancel requested|cancelled/ })
  check('the session after it', agent, ['prompt', 'four'], { output: /Late\.[\s\S]*end_turn/ })
  check('close', agent, ['sessions', 'close'], { output: /[a-z2-7]{12}/ })
}

function status(): string {
  return spawnSync(process.execPath, [start, 'status', '--json'], { env, encoding: 'utf8' }).stdout.replaceAll(
    /\s/g,
    '',
  )
}

try {
  execFileSync(process.execPath, [path.join(root, 'scripts/build/ensure-built.ts')], { stdio: 'inherit' })
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', top]
  execFileSync('npm', ['install', ...quiet, client], { stdio: 'ignore' })
  checkRuns()
  checkSession()
} finally {
  spawnSync(process.execPath, [start, 'stop'], { env })
  rmSync(top, { recursive: true, force: true })
}
process.exitCode = faults === 0 ? 0 : 1
