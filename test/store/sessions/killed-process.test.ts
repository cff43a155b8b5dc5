// Tests that the log of a killed process has every written line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { lastValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { withCompileCache } from '../../support/compile-cache.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { appendEvents, custom, sampleHeader } from './sample-records.ts'
import { sampleRows } from '../../support/sample-size.ts'

it.each(sampleRows([333, 4000, 1, 1500], 2))(
  'kill -9 after about %i lines loses no written line [LOG-written]',
  async (lines) => {
    const home = mkdtempSync(path.join(tmpdir(), 'rxpi-killed-'))
    const child = spawn(process.execPath, [fileURLToPath(new URL('./writing-process.ts', import.meta.url)), home], {
      env: withCompileCache(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let confirmed = 0
      for await (const line of createInterface({ input: child.stdout })) {
        confirmed = Number(line)
        if (confirmed >= lines) child.kill('SIGKILL')
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      expect(child.signalCode).toBe('SIGKILL')
      const { log } = fileStore({ home }).open(sampleHeader().id)
      expect(log.head).toBeGreaterThanOrEqual(confirmed)
      expect([...log.records()]).toHaveLength(log.head)
      appendEvents(log, [custom('on')])
      await lastValueFrom(log.close(), { defaultValue: undefined })
    } finally {
      child.kill('SIGKILL')
      rmSync(home, { recursive: true })
    }
  },
)
