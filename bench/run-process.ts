// Runs a process to its end and collects its output; a bad exit is an error that quotes it.
import type { ChildProcess } from 'node:child_process'
import { killGroup } from './kill-group.ts'

export interface ProcessResult {
  readonly stdout: string
  /** Milliseconds from the call to its end. */
  readonly wallMs: number
}

export interface RunProcessOptions {
  /** For errors. */
  readonly name: string
  /** It is ended after this many milliseconds. */
  readonly limitMs: number
}

/** Starts a process and resolves at its end; rejects if it does not exit with 0. */
export function runProcess(start: () => ChildProcess, { name, limitMs }: RunProcessOptions): Promise<ProcessResult> {
  const startedAt = performance.now()
  const child = start()
  const stdout = collectText(child.stdout)
  const stderr = collectText(child.stderr)
  let wallMs = 0
  return new Promise((resolve, reject) => {
    const overdue = setTimeout(() => {
      killGroup(child)
    }, limitMs)
    child.once('exit', () => {
      wallMs = performance.now() - startedAt
      clearTimeout(overdue)
    })
    child.once('error', (error) => {
      clearTimeout(overdue)
      reject(error)
    })
    child.once('close', (code, signal) => {
      if (code === 0) resolve({ stdout: stdout(), wallMs })
      else
        reject(new Error(`${name} ended with ${signal ?? `exit code ${code}`}:\n${shortenLines(stderr() || stdout())}`))
    })
  })
}

function collectText(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (piece: string) => (text += piece))
  return () => text
}

/** Node quotes the throwing line, and a bundle's lines are long. */
function shortenLines(output: string): string {
  const lines = output.trim().split('\n')
  return lines.map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line)).join('\n')
}
