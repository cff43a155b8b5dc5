// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["mimo-v2.6-flash","MiMo-V2.6-Flash",1048576,131072,"ri",[0.14,0.28,0.0028],{"effort":"-,-,-,-,-,-","replay":true}],
  ["mimo-v2.6-pro","MiMo-V2.6-Pro",1048576,131072,"ri",[0.435,0.87,0.0036],{"effort":"-,-,-,-,-,-","replay":true}],
  ["mimo-v2.6-pro-ultraspeed","MiMo-V2.6-Pro-UltraSpeed",1048576,131072,"ri",[4.35,8.7,0.036],{"effort":"-,-,-,-,-,-","replay":true}],
]
