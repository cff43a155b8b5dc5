// Entry point of the command: `bin/start.js` calls `main`, which loads each mode on demand.
import { resolve } from 'node:path'
import type { Observable } from 'rxjs'
import { Failure } from '../lib/streams/values/failure.ts'
import { parseCommandLine } from './cli/command-line.ts'
import { promptRequired } from './cli/command-options.ts'
import { failIfStuck } from './process/stuck-command.ts'
import { exitCodeOfFailure } from './process/exit-code.ts'
import type { Invocation, PrintInvocation, UiInvocation } from './cli/invocation.ts'
import { terminalSafe } from './process/terminal-safe.ts'
import { version } from './process/version.ts'
import type { ProcessWorld, World } from './process/world.ts'
import { writeText } from './process/write-text.ts'

/** Runs the command and sets `process.exitCode`; the process ends when all output is written. */
export async function main(commandLine: readonly string[]): Promise<void> {
  try {
    process.exitCode = await failIfStuck(parseAndRun(commandLine), process, () => {
      reportError('internal fault: the command is stuck: it waits for nothing and has no result')
    })
  } catch (error) {
    const { code, message } = Failure.from(error)
    reportError(message)
    process.exitCode = exitCodeOfFailure({ code })
  }
}

function reportError(message: string): void {
  process.stderr.write(`rxpi: ${process.stderr.isTTY ? terminalSafe(message) : message}\n`)
}

async function parseAndRun(commandLine: readonly string[]): Promise<number> {
  const invocation = parseOrFail(commandLine)
  if (!(invocation instanceof Failure)) return isBridge(invocation) ? serveBridge(invocation) : run(invocation)
  return embedded(import('./commands/sessions/suggest-session.ts'), ({ suggestSession }, world) =>
    suggestSession(invocation, world),
  )
}

/** Returns the failure of a word that is not the id of a session. @throws Failure any other one */
function parseOrFail(commandLine: readonly string[]): Invocation | Failure {
  try {
    return parseCommandLine(commandLine)
  } catch (thrown) {
    if (thrown instanceof Failure && typeof thrown.data['word'] === 'string') return thrown
    throw thrown
  }
}

/** The commands by which other programs use rxpi on standard input and output. */
type BridgeInvocation = Extract<Invocation, { mode: 'mcp-serve' | 'acp' }>

function isBridge(invocation: Invocation): invocation is BridgeInvocation {
  return invocation.mode === 'mcp-serve' || invocation.mode === 'acp'
}

function serveBridge(invocation: BridgeInvocation): Promise<number> {
  const ends = { input: process.stdin, output: process.stdout }
  return invocation.mode === 'acp'
    ? inProcess(import('./acp/serve-acp.ts'), ({ serveAcp }, world) => serveAcp(invocation, world, ends))
    : embedded(import('./mcp-serve/serve-mcp.ts'), ({ serveMcp }, world) => serveMcp(invocation, world, ends))
}

async function run(invocation: Exclude<Invocation, BridgeInvocation>): Promise<number> {
  switch (invocation.mode) {
    case 'version':
    case 'help':
    case 'protocol':
    case 'completions':
      return printText(invocation)
    case 'print':
      return printOrUi(invocation)
    case 'tool':
      return embedded(import('./commands/tool.ts'), ({ tool }, world) => tool(invocation, world))
    case 'sessions':
      return embedded(import('./commands/sessions/sessions.ts'), ({ sessions }, world) => sessions(invocation, world))
    case 'serve':
      return inProcess(import('./commands/serve.ts'), ({ serve }, world) => serve(invocation, world))
    case 'stop':
      return inProcess(import('./commands/stop.ts'), ({ stop }, world) => stop(invocation, world))
    case 'status':
      return inProcess(import('./commands/status.ts'), ({ status }, world) => status(invocation, world))
    case 'attach':
      return inProcess(import('./commands/attach.ts'), ({ attach }, world) => attach(invocation, world))
    case 'abort':
      return embedded(import('./commands/abort.ts'), ({ abort }, world) => abort(invocation, world))
    case 'rpc':
      return runRpc(invocation)
    case 'auth':
      return embedded(import('./commands/auth.ts'), ({ auth }, world) => auth(invocation, world))
    case 'config':
      return embedded(import('./commands/config.ts'), ({ config }, world) => config(invocation, world))
    case 'import':
      return embedded(import('./commands/import-pi.ts'), ({ importPi }, world) => importPi(invocation, world))
    case 'models':
      return embedded(import('./commands/models.ts'), ({ models }, world) => models(invocation, world))
    case 'policy':
      return embedded(import('./commands/policy/policy.ts'), ({ policy }, world) => policy(invocation, world))
    case 'extensions':
      return embedded(import('./commands/extensions/extensions.ts'), (module, at) => module.extensions(invocation, at))
    case 'mcp':
      return embedded(import('./commands/mcp/mcp.ts'), ({ mcp }, world) => mcp(invocation, world))
    case 'context':
      return embedded(import('./commands/sessions/session-context.ts'), ({ context }, world) =>
        context(invocation, world),
      )
    case 'doctor':
      return embedded(import('./commands/doctor.ts'), ({ doctor }, world) => doctor(invocation, world))
    default:
      return embedded(import('./commands/extensions/packages.ts'), ({ packages }, at) => packages(invocation, at))
  }
}

