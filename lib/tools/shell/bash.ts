// The bash tool: runs a shell command.
// Guarantees: the command and all that it started have ended when the result arrives, or soon after cancelling.
import { catchError, defer, map, NEVER, of, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { StreamTool, Tool, ToolContext, ToolProgress, ToolResult } from '../../streams/ports/tool.ts'
import { argumentsValidator, BashParameters } from '../shared/parameters.ts'
import { describeMissingTerminal, refuseScreenProgram } from './missing-terminal.ts'
import { bashResult } from './bash-result.ts'
import { bashParameters } from '../generated/parameter-validators.js'
import { runConfined } from './sandbox-remarks.ts'
import type { RemarkedEnd } from './sandbox-remarks.ts'
import { continueShell, shellContextOf } from './persist/continue-shell.ts'
import type { ContinuedShell } from './persist/continue-shell.ts'
import { createShellMemory } from './persist/shell-memory.ts'
import type { ShellMemory } from './persist/shell-memory.ts'
import { startJob } from '../jobs/start-job.ts'
import type { ClientTerminals } from '../../streams/environment/terminal-exchange.ts'
import { runInTerminal } from './run-in-terminal.ts'

export interface BashOptions {
  /** Milliseconds after which a command without its own limit is ended; 0 = never. Default 120,000. */
  readonly timeoutMs?: number
  /**
   * Absolute folder for the full output of commands with a cut result, one folder a session inside, 256 MiB a command.
   * Default: none, and the rest is dropped.
   */
  readonly spillFolder?: string
  /**
   * The working folder and exported variables of a command are those at the start of the next one; commands of one
   * answer run one after the other. Jobs begin there too. Default false.
   */
  readonly persist?: boolean
  /**
   * A command outside of any sandbox runs in a terminal of the client that offers one; never a job, and never with `persist`.
   * Default true.
   */
  readonly clientTerminal?: boolean
}

/**
 * Runs a command with bash (or sh) in its own process group: the context's folder and environment, standard input
 * closed. Output arrives as `stdout` and `stderr` progress, at most 20 updates a second; the result has its last 2,000
 * lines or 50 KB. Processes that outlive the command are ended. Unsubscribing sends SIGTERM at once, SIGKILL after 2 s.
 * On Linux this reaches every process that the command started, elsewhere its process group. It runs in the context's
 * sandbox, unless the call has `escalate`. Outside of a sandbox it runs in a terminal of the client, if one offers them.
 * @throws Failure `bad_config` for a time that no timer can hold
 */
export function createBashTool(options: BashOptions = {}): StreamTool<typeof BashParameters> {
  const { timeoutMs = 120_000, spillFolder, persist = false, clientTerminal = true } = options
  if (!(timeoutMs >= 0 && timeoutMs < 2 ** 31)) {
    throw new Failure('bad_config', `bash: timeoutMs is ${timeoutMs}; give 0 (none) to ${2 ** 31 - 1}`)
  }
  const memory = persist ? createShellMemory() : undefined
  return defineTool({
    name: 'bash',
    maxResultBytes: 0, // it limits its output itself
    description:
      'Run a bash command. Returns the last 2000 lines or 50KB of its output. Processes that it leaves running are killed; use background for servers and long commands.',
    parameters: BashParameters,
    validate: argumentsValidator(bashParameters),
    capability: 'execute',
    sandboxed: true,
    ...(memory === undefined ? {} : persistence(memory)),
    timeoutMs: 0, // its own limit, so that the output until then is not lost
    execute: (args, context) =>
      defer(() =>
        isJob(args)
          ? startInContext(args, context, memory)
          : runWithLimit(args, context, { timeoutMs, spillFolder, memory, clientTerminal }),
      ),
  })
}

function isJob({ background, pty }: BashParameters): boolean {
  return background === true || pty === true
}

function persistence(memory: ShellMemory): Pick<Tool<typeof BashParameters>, 'locks' | 'workingContext'> {
  return {
    locks: () => ({ write: ['bash.persist'] }),
    workingContext: (_, { cwd, toolCallId }) => memory.judge(toolCallId, cwd),
  }
}

/** A job begins where the command before ended, and changes nothing for the next one. */
function startInContext(args: BashParameters, context: ToolContext, memory: ShellMemory | undefined) {
  if (memory === undefined) return startJob(args, context)
  const shellContext = shellContextOf(memory, { ...context, isOutside: args.escalate !== undefined })
  return typeof shellContext === 'string' ? of(errorResult(shellContext)) : startJob(args, context, shellContext)
}

interface RunSettings {
  readonly timeoutMs: number
  readonly spillFolder: string | undefined
  readonly memory: ShellMemory | undefined
  readonly clientTerminal: boolean
}

function runWithLimit(
  args: BashParameters,
  context: ToolContext,
  settings: RunSettings,
): Observable<ToolProgress | ToolResult> {
  const { command, timeout, escalate } = args
  const { cwd, env, sessionId, toolCallId, redaction } = context // not `signal`: the result waits for its readers
  const { timeoutMs, spillFolder, memory } = settings
  const refusal = refuseScreenProgram(command)
  if (refusal !== undefined) return of(errorResult(refusal))
  const shell =
    memory === undefined ? undefined : continueShell(memory, { toolCallId, cwd, isOutside: escalate !== undefined })
  if (typeof shell === 'string') return of(errorResult(shell))
  const limitMs = timeout === undefined ? timeoutMs : timeout * 1000
  const endWhen$ = limitMs > 0 ? timer(limitMs) : NEVER
  const sandbox = escalate === undefined ? context.sandbox : undefined // a person approved it
  const terminals = terminalsFor(sandbox, context, settings)
  const options = { cwd, env, sessionId, spillFolder, endWhen$, redaction }
  const run$ =
    terminals === undefined
      ? runConfined(command, { ...options, sandbox, persist: shell })
      : runInTerminal(command, { ...options, toolCallId, terminals })
  return run$.pipe(
    map((event) =>
      event.type === 'command_end'
        ? (shell?.refusal() ?? endResult(command, withRemarks(event, shell), limitMs))
        : event,
    ),
    catchError((thrown: unknown) => {
      const { code, message } = Failure.from(thrown)
      return of(errorResult(message, { details: { code } }))
    }),
  )
}

/** Undefined if the command runs in rxpi. */
function terminalsFor(
  sandbox: ToolContext['sandbox'],
  { clientTerminals }: Pick<ToolContext, 'clientTerminals'>,
  { memory, clientTerminal }: RunSettings,
): ClientTerminals | undefined {
  const runsHere = memory !== undefined || !clientTerminal || sandbox?.profile !== undefined
  return runsHere ? undefined : clientTerminals?.()
}

function withRemarks(event: RemarkedEnd, shell: ContinuedShell | undefined): RemarkedEnd {
  return shell === undefined ? event : { ...event, remarks: [...event.remarks, ...shell.remarks(event.end)] }
}

function endResult(command: string, event: RemarkedEnd, limitMs: number): ToolResult {
  const { end, output, remarks } = event
  const missing = end.exitCode === 0 ? undefined : describeMissingTerminal(command, output.text)
  return bashResult(end, output, limitMs, missing === undefined ? event : { ...event, remarks: [missing, ...remarks] })
}
