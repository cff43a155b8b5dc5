// Fails a command that waits for nothing any more; Node would end it with exit code 0.

/** The part of the process that it uses: emits `beforeExit` when nothing is left to wait for. */
export interface ExitSource {
  once(event: 'beforeExit', listener: () => void): unknown
  off(event: 'beforeExit', listener: () => void): unknown
}

/**
 * Resolves with the command's exit code, or calls `onStuck` and resolves with 1 if the process is about to end without
 * one.
 */
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
