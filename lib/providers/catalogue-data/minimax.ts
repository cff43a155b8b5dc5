// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["MiniMax-M2.7","MiniMax-M2.7",204800,131072,"r",[0.3,1.2,0.06,0.375]],
  ["MiniMax-M2.7-highspeed","MiniMax-M2.7-highspeed",204800,131072,"r",[0.6,2.4,0.06,0.375]],
  ["MiniMax-M3","MiniMax-M3",1000000,524288,"ri",[0.3,1.2,0.06],{"tiers":[[512000,0.6,2.4,0.12]]}],
  ["MiniMax-M3.1-Flash","MiniMax-M3.1-Flash",1000000,524288,"ri",[0.15,0.6,0.015]],
]
