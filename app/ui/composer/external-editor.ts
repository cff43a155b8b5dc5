// Edits a text in the user's editor, in a private temporary file that is always removed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Observable, defer, finalize, map } from 'rxjs'
import { Failure, describeThrown } from '../../../lib/streams/values/failure.ts'

export interface ExternalEditorOptions {
  readonly text: string
  readonly env: Readonly<Record<string, string>>
  /** Working folder of the editor. */
  readonly cwd: string
}

/**
 * Emits the content of the file without its last line end, and completes; the editor has the terminal meanwhile. Fails
 * with `bad_config` if the editor cannot start or ends with an error. Unsubscribing ends the editor.
 */
export function editExternally({ text, env, cwd }: ExternalEditorOptions): Observable<string> {
  return defer(() => {
    const folder = mkdtempSync(join(tmpdir(), 'rxpi-')) // 0700
    const file = join(folder, 'prompt.md')
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
    return runEditor(file, { env, cwd }).pipe(
      map(() => readFileSync(file, 'utf8').replace(/\r?\n$/, '')),
      finalize(() => {
        rmSync(folder, { recursive: true, force: true })
      }),
    )
  })
}

/** The variables hold a shell command; the file is its last argument. */
function runEditor(file: string, { env, cwd }: Pick<ExternalEditorOptions, 'env' | 'cwd'>): Observable<void> {
  const editor = [env['VISUAL'], env['EDITOR']].find((value) => value !== undefined && value.trim() !== '') ?? 'vi'
  return new Observable((subscriber) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'rxpi', file], { env: { ...env }, cwd, stdio: 'inherit' })
    const fail = (why: string): void => {
      subscriber.error(new Failure('bad_config', `${editor} ${why}; set VISUAL or EDITOR to your editor`))
    }
    child.once('error', (error) => {
      fail(`could not be started: ${describeThrown(error)}`)
    })
    child.once('exit', (code, signal) => {
      if (code !== 0) {
        fail(signal === null ? `ended with ${code ?? 'no code'}` : `was ended by ${signal}`)
        return
      }
      subscriber.next()
      subscriber.complete()
    })
    return () => {
      if (child.exitCode === null && child.signalCode === null) child.kill()
    }
  })
}
