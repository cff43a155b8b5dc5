// Preloaded into a measured Node process: at its end it appends one line of JSON with its usage.
//
// The peak of the memory is the kernel's VmHWM if there is one: it begins anew with each program, while `maxRSS` may
// still be that of the process which started it.
const { appendFileSync, readFileSync } = require('node:fs')

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const line = { pid: process.pid, cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: (peakKiB() ?? maxRSS) / 1024 }
  appendFileSync(process.env.RXPI_BENCH_USAGE, `${JSON.stringify(line)}\n`)
})

function peakKiB() {
  if (process.platform !== 'linux') return undefined
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
}
