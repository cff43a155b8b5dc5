// A temporary folder tree for the tests of instruction files.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface InstructionWorkspace extends Disposable {
  readonly folder: string
  path(name: string): string
  /** Writes a file and its folders. */
  write(name: string, text: string): void
  link(name: string, target: string): void
  remove(name: string): void
}

/** A folder with these files. */
export function instructionWorkspace(files: Readonly<Record<string, string>> = {}): InstructionWorkspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rxpi-instructions-')))
  const path = (name: string): string => join(folder, name)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return {
    folder,
    path,
    write,
    link: (name, target) => {
      mkdirSync(dirname(path(name)), { recursive: true })
      symlinkSync(target, path(name))
    },
    remove: (name) => {
      rmSync(path(name), { recursive: true })
    },
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
