// Preloaded into the soaked server: SIGUSR2 collects its garbage and writes a count of what is alive then.
const { ChildProcess } = require('node:child_process')
const { renameSync, writeFileSync } = require('node:fs')
const { Socket } = require('node:net')
const path = require('node:path')
const { queryObjects, setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const { Worker, isMainThread } = require('node:worker_threads')

// beside the server's temporary folder: its environment has no variable of the soak
const file = path.join(path.dirname(process.env.TMPDIR ?? '/tmp/none'), 'alive.json')
const timer = setTimeout(() => undefined, 0)
const kinds = { timers: timer.constructor, sockets: Socket, children: ChildProcess, threads: Worker }

// its first call warns that it is experimental, which is no line of the server's
const { emitWarning } = process
process.emitWarning = () => undefined
queryObjects(Worker, { format: 'count' })
process.emitWarning = emitWarning

if (isMainThread)
  process.on('SIGUSR2', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    collect() // may only end a marking that had begun, with all that was alive then
    collect()
    const counts = Object.entries(kinds).map(([name, kind]) => [name, queryObjects(kind, { format: 'count' })])
    writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(counts)))
    renameSync(`${file}.new`, file)
  })
