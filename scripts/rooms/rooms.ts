// Checks the import table, the folders inside rooms, names and first lines; `--report` prints figures.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
const reporter = `plugin:${path.join(import.meta.dirname, 'reporter.ts')}`
const flags = ['--config', '.dependency-cruiser.mjs', '--output-type', reporter, 'lib', 'app', 'test', 'scripts']
const env = process.argv.includes('--report') ? { ...process.env, RXPI_ROOMS_REPORT: '1' } : process.env
const own = ['names.ts', 'first-lines.ts'].map((name) => [path.join(import.meta.dirname, name)])
const checks = [[cruiser, ...flags], ...own]
const codes = checks.map((check) => spawnSync(process.execPath, check, { cwd: root, env, stdio: 'inherit' }).status)
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
