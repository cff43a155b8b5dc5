// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["Ling-2.6-1T","Ling 2.6 1T",262144,65536,"",[0.06,0.25]],
  ["Ling-2.6-flash","Ling 2.6 Flash",262144,65536,"",[0.01,0.02]],
  ["Ring-2.6-1T","Ring 2.6 1T",262144,65536,"r",[0.06,0.25],{"effort":"-,-,-,-,-,-"}],
]
