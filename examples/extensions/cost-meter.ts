// A live cost meter, built only of event operators: the status line shows what the session costs and how fast it writes, and
// the log keeps the total after each answer. Install:
//   cp examples/extensions/cost-meter.ts ~/.config/rxpi/extensions/ && rxpi extensions trust cost-meter
import { combineLatest, distinctUntilChanged, map, startWith, throttleTime } from 'rxjs'
import { custom, defineExtension } from 'rxpi'
import { costMeter, perSecond, textDeltas } from 'rxpi/operators'

export default defineExtension({
  name: 'cost-meter',
  version: '1.0.0',
  setup({ events, ui, scope }) {
    const cost$ = events.event$.pipe(
      costMeter(),
      map(({ usd, unpriced }) => `$${usd.toFixed(4)}${unpriced > 0 ? ` and ${unpriced} answers without a price` : ''}`),
      startWith('$0'),
    )
    const speed$ = events.event$.pipe(
      textDeltas(),
      perSecond({ sizeOf: ({ length }) => length }),
      map((characters) => (characters > 0 ? ` · ${Math.round(characters)} characters/s` : '')),
      startWith(''),
    )
    combineLatest([cost$, speed$])
      .pipe(
        map((parts) => parts.join('')),
        throttleTime(500, undefined, { leading: true, trailing: true }),
        distinctUntilChanged(),
        scope.bind(),
      )
      .subscribe((text) => ui.status(text))

    events.derive((event$) =>
      event$.pipe(
        costMeter(),
        map(({ usd, unpriced, usage }) => custom('cost', { usd, unpriced, tokens: usage.totalTokens })),
      ),
    )
  },
})
