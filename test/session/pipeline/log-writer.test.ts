// Runs the log writer contract with a synchronous and with a delayed log.
import { timer } from 'rxjs'
import { writeAhead } from '../../../lib/streams/memory/write-ahead.ts'
import { delayedWriter, logWriterContract } from '../../contract/log-writer-contract.ts'

logWriterContract('a log that writes in the call', (log) => log)
logWriterContract('a log whose lines are saved elsewhere first', (log) => writeAhead(log, () => timer(2)))
logWriterContract('a log whose lines take 5 ms', (log) => delayedWriter(log, 5))
