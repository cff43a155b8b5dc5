// Preloaded into a Node process: at its end it appends one line of JSON with the files of its modules.
const { appendFileSync } = require('node:fs')
const { registerHooks } = require('node:module')

const files = new Set()
registerHooks({
  load: (url, context, nextLoad) => {
    if (url.startsWith('file:')) files.add(url)
    return nextLoad(url, context)
  },
})
process.on('exit', () => {
  appendFileSync(process.env.RXPI_BENCH_FILES, `${JSON.stringify([...files])}\n`)
})
