// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["glm-4.7","GLM-4.7",204800,131072,"r",[0.6,2.2,0.11],{"effort":"-,-,-,-,-,-"}],
  ["glm-5-turbo","GLM-5-Turbo",200000,131072,"r",[1.2,4,0.24],{"effort":"-,-,-,-,-,-"}],
  ["glm-5.2","GLM-5.2",1000000,131072,"r",[1.4,4.4,0.26],{"effort":"none,high,high,high,high,max"}],
  ["glm-5.2-highspeed","GLM-5.2 Highspeed",1000000,131072,"r",[],{"effort":"none,high,high,high,high,max"}],
  ["glm-5.3","GLM-5.3",1000000,131072,"r",[1.4,4.4,0.26],{"effort":"-,low,low,high,high,max","always":true}],
  ["glm-5.3-flash","GLM-5.3-Flash",1000000,131072,"ri",[0.15,0.5,0.03],{"effort":"-,low,low,high,high,max","always":true}],
  ["glm-5.3-highspeed","GLM-5.3 Highspeed",1000000,131072,"r",[],{"effort":"-,low,low,high,high,max","always":true}],
]
