// What a first prompt calls is found by one, run on what was just built, and marked in the bundle to be compiled with it.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { calledFunctions } from './called-functions.ts'
import { eagerFunctions } from './eager-functions.ts'

const program = path.join(import.meta.dirname, 'first-run-program.ts')

/**
 * Rewrites the modules of a bundle in place; rejects where its first run fails. The first message of a process takes 7 ms
 * in the place of 12 (`npm run bench -- versus-pi`), and the process as a whole no longer: what is compiled at once is not
 * read two and three times.
 */
export async function markFirstRun(which: 'command' | 'library', folder: string): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'rxpi-first-run-'))
  try {
    const called = await calledFunctions([program, which, folder], { cwd: home, env: { HOME: home, RXPI_HOME: home } })
    for (const [file, ranges] of called) {
      if (file.startsWith(realpathSync(folder) + path.sep))
        writeFileSync(file, eagerFunctions(readFileSync(file, 'utf8'), ranges))
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
