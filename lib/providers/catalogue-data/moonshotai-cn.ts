// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["kimi-k2.6","Kimi K2.6",262144,262144,"ri",[0.9711,4.0337,0.1643],{"effort":"-,-,-,-,-,-","form":"thinking"}],
  ["kimi-k2.7-code","Kimi K2.7 Code",262144,262144,"ri",[0.9711,4.0337,0.1942],{"effort":"-,-,-,-,-,-","form":"thinking","always":true}],
  ["kimi-k2.7-code-highspeed","Kimi K2.7 Code HighSpeed",262144,262144,"ri",[1.9421,8.0673,0.3884],{"effort":"-,-,-,-,-,-","form":"thinking","always":true}],
  ["kimi-k3","Kimi K3",1048576,1048576,"ri",[3,15,0.3],{"effort":"-,low,low,high,high,max","replay":true}],
  ["kimi-k3.1-pro","Kimi K3.1 Pro",1048576,1048576,"ri",[1.9437,10.1671,0.1944],{"effort":"-,low,low,high,high,max","replay":true}],
  ["kimi-k3.1-pro-highspeed","Kimi K3.1 Pro Highspeed",1048576,1048576,"ri",[3.8874,20.3342,0.1944],{"effort":"-,low,low,high,high,max","replay":true}],
]