type TextInvocation = Extract<Invocation, { mode: 'version' | 'help' | 'protocol' | 'completions' }>

/** Prints a text that needs no server; only the candidates of a completion ask one. */
async function printText(invocation: TextInvocation): Promise<number> {
  if (invocation.mode === 'completions' && invocation.line !== undefined) {
    const { shell, line } = invocation
    return embedded(import('./commands/completions/completions.ts'), ({ candidates }, at) =>
      candidates(shell, line, at),
    )
  }
  return writeText(await textOf(invocation), process)
}

async function textOf(invocation: TextInvocation): Promise<string> {
  switch (invocation.mode) {
    case 'version':
      return `${version}\n`
    case 'help': {
      const { help } = await import('./cli/help/help.ts')
      return help(invocation.topic)
    }
    case 'protocol': {
      const { protocolSchema } = await import('../lib/streams/validation/protocol-schema.ts')
      return `${JSON.stringify(protocolSchema(), undefined, 2)}\n`
    }
    case 'completions': {
      const { shellScripts } = await import('./commands/completions/shell-scripts.ts')
      return shellScripts[invocation.shell]
    }
  }
}

/** With a socket: the protocol of the server there. */
function runRpc({ socket, ...options }: Extract<Invocation, { mode: 'rpc' }>): Promise<number> {
  const ends = { input: process.stdin, output: process.stdout }
  if (socket === undefined) return inProcess(import('./commands/rpc.ts'), ({ rpc }, world) => rpc(ends, world, options))
  return inProcess(import('./commands/bridge.ts'), ({ bridge }, world) => bridge(resolve(socket), ends, world))
}

/** `rxpi -p`; the terminal UI, with or without a prompt; without a terminal and without piped input, the help. */
async function printOrUi(invocation: Extract<Invocation, { mode: 'print' }>): Promise<number> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  const prompt = invocation.stdin === 'only' ? openingPrompt(invocation) : ''
  if (prompt !== '' && !isTerminal) throw terminalRequired(prompt)
  if (invocation.stdin === 'only' && (prompt !== '' || (await nothingPiped()))) {
    if (isTerminal) return terminalUi(invocation)
    if (invocation.loneOption !== undefined) throw promptRequired(invocation.loneOption)
    return run({ mode: 'help', topic: 'rxpi' })
  }
  const [{ runWithServer }, { print }] = await Promise.all([
    import('./commands/run-with-server.ts'),
    import('./commands/print/print.ts'),
  ])
  return runWithServer((world) => print(invocation, world), { watch: invocation })
}

/** Runs a command with an embedded server. */
async function embedded<Module>(
  loading: Promise<Module>,
  work: (module: Module, world: World) => Observable<number>,
): Promise<number> {
  const [module, { runWithServer }] = await Promise.all([loading, import('./commands/run-with-server.ts')])
  return runWithServer((world) => work(module, world))
}

/** Runs a command without an embedded server. */
async function inProcess<Module>(
  loading: Promise<Module>,
  work: (module: Module, world: ProcessWorld) => Observable<number>,
): Promise<number> {
  const [module, { runCli }] = await Promise.all([loading, import('./process/run-cli.ts')])
  return runCli(({ world }) => work(module, world))
}

/** Starts the terminal UI: no command, and a terminal. */
function terminalUi(invocation: PrintInvocation): Promise<number> {
  return inProcess(import('./ui/screen/start-ui.ts'), ({ startUi }, world) =>
    startUi(toUiInvocation(invocation), world),
  )
}

/** The options that choose a session. @throws Failure `bad_request` naming an option of one run: it needs `-p` */
function toUiInvocation(invocation: PrintInvocation): UiInvocation {
  const { choice, limits, timeoutMs, outputSchema, socket, resume } = invocation
  const prompt = openingPrompt(invocation)
  const limitOptions = {
    'max-turns': limits.turns,
    'max-usd': limits.usd,
    timeout: timeoutMs,
    'output-schema': outputSchema,
  }
  for (const [name, value] of Object.entries(limitOptions))
    if (value !== undefined) throw new Failure('bad_request', `--${name} is for one run: it needs -p and a prompt`)
  return {
    choice,
    ...(prompt === '' ? {} : { prompt }),
    ...(resume === undefined ? {} : { resume }),
    ...(socket === undefined ? {} : { socket }),
  }
}

/** The words, and the files as the editor of the terminal UI names them; '' for none. */
function openingPrompt({ words, files }: PrintInvocation): string {
  return [words, ...files.map((file) => (/\s/.test(file) ? `@"${file}"` : `@${file}`))].join(' ').trim()
}

function terminalRequired(prompt: string): Failure {
  const advice = `without one, write: rxpi -p ${JSON.stringify(prompt)}`
  return new Failure('bad_request', `a prompt without -p opens the terminal UI, which needs a terminal; ${advice}`)
}

async function nothingPiped(): Promise<boolean> {
  const { standardInput } = await import('./process/standard-input.ts')
  return standardInput().isEmpty
}
