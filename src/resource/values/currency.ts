/**
 * The codes of ISO 4217, list one, by their number of decimals: currencies and funds in force after amendment 180, of
 * 2026-01-01. Absent are the codes to which the list gives no decimals, such as XAU (gold) and XTS (tests): no amount in
 * minor units exists in them.
 */
const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const withTwo =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP ' +
  'COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR ' +
  'JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN ' +
  'NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL ' +
  'THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG'
const withThree = 'BHD IQD JOD KWD LYD OMR TND'
const withFour = 'CLF UYW'

/**
 * Codes that a stored price may have and a new one may not: those of list three, which are withdrawn, and two without
 * decimals that earlier releases took. All are stored with two decimals.
 */
const formerly =
  'ADP AFA ALK ANG AOK AON AOR ARA ARP ARY ATS AYM AZM BAD BEC BEF BEL BGJ BGK BGL BGN BOP BRB BRC BRE BRN BRR BUK BYB ' +
  'BYR CHC CSD CSJ CSK CUC CYP DDM DEM ECS ECV EEK ESA ESB ESP FIM FRF GEK GHC GHP GNE GNS GQE GRD GWE GWP HRD HRK IEP ' +
  'ILP ILR ISJ ITL LAJ LSM LTL LTT LUC LUF LUL LVL LVR MAF MGF MLF MRO MTL MTP MVQ MXP MZE MZM NIC NLG PEH PEI PES PLZ ' +
  'PTE RHD ROK ROL RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM TPE TRL UAK UGS UGW USS UYN UYP VEB VEF VNC XDR XEU XFO ' +
  'XFU XRE XSU YDD YUD YUM YUN ZAL ZMK ZRN ZRZ ZWC ZWD ZWL ZWN ZWR'

const isIn = (codes: string, code: string) => /^[A-Z]{3}$/.test(code) && codes.includes(code)

/**
 * Returns the number of decimals of the currency by ISO 4217: 2 for EUR and HUF, 0 for JPY, 3 for KWD. The pages and the
 * server ask this function alone. The digits of `Intl` are those of CLDR, which has none for HUF.
 */
export function exponentOf(currency: string): number {
  if (isIn(withoutDecimals, currency)) return 0
  if (isIn(withThree, currency)) return 3
  return isIn(withFour, currency) ? 4 : 2
}

/** Whether a new price may be in the currency: its code is in force in ISO 4217, in upper case. */
export function isCurrency(code: string): boolean {
  return [withoutDecimals, withTwo, withThree, withFour].some((codes) => isIn(codes, code))
}

/** Whether a stored price may be in the currency, which may be withdrawn since, such as BGN. */
export function isStoredCurrency(code: string): boolean {
  return isCurrency(code) || isIn(formerly, code)
}

/** Converts minor units to decimal text with all decimals of the currency: 1999 EUR is `19.99`. */
export function toDecimal(minor: number, currency: string): string {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0')
  const sign = minor < 0 ? '-' : ''
  if (exponent === 0) return `${sign}${digits}`
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}
