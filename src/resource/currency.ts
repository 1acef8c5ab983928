/** The number of decimals of ISO 4217 currencies that do not have two. */
const exponents: Readonly<Record<string, number>> = {
  ...sameExponent(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...sameExponent(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...sameExponent(4, 'CLF UYW'),
}

function sameExponent(exponent: number, codes: string): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, exponent]))
}

/** Returns the number of decimals of the currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export function exponentOf(currency: string): number {
  return exponents[currency] ?? 2
}

let known: ReadonlySet<string> | undefined

/** Whether the code is an ISO 4217 currency in upper case. */
export function isCurrency(code: string): boolean {
  known ??= new Set([...Intl.supportedValuesOf('currency'), ...Object.keys(exponents)])
  return known.has(code)
}

/** Converts minor units to decimal text with all decimals of the currency: 1999 EUR is `19.99`. */
export function toDecimal(minor: number, currency: string): string {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0')
  const sign = minor < 0 ? '-' : ''
  if (exponent === 0) return `${sign}${digits}`
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}
