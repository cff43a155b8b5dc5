// Finds the processes that a test started by a unique text in their command line.
import type { ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Pids of processes that are alive and whose command line holds `text`. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => contentOf(`/proc/${pid}/cmdline`).includes(text))
    .filter((pid) => !/\) [ZX] /.test(contentOf(`/proc/${pid}/stat`)))
    .map(Number)
}

/** Parent and session of a process; undefined once it has ended. */
export function statusOf(pid: number): { readonly parent: number; readonly session: number } | undefined {
  const text = contentOf(`/proc/${pid}/stat`)
  const [, parent, , session] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? undefined : { parent: Number(parent), session: Number(session) }
}

/**
 * Resolves with the one guardian of an rxpi as soon as it is there: until exec has replaced a program, its command line
 * is empty. Rejects if there are several.
 */
export async function guardianOf(rxpi: number | undefined): Promise<number> {
  let found: readonly number[] = []
  await until(() => {
    found = processesWith('RXPI_CALL_').filter((pid) => statusOf(pid)?.parent === rxpi)
    return found.length > 0
  })
  const [guardian, ...others] = found
  if (guardian === undefined || others.length > 0) throw new Error(`${found.length} guardians of ${String(rxpi)}`)
  return guardian
}

/** Resolves once exec has replaced the program: before that its environment is empty, also after the event `spawn`. */
export async function untilExecuted({ pid }: ChildProcess): Promise<void> {
  await until(() => contentOf(`/proc/${pid}/environ`) !== '')
}

/** A number of seconds for `sleep` that no other test sleeps. */
export function uniqueSeconds(): string {
  return `1${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}.5`
}

/** Waits until a check holds; fails after `withinMs`. */
export async function until(check: () => boolean, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!check()) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${String(check)}`)
    await delay(5)
  }
}

/** For clean-up only: ends the processes that a failed test left. */
export function endAll(text: string): void {
  for (const pid of processesWith(text)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // the process has ended meanwhile
    }
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the process has ended meanwhile
  }
}
