// Measures the cost of the providers for an answer at full speed.
import { runBundled } from './bundled-program.ts'
import type { ProviderSamples } from './providers-program.ts'
import { providersReport } from './providers-report.ts'
import type { Benchmark } from './report.ts'

export const providers: Benchmark = {
  name: 'providers',
  about: 'wire bytes to deltas: an answer of 100,000 deltas of 20 characters on each wire, from memory, at full speed',
  run: async (workspace) => {
    const [samples = []] = await runBundled<ProviderSamples[]>(workspace, 'providers-program', [[]])
    return providersReport(samples)
  },
}
