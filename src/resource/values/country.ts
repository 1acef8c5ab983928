const alpha2 =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
  'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
  'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
  'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
  'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
  'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

/** The alpha-2 codes of ISO 3166-1 of 2026-01-01, in alphabetical order: 249. They are upper case. */
export const countries: readonly string[] = alpha2.split(' ')

/** Codes that stand for one other country today, by ISO 3166-3 and by use: UK and EL are the ones of the European Union. */
const successors: Readonly<Record<string, string>> = {
  BU: 'MM',
  CT: 'KI',
  DD: 'DE',
  DY: 'BJ',
  EL: 'GR',
  FX: 'FR',
  HV: 'BF',
  NH: 'VU',
  RH: 'ZW',
  TP: 'TL',
  UK: 'GB',
  VD: 'VN',
  YD: 'YE',
  ZR: 'CD',
}

/** Kosovo has no code in ISO 3166-1. Passports, hotels and PMSs use XK, which the standard leaves to its users. */
const current = new Set([...countries, 'XK'])

/** Whether a new value may have this code: an alpha-2 code of ISO 3166-1 in upper case, or XK for Kosovo. */
export function isCountry(code: string): boolean {
  return current.has(code)
}

/** Returns the present country of an upper-case alpha-2 code: GB of GB and of UK; null for a code without one successor, such as SU. */
export function currentCountry(alpha2: string): string | null {
  if (isCountry(alpha2)) return alpha2
  return Object.hasOwn(successors, alpha2) ? successors[alpha2]! : null
}
