// Checks that the first line of each source file is a comment of at most 100 characters.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sourcesOf } from './names.ts'

const longest = 100

/** Returns one message for each file of lib, app and scripts below `root` whose first line does not fit. */
export function checkFirstLines(root: string): readonly string[] {
  return ['lib', 'app', 'scripts'].flatMap((folder) =>
    sourcesOf(root, folder).flatMap((file) => {
      const [first = ''] = readFileSync(path.join(root, file), 'utf8').split('\n', 1)
      const fault = faultOf(first)
      return fault === undefined ? [] : [`${file}: ${fault}`]
    }),
  )
}

function faultOf(line: string): string | undefined {
  const text = /^\/\/ (?<text>.+)$/.exec(line)?.groups?.['text']
  if (text === undefined) return 'the first line must say what the file does: // Subject, verb, object.'
  const { length } = Array.from(text)
  return length > longest ? `the first line has ${length} characters; at most ${longest} are allowed` : undefined
}

if (import.meta.main) {
  const faults = checkFirstLines(path.resolve(import.meta.dirname, '../..'))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
