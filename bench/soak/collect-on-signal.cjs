// Preloaded into the soaked server: at SIGUSR2 it collects its garbage, so that what it holds can be told from what it has not thrown away yet.
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')

process.on('SIGUSR2', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect() // may only end a marking that had begun, with all that was alive then
  collect()
})
