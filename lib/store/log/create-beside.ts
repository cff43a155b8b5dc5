// What is put beside a log never takes the place of what was put there before.
import { createPrivateFile } from '../../host/files/private-files.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'

export interface FileBeside {
  readonly file: string
  /** Open for reading and appending; the caller closes it. */
  readonly descriptor: number
}

/** Creates the first of the files `named(1)`, `named(2)` … that is not there. @throws Failure `storage` */
export function createBeside(named: (attempt: number) => string): FileBeside {
  for (let attempt = 1; ; attempt += 1) {
    const file = named(attempt)
    try {
      return { file, descriptor: createPrivateFile(file) }
    } catch (thrown) {
      if (errnoOf(thrown) !== 'EEXIST') throw thrown
    }
  }
}
