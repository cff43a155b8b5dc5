// Runs git without a shell, a terminal or an inherited environment.
// Guarantees: git has ended when the promise settles.
import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { queueStart } from '../../host/process/serialise-starts.ts'

export interface GitCall {
  /** Absolute path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The complete environment of the call. */
  readonly env: Readonly<Record<string, string>>
  /** Aborting ends the call at once. */
  readonly signal: AbortSignal
  /** Writes its standard input, which is closed afterwards. Default: none. */
  readonly write?: ((input: GitInput) => Promise<void>) | undefined
  /** Receives each piece of output; a throw ends the call. */
  readonly onOutput?: ((piece: Buffer) => void) | undefined
}

/** The standard input of a call; `write` waits while it is full. */
export type GitInput = (data: string | Buffer) => Promise<void>

/** git exited with an error. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
}

/**
 * Starts git after the processes queued before; resolves to its output. @throws GitFailure, or the signal's reason, or
 * what `onOutput` and `write` throw
 */
export async function runGit(call: GitCall): Promise<Buffer> {
  await new Promise<void>((resolve) => queueStart(resolve))
  call.signal.throwIfAborted()
  return run(call)
}

function run({ program, args, cwd, env, signal, write, onOutput }: GitCall): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    let errorText = '' // one unit a byte: a piece may end inside a character
    let failure: unknown
    const fail = (thrown: unknown): void => {
      failure ??= thrown
      child.kill('SIGKILL')
    }
    const abort = (): void => {
      fail(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    child.stdout.on('data', (piece: Buffer) => {
      try {
        onOutput?.(piece)
        output.push(piece)
      } catch (thrown) {
        fail(thrown)
      }
    })
    child.stderr.on('data', (piece: Buffer) => {
      if (errorText.length < 4_000) errorText += piece.toString('latin1')
    })
    child.stdin.on('error', () => undefined) // it ended before it had read everything: its exit code says why
    child.once('error', (thrown) => {
      failure ??= thrown // it could not be started: `close` follows if there is a process
      if (child.pid === undefined) settle(null)
    })
    const settle = (code: number | null): void => {
      signal.removeEventListener('abort', abort)
      if (code !== 0)
        failure ??= new GitFailure(
          firstLine(Buffer.from(errorText, 'latin1').toString()) || `git ${args[0] ?? ''} ended with ${code}`,
        )
      if (failure === undefined) resolve(Buffer.concat(output))
      else reject(asError(failure))
    }
    child.once('close', settle)
    writeInput(child.stdin, write).catch(fail)
  })
}

async function writeInput(stdin: Writable, write: GitCall['write']): Promise<void> {
  await write?.(async (data) => {
    if (stdin.writable && !stdin.write(data)) await waitForDrain(stdin)
  })
  stdin.end()
}

function waitForDrain(stdin: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stdin.off('drain', done)
      stdin.off('close', done)
      resolve()
    }
    stdin.on('drain', done)
    stdin.on('close', done)
  })
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
