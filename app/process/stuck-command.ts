// A command that nothing can end any more has failed: left alone, Node would end it with 0 and without a word.

/** What of the process is used: it emits `beforeExit` when nothing is left to wait for. */
export interface ExitSource {
  once(event: 'beforeExit', listener: () => void): unknown
  off(event: 'beforeExit', listener: () => void): unknown
}

/** The command's exit code, or 1 where the process is about to end without one; `told` is called first then. */
export function failIfStuck(command: Promise<number>, source: ExitSource, onStuck: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const stuck = (): void => {
      onStuck()
      resolve(1)
    }
    source.once('beforeExit', stuck)
    command.then(resolve, reject).finally(() => source.off('beforeExit', stuck))
  })
}
