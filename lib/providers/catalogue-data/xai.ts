// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["grok-4.3","Grok 4.3",1000000,30000,"ri",[1.25,2.5,0.2],{"tiers":[[200000,2.5,5,0.4]],"effort":"none,low,low,medium,high,xhigh"}],
  ["grok-4.5","Grok 4.5",500000,500000,"ri",[2,6,0.3],{"tiers":[[200000,4,12,0.6]],"effort":"-,low,low,medium,high,xhigh"}],
  ["grok-4.6","Grok 4.6",500000,500000,"ri",[2,6,0.5],{"tiers":[[200000,4,12,1]],"effort":"-,low,low,medium,high,xhigh"}],
  ["grok-4.7","Grok 4.7",500000,500000,"ri",[2,6,0.5],{"tiers":[[200000,4,12,1]],"effort":"-,low,low,medium,high,xhigh"}],
]
