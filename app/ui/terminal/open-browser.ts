// Opens an address in the browser of this machine, if the person of the terminal sits at it.
import { spawn } from 'node:child_process'
import { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../../lib/streams/values/failure.ts'

type Env = Readonly<Record<string, string>>

/** The program that opens addresses; undefined over ssh, and without a desktop. */
export function browserProgram(env: Env, platform: NodeJS.Platform = process.platform): string | undefined {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== ''
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return undefined
  if (platform === 'darwin') return 'open'
  return isSet('WAYLAND_DISPLAY') || isSet('DISPLAY') ? 'xdg-open' : undefined
}

/**
 * Completes when the program has ended well; fails with `bad_config` if there is none, or it fails. Unsubscribing leaves
 * it running: it may be the browser itself, which belongs to the person.
 */
export function openInBrowser$(url: string, env: Env, program = browserProgram(env)): Observable<never> {
  return new Observable((subscriber) => {
    const fail = (why: string): void => {
      subscriber.error(new Failure('bad_config', `The browser was not opened: ${why}; Tab copies the address`))
    }
    if (program === undefined || !/^https?:\/\//i.test(url)) {
      fail(program === undefined ? 'there is no desktop here' : 'the address is no page')
      return
    }
    const child = spawn(program, [url], { env: { ...env }, stdio: 'ignore', detached: true })
    child.unref()
    child.once('error', (error) => fail(`${program} could not be started: ${describeThrown(error)}`))
    child.once('exit', (code) => {
      if (code === 0) subscriber.complete()
      else fail(`${program} ended with ${code ?? 'a signal'}`)
    })
  })
}
