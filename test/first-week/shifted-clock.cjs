// Preloaded into a process: SIGUSR2 sets its clock by the milliseconds in the file `clock` of its folder. Timers and
// `performance.now()` go on as they are, as when a person sets the clock of a machine. Worker threads keep their clock.
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { isMainThread } = require('node:worker_threads')

const file = path.join(process.cwd(), 'clock')
const SystemDate = Date
let shift = 0

globalThis.Date = class Date extends SystemDate {
  constructor(...values) {
    super(...(values.length === 0 ? [SystemDate.now() + shift] : values))
  }
  static now() {
    return SystemDate.now() + shift
  }
}

if (isMainThread)
  process.on('SIGUSR2', () => {
    shift = Number(readFileSync(file, 'utf8'))
  })
