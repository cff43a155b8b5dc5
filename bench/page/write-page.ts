// Stores the results of a whole run and writes the page from them: `node bench/page/write-page.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { performancePage } from './performance-page.ts'
import type { Results } from './results.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const resultsFile = path.join(root, 'bench/results.json')
const page = path.join(root, 'docs/performance.md')

export function keepResults(results: Results): void {
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 1)}\n`)
  writePage()
}

export function storedResults(): Results {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results // written above
}

function writePage(): void {
  writeFileSync(page, performancePage(storedResults()))
}

if (import.meta.filename === process.argv[1]) writePage()
