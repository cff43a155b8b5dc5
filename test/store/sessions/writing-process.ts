// Appends to a session's log as fast as possible, and prints the number of lines after each batch.
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { checkpointBody, custom, nextBody, sampleHeader } from './sample-records.ts'

const log = fileStore({ home: process.argv[2] ?? '' }).create(sampleHeader())
flushCompileCache() // a test kills it, so that it writes nothing at its end
for (;;) {
  for (let line = 0; line < 20; line += 1) {
    log.append(nextBody(log, custom('ü'.repeat((log.head * 37) % 5000))))
    log.checkpoint(checkpointBody('entryaaa', 0, 'piece'))
  }
  writeSync(1, `${log.head}\n`)
}
