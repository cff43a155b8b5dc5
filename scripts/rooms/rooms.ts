// `npm run rooms [-- --report]`: checks the import table and the folders inside rooms; with --report it prints their figures.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
const reporter = `plugin:${path.join(import.meta.dirname, 'reporter.ts')}`
const flags = ['--config', '.dependency-cruiser.mjs', '--output-type', reporter, 'lib', 'app', 'test', 'scripts']
const env = process.argv.includes('--report') ? { ...process.env, RXPI_ROOMS_REPORT: '1' } : process.env
const { status } = spawnSync(process.execPath, [cruiser, ...flags], { cwd: root, env, stdio: 'inherit' })
process.exitCode = status ?? 1
