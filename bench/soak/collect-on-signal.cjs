// Preloaded into the soaked server: SIGUSR2 collects its garbage, to measure the live heap.
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')

process.on('SIGUSR2', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect() // may only end a marking that had begun, with all that was alive then
  collect()
})
